// Growable columns of plain values: the storage of every table in a Dataset.

/// A growable, uniquely owned run of plain values in one block of memory.
///
/// It grows with `realloc`, which moves large blocks by remapping pages instead of copying them, and
/// memory beyond `count` is never touched: that keeps the peak near the final size.
@frozen public struct Column<Element: BitwiseCopyable>: ~Copyable {
  @usableFromInline var base: UnsafeMutablePointer<Element>?
  @usableFromInline var capacity: Int
  @usableFromInline var used: Int

  @inlinable public init() {
    base = nil
    capacity = 0
    used = 0
  }

  deinit { free(base) }

  @inlinable public var count: Int { used }
  @inlinable public var isEmpty: Bool { used == 0 }

  /// Reads or replaces one value. An index out of range is a defect of the caller and stops the
  /// program, as with `Array`; indices that come from input are checked before.
  @inlinable public subscript(index: Int) -> Element {
    @inline(__always) get {
      guard let base, index >= 0, index < used else { outOfRange() }
      return base[index]
    }
    @inline(__always) set {
      guard let base, index >= 0, index < used else { outOfRange() }
      base[index] = newValue
    }
  }

  /// The last value, or `nil` when empty.
  @inlinable public var last: Element? { used > 0 ? base.map { $0[used - 1] } : nil }

  @inlinable @inline(__always) public mutating func append(_ value: Element) {
    if used == capacity { grow(toHold: used + 1) }
    guard let base else { return }
    base[used] = value
    used += 1
  }

  @inlinable public mutating func append(contentsOf values: UnsafeBufferPointer<Element>) {
    guard let source = values.baseAddress, values.count > 0 else { return }
    if capacity - used < values.count { grow(toHold: used + values.count) }
    guard let base else { return }
    (base + used).update(from: source, count: values.count)
    used += values.count
  }

  /// Appends `value` until there are `count` values.
  @inlinable public mutating func pad(to count: Int, with value: Element) {
    while used < count { append(value) }
  }

  @inlinable public mutating func removeLast(_ count: Int) {
    used -= Swift.min(Swift.max(count, 0), used)
  }

  /// Forgets the values from `count` on.
  @inlinable public mutating func truncate(to count: Int) {
    if count >= 0, count < used { used = count }
  }

  @inlinable public mutating func reserve(_ count: Int) {
    if count > capacity { grow(toHold: count) }
  }

  /// Gives memory beyond `count` back.
  @inlinable public mutating func shrink() {
    guard capacity > used, used > 0 else { return }
    resize(to: used)
  }

  /// The values as one contiguous block, borrowed: valid as long as the column is neither changed
  /// nor destroyed. Bind the column to a name first; one that is only an intermediate value of an
  /// expression is destroyed before its buffer is read.
  @inlinable public var buffer: UnsafeBufferPointer<Element> {
    UnsafeBufferPointer(start: UnsafePointer(base), count: used)
  }

  @inlinable public var mutableBuffer: UnsafeMutableBufferPointer<Element> {
    mutating get { UnsafeMutableBufferPointer(start: base, count: used) }
  }

  @usableFromInline mutating func grow(toHold count: Int) {
    resize(to: Swift.max(count, capacity &* 2, 64))
  }

  @usableFromInline mutating func resize(to count: Int) {
    let (bytes, overflow) = count.multipliedReportingOverflow(by: MemoryLayout<Element>.stride)
    guard !overflow, let block = realloc(base, bytes) else { outOfMemory() }
    base = block.assumingMemoryBound(to: Element.self)
    capacity = count
  }
}

extension Column: @unchecked Sendable where Element: Sendable {}

/// A column in which most or all rows may have no value. It holds nothing until the first value is
/// set; rows after the last set value are absent.
@frozen public struct OptionalColumn<Element: BitwiseCopyable & Equatable>: ~Copyable {
  @usableFromInline var column: Column<Element>
  /// The value that stands for "absent" in ``buffer``.
  public let absent: Element

  @inlinable public init(absent: Element) {
    column = Column()
    self.absent = absent
  }

  @inlinable public var isEmpty: Bool { column.isEmpty }

  /// The rows up to the last value that was set; `absent` where there is none.
  @inlinable public var buffer: UnsafeBufferPointer<Element> { column.buffer }

  @inlinable public subscript(row: Int) -> Element? {
    guard row >= 0, row < column.count else { return nil }
    let value = column[row]
    return value == absent ? nil : value
  }

  @inlinable public mutating func set(_ value: Element, at row: Int) {
    if row == column.count {
      column.append(value)
    } else if row > column.count {
      column.pad(to: row, with: absent)
      column.append(value)
    } else if row >= 0 {
      column[row] = value
    }
  }

  /// Fills up so that the column has `count` rows, unless it is empty.
  @inlinable public mutating func complete(to count: Int) {
    if !column.isEmpty { column.pad(to: count, with: absent) }
  }
}

extension OptionalColumn: @unchecked Sendable where Element: Sendable {}

@usableFromInline @inline(never) func outOfRange() -> Never {
  preconditionFailure("index out of range in a column")
}

/// As everywhere in Swift, running out of memory ends the process; limits guard against input that
/// would need it.
@usableFromInline @inline(never) func outOfMemory() -> Never { abort() }

extension Column {
  /// Reserved memory behind the values, to be filled directly and then kept with ``commit(_:)``.
  @inlinable public var spareCapacity: UnsafeMutableBufferPointer<Element> {
    mutating get {
      UnsafeMutableBufferPointer(start: base.map { $0 + used }, count: capacity - used)
    }
  }

  /// Counts values that were written into ``spareCapacity``.
  @inlinable public mutating func commit(_ count: Int) {
    used += Swift.min(Swift.max(count, 0), capacity - used)
  }
}

extension Column {
  /// Moves the values behind the first `count` to the front.
  @inlinable public mutating func removeFirst(_ count: Int) {
    guard let base, count > 0 else { return }
    let rest = used - Swift.min(count, used)
    base.update(from: base + (used - rest), count: rest)
    used = rest
  }
}
