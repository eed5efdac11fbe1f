// Which rows of a table are copies of one element.

/// The rows of a table by the ids of their elements.
struct CopyGroups {
  /// The rows in ascending order of id, copies in the order of the table.
  private let rows: [UInt32]
  /// For each row of the table: where the copies of its element begin in `rows`; ``dropped`` for
  /// those that vanish into an earlier row.
  private var starts: [UInt32]
  /// How many rows vanish.
  private(set) var droppedCount = 0
  private let ids: [Int64]
  private static var dropped: UInt32 { .max }

  /// Checks the order of a table's ids and, where they do not ascend, notes the rows by id.
  ///
  /// `nil` when nothing is to be done: no element occurs twice and, if the rows are to be `sorted`,
  /// they are.
  init?(settlingOrderOf table: inout ElementTable, isSorting: Bool = false) {
    let numbers = table.ids.buffer
    guard let rows = CopyGroups.rowsByID(numbers) else { return nil }
    self.rows = rows
    starts = [UInt32](repeating: CopyGroups.dropped, count: rows.count)
    ids = Array(numbers)
    var start = 0
    while start < rows.count {
      let end = end(ofCopiesAt: start)
      starts[Int(rows[start])] = UInt32(truncatingIfNeeded: start)
      droppedCount += end - start - 1
      start = end
    }
    guard droppedCount == 0, !isSorting else { return }
    table.rowsByID.reserve(rows.count)
    for row in rows { table.rowsByID.append(row) }
    return nil
  }

  /// Notes the rows by id where the ids do not ascend, and keeps copies: a look-up finds the first.
  static func settleOrder(of table: inout ElementTable) {
    guard let order = rowsByID(table.ids.buffer) else { return }
    table.rowsByID.reserve(order.count)
    for row in order { table.rowsByID.append(row) }
  }

  /// The rows in order of their ids; `nil` where the ids ascend and none occurs twice.
  private static func rowsByID(_ ids: UnsafeBufferPointer<Int64>) -> [UInt32]? {
    var ascending = true
    for row in ids.indices.dropFirst() where ids[row] <= ids[row - 1] {
      ascending = false
      break
    }
    if ascending { return nil }
    var order = [UInt32](unsafeUninitializedCapacity: ids.count) { buffer, count in
      for row in ids.indices {
        buffer.initializeElement(at: row, to: UInt32(truncatingIfNeeded: row))
      }
      count = ids.count
    }
    order.sort { left, right in
      let (leftID, rightID) = (ids[Int(left)], ids[Int(right)])
      return leftID == rightID ? left < right : leftID < rightID
    }
    return order
  }

  /// Elements without an id are no copies of each other.
  private func end(ofCopiesAt start: Int) -> Int {
    let id = ids[Int(rows[start])]
    var end = start + 1
    guard id != ElementID.unknownNumber else { return end }
    while end < rows.count, ids[Int(rows[end])] == id { end += 1 }
    return end
  }

  func isDropped(_ row: Int) -> Bool { starts[row] == CopyGroups.dropped }

  /// Calls `body` with every kept row and all rows of its element, which are none but it itself
  /// where the list is empty; in the order of the table, or by id if they are to be `sorted`.
  func forEachKept(isSorting: Bool, _ body: (Int, [Int]) -> Void) {
    guard isSorting else {
      for row in starts.indices where !isDropped(row) { give(Int(starts[row]), body) }
      return
    }
    var start = 0
    while start < rows.count { start = give(start, body) }
  }

  @discardableResult private func give(_ start: Int, _ body: (Int, [Int]) -> Void) -> Int {
    let end = end(ofCopiesAt: start)
    body(Int(rows[start]), end - start == 1 ? [] : rows[start..<end].map(Int.init))
    return end
  }
}
