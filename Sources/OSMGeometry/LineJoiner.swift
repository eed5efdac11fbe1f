// Joins lines where their ends meet, as osmtogeojson does.

import OSMModel

/// Collects lines and joins them whatever their order; ``RouteJoiner`` keeps to it.
struct LineJoiner {
  private var positions: [Coordinate] = []
  private var ends: [Int] = []
  private var chain: [Coordinate] = []
  private var isDone: [Bool] = []

  mutating func removeAll() {
    positions.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
  }

  mutating func append(_ line: ArraySlice<Coordinate>) {
    positions.append(contentsOf: line)
    ends.append(positions.count)
  }

  private func range(_ line: Int) -> Range<Int> { (line == 0 ? 0 : ends[line - 1])..<ends[line] }

  private func first(_ line: Int) -> Coordinate { positions[range(line).lowerBound] }
  private func last(_ line: Int) -> Coordinate { positions[range(line).upperBound - 1] }

  /// Joins lines as osmtogeojson does, whatever their order: it takes the last line left and adds
  /// the first other one that meets either end, until none does or the line is closed.
  mutating func joinAnywhere(into geometry: inout Geometry) {
    isDone.removeAll(keepingCapacity: true)
    isDone.append(contentsOf: repeatElement(false, count: ends.count))
    var meeting = EndIndex(count: ends.count) { (first($0).sweepKey, last($0).sweepKey) }
    for start in ends.indices.reversed() where !isDone[start] {
      isDone[start] = true
      // Grown at its end only; what belongs before its start is kept aside, reversed.
      var front: [Coordinate] = []
      chain.removeAll(keepingCapacity: true)
      chain.append(contentsOf: positions[range(start)])
      while true {
        guard let tail = chain.last, let head = front.last ?? chain.first, head != tail else {
          break
        }
        let atTail = meeting.next(at: tail.sweepKey, isDone)
        let atHead = meeting.next(at: head.sweepKey, isDone)
        guard let line = [atTail, atHead].compactMap({ $0 }).min() else { break }
        isDone[line] = true
        let range = range(line)
        if first(line) == tail {
          chain.append(contentsOf: positions[range].dropFirst())
        } else if last(line) == tail {
          chain.append(contentsOf: positions[range].reversed().dropFirst())
        } else if last(line) == head {
          front.append(contentsOf: positions[range].reversed().dropFirst())
        } else {
          front.append(contentsOf: positions[range].dropFirst())
        }
      }
      geometry.coordinates.append(contentsOf: front.reversed())
      geometry.coordinates.append(contentsOf: chain)
      geometry.partEnds.append(geometry.coordinates.count)
    }
    geometry.settleLines()
  }
}

/// Finds lines by the position of an end, lowest number first.
private struct EndIndex {
  private var ends: [(key: UInt64, line: Int)] = []
  private var cursors: [UInt64: Int] = [:]

  init(count: Int, _ keys: (Int) -> (UInt64, UInt64)) {
    for line in 0..<count {
      let (first, last) = keys(line)
      ends.append((first, line))
      if last != first { ends.append((last, line)) }
    }
    ends.sort { $0.key != $1.key ? $0.key < $1.key : $0.line < $1.line }
    for (index, end) in ends.enumerated() where cursors[end.key] == nil {
      cursors[end.key] = index
    }
  }

  /// The first line not done yet that has an end at a position.
  mutating func next(at key: UInt64, _ isDone: [Bool]) -> Int? {
    guard var index = cursors[key] else { return nil }
    while index < ends.count, ends[index].key == key, isDone[ends[index].line] { index += 1 }
    cursors[key] = index
    return index < ends.count && ends[index].key == key ? ends[index].line : nil
  }
}
