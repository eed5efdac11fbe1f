// The entry points: bytes or a file with CSV in, a table out.

import OSMModel

/// Decoding of CSV answers.
public enum OverpassCSV {
  /// How the query asked for its table, `[out:csv(…; head line; separator)]`.
  public struct Layout: Sendable {
    /// Any text; a tab where the query names none.
    public var separator = "\t"
    public var hasHead = true
    /// The columns of the query, which a table without head line cannot do without. With a head line
    /// they are taken in place of what it says.
    public var columns: [CSVAnswer.Column]?

    public init(
      separator: String = "\t", hasHead: Bool = true, columns: [CSVAnswer.Column]? = nil
    ) {
      self.separator = separator
      self.hasHead = hasHead
      self.columns = columns
    }
  }

  /// Decodes a table, plain or compressed with gzip or bzip2.
  ///
  /// ```swift
  /// let table = try OverpassCSV.decode(bytes)
  /// if let id = table.column(.field("id")) { print(table.number(row: 0, column: id) ?? 0) }
  /// ```
  /// - Throws: ``AnswerError``: `.server` for an error page, `.decode` for other trouble.
  /// - Complexity: O(n).
  public static func decode(
    _ input: UnsafeBufferPointer<UInt8>, layout: Layout = Layout(),
    options: DecodeOptions = DecodeOptions()
  ) throws(AnswerError) -> CSVAnswer {
    let page: ErrorPage
    decoding: do throws(DecodeError) {
      let source = try PlainAnswer(input, options: options)
      guard !ErrorPage.isHTML(source.body) else {
        page = ErrorPage(source.body)
        break decoding
      }
      // Blanks in front may be an empty cell, so only a byte order mark is passed over.
      let markLength = source.input.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
      let body = UnsafeBufferPointer(rebasing: source.input[markLength...])
      guard layout.hasHead || layout.columns != nil else {
        throw DecodeError(.format, "a table without head line needs the names of its columns")
      }
      guard !body.isEmpty || !layout.hasHead else {
        throw DecodeError(source.emptyFault, in: source.input)
      }
      var decoder = CSVDecoder(body, separator: layout.separator, options: options)
      var isCut = false
      do throws(Fault) {
        try decoder.readHead(layout.columns, hasHead: layout.hasHead)
        try decoder.readRows()
        try source.checkEnd()
      } catch {
        var fault = error
        fault.offset += markLength
        guard fault.kind == .truncated, options.allowTruncated else {
          throw DecodeError(fault, in: source.input)
        }
        isCut = true
      }
      return decoder.finish(isCut: isCut)
    } catch {
      throw .decode(error)
    }
    throw .server(page.error)
  }

  /// Decodes a table held in an array.
  /// - Throws: ``AnswerError``.
  public static func decode(
    _ bytes: [UInt8], layout: Layout = Layout(), options: DecodeOptions = DecodeOptions()
  ) throws(AnswerError) -> CSVAnswer {
    try bytes.withUnsafeBufferPointer { buffer throws(AnswerError) in
      try decode(buffer, layout: layout, options: options)
    }
  }

  /// Decodes a table in a file. The file is mapped, not copied; it must not shrink meanwhile.
  /// - Throws: ``AnswerError``.
  public static func decode(
    contentsOf path: String, layout: Layout = Layout(), options: DecodeOptions = DecodeOptions()
  ) throws(AnswerError) -> CSVAnswer {
    let file: MappedFile
    do throws(DecodeError) {
      file = try MappedFile(path)
    } catch {
      throw .decode(error)
    }
    return try decode(file.bytes, layout: layout, options: options)
  }
}
