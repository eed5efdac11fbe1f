// The positions of one way, with gaps where the answer has none.

import OSMModel

/// A way's positions and node ids, in reused memory.
struct LineBuffer {
  /// ``Coordinate/undefined`` where a position is missing or not on earth.
  var positions: [Coordinate] = []
  /// As long as `positions`; ``ElementID/unknownNumber`` where the answer names no node.
  var nodes: [Int64] = []
  var gaps = 0

  /// Whether the way ends at the node where it starts, or, where nodes are not named, at the
  /// position.
  var isClosedInData = false

  mutating func removeAll() {
    positions.removeAll(keepingCapacity: true)
    nodes.removeAll(keepingCapacity: true)
    gaps = 0
    isClosedInData = false
  }

  mutating func load(_ inline: UnsafeBufferPointer<Coordinate>) {
    removeAll()
    for position in inline { append(position, ElementID.unknownNumber) }
    isClosedInData = inline.count > 1 && inline[0].isValid && inline[0] == inline[inline.count - 1]
  }

  @inline(__always) mutating func append(_ position: Coordinate, _ node: Int64) {
    if position.isValid {
      positions.append(position)
    } else {
      positions.append(.undefined)
      gaps += 1
    }
    nodes.append(node)
  }

  /// Leaves out gaps, so that their neighbours become neighbours.
  mutating func closeGaps() {
    guard gaps > 0 else { return }
    var kept = 0
    for index in positions.indices where !positions[index].isUndefined {
      positions[kept] = positions[index]
      nodes[kept] = nodes[index]
      kept += 1
    }
    positions.removeLast(positions.count - kept)
    nodes.removeLast(nodes.count - kept)
    gaps = 0
  }

  /// Whether two positions differ.
  func hasExtent(_ range: Range<Int>) -> Bool {
    for index in range.dropFirst() where positions[index] != positions[range.lowerBound] {
      return true
    }
    return false
  }

  /// Calls `body` with each run of two or more positions without a gap.
  func forEachRun(_ body: (Range<Int>) -> Void) {
    var start = 0
    while start < positions.count {
      if positions[start].isUndefined {
        start += 1
        continue
      }
      var end = start + 1
      while end < positions.count, !positions[end].isUndefined { end += 1 }
      if end - start > 1 { body(start..<end) }
      start = end
    }
  }
}
