// Documents back into the formats they came from: Overpass JSON, OSM XML, OsmChange.

import OSMModel

/// Writes a document, in the shape in which servers print it: what was decoded from an answer and is
/// written again decodes to the same.
///
/// ```swift
/// let writer = DocumentWriter(response.document, format: .osmXML)
/// try writer.write(toFile: "answer.osm")
/// ```
/// Nodes that an answer held more than once are written a second time at the end, because that they
/// were printed on their own makes them features. OSM XML always names its version, 0.6 where the
/// document names none.
public struct DocumentWriter: Sendable {
  public let document: OSMDocument
  public let format: DocumentFormat
  /// JSON: without line breaks and blanks.
  public var isCompact = false
  /// Leave out what the format cannot say, instead of failing; characters that XML does not have
  /// become U+FFFD.
  public var allowsLoss = false
  /// How many threads may make text; `nil` for as many as pay.
  public var threads: Int?

  public init(_ document: OSMDocument, format: DocumentFormat) {
    self.document = document
    self.format = format
  }

  /// Whether the format can say all of the document.
  /// - Throws: ``FormatLoss`` with the first thing that it cannot say.
  /// - Complexity: O(n).
  public func check() throws(FormatLoss) {
    try DocumentCheck(document, format).check()
  }

  /// Writes the document. The sink is used on the calling thread only.
  /// - Throws: ``DocumentError``: `.loss` before anything is written, `.write` from the sink.
  /// - Complexity: O(n); memory for a few blocks of text and the escaped texts of the dataset.
  public func write<Sink: ByteSink & ~Copyable>(to sink: inout Sink) throws(DocumentError) {
    try checkUnlessAllowed()
    do throws(WriteError) { try writeChecked(to: &sink) } catch { throw .write(error) }
  }

  /// Creates or replaces a file. One that could not be written whole is removed.
  /// - Throws: ``DocumentError``; the file is not touched when the format cannot say the document.
  public func write(toFile path: String) throws(DocumentError) {
    try checkUnlessAllowed()
    do throws(WriteError) {
      try withFileSink(path) { sink throws(WriteError) in try writeChecked(to: &sink) }
    } catch {
      throw .write(error)
    }
  }

  private func checkUnlessAllowed() throws(DocumentError) {
    guard !allowsLoss else { return }
    do throws(FormatLoss) { try check() } catch { throw .loss(error) }
  }

  private func writeChecked<Sink: ByteSink & ~Copyable>(to sink: inout Sink) throws(WriteError) {
    switch format {
    case .overpassJSON: try writeJSON(to: &sink)
    case .osmXML where document.actions.isEmpty: try writeXML(to: &sink)
    case .osmXML: try writeDiff(to: &sink)
    case .osmChange: try writeChangeFile(to: &sink)
    }
  }

  // MARK: Blocks

  /// How many elements a block holds: enough to make the hand-over cheap.
  static let blockSize = 2048

  /// Writes all elements, block by block.
  func writeElements<Worker: ElementTextWorker & ~Copyable, Sink: ByteSink & ~Copyable>(
    to sink: inout Sink, _ makeWorker: @escaping @Sendable () -> Worker
  ) throws(WriteError) {
    let blockCount =
      (document.dataset.count + DocumentWriter.blockSize - 1) / DocumentWriter.blockSize
    let threads = min(max(threads ?? WorkerThread.usefulCount, 1), 16, blockCount)
    func take(_ block: TextBlock) throws(WriteError) { try sink.write(block.bytes.buffer) }
    if threads < 2 {
      var worker = makeWorker()
      for number in 0..<blockCount { try take(worker.makeBlock(number)) }
    } else {
      let blocks = OrderedBlocks<Worker>(
        blockCount: blockCount, lead: 2 * threads + 2, makeWorker: makeWorker)
      try blocks.run(threads: threads, take: take)
    }
  }

  /// The rows of nodes that the document held more than once, to be written again.
  var repeatedNodes: UnsafeBufferPointer<UInt32> {
    document.dataset.nodes.elements.repeatedRows.buffer
  }
}

/// A run of elements as text.
final class TextBlock {
  let bytes: Column<UInt8>

  init(_ bytes: consuming Column<UInt8>) { self.bytes = bytes }
}

/// Prints elements, one after the other.
protocol ElementTextWorker: ~Copyable, BlockWorker where Block == TextBlock {
  var buffer: TextBuffer { get set }
  var dataset: Dataset { get }
  /// Appends one element with what separates it from the one before.
  mutating func appendElement(_ element: ElementIndex, isFirst: Bool)
}

extension ElementTextWorker where Self: ~Copyable {
  /// The elements of a block, by their places in the document.
  mutating func makeBlock(_ number: Int) -> TextBlock {
    let start = number * DocumentWriter.blockSize
    let end = min(start + DocumentWriter.blockSize, dataset.count)
    for run in dataset.order
    where run.firstPosition < end && run.firstPosition + run.count > start {
      let first = max(start, run.firstPosition)
      for position in first..<min(end, run.firstPosition + run.count) {
        let row = run.firstRow + position - run.firstPosition
        appendElement(ElementIndex(run.type, row), isFirst: position == 0)
      }
    }
    return takeBlock()
  }

  /// What was appended so far.
  mutating func takeBlock() -> TextBlock {
    var bytes = Column<UInt8>()
    swap(&bytes, &buffer.bytes)
    return TextBlock(bytes)
  }
}
