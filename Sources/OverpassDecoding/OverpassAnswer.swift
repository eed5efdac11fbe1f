// Decoding without knowing the format: what the body is counts, not what was asked for.

import OSMModel

/// Why there is no response.
public enum AnswerError: Error, Sendable, Equatable {
  /// The bytes are no answer, or a damaged one.
  case decode(DecodeError)
  /// The server sent a page with errors in place of an answer.
  case server(ServerError)

  /// Where a page with errors is no format to be expected.
  var decodeError: DecodeError {
    switch self {
    case .decode(let error): error
    case .server: DecodeError(.format, "this is a page with errors")
    }
  }
}

/// Decoding of JSON and XML answers, files and error pages, recognised by their content.
public enum OverpassAnswer {
  /// What a body turns out to be.
  public enum Format: Sendable {
    case json
    case xml
    /// An HTML page, which is how servers and proxies report errors.
    case html
    /// None of these: CSV, plain text, or anything else.
    case other
  }

  /// Decodes an answer, plain or compressed with gzip or bzip2. A byte order mark and blanks in front
  /// are passed over.
  ///
  /// CSV cannot be told from other text; it is decoded on demand (``OverpassCSV``).
  /// - Parameter progress: told how far decoding has come; see ``DecodeProgress/Handler``.
  /// - Throws: ``AnswerError``: `.server` for an HTML page, else `.decode`.
  /// - Complexity: O(n).
  public static func decode(
    _ input: UnsafeBufferPointer<UInt8>, options: DecodeOptions = DecodeOptions(),
    progress: DecodeProgress.Handler? = nil
  ) throws(AnswerError) -> Response {
    let reporter = ProgressReporter(handler: progress, totalBytes: input.count)
    return try decode(input, expecting: nil, options, reporter)
  }

  /// Decodes an answer held in an array.
  /// - Throws: ``AnswerError``.
  public static func decode(
    _ bytes: [UInt8], options: DecodeOptions = DecodeOptions()
  ) throws(AnswerError) -> Response {
    try bytes.withUnsafeBufferPointer { buffer throws(AnswerError) in
      try decode(buffer, options: options)
    }
  }

  /// Decodes an answer in a file. The file is mapped where that is possible, and must not shrink
  /// meanwhile.
  /// - Parameter progress: told how far decoding has come; see ``DecodeProgress/Handler``.
  /// - Throws: ``AnswerError``.
  public static func decode(
    contentsOf path: String, options: DecodeOptions = DecodeOptions(),
    progress: DecodeProgress.Handler? = nil
  ) throws(AnswerError) -> Response {
    let file: InputFile
    do throws(DecodeError) {
      file = try InputFile(path)
    } catch {
      throw .decode(error)
    }
    return try decode(file, options, progress)
  }

  /// Decodes an answer from an open descriptor: a file, a pipe, a socket. It is read to its end, or
  /// mapped where that is possible, and not closed.
  /// - Parameter progress: told how far decoding has come; see ``DecodeProgress/Handler``.
  /// - Throws: ``AnswerError``.
  public static func decode(
    descriptor: Int32, options: DecodeOptions = DecodeOptions(),
    progress: DecodeProgress.Handler? = nil
  ) throws(AnswerError) -> Response {
    try decode(InputFile(descriptor: descriptor), options, progress)
  }

  /// The bytes of an answer, decompressed where they are compressed.
  /// - Throws: ``DecodeError`` of kind `compression`, `truncated` or `limit`.
  package static func decompressed(_ input: [UInt8], limit: Int) throws(DecodeError) -> [UInt8] {
    try input.withUnsafeBufferPointer { input throws(DecodeError) in
      switch Compression(input) {
      case .gzip: try decompressed(input, limit, Decompressor<GzipInflater>())
      case .bzip2: try decompressed(input, limit, Decompressor<Bzip2Inflater>())
      case nil: Array(input)
      }
    }
  }

  private static func decompressed<Library: Inflating & ~Copyable>(
    _ input: UnsafeBufferPointer<UInt8>, _ limit: Int, _ stream: consuming Decompressor<Library>
  ) throws(DecodeError) -> [UInt8] {
    var plain: [UInt8] = []
    func take(_ bytes: UnsafeBufferPointer<UInt8>) throws(DecodeError) {
      guard bytes.count <= limit - plain.count else {
        throw DecodeError(.limit, "the answer has more than \(limit) bytes")
      }
      plain += bytes
    }
    try stream.push(input, take)
    try stream.finish(take)
    guard stream.isWhole else {
      throw DecodeError(.truncated, "the compressed answer stops in the middle")
    }
    return plain
  }

  private static func decode(
    _ file: borrowing InputFile, _ options: DecodeOptions, _ progress: DecodeProgress.Handler?
  ) throws(AnswerError) -> Response {
    if let mapped = MappedFile(mapping: file) {
      return try decode(mapped.bytes, options: options, progress: progress)
    }
    let reporter = ProgressReporter(handler: progress, totalBytes: nil)
    var decoder = AnswerDecoder(options: options)
    var reported = 0
    try file.readAll(failing: { AnswerError.decode($0) }) { bytes throws(AnswerError) in
      try decoder.push(bytes)
      if decoder.byteCount - reported < DecodeProgress.step { return }
      reported = decoder.byteCount
      try decoder.report(to: reporter)
    }
    try decoder.report(to: reporter)
    return try decoder.finish()
  }

  /// - Parameter expected: the only format to be accepted; `nil` for what the bytes turn out to be.
  static func decode(
    _ input: UnsafeBufferPointer<UInt8>, expecting expected: Format?, _ options: DecodeOptions,
    _ reporter: ProgressReporter
  ) throws(AnswerError) -> Response {
    if Compression(input) != nil {
      return try decodePortions(of: input, expecting: expected, options, reporter)
    }
    let page: ErrorPage
    do throws(DecodeError) {
      let source = try PlainAnswer(input, options: options)
      switch expected ?? format(ofBody: source.body) {
      case .json: return try OverpassJSON.decode(source, options, reporter)
      case .xml: return try OverpassXML.decode(source, options, reporter)
      case .html: page = ErrorPage(source.body)
      case .other:
        let fault =
          source.body.isEmpty
          ? source.emptyFault
          : Fault(
            kind: .format, message: "this is neither JSON nor XML", offset: source.bodyOffset)
        throw DecodeError(fault, in: source.input)
      }
    } catch {
      throw .decode(error)
    }
    throw .server(page.error)
  }

  /// Compressed bytes are decoded as they are decompressed, so that the text never is in memory as a
  /// whole.
  private static func decodePortions(
    of input: UnsafeBufferPointer<UInt8>, expecting expected: Format?, _ options: DecodeOptions,
    _ reporter: ProgressReporter
  ) throws(AnswerError) -> Response {
    var decoder = AnswerDecoder(expecting: expected, options: options)
    var rest = input
    while !rest.isEmpty {
      try decoder.push(UnsafeBufferPointer(rebasing: rest.prefix(DecodeProgress.step)))
      rest = UnsafeBufferPointer(rebasing: rest.dropFirst(DecodeProgress.step))
      try decoder.report(to: reporter)
    }
    return try decoder.finish()
  }

  /// What plain bytes are, by their beginning.
  public static func format(of bytes: UnsafeBufferPointer<UInt8>) -> Format {
    guard let source = try? PlainAnswer(bytes, options: DecodeOptions()) else { return .other }
    return format(ofBody: source.body)
  }

  /// What an answer is by its first bytes that mean something.
  static func format(ofBody body: UnsafeBufferPointer<UInt8>) -> Format {
    switch body.first {
    case UInt8(ascii: "{"), UInt8(ascii: "["): .json
    case UInt8(ascii: "<"): ErrorPage.isHTML(body) ? .html : .xml
    // The byte order marks of UTF-16.
    case 0xFE, 0xFF: .xml
    default: (JSONPadding.length(body) ?? 0) > 0 ? .json : .other
    }
  }
}
