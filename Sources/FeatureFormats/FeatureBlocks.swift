// Features as text in blocks: what the writers of features share.

import OSMGeometry
import OSMModel

/// A run of features as text.
final class FeatureBlock {
  let bytes: Column<UInt8>
  let bounds: Extent

  init(_ bytes: consuming Column<UInt8>, _ bounds: Extent) {
    self.bytes = bytes
    self.bounds = bounds
  }
}

/// Prints features, one after the other.
protocol FeatureTextWorker: ~Copyable, BlockWorker where Block == FeatureBlock {
  var buffer: TextBuffer { get set }
  var features: FeatureSet { get }
  /// What stands between two features.
  static var separator: StaticString { get }
  /// Appends a feature, unless there is nothing to print; tells whether it did.
  mutating func appendFeature(_ index: Int) -> Bool
  /// The box around what was appended since the last call, where somebody wants to know it.
  mutating func takeBounds() -> Extent
}

extension FeatureTextWorker where Self: ~Copyable {
  static var separator: StaticString { "" }

  mutating func takeBounds() -> Extent { Extent() }

  mutating func makeBlock(_ number: Int) -> FeatureBlock {
    let start = number * FeatureSet.blockSize
    for index in start..<min(start + FeatureSet.blockSize, features.count) {
      let before = buffer.bytes.count
      if before > 0 { buffer.append(Self.separator) }
      if !appendFeature(index) { buffer.bytes.truncate(to: before) }
    }
    var bytes = Column<UInt8>()
    swap(&bytes, &buffer.bytes)
    return FeatureBlock(bytes, takeBounds())
  }
}

extension FeatureSet {
  /// How many features a block holds: enough to make the hand-over cheap.
  static let blockSize = 2048

  /// Writes all features with what separates them; gives the box around them. The sink is used on
  /// the calling thread only.
  ///
  /// - Parameter threads: how many may build geometries and text; `nil` for as many as pay.
  func write<Worker: FeatureTextWorker & ~Copyable, Sink: ByteSink & ~Copyable>(
    to sink: inout Sink, threads: Int?, _ makeWorker: @escaping @Sendable () -> Worker
  ) throws(WriteError) -> Extent {
    let blockCount = (count + FeatureSet.blockSize - 1) / FeatureSet.blockSize
    let threads = min(max(threads ?? WorkerThread.usefulCount, 1), 16, blockCount)
    var bounds = Extent()
    var isFirst = true
    func take(_ block: FeatureBlock) throws(WriteError) {
      guard !block.bytes.isEmpty else { return }
      if !isFirst { try sink.write(Worker.separator) }
      isFirst = false
      try sink.write(block.bytes.buffer)
      bounds.include(block.bounds)
    }
    if threads < 2 {
      var worker = makeWorker()
      for number in 0..<blockCount { try take(worker.makeBlock(number)) }
    } else {
      let blocks = OrderedBlocks<Worker>(
        blockCount: blockCount, lead: 2 * threads + 2, makeWorker: makeWorker)
      try blocks.run(threads: threads, take: take)
    }
    return bounds
  }
}

extension ByteSink where Self: ~Copyable {
  mutating func write(_ literal: StaticString) throws(WriteError) {
    guard literal.utf8CodeUnitCount > 0 else { return }
    try write(UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
  }
}
