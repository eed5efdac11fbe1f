// Ring assembly, step 3: the sweep line. It finds crossings and tells where the area lies.

import OSMModel

extension RingAssembler {
  @inline(__always) func lowPoint(_ segment: UInt32) -> Coordinate {
    vertices[Int(segments[Int(segment)].low)]
  }

  @inline(__always) func highPoint(_ segment: UInt32) -> Coordinate {
    vertices[Int(segments[Int(segment)].high)]
  }

  /// Moves a line from west to east over the vertices and keeps the segments it cuts, from south to
  /// north. A segment's place in that list is the number of segments below it, so by the even-odd
  /// rule the area lies above the segments at even places.
  ///
  /// Returns false when segments conflict (Shamos & Hoey 1976: the first pair that does becomes
  /// neighbours before the line reaches it). The list stays ordered until then, so all
  /// comparisons are exact.
  mutating func sweep() -> Bool {
    status.removeAll(keepingCapacity: true)
    isForward.removeAll(keepingCapacity: true)
    below.removeAll(keepingCapacity: true)
    isForward.append(contentsOf: repeatElement(false, count: segments.count))
    below.append(contentsOf: repeatElement(RingAssembler.none, count: segments.count))
    var cursor = 0
    for vertex in vertices.indices where degrees[vertex] > 0 {
      let point = vertices[vertex]
      let first = placeInStatus(of: point)
      var last = first
      while last < status.count {
        let segment = status[last]
        if Int(segments[Int(segment)].high) != vertex {
          if orientation(lowPoint(segment), highPoint(segment), point) == 0 { return false }
          break
        }
        last += 1
      }
      starting.removeAll(keepingCapacity: true)
      while cursor < segments.count, Int(segments[cursor].low) == vertex {
        starting.append(UInt32(truncatingIfNeeded: cursor))
        cursor += 1
      }
      guard orderStarting(at: point) else { return false }
      replaceInStatus(first..<last)
      let end = first + starting.count
      if starting.isEmpty {
        guard staysApart(first - 1) else { return false }
      } else {
        guard staysApart(first - 1), staysApart(end - 1) else { return false }
      }
    }
    return true
  }

  /// The place of the first segment that does not pass below the point.
  private func placeInStatus(of point: Coordinate) -> Int {
    var low = 0
    var high = status.count
    while low < high {
      let middle = (low + high) >> 1
      let segment = status[middle]
      if orientation(lowPoint(segment), highPoint(segment), point) > 0 {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }

  /// Sorts the segments that start at a point from the southernmost to the northernmost direction;
  /// false when two have the same direction.
  private mutating func orderStarting(at point: Coordinate) -> Bool {
    if starting.count < 2 { return true }
    let (segments, vertices) = (segments, vertices)
    starting.sort { left, right in
      orientation(
        point, vertices[Int(segments[Int(left)].high)], vertices[Int(segments[Int(right)].high)])
        > 0
    }
    for index in 1..<starting.count
    where orientation(point, highPoint(starting[index - 1]), highPoint(starting[index])) == 0 {
      return false
    }
    return true
  }

  private mutating func replaceInStatus(_ range: Range<Int>) {
    if range.count == 1, starting.count == 1 {
      status[range.lowerBound] = starting[0]
    } else {
      status.replaceSubrange(range, with: starting)
    }
    for index in range.lowerBound..<range.lowerBound + starting.count {
      let segment = Int(status[index])
      isForward[segment] = index & 1 == 0
      if index > 0 { below[segment] = status[index - 1] }
    }
  }

  /// Whether the segments at a place and the next one do not meet further east.
  private func staysApart(_ place: Int) -> Bool {
    guard place >= 0, place + 1 < status.count else { return true }
    let (lower, upper) = (status[place], status[place + 1])
    let lowerEnd = segments[Int(lower)].high
    let upperEnd = segments[Int(upper)].high
    if lowerEnd == upperEnd { return true }
    if lowerEnd < upperEnd {
      return orientation(lowPoint(upper), highPoint(upper), highPoint(lower)) < 0
    }
    return orientation(lowPoint(lower), highPoint(lower), highPoint(upper)) > 0
  }

  /// Leaves out every part that conflicts with itself or with another, after a sweep met a
  /// conflict: no crossing is resolved by inventing a vertex.
  mutating func dropConflictingParts() {
    var bad: [Int] = []
    var work = 0
    for first in segments.indices {
      let (a, b) = endPoints(first)
      for second in (first + 1)..<segments.count {
        let (c, d) = endPoints(second)
        if c.longitudeE7 > b.longitudeE7 { break }
        work += 1
        guard segmentsConflict(a, b, c, d) else { continue }
        bad.append(Int(segments[first].low))
        bad.append(Int(segments[second].low))
        report(
          .intersection,
          ways: [ways[Int(segments[first].way)].id, ways[Int(segments[second].way)].id],
          position: approximateMeeting(a, b, c, d))
      }
      if work > RingAssembler.workLimit || bad.count > RingAssembler.conflictLimit {
        report(.tooComplex, position: a)
        removeSegments([Bool](repeating: true, count: segments.count))
        return
      }
    }
    removeParts(around: bad)
  }

  private func endPoints(_ index: Int) -> (Coordinate, Coordinate) {
    (vertices[Int(segments[index].low)], vertices[Int(segments[index].high)])
  }

  /// Pairs of segments compared before the search for all crossings is given up: about a second.
  static let workLimit = 200_000_000
  static let conflictLimit = 1_000_000
}
