// Which ways a relation has already used.

/// A set of ways that is emptied often: ways of the dataset are marked by row, others by id.
struct SeenWays {
  private var marks: [UInt32] = []
  private var mark: UInt32 = 0
  private var others = Set<Int64>()

  mutating func removeAll() {
    mark &+= 1
    if mark == 0 {
      marks.removeAll()
      mark = 1
    }
    if !others.isEmpty { others.removeAll(keepingCapacity: true) }
  }

  /// Adds a way; false when it was in the set already.
  ///
  /// - Parameters:
  ///   - row: the way's row, or ``DatasetIndex/missing``.
  ///   - count: how many rows there are.
  mutating func insert(row: UInt32, id: Int64, of count: Int) -> Bool {
    guard Int(row) < count else { return others.insert(id).inserted }
    if marks.count < count { marks += repeatElement(0, count: count - marks.count) }
    if marks[Int(row)] == mark { return false }
    marks[Int(row)] = mark
    return true
  }
}
