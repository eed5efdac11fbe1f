// The entry points: bytes or a file with Overpass XML or OSM XML in, a Response out.

import OSMModel

/// Decoding of Overpass XML, of OSM files as JOSM and the OSM API write them, of change files (.osc)
/// and of augmented diffs.
public enum OverpassXML {
  /// Decodes an answer, plain or compressed with gzip or bzip2.
  ///
  /// ```swift
  /// let response = try OverpassXML.decode(bytes)
  /// for action in response.actions { print(action.kind) }
  /// ```
  /// - Parameter progress: told how far decoding has come; see ``DecodeProgress/Handler``.
  /// - Throws: ``DecodeError`` with the byte, line and column at fault.
  /// - Complexity: O(n).
  public static func decode(
    _ input: UnsafeBufferPointer<UInt8>, options: DecodeOptions = DecodeOptions(),
    progress: DecodeProgress.Handler? = nil
  ) throws(DecodeError) -> Response {
    let reporter = ProgressReporter(handler: progress, totalBytes: input.count)
    do throws(AnswerError) {
      return try OverpassAnswer.decode(input, expecting: .xml, options, reporter)
    } catch {
      throw error.decodeError
    }
  }

  /// Decodes an answer held in an array.
  /// - Throws: ``DecodeError``.
  public static func decode(
    _ bytes: [UInt8], options: DecodeOptions = DecodeOptions()
  ) throws(DecodeError) -> Response {
    try bytes.withUnsafeBufferPointer { buffer throws(DecodeError) in
      try decode(buffer, options: options)
    }
  }

  /// Decodes an answer in a file. The file is mapped, not copied; it must not shrink meanwhile.
  /// - Throws: ``DecodeError``, also of kind `fileOpen` and `fileRead`.
  public static func decode(
    contentsOf path: String, options: DecodeOptions = DecodeOptions()
  ) throws(DecodeError) -> Response {
    let file = try MappedFile(path)
    return try decode(file.bytes, options: options)
  }

  static func decode(
    _ source: borrowing PlainAnswer, _ options: DecodeOptions, _ reporter: ProgressReporter
  ) throws(DecodeError) -> Response {
    guard let first = source.body.first else {
      throw DecodeError(source.emptyFault, in: source.input)
    }
    guard first == UInt8(ascii: "<") || first >= 0xFE else {
      throw DecodeError(
        Fault(kind: .format, message: "this is not XML", offset: source.bodyOffset),
        in: source.input)
    }
    guard var parser = XMLPushParser(options: options) else {
      throw DecodeError(.limit, "no memory for the XML parser")
    }
    var truncatedAt: Int?
    do throws(Fault) {
      var rest = source.body
      while !rest.isEmpty {
        try parser.push(UnsafeBufferPointer(rebasing: rest.prefix(DecodeProgress.step)))
        rest = UnsafeBufferPointer(rebasing: rest.dropFirst(DecodeProgress.step))
        try reporter.report(
          bytes: source.input.count - rest.count, elements: parser.elementCount)
      }
      try parser.finish()
    } catch {
      var fault = error
      fault.offset += source.bodyOffset
      guard fault.kind == .truncated, options.allowTruncated else {
        throw DecodeError(fault, in: source.input)
      }
      truncatedAt = fault.offset
    }
    guard !parser.isOverfull else { throw DecodeError.overfull }
    return parser.takeResponse(truncatedAt: truncatedAt)
  }
}
