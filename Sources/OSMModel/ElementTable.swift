// What all kinds of elements have in common: ids, tags, metadata, centre and bounds, as columns.

/// One tag: two strings of the dataset's ``StringTable``.
@frozen public struct Tag: Sendable, Hashable, BitwiseCopyable {
  public var key: StringID
  public var value: StringID

  @inlinable public init(key: StringID, value: StringID) {
    self.key = key
    self.value = value
  }
}

/// The columns that every kind of element has. Rows stand in the order of the answer.
public struct ElementTable: ~Copyable, Sendable {
  /// 64-bit ids; ``ElementID/unknownNumber`` where the answer names none (`out noids`).
  public var ids = Column<Int64>()
  /// The end of each row's tags in `tags`.
  public var tagEnds = Column<UInt32>()
  public var tags = Column<Tag>()
  public var metadata = MetadataColumns()
  public var centers = OptionalColumn<Coordinate>(absent: .undefined)
  public var bounds = OptionalColumn<BoundingBox>(absent: .undefined)
  /// Rows whose element the answer held more than once, ascending.
  public var repeatedRows = Column<UInt32>()
  /// Rows in ascending order of id; empty when the rows themselves are in that order.
  public var rowsByID = Column<UInt32>()

  public init() {}

  @inlinable public var count: Int { ids.count }

  @inlinable public func id(_ row: Int) -> Int64 { ids[row] }

  /// The tags of a row, in the order of the answer; borrowed from the table.
  @inlinable public func tags(_ row: Int) -> UnsafeBufferPointer<Tag> {
    slice(tags, ends: tagEnds, row: row)
  }

  @inlinable public func hasTags(_ row: Int) -> Bool {
    tagEnds[row] > (row == 0 ? 0 : tagEnds[row - 1])
  }

  /// The value of a key, if the element has it.
  @inlinable public func value(ofKey key: StringID, row: Int) -> StringID? {
    for tag in tags(row) where tag.key == key { return tag.value }
    return nil
  }

  /// Whether the answer held this row's element more than once.
  public func isRepeated(_ row: Int) -> Bool {
    guard !repeatedRows.isEmpty else { return false }
    let rows = repeatedRows.buffer
    var low = 0
    var high = rows.count
    while low < high {
      let middle = (low + high) / 2
      if Int(rows[middle]) < row { low = middle + 1 } else { high = middle }
    }
    return low < rows.count && Int(rows[low]) == row
  }

  /// The row with the given id.
  /// - Complexity: O(log n); near O(1) for ids close to the one found before (`hint`).
  @inlinable public func row(ofID id: Int64, near hint: Int = 0) -> Int? {
    if rowsByID.isEmpty { return findAscending(id, near: hint) }
    let order = rowsByID.buffer
    let numbers = ids.buffer
    var low = 0
    var high = order.count
    while low < high {
      let middle = (low + high) >> 1
      if numbers[Int(order[middle])] < id { low = middle + 1 } else { high = middle }
    }
    guard low < order.count, numbers[Int(order[low])] == id else { return nil }
    return Int(order[low])
  }

  /// Gallops from `hint` to a range that must hold the id, then halves it: the refs of one way are
  /// mostly near to each other.
  @usableFromInline func findAscending(_ id: Int64, near hint: Int) -> Int? {
    let numbers = ids.buffer
    guard !numbers.isEmpty else { return nil }
    let start = Swift.min(Swift.max(hint, 0), numbers.count - 1)
    if numbers[start] == id { return start }
    var low: Int
    var high: Int
    var step = 1
    if numbers[start] < id {
      low = start + 1
      high = start + 1
      while high < numbers.count, numbers[high] < id {
        low = high + 1
        high += step
        step *= 2
      }
      high = Swift.min(high, numbers.count)
    } else {
      high = start
      low = start
      while low > 0, numbers[low] > id {
        high = low
        low = Swift.max(0, low - step)
        step *= 2
      }
    }
    while low < high {
      let middle = (low + high) >> 1
      if numbers[middle] < id { low = middle + 1 } else { high = middle }
    }
    guard low < numbers.count, numbers[low] == id else { return nil }
    return low
  }
}

/// The part of a shared column that belongs to a row.
@inlinable @inline(__always)
func slice<Value: BitwiseCopyable>(
  _ values: borrowing Column<Value>, ends: borrowing Column<UInt32>, row: Int
) -> UnsafeBufferPointer<Value> {
  let start = row == 0 ? 0 : Int(ends[row - 1])
  return UnsafeBufferPointer(rebasing: values.buffer[start..<Int(ends[row])])
}
