// Ring assembly, step 4: walk around the faces and split the walks into simple rings.

import OSMModel

/// A closed line: a run of `ringSegments`.
struct Ring {
  var start: Int
  var end: Int
  /// The westernmost vertex.
  var leftmost: UInt32
  /// The segment that leaves `leftmost` on the southern side.
  var lowest: UInt32
  /// Its place among the segments of the ring: the walk passes `leftmost` before it.
  var firstAtLeftmost: Int
  /// Counter-clockwise, with the area inside.
  var isExterior: Bool
  /// For a hole its exterior; for an exterior the hole it lies in, if any.
  var parent: UInt32 = RingAssembler.none
  var isResolved = false
  var isDropped = false
}

extension RingAssembler {
  /// Lists the segments at each vertex.
  mutating func buildIncidences() {
    incidenceStarts.removeAll(keepingCapacity: true)
    incidences.removeAll(keepingCapacity: true)
    var total: UInt32 = 0
    for degree in degrees {
      incidenceStarts.append(total)
      total += degree
    }
    incidenceStarts.append(total)
    incidences.append(contentsOf: repeatElement(0, count: Int(total)))
    for index in segments.indices {
      for vertex in [Int(segments[index].low), Int(segments[index].high)] {
        incidences[Int(incidenceStarts[vertex])] = UInt32(truncatingIfNeeded: index)
        incidenceStarts[vertex] += 1
      }
    }
    for vertex in degrees.indices { incidenceStarts[vertex] -= degrees[vertex] }
  }

  @inline(__always) func incidenceRange(_ vertex: Int) -> Range<Int> {
    Int(incidenceStarts[vertex])..<Int(incidenceStarts[vertex + 1])
  }

  @inline(__always) func otherEnd(_ segment: Int, _ vertex: Int) -> UInt32 {
    Int(segments[segment].low) == vertex ? segments[segment].high : segments[segment].low
  }

  @inline(__always) func tail(_ segment: UInt32) -> UInt32 {
    isForward[Int(segment)] ? segments[Int(segment)].low : segments[Int(segment)].high
  }

  @inline(__always) func head(_ segment: UInt32) -> UInt32 {
    isForward[Int(segment)] ? segments[Int(segment)].high : segments[Int(segment)].low
  }

  /// Walks along all segments with the area on the left.
  mutating func traceRings() {
    buildIncidences()
    sortIncidences()
    rings.removeAll(keepingCapacity: true)
    ringSegments.removeAll(keepingCapacity: true)
    refill(&isVisited, with: false, count: segments.count)
    refill(&ringOfSegment, with: RingAssembler.none, count: segments.count)
    refill(&stackPlace, with: -1, count: vertices.count)
    for first in segments.indices where !isVisited[first] {
      walk.removeAll(keepingCapacity: true)
      var segment = UInt32(truncatingIfNeeded: first)
      while !isVisited[Int(segment)] {
        isVisited[Int(segment)] = true
        walk.append(segment)
        segment = next(after: segment)
      }
      splitWalk()
    }
  }

  private func refill<Value>(_ array: inout [Value], with value: Value, count: Int) {
    array.removeAll(keepingCapacity: true)
    array.append(contentsOf: repeatElement(value, count: count))
  }

  /// Brings the segments at each vertex with more than two of them into clockwise order.
  private mutating func sortIncidences() {
    refill(&placesAtLow, with: 0, count: segments.count)
    refill(&placesAtHigh, with: 0, count: segments.count)
    for vertex in degrees.indices where degrees[vertex] > 2 {
      let range = incidenceRange(vertex)
      let center = vertices[vertex]
      let sorted = incidences[range].sorted { left, right in
        let a = vertices[Int(otherEnd(Int(left), vertex))]
        let b = vertices[Int(otherEnd(Int(right), vertex))]
        let (halfA, halfB) = (isWest(a, of: center), isWest(b, of: center))
        if halfA != halfB { return !halfA }
        return orientation(center, a, b) < 0
      }
      for (place, segment) in zip(range, sorted) {
        incidences[place] = segment
        if Int(segments[Int(segment)].low) == vertex {
          placesAtLow[Int(segment)] = UInt32(truncatingIfNeeded: place)
        } else {
          placesAtHigh[Int(segment)] = UInt32(truncatingIfNeeded: place)
        }
      }
    }
  }

  /// Whether a direction belongs to the second half of the clockwise order, which starts in the
  /// north and goes over the east.
  private func isWest(_ point: Coordinate, of center: Coordinate) -> Bool {
    point.sweepKey < center.sweepKey
  }

  /// The segment that bounds the same face after `segment`: the first one clockwise from it at its
  /// head, because the face lies on that side. Around a vertex, area and outside alternate, so that
  /// segment leads away from the vertex.
  private func next(after segment: UInt32) -> UInt32 {
    let vertex = Int(head(segment))
    let range = incidenceRange(vertex)
    if range.count == 2 {
      let first = incidences[range.lowerBound]
      return first == segment ? incidences[range.lowerBound + 1] : first
    }
    let number = Int(segment)
    let place = Int(isForward[number] ? placesAtHigh[number] : placesAtLow[number])
    return incidences[place + 1 == range.upperBound ? range.lowerBound : place + 1]
  }

  /// Cuts a walk into rings that pass each vertex once.
  private mutating func splitWalk() {
    stack.removeAll(keepingCapacity: true)
    for segment in walk {
      let start = Int(tail(segment))
      let end = Int(head(segment))
      if stackPlace[start] < 0 { stackPlace[start] = Int32(truncatingIfNeeded: stack.count) }
      stack.append(segment)
      let place = Int(stackPlace[end])
      guard place >= 0 else { continue }
      addRing(stack[place...])
      for inner in stack[place...] { stackPlace[Int(tail(inner))] = -1 }
      stack.removeLast(stack.count - place)
    }
  }

  private mutating func addRing(_ run: ArraySlice<UInt32>) {
    let start = ringSegments.count
    let number = UInt32(truncatingIfNeeded: rings.count)
    var leftmost = RingAssembler.none
    var firstAtLeftmost = start
    for segment in run {
      let vertex = tail(segment)
      if vertex < leftmost {
        leftmost = vertex
        firstAtLeftmost = ringSegments.count
      }
      ringSegments.append(segment)
      ringOfSegment[Int(segment)] = number
    }
    let outgoing = ringSegments[firstAtLeftmost]
    let incoming =
      firstAtLeftmost == start
      ? ringSegments[ringSegments.count - 1] : ringSegments[firstAtLeftmost - 1]
    let turn = orientation(
      vertices[Int(tail(incoming))], vertices[Int(leftmost)], vertices[Int(head(outgoing))])
    rings.append(
      Ring(
        start: start, end: ringSegments.count, leftmost: leftmost,
        lowest: turn > 0 ? outgoing : incoming, firstAtLeftmost: firstAtLeftmost,
        isExterior: turn > 0))
  }
}
