// The entry points of parsing: text in, query or diagnostics out.

/// What came of reading a text.
public struct ParsedQuery: Sendable, Hashable {
  /// The query; `nil` if there are errors.
  public var query: Query?
  /// Errors and warnings in the order of the text.
  public var diagnostics: [Diagnostic]
  /// Where each statement of the query begins, in the order of the text: a block or union before what
  /// it holds. Empty if there is no query.
  public var statementPositions: [SourcePosition]

  public init(
    query: Query?, diagnostics: [Diagnostic], statementPositions: [SourcePosition] = []
  ) {
    self.query = query
    self.diagnostics = diagnostics
    self.statementPositions = statementPositions
  }
}

extension Query {
  /// The two forms of a query text.
  public enum Language: Sendable, Hashable, CaseIterable {
    case ql, xml
  }

  /// Reads a query in either form, told apart by the first character as the server does it.
  ///
  /// All that server 0.7.62 accepts is accepted, with the exception of nesting beyond ``Limits`` and
  /// of texts whose meaning to the server can only be a mistake.
  ///
  /// ```swift
  /// let query = try Query.parse("node[amenity=cafe](52.5,13.3,52.6,13.5);out;")
  /// ```
  ///
  /// - Throws: ``QuerySyntaxError`` with all errors found.
  /// - Complexity: O(*n*) in the length of the text.
  public static func parse(_ text: String) throws(QuerySyntaxError) -> Query {
    try parse(utf8: Array(text.utf8))
  }

  /// The same for text in UTF-8.
  public static func parse(utf8 text: [UInt8]) throws(QuerySyntaxError) -> Query {
    let parsed = parsing(utf8: text)
    guard let query = parsed.query else {
      throw QuerySyntaxError(diagnostics: parsed.diagnostics)
    }
    return query
  }

  /// Reads a query and reports warnings as well as errors.
  public static func parsing(_ text: String) -> ParsedQuery { parsing(utf8: Array(text.utf8)) }

  /// The same for text in UTF-8.
  public static func parsing(utf8 text: [UInt8]) -> ParsedQuery {
    var collector = DiagnosticCollector()
    guard let language = prepare(text, &collector) else {
      return ParsedQuery(query: nil, diagnostics: collector.located(in: text))
    }
    let query: Query
    let offsets: [Int]
    switch language {
    case .ql:
      var parser = QLParser(text, collector)
      query = parser.parseQuery()
      offsets = parser.statementOffsets
      collector = parser.collector
    case .xml:
      var parser = XMLQueryParser(text, collector)
      query = parser.parseQuery()
      offsets = parser.statementOffsets
      collector = parser.collector
    }
    let diagnostics = collector.located(in: text)
    guard collector.errorCount == 0 else {
      return ParsedQuery(query: nil, diagnostics: diagnostics)
    }
    return ParsedQuery(
      query: query, diagnostics: diagnostics, statementPositions: locate(offsets, in: text))
  }

  /// Which form a text has: the XML form begins with `<`.
  public static func language(of text: String) -> Language {
    text.utf8.first { !isBlank($0) } == UInt8(ascii: "<") ? .xml : .ql
  }

  private static func prepare(
    _ text: [UInt8], _ collector: inout DiagnosticCollector
  ) -> Language? {
    guard text.count <= Limits.textBytes else {
      collector.add(
        Diagnostic(
          .error, .textTooLong,
          "the text has \(text.count) bytes; at most \(Limits.textBytes) are read"), at: 0)
      return nil
    }
    if let offset = firstInvalidByte(text) {
      collector.add(
        Diagnostic(.error, .invalidEncoding, "the text is not encoded in UTF-8"), at: offset)
      return nil
    }
    let start = text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    guard let first = text[start...].first(where: { !isBlank($0) }) else {
      collector.add(Diagnostic(.error, .emptyText, "the query is empty"), at: 0)
      return nil
    }
    return first == UInt8(ascii: "<") ? .xml : .ql
  }
}

@inline(__always) func isBlank(_ byte: UInt8) -> Bool {
  byte == 0x20 || (byte >= 0x09 && byte <= 0x0D)
}

/// Where a text stops to be UTF-8; `nil` if it is all well-formed.
private func firstInvalidByte(_ text: [UInt8]) -> Int? {
  var index = 0
  while index < text.count {
    let first = text[index]
    if first < 0x80 {
      index += 1
      continue
    }
    let length: Int
    var least: UInt8 = 0x80
    var most: UInt8 = 0xBF
    switch first {
    case 0xC2...0xDF: length = 2
    case 0xE0...0xEF:
      length = 3
      if first == 0xE0 { least = 0xA0 }
      if first == 0xED { most = 0x9F }
    case 0xF0...0xF4:
      length = 4
      if first == 0xF0 { least = 0x90 }
      if first == 0xF4 { most = 0x8F }
    default: return index
    }
    guard index + length <= text.count, text[index + 1] >= least, text[index + 1] <= most else {
      return index
    }
    for follower in text[index + 2..<index + length] where follower & 0xC0 != 0x80 { return index }
    index += length
  }
  return nil
}
