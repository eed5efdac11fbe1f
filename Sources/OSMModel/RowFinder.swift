// Finds many rows by their ids.

/// A hash table of the rows of an ``ElementTable``, so that looking an id up takes the same few steps
/// whatever was looked up before. Single ids are better asked of ``ElementTable/row(ofID:near:)``.
public struct RowFinder: Sendable {
  /// Rows at the places of their ids' hashes, or right behind; `empty` where there is none.
  @usableFromInline var rows: [UInt32] = []
  @usableFromInline var shift: UInt64 = 64
  /// Whether some rows found no place and have to be searched for.
  @usableFromInline var isPartial = false

  @usableFromInline static var empty: UInt32 { .max }
  /// How far behind its place a row may lie: bounds the work on ids made to collide.
  @usableFromInline static var reach: Int { 64 }

  /// - Parameter lookUps: about how many ids will be looked up; far fewer than there are rows are
  ///   not worth a table.
  /// - Complexity: O(n) for n rows.
  public init(_ table: borrowing ElementTable, lookUps: Int) {
    let ids = table.ids.buffer
    guard lookUps >= ids.count / 8, !ids.isEmpty, ids.count < 1 << 31 else {
      isPartial = true
      return
    }
    let bits = UInt64(64 - UInt64(ids.count + ids.count / 2).leadingZeroBitCount)
    shift = 64 - bits
    let size = 1 << Int(bits) + RowFinder.reach
    var isPartial = false
    let shift = shift
    rows = [UInt32](unsafeUninitializedCapacity: size) { buffer, initialized in
      buffer.initialize(repeating: RowFinder.empty)
      initialized = size
      for row in ids.indices {
        let place = RowFinder.place(ids[row], shift)
        var step = 0
        while step < RowFinder.reach, buffer[place + step] != RowFinder.empty { step += 1 }
        if step < RowFinder.reach {
          buffer[place + step] = UInt32(truncatingIfNeeded: row)
        } else {
          isPartial = true
        }
      }
    }
    self.isPartial = isPartial
  }

  @inlinable @inline(__always) static func place(_ id: Int64, _ shift: UInt64) -> Int {
    Int(truncatingIfNeeded: (UInt64(bitPattern: id) &* 0x9E37_79B9_7F4A_7C15) >> shift)
  }

  /// The row with an id in the table that the finder was made for.
  ///
  /// - Parameter hint: the row found before; the next one is tried first, as ids that belong
  ///   together often stand together.
  /// - Complexity: O(1); O(log n) for ids made to collide.
  @inlinable
  public func row(ofID id: Int64, in table: borrowing ElementTable, after hint: Int) -> Int? {
    let ids = table.ids.buffer
    if hint + 1 < ids.count, ids[hint + 1] == id { return hint + 1 }
    if !rows.isEmpty {
      var place = RowFinder.place(id, shift)
      let end = place + RowFinder.reach
      while place < end {
        let row = rows[place]
        if row == RowFinder.empty { return nil }
        if ids[Int(row)] == id { return Int(row) }
        place += 1
      }
    }
    return isPartial ? table.row(ofID: id) : nil
  }
}
