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
  /// - Parameter progress: told how far decoding has come; see ``DecodeProgress/Handler``.
  /// - Throws: ``DecodeError`` with the byte, line and column at fault.
  /// - Complexity: O(n).
  public static func decode(
    _ input: UnsafeBufferPointer<UInt8>, options: DecodeOptions = DecodeOptions(),
    progress: DecodeProgress.Handler? = nil
  ) throws(DecodeError) -> Response {
    let reporter = ProgressReporter(handler: progress, totalBytes: input.count)
    do throws(AnswerError) {
      return try OverpassAnswer.decode(input, expecting: .json, options, reporter)
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

  /// Decodes an answer in a file, plain or compressed with gzip or bzip2. The file is mapped, not
  /// copied; it must not shrink meanwhile.
  /// - Throws: ``DecodeError``, also of kind `fileOpen` and `fileRead`.
  public static func decode(
    contentsOf path: String, options: DecodeOptions = DecodeOptions()
  ) throws(DecodeError) -> Response {
    let file = try MappedFile(path)
    return try decode(file.bytes, options: options)
  }

  /// - Parameters:
  ///   - smallestPart: the fewest bytes that are worth a thread.
  ///   - step: the bytes that a thread claims at a time.
  static func decode(
    _ source: borrowing PlainAnswer, _ options: DecodeOptions, _ reporter: ProgressReporter,
    smallestPart: Int = JSONParts.smallestPart, step: Int = DecodeProgress.step
  ) throws(DecodeError) -> Response {
    let body = source.body
    guard let start = body.baseAddress, let first = body.first else {
      throw DecodeError(source.emptyFault, in: source.input)
    }
    guard first != UInt8(ascii: "<") else {
      throw DecodeError(
        Fault(kind: .format, message: "this is XML or HTML, not JSON", offset: source.bodyOffset),
        in: source.input)
    }
    var decoder = JSONAnswerDecoder(body, at: start, offset: source.bodyOffset, options: options)
    var reporter = reporter
    var truncatedAt: Int?
    do throws(Fault) {
      if let parts = JSONParts(
        body, at: start, offset: source.bodyOffset, smallestPart: smallestPart, step: step,
        options: options)
      {
        if let whole = try parts.decode(reporter), !whole.builder.isOverfull {
          return whole.finish(truncatedAt: nil)
        }
        reporter.reached = parts.progress
      }
      try decoder.decodeAnswer(reporter)
    } catch {
      guard error.kind == .truncated, options.allowTruncated else {
        throw DecodeError(error, in: source.input)
      }
      truncatedAt = error.offset
    }
    guard !decoder.builder.isOverfull else { throw DecodeError.overfull }
    return decoder.finish(truncatedAt: truncatedAt)
  }
}

extension JSONAnswerDecoder {
  /// Decodes the whole answer and reports now and then.
  fileprivate mutating func decodeAnswer(_ reporter: ProgressReporter) throws(Fault) {
    guard reporter.handler != nil else { return try decodeAnswer() }
    while bytesLeft > DecodeProgress.step, try decode(until: position + DecodeProgress.step) {
      try reporter.report(bytes: scanner.offset, elements: elementCount)
    }
    try decodeAnswer()
    try reporter.report(bytes: scanner.offset, elements: elementCount)
  }

  /// The response made of what was decoded. An element that was not whole is left out.
  consuming func finish(truncatedAt: Int?) -> Response {
    if truncatedAt != nil { rollBack() }
    let header = self.header
    let remarks = self.remarks
    var diagnostics = self.diagnostics
    let finished = builder.finish()
    for element in finished.conflicts.prefix(1000) {
      diagnostics.append(DecodeDiagnostic(conflict: element))
    }
    return Response(
      header: header, remarks: remarks, dataset: finished.dataset, diagnostics: diagnostics,
      truncatedAt: truncatedAt)
  }
}
