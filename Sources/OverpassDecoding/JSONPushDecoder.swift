// Overpass JSON in portions: whole elements are decoded where they lie, a cut one waits for its rest.

import OSMModel

/// Decodes JSON as it comes. Portions of any size give the same result.
struct JSONPushDecoder: ~Copyable {
  private var decoder: JSONAnswerDecoder
  private var window = SourceWindow()
  private let options: DecodeOptions
  /// How many bytes make another attempt worth it.
  private var wanted: Int
  private let portion: Int

  /// Small enough to stay in the processor's cache, large enough that cut elements are few.
  static var usualPortion: Int { 1 << 16 }

  /// - Parameters:
  ///   - skipped: what stood in front of the answer: a byte order mark, blanks.
  ///   - portion: the fewest bytes that are worth an attempt.
  init(skipped: UnsafeBufferPointer<UInt8>, portion: Int, options: DecodeOptions) {
    self.options = options
    self.portion = portion
    wanted = portion
    decoder = JSONPushDecoder.newDecoder(options)
    window.pass(skipped)
  }

  var elementCount: Int { decoder.elementCount }

  /// Decodes the next bytes.
  mutating func push(_ bytes: UnsafeBufferPointer<UInt8>) throws(DecodeError) {
    if window.bytes.isEmpty, bytes.count >= wanted {
      let done: Int
      do throws(Fault) {
        done = try decode(bytes, isFinal: false)
      } catch {
        window.append(bytes)
        throw window.error(error)
      }
      window.pass(UnsafeBufferPointer(rebasing: bytes[..<done]))
      window.append(UnsafeBufferPointer(rebasing: bytes[done...]))
    } else {
      window.append(bytes)
      if window.bytes.count >= wanted { try decodeWaiting() }
      return
    }
    chooseWanted()
  }

  /// Decodes what is at hand, however little it is.
  mutating func decodeWaiting() throws(DecodeError) {
    do throws(Fault) {
      window.drop(try decode(window.bytes, isFinal: false))
    } catch {
      throw window.error(error)
    }
    chooseWanted()
  }

  private mutating func chooseWanted() {
    // A cut element is read again from its start. Waiting for as much again as there is makes the
    // time for an element of n bytes O(n), however small the portions are.
    wanted = max(portion, 2 * window.bytes.count)
  }

  /// Tells that there are no more bytes.
  mutating func finish() throws(DecodeError) {
    do throws(Fault) {
      _ = try decode(window.bytes, isFinal: true)
    } catch {
      throw window.error(error)
    }
  }

  /// An error at the end of what came.
  func error(atEnd message: StaticString) -> DecodeError {
    window.error(Fault(kind: .truncated, message: message, offset: window.end))
  }

  var isOverfull: Bool { decoder.builder.isOverfull }

  /// The response made of what was decoded. An element that was not whole is left out.
  mutating func takeResponse(truncatedAt: Int?) -> Response {
    var finished = JSONPushDecoder.newDecoder(options)
    swap(&finished, &decoder)
    return finished.finish(truncatedAt: truncatedAt)
  }

  /// Decodes a part of the answer and gives the number of bytes that are done with.
  private mutating func decode(_ bytes: UnsafeBufferPointer<UInt8>, isFinal: Bool) throws(Fault)
    -> Int
  {
    let start = bytes.baseAddress ?? JSONPushDecoder.nothing.utf8Start
    decoder.move(to: bytes, at: start, offset: window.start)
    guard isFinal else { return try decoder.decodePart() }
    try decoder.decodeAnswer()
    return bytes.count
  }

  /// A decoder that has nothing to decode yet.
  private static func newDecoder(_ options: DecodeOptions) -> JSONAnswerDecoder {
    JSONAnswerDecoder(
      UnsafeBufferPointer(start: nothing.utf8Start, count: 0), at: nothing.utf8Start, offset: 0,
      options: options)
  }

  /// An address for parts without bytes.
  private static var nothing: StaticString { "" }
}
