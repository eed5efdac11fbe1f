// Decoding without knowing the format: what the body is counts, not what was asked for.

import OSMModel

/// Why there is no response.
public enum AnswerError: Error, Sendable, Equatable {
  /// The bytes are no answer, or a damaged one.
  case decode(DecodeError)
  /// The server sent a page with errors in place of an answer.
  case server(ServerError)
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
  /// - Throws: ``AnswerError``: `.server` for an HTML page, else `.decode`.
  /// - Complexity: O(n).
  public static func decode(
    _ input: UnsafeBufferPointer<UInt8>, options: DecodeOptions = DecodeOptions()
  ) throws(AnswerError) -> Response {
    let page: ErrorPage
    do throws(DecodeError) {
      let source = try PlainAnswer(input, options: options)
      switch format(of: source) {
      case .json: return try OverpassJSON.decode(source, options)
      case .xml: return try OverpassXML.decode(source, options)
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

  /// Decodes an answer held in an array.
  /// - Throws: ``AnswerError``.
  public static func decode(
    _ bytes: [UInt8], options: DecodeOptions = DecodeOptions()
  ) throws(AnswerError) -> Response {
    try bytes.withUnsafeBufferPointer { buffer throws(AnswerError) in
      try decode(buffer, options: options)
    }
  }

  /// Decodes an answer in a file. The file is mapped, not copied; it must not shrink meanwhile.
  /// - Throws: ``AnswerError``.
  public static func decode(
    contentsOf path: String, options: DecodeOptions = DecodeOptions()
  ) throws(AnswerError) -> Response {
    let file: MappedFile
    do throws(DecodeError) {
      file = try MappedFile(path)
    } catch {
      throw .decode(error)
    }
    return try decode(file.bytes, options: options)
  }

  /// What plain bytes are, by their beginning.
  public static func format(of bytes: UnsafeBufferPointer<UInt8>) -> Format {
    guard let source = try? PlainAnswer(bytes, options: DecodeOptions()) else { return .other }
    return format(of: source)
  }

  static func format(of source: borrowing PlainAnswer) -> Format {
    switch source.body.first {
    case UInt8(ascii: "{"), UInt8(ascii: "["): .json
    case UInt8(ascii: "<"): ErrorPage.isHTML(source.body) ? .html : .xml
    // The byte order marks of UTF-16.
    case 0xFE, 0xFF: .xml
    default: .other
    }
  }
}
