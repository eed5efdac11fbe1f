// Bytes of an answer on their way: decompressed where they need it, then decoded.

import OSMModel

/// What an ``AnswerDecoder`` works with. It is an object, so that other modules need to know nothing of
/// its parts.
final class DecodingStream {
  private var text: TextDecoder
  private var gzip: Decompressor<GzipInflater>?
  private var bzip2: Decompressor<Bzip2Inflater>?
  /// The first bytes, until it is known whether they are compressed.
  private var head: Column<UInt8>? = Column()
  private var failure: AnswerError?
  private(set) var byteCount = 0

  init(expecting expected: OverpassAnswer.Format?, options: DecodeOptions, portion: Int) {
    text = TextDecoder(expecting: expected, portion: portion, options: options)
  }

  var elementCount: Int { text.elementCount }

  var format: OverpassAnswer.Format? { text.format }

  func push(_ bytes: UnsafeBufferPointer<UInt8>) throws(AnswerError) {
    if let failure { throw failure }
    byteCount += bytes.count
    do throws(DecodeError) {
      try take(bytes)
    } catch {
      throw fail(error)
    }
  }

  /// Notes the first error: one in the text in front of damaged data comes before that.
  private func fail(_ error: DecodeError) -> AnswerError {
    var first = error
    if error.kind == .compression {
      do throws(DecodeError) {
        try text.decodeWaiting()
      } catch {
        first = error
      }
    }
    failure = .decode(first)
    return .decode(first)
  }

  func finish() throws(AnswerError) -> Response {
    if let failure { throw failure }
    var isCut = false
    do throws(DecodeError) {
      try openCompressed(isFinal: true)
      isCut = try finishDecompression()
    } catch {
      throw fail(error)
    }
    return try text.finish(isCut: isCut)
  }

  // MARK: Decompression

  private func take(_ bytes: UnsafeBufferPointer<UInt8>) throws(DecodeError) {
    if head != nil {
      head?.append(contentsOf: bytes)
      return try openCompressed(isFinal: false)
    }
    try decompress(bytes)
  }

  private func openCompressed(isFinal: Bool) throws(DecodeError) {
    guard let count = head?.count, isFinal || count >= Compression.headLength,
      let first = head.take()
    else { return }
    switch Compression(first.buffer) {
    case .gzip: gzip = Decompressor()
    case .bzip2: bzip2 = Decompressor()
    case nil: break
    }
    try decompress(first.buffer)
  }

  private func decompress(_ bytes: UnsafeBufferPointer<UInt8>) throws(DecodeError) {
    if var stream = gzip.take() {
      try stream.push(bytes) { plain throws(DecodeError) in try text.push(plain) }
      gzip = consume stream
    } else if var stream = bzip2.take() {
      try stream.push(bytes) { plain throws(DecodeError) in try text.push(plain) }
      bzip2 = consume stream
    } else {
      try text.push(bytes)
    }
  }

  /// Gives whether compressed data stopped in the middle.
  private func finishDecompression() throws(DecodeError) -> Bool {
    if var stream = gzip.take() {
      try stream.finish { plain throws(DecodeError) in try text.push(plain) }
      return !stream.isWhole
    }
    if var stream = bzip2.take() {
      try stream.finish { plain throws(DecodeError) in try text.push(plain) }
      return !stream.isWhole
    }
    return false
  }
}
