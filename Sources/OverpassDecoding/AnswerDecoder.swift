// Decoding while an answer arrives.

import OSMModel

/// Decodes an answer from portions of bytes, as they come from a socket, a pipe or a decompressor.
///
/// Format and compression are recognised by content. The result is that of decoding all bytes at
/// once, whatever the portions are; what was decoded is not kept as text, so that an answer needs no
/// more memory than its data.
///
/// ```swift
/// var decoder = AnswerDecoder()
/// while let bytes = try connection.receive() { try decoder.push(bytes) }
/// let response = try decoder.finish()
/// ```
/// To cancel, let go of the decoder.
public struct AnswerDecoder: ~Copyable {
  private let stream: DecodingStream

  public init(options: DecodeOptions = DecodeOptions()) {
    self.init(expecting: nil, options: options)
  }

  /// - Parameters:
  ///   - expected: the only format to be accepted.
  ///   - portion: the fewest bytes that are decoded at a time.
  init(
    expecting expected: OverpassAnswer.Format?, options: DecodeOptions,
    portion: Int = JSONPushDecoder.usualPortion
  ) {
    stream = DecodingStream(expecting: expected, options: options, portion: portion)
  }

  /// - Parameter portion: the fewest bytes that are decoded at a time; small ones cut more elements.
  @_spi(Testing) public init(options: DecodeOptions, portion: Int) {
    self.init(expecting: nil, options: options, portion: portion)
  }

  /// The bytes pushed so far.
  public var byteCount: Int { stream.byteCount }

  /// The elements decoded so far.
  public var elementCount: Int { stream.elementCount }

  /// What the answer is; `nil` as long as too little of it came.
  public var format: OverpassAnswer.Format? { stream.format }

  /// Decodes the next bytes, borrowed for the call.
  /// - Throws: ``AnswerError``, the same one in all later calls.
  public mutating func push(_ bytes: UnsafeBufferPointer<UInt8>) throws(AnswerError) {
    try stream.push(bytes)
  }

  /// Decodes the next bytes.
  /// - Throws: ``AnswerError``.
  public mutating func push(_ bytes: [UInt8]) throws(AnswerError) {
    try bytes.withUnsafeBufferPointer { buffer throws(AnswerError) in try stream.push(buffer) }
  }

  /// Tells that the answer is at its end, and gives the response.
  /// - Throws: ``AnswerError``: `.server` for a page with errors, else `.decode`.
  public consuming func finish() throws(AnswerError) -> Response { try stream.finish() }

  func report(to reporter: ProgressReporter) throws(AnswerError) {
    do throws(Fault) {
      try reporter.report(bytes: byteCount, elements: elementCount)
    } catch {
      throw .decode(DecodeError(error.kind, "\(error.message)"))
    }
  }
}
