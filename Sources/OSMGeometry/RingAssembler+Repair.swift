// Ring assembly with `Repair.full`: careful repairs of rings that nearly hold.

import OSMModel

extension RingAssembler {
  /// Splits segments at vertices that lie on them, then cancels and numbers anew: rings that touch
  /// or overlap along an edge become rings that share vertices. No position is invented.
  ///
  /// Returns false when nothing was split.
  mutating func splitAtTouchingPoints() -> Bool {
    var pieces: [RawSegment] = []
    var work = 0
    for index in segments.indices {
      let segment = segments[index]
      let (from, to) = (vertices[Int(segment.low)], vertices[Int(segment.high)])
      var last = segment.low
      var lastNode = segment.lowNode
      for vertex in (segment.low + 1)..<segment.high {
        work += 1
        guard work < RingAssembler.workLimit else { return false }
        let point = vertices[Int(vertex)]
        guard degrees[Int(vertex)] > 0, orientation(from, to, point) == 0 else { continue }
        pieces.append(piece(of: segment, last, lastNode, vertex, ElementID.unknownNumber))
        last = vertex
        lastNode = ElementID.unknownNumber
      }
      pieces.append(piece(of: segment, last, lastNode, segment.high, segment.highNode))
    }
    guard pieces.count > segments.count else { return false }
    raw = pieces
    sortSegments()
    _ = cancelRepeatedSegments()
    numberVertices()
    return true
  }

  private func piece(
    of segment: Segment, _ low: UInt32, _ lowNode: Int64, _ high: UInt32, _ highNode: Int64
  ) -> RawSegment {
    RawSegment(
      low: vertices[Int(low)].sweepKey, high: vertices[Int(high)].sweepKey, lowNode: lowNode,
      highNode: highNode, way: segment.way)
  }

  /// Tries to close what is open: first by counting repeated lines once instead of cancelling
  /// them, then by joining lone ends over short gaps. Returns whether something was changed.
  mutating func completeRings(from original: [RawSegment]) -> Bool {
    let (before, cancelled) = (segments.count, raw)
    if original.count > before {
      raw.removeAll(keepingCapacity: true)
      for segment in original
      where raw.last?.low != segment.low || raw.last?.high != segment.high {
        raw.append(segment)
      }
      numberVertices()
      if !hasLooseEnds { return true }
      raw = cancelled
      numberVertices()
    }
    return closeGaps()
  }

  /// Joins ends of chains, nearest first, when all gaps are short against the length of the lines.
  private mutating func closeGaps() -> Bool {
    let loose = vertices.indices.filter { degrees[$0] & 1 == 1 }
    guard loose.count <= 16 else { return false }
    var length = 0.0
    for segment in segments {
      length += distance(vertices[Int(segment.low)], vertices[Int(segment.high)])
    }
    var gaps: [(length: Double, first: Int, second: Int)] = []
    for (place, first) in loose.enumerated() {
      for second in loose[(place + 1)...] {
        gaps.append((distance(vertices[first], vertices[second]), first, second))
      }
    }
    gaps.sort { $0.length < $1.length }
    var isJoined = Set<Int>()
    let way = segments.first?.way ?? 0
    for gap in gaps where !isJoined.contains(gap.first) && !isJoined.contains(gap.second) {
      guard gap.length * 8 <= length else { return false }
      isJoined.insert(gap.first)
      isJoined.insert(gap.second)
      let (low, high) = (min(gap.first, gap.second), max(gap.first, gap.second))
      report(.openRing, ways: [ways[Int(way)].id], position: vertices[low])
      raw.append(
        RawSegment(
          low: vertices[low].sweepKey, high: vertices[high].sweepKey,
          lowNode: ElementID.unknownNumber, highNode: ElementID.unknownNumber, way: way))
    }
    sortSegments()
    _ = cancelRepeatedSegments()
    numberVertices()
    return true
  }

  private func distance(_ a: Coordinate, _ b: Coordinate) -> Double {
    let x = Double(Int64(a.longitudeE7) - Int64(b.longitudeE7))
    let y = Double(Int64(a.latitudeE7) - Int64(b.latitudeE7))
    return (x * x + y * y).squareRoot()
  }
}
