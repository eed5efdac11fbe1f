// Ring assembly, steps 1 and 2: order, cancel and number the segments; drop what does not close.

import OSMModel

/// One end of a segment, on the way to numbered vertices.
struct VertexEnd {
  var key: UInt64
  /// The segment's number times two, plus one for the eastern end.
  var place: UInt32
}

/// What cancelling equal segments met.
struct RepeatedSegments {
  /// Both ends of each segment of which a pair was cancelled.
  var ends: [UInt64] = []
  /// Whether something cancelled that cannot be meant: a segment three times, or an edge that a hole
  /// shares with its outer ring.
  var areFaults = false
}

extension RingAssembler {
  mutating func sortSegments() {
    raw.sort { left, right in
      if left.low != right.low { return left.low < right.low }
      if left.high != right.high { return left.high < right.high }
      return left.way < right.way
    }
  }

  /// Removes pairs of equal segments: by the even-odd rule they do not bound anything. Rings that
  /// share an edge, and seams that a way follows back and forth, vanish this way.
  mutating func cancelRepeatedSegments() -> RepeatedSegments {
    var repeats = RepeatedSegments()
    var kept = 0
    var index = 0
    while index < raw.count {
      var next = index + 1
      while next < raw.count, raw[next].low == raw[index].low, raw[next].high == raw[index].high {
        next += 1
      }
      let copies = next - index
      if copies > 1 {
        repeats.ends.append(raw[index].low)
        repeats.ends.append(raw[index].high)
        judgeRepeats(index..<next, &repeats)
      }
      if copies % 2 == 1 {
        if kept != index { raw[kept] = raw[index] }
        kept += 1
      }
      index = next
    }
    raw.removeLast(raw.count - kept)
    return repeats
  }

  private mutating func judgeRepeats(_ range: Range<Int>, _ repeats: inout RepeatedSegments) {
    let first = raw[range.lowerBound]
    let second = raw[range.lowerBound + 1]
    let inner = range.count { ways[Int(raw[$0].way)].role == .inner }
    if range.count > 2 || (inner > 0 && inner < range.count) {
      repeats.areFaults = true
    } else if inner > 0, first.way != second.way {
      return
    }
    report(
      .duplicateSegment, ways: [ways[Int(first.way)].id, ways[Int(second.way)].id],
      nodes: [first.lowNode, first.highNode], position: Coordinate(sweepKey: first.low))
  }

  /// Whether a cancelled chain ends where nothing else is: a spike, not a seam.
  mutating func findSpikes(_ repeats: RepeatedSegments) -> Bool {
    guard !repeats.ends.isEmpty else { return false }
    let ends = repeats.ends.sorted()
    var found = false
    for (index, key) in ends.enumerated() {
      let isRepeated =
        (index > 0 && ends[index - 1] == key)
        || (index + 1 < ends.count && ends[index + 1] == key)
      guard !isRepeated, !isVertex(key) else { continue }
      found = true
      report(.spike, position: Coordinate(sweepKey: key))
    }
    return found
  }

  private func isVertex(_ key: UInt64) -> Bool {
    var low = 0
    var high = vertices.count
    while low < high {
      let middle = (low + high) >> 1
      if vertices[middle].sweepKey < key { low = middle + 1 } else { high = middle }
    }
    return low < vertices.count && vertices[low].sweepKey == key
  }

  /// Numbers the positions from west to east and writes `segments` in terms of those numbers.
  mutating func numberVertices() {
    ends.removeAll(keepingCapacity: true)
    segments.removeAll(keepingCapacity: true)
    vertices.removeAll(keepingCapacity: true)
    degrees.removeAll(keepingCapacity: true)
    for (index, segment) in raw.enumerated() {
      let place = UInt32(truncatingIfNeeded: index) << 1
      ends.append(VertexEnd(key: segment.low, place: place))
      ends.append(VertexEnd(key: segment.high, place: place | 1))
      segments.append(
        Segment(
          low: 0, high: 0, way: segment.way, lowNode: segment.lowNode, highNode: segment.highNode))
    }
    ends.sort { $0.key < $1.key }
    var last: UInt64?
    for end in ends {
      if end.key != last {
        vertices.append(Coordinate(sweepKey: end.key))
        degrees.append(0)
        last = end.key
      }
      let vertex = vertices.count - 1
      degrees[vertex] += 1
      let segment = Int(end.place >> 1)
      if end.place & 1 == 0 {
        segments[segment].low = UInt32(truncatingIfNeeded: vertex)
      } else {
        segments[segment].high = UInt32(truncatingIfNeeded: vertex)
      }
    }
  }

  /// Whether some vertex has an odd number of segments, so that not everything closes.
  var hasLooseEnds: Bool { degrees.contains { $0 & 1 == 1 } }

  /// Whether ways meet at a position where they do not share a node: closed on the map, but not in
  /// the data.
  mutating func findSharedPositions() -> Bool {
    var found = false
    var index = 0
    while index < ends.count {
      var next = index + 1
      while next < ends.count, ends[next].key == ends[index].key { next += 1 }
      if let (first, second) = unequalNodes(index..<next) {
        found = true
        report(
          .sharedPosition, nodes: [first, second], position: Coordinate(sweepKey: ends[index].key))
      }
      index = next
    }
    return found
  }

  /// Two nodes at one vertex of which at least one has an odd number of segments.
  private func unequalNodes(_ range: Range<Int>) -> (Int64, Int64)? {
    let first = node(at: ends[range.lowerBound])
    guard first != ElementID.unknownNumber else { return nil }
    var other: Int64?
    for index in range.dropFirst() {
      let node = node(at: ends[index])
      if node == ElementID.unknownNumber { return nil }
      if node != first { other = node }
    }
    guard let other else { return nil }
    var nodes = range.map { node(at: ends[$0]) }
    nodes.sort()
    var index = 0
    while index < nodes.count {
      var next = index + 1
      while next < nodes.count, nodes[next] == nodes[index] { next += 1 }
      if (next - index) % 2 == 1 { return (first, other) }
      index = next
    }
    return nil
  }

  private func node(at end: VertexEnd) -> Int64 {
    let segment = segments[Int(end.place >> 1)]
    return end.place & 1 == 0 ? segment.lowNode : segment.highNode
  }

  mutating func reportLooseEnds() {
    guard collectsProblems else { return }
    for segment in segments {
      let way = ways[Int(segment.way)].id
      if degrees[Int(segment.low)] & 1 == 1 {
        report(
          .openRing, ways: [way], nodes: [segment.lowNode],
          position: vertices[Int(segment.low)])
      }
      if degrees[Int(segment.high)] & 1 == 1 {
        report(
          .openRing, ways: [way], nodes: [segment.highNode],
          position: vertices[Int(segment.high)])
      }
    }
  }

  /// Leaves out the segments marked, and counts degrees anew.
  mutating func removeSegments(_ isGone: [Bool]) {
    var kept = 0
    for index in segments.indices {
      if !isGone[index] {
        if kept != index { segments[kept] = segments[index] }
        kept += 1
      } else {
        degrees[Int(segments[index].low)] -= 1
        degrees[Int(segments[index].high)] -= 1
      }
    }
    segments.removeLast(segments.count - kept)
  }

  /// Leaves out chains that end nowhere, then everything connected to a vertex that is still odd:
  /// there, more than one area would be possible.
  mutating func dropOpenParts() {
    buildIncidences()
    var isGone = [Bool](repeating: false, count: segments.count)
    var remaining = degrees
    var open = vertices.indices.filter { remaining[$0] == 1 }
    while let vertex = open.popLast() {
      guard remaining[vertex] == 1 else { continue }
      for index in incidenceRange(vertex) {
        let segment = Int(incidences[index])
        guard !isGone[segment] else { continue }
        isGone[segment] = true
        remaining[vertex] -= 1
        let other = Int(otherEnd(segment, vertex))
        remaining[other] -= 1
        if remaining[other] == 1 { open.append(other) }
      }
    }
    removeSegments(isGone)
    if hasLooseEnds { removeParts(around: vertices.indices.filter { degrees[$0] & 1 == 1 }) }
  }

  /// Leaves out everything that hangs together with one of the vertices given.
  mutating func removeParts(around bad: [Int]) {
    var parts = ConnectedParts(count: vertices.count)
    for segment in segments { parts.join(segment.low, segment.high) }
    var isBad = [Bool](repeating: false, count: vertices.count)
    for vertex in bad { isBad[parts.root(vertex)] = true }
    removeSegments(segments.map { isBad[parts.root(Int($0.low))] })
  }
}

/// Which vertices hang together (union-find with path halving).
struct ConnectedParts {
  private var parents: [UInt32]

  init(count: Int) {
    parents = (0..<count).map { UInt32(truncatingIfNeeded: $0) }
  }

  mutating func root(_ vertex: Int) -> Int {
    var current = vertex
    while Int(parents[current]) != current {
      parents[current] = parents[Int(parents[current])]
      current = Int(parents[current])
    }
    return current
  }

  mutating func join(_ first: UInt32, _ second: UInt32) {
    let (left, right) = (root(Int(first)), root(Int(second)))
    if left != right { parents[max(left, right)] = UInt32(truncatingIfNeeded: min(left, right)) }
  }
}
