// The entry points: bytes or a file with Overpass JSON in, a Response out.

import OSMModel

/// Decoding of Overpass JSON.
public enum OverpassJSON {
  /// Decodes an answer, plain or compressed with gzip or bzip2.
  ///
  /// ```swift
  /// let response = try OverpassJSON.decode(bytes)
  /// print(response.dataset.nodes.count)
  /// ```
  /// - Throws: ``DecodeError`` with the byte, line and column at fault.
  /// - Complexity: O(n).
  public static func decode(
    _ input: UnsafeBufferPointer<UInt8>, options: DecodeOptions = DecodeOptions()
  ) throws(DecodeError) -> Response {
    let source = try PlainAnswer(input, options: options)
    return try decode(source, options)
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

  /// Decodes an answer in a file, plain or compressed with gzip or bzip2. The file is mapped, not
  /// copied; it must not shrink meanwhile.
  /// - Throws: ``DecodeError``, also of kind `fileOpen` and `fileRead`.
  public static func decode(
    contentsOf path: String, options: DecodeOptions = DecodeOptions()
  ) throws(DecodeError) -> Response {
    let file = try MappedFile(path)
    return try decode(file.bytes, options: options)
  }

  static func decode(_ source: borrowing PlainAnswer, _ options: DecodeOptions)
    throws(DecodeError) -> Response
  {
    let body = source.body
    guard let start = body.baseAddress, let first = body.first else {
      throw DecodeError(source.emptyFault, in: source.input)
    }
    guard first != UInt8(ascii: "<") else {
      throw DecodeError(
        Fault(kind: .format, message: "this is XML or HTML, not JSON", offset: source.bodyOffset),
        in: source.input)
    }
    var decoder = JSONAnswerDecoder(body, at: start, options: options)
    var truncatedAt: Int?
    do throws(Fault) {
      try decoder.decodeAnswer()
      try source.checkEnd()
    } catch {
      var fault = error
      fault.offset += source.bodyOffset
      guard fault.kind == .truncated, options.allowTruncated else {
        throw DecodeError(fault, in: source.input)
      }
      truncatedAt = fault.offset
    }
    guard !decoder.builder.isOverfull else { throw DecodeError.overfull }
    return decoder.finish(truncatedAt: truncatedAt)
  }
}

extension JSONAnswerDecoder {
  /// The response made of what was decoded. An element that was not whole is left out.
  consuming func finish(truncatedAt: Int?) -> Response {
    if truncatedAt != nil { builder.dropUnfinishedRow() }
    let header = self.header
    let remarks = self.remarks
    var diagnostics = self.diagnostics
    let finished = builder.finish()
    for element in finished.conflicts.prefix(1000) {
      diagnostics.append(DecodeDiagnostic(kind: .conflictingPositions, element: element))
    }
    return Response(
      header: header, remarks: remarks, dataset: finished.dataset, diagnostics: diagnostics,
      truncatedAt: truncatedAt)
  }
}
