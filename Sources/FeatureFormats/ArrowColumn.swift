// The values of Arrow columns, and how they are handed over. Source: the Arrow C data interface,
// https://arrow.apache.org/docs/format/CDataInterface.html

internal import CArrow
import OSMModel

/// A block of memory that a column of Arrow consists of, with what keeps it alive.
struct ArrowBuffer: @unchecked Sendable {
  /// `nil` for a buffer that is left out: the bitmap of a column without nulls.
  let start: UnsafeRawPointer?
  private let owner: AnyObject?

  /// No bitmap: every value is there.
  static var absent: ArrowBuffer { ArrowBuffer(borrowing: nil, from: nil) }

  /// Takes values over, without a copy.
  init<Value>(_ values: consuming Column<Value>) {
    // Readers want an address also where there is no value.
    values.reserve(1)
    let block = ArrowBlock(values)
    start = UnsafeRawPointer(block.values.buffer.baseAddress)
    owner = block
  }

  /// Refers to memory that lives as long as its owner.
  init(borrowing start: UnsafeRawPointer?, from owner: AnyObject?) {
    self.start = start
    self.owner = owner
  }
}

private final class ArrowBlock<Value: BitwiseCopyable> {
  let values: Column<Value>

  init(_ values: consuming Column<Value>) { self.values = values }
}

/// A column, or what a column consists of. Nothing but a value until it is exported: an array that
/// nobody takes needs no release.
struct ArrowColumn: Sendable {
  var length: Int
  var nullCount = 0
  var buffers: [ArrowBuffer]
  var children: [ArrowColumn] = []
  /// The texts that the column's numbers stand for. One at most.
  var dictionary: [ArrowColumn] = []

  /// Fills a struct that the receiver owns from then on. `owner` lives as long as the struct.
  func export(to target: UnsafeMutablePointer<ArrowArray>, keeping owner: AnyObject) {
    let memory = ArrayMemory(self, owner)
    target.pointee = ArrowArray(
      length: Int64(length), null_count: Int64(nullCount), offset: 0,
      n_buffers: Int64(buffers.count), n_children: Int64(children.count),
      buffers: memory.starts, children: memory.children.pointers,
      dictionary: memory.dictionary.first, release: releaseArray,
      private_data: Unmanaged.passRetained(memory).toOpaque())
  }
}

/// What an exported array points to. Each child has its own, as it may outlive its parent.
private final class ArrayMemory {
  let starts: UnsafeMutablePointer<UnsafeRawPointer?>
  let children: ArrowPointers<ArrowArray>
  let dictionary: ArrowPointers<ArrowArray>
  private let buffers: [ArrowBuffer]
  private let owner: AnyObject

  init(_ column: ArrowColumn, _ owner: AnyObject) {
    buffers = column.buffers
    self.owner = owner
    starts = .allocate(capacity: max(column.buffers.count, 1))
    for (place, buffer) in column.buffers.enumerated() {
      (starts + place).initialize(to: buffer.start)
    }
    children = ArrowPointers(column.children.count)
    dictionary = ArrowPointers(column.dictionary.count)
    for (place, child) in column.children.enumerated() {
      child.export(to: children[place], keeping: owner)
    }
    for (place, texts) in column.dictionary.enumerated() {
      texts.export(to: dictionary[place], keeping: owner)
    }
  }

  deinit { starts.deallocate() }
}

private func releaseArray(_ array: UnsafeMutablePointer<ArrowArray>?) {
  guard let array, let raw = array.pointee.private_data else { return }
  let memory = Unmanaged<ArrayMemory>.fromOpaque(raw)
  for each in [memory.takeUnretainedValue().children, memory.takeUnretainedValue().dictionary] {
    // Children may have been moved out; they have no release function any more.
    each.forEach { if let release = $0.pointee.release { release($0) } }
  }
  array.pointee.release = nil
  array.pointee.private_data = nil
  memory.release()
}
