// Overpass XML in portions, with errors that have a line and a column.

import OSMModel

/// Feeds an ``XMLPushParser`` and remembers the part of the text in which an error may still lie.
struct XMLStream: ~Copyable {
  private var parser: XMLPushParser
  private var window = SourceWindow()
  /// Bytes in front of what the parser sees.
  private let skippedCount: Int

  /// - Parameter skipped: what stood in front of the answer: a byte order mark, blanks.
  /// - Throws: ``DecodeError`` when expat has no memory.
  init(skipped: UnsafeBufferPointer<UInt8>, options: DecodeOptions) throws(DecodeError) {
    guard let parser = XMLPushParser(options: options) else {
      throw DecodeError(.limit, "no memory for the XML parser")
    }
    self.parser = parser
    skippedCount = skipped.count
    window.pass(skipped)
  }

  var elementCount: Int { parser.elementCount }

  /// Decodes the next bytes.
  mutating func push(_ bytes: UnsafeBufferPointer<UInt8>) throws(DecodeError) {
    window.append(bytes)
    do throws(Fault) {
      try parser.push(bytes)
    } catch {
      throw self.error(error)
    }
    window.drop(before: skippedCount + parser.unfinishedOffset)
  }

  /// Decodes what is at hand, however little it is.
  mutating func decodeWaiting() throws(DecodeError) {
    do throws(Fault) {
      try parser.parseWaiting()
    } catch {
      throw self.error(error)
    }
  }

  /// Tells that there are no more bytes.
  mutating func finish() throws(DecodeError) {
    do throws(Fault) {
      try parser.finish()
    } catch {
      throw self.error(error)
    }
  }

  private func error(_ fault: Fault) -> DecodeError {
    var fault = fault
    fault.offset += skippedCount
    return window.error(fault)
  }

  /// An error at the end of what came.
  func error(atEnd message: StaticString) -> DecodeError {
    window.error(Fault(kind: .truncated, message: message, offset: window.end))
  }

  var isOverfull: Bool { parser.isOverfull }

  /// The response made of what was decoded. An element that was not whole is left out.
  mutating func takeResponse(truncatedAt: Int?) -> Response {
    parser.takeResponse(truncatedAt: truncatedAt)
  }
}
