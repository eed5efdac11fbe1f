// Arrow columns under construction: numbers and texts, each of which may be null.

import OSMModel

/// Which values of a column are there: a bit each, the lowest first.
struct ArrowValidity: ~Copyable {
  private var bits = Column<UInt8>()
  private(set) var count = 0
  private(set) var nullCount = 0

  mutating func append(_ isThere: Bool) {
    if count & 7 == 0 { bits.append(0) }
    if isThere { bits[count >> 3] |= 1 << UInt8(truncatingIfNeeded: count & 7) }
    if !isThere { nullCount += 1 }
    count += 1
  }

  consuming func takeBuffer() -> ArrowBuffer { nullCount == 0 ? .absent : ArrowBuffer(bits) }
}

/// Numbers.
struct ArrowNumbers<Value: FixedWidthInteger & BitwiseCopyable>: ~Copyable {
  private var values = Column<Value>()
  private var validity = ArrowValidity()

  mutating func append(_ value: Value?) {
    values.append(value ?? 0)
    validity.append(value != nil)
  }

  /// - Parameter dictionary: the texts that the numbers stand for.
  consuming func takeColumn(dictionary: [ArrowColumn] = []) -> ArrowColumn {
    let (length, nullCount) = (validity.count, validity.nullCount)
    return ArrowColumn(
      length: length, nullCount: nullCount, buffers: [validity.takeBuffer(), ArrowBuffer(values)],
      dictionary: dictionary)
  }
}

/// Texts or blocks of bytes, one behind the other, with ends of 32 bits: what every reader takes.
struct ArrowTexts: ~Copyable {
  var bytes = Column<UInt8>()
  private var offsets = Column<Int32>()
  private var validity = ArrowValidity()

  init() { offsets.append(0) }

  mutating func append(_ text: UnsafeBufferPointer<UInt8>) {
    bytes.append(contentsOf: text)
    endValue()
  }

  mutating func appendNull() {
    offsets.append(Int32(clamping: bytes.count))
    validity.append(false)
  }

  /// What was appended to ``bytes`` since the last value is the next one.
  mutating func endValue() {
    offsets.append(Int32(clamping: bytes.count))
    validity.append(true)
  }

  consuming func takeColumn() -> ArrowColumn {
    let (length, nullCount) = (validity.count, validity.nullCount)
    return ArrowColumn(
      length: length, nullCount: nullCount,
      buffers: [validity.takeBuffer(), ArrowBuffer(offsets), ArrowBuffer(bytes)])
  }
}

/// Numbers of elements. As long as the rows are those of one table in order, the table's own column
/// serves.
struct ArrowIDs: ~Copyable {
  private let dataset: Dataset
  private var run: ElementIndex?
  private var runLength = 0
  private var numbers = ArrowNumbers<Int64>()
  private var isRun = true

  init(_ dataset: Dataset) { self.dataset = dataset }

  /// - Parameter element: where the number stands, if the dataset has it in a table.
  mutating func append(_ number: Int64, _ element: ElementIndex?) {
    if isRun {
      if extendRun(element) { return }
      isRun = false
      for id in runNumbers { appendNumber(id) }
    }
    appendNumber(number)
  }

  private mutating func extendRun(_ element: ElementIndex?) -> Bool {
    guard let element else { return false }
    if let run {
      guard element.type == run.type, element.row == run.row + runLength else { return false }
    } else {
      run = element
    }
    runLength += 1
    return true
  }

  private mutating func appendNumber(_ number: Int64) {
    numbers.append(number == ElementID.unknownNumber ? nil : number)
  }

  private var runNumbers: UnsafeBufferPointer<Int64> {
    guard let run else { return UnsafeBufferPointer(start: nil, count: 0) }
    let all = dataset.withElements(run.type) { $0.ids.buffer }
    return UnsafeBufferPointer(rebasing: all[run.row..<run.row + runLength])
  }

  consuming func takeColumn() -> ArrowColumn {
    guard isRun, run != nil else { return numbers.takeColumn() }
    let own = runNumbers
    var validity = ArrowValidity()
    for id in own { validity.append(id != ElementID.unknownNumber) }
    let nullCount = validity.nullCount
    return ArrowColumn(
      length: own.count, nullCount: nullCount,
      buffers: [
        validity.takeBuffer(),
        ArrowBuffer(borrowing: UnsafeRawPointer(own.baseAddress), from: dataset),
      ])
  }
}
