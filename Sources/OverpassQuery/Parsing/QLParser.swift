// The parser of Overpass QL: tokens, literals, and going on after an error.

import OSMModel

/// Reads Overpass QL by recursive descent, with expression trees where the server uses them.
///
/// After an error it goes on behind the next semicolon of the same block, so that several errors of a
/// text are reported at once.
struct QLParser {
  /// The statement at hand cannot be read; the reason has been reported.
  struct Abandoned: Error {}

  let text: [UInt8]
  let tokens: [QLToken]
  var index = 0
  var collector: DiagnosticCollector
  var hasGlobalBoundingBox = false
  /// Where the statements begin.
  var statementOffsets: [Int] = []

  init(_ text: [UInt8], _ collector: DiagnosticCollector) {
    self.text = text
    self.collector = collector
    var tokenizer = QLTokenizer(text)
    tokens = tokenizer.run(&self.collector)
  }

  /// Reads the whole text. What comes of it is a query only if no errors were collected.
  mutating func parseQuery() -> Query {
    var query = Query()
    query.settings = parseSettings()
    hasGlobalBoundingBox = query.settings.boundingBox != nil
    query.statements = parseStatements(until: .end, depth: 0)
    return query
  }

  // MARK: Tokens

  var current: QLToken { tokens[index] }

  func peek(_ ahead: Int = 1) -> QLToken { tokens[min(index + ahead, tokens.count - 1)] }

  mutating func advance() { if index < tokens.count - 1 { index += 1 } }

  func isAt(_ kind: QLToken.Kind) -> Bool { tokens[index].kind == kind }

  func isAt(word: StaticString) -> Bool {
    let token = tokens[index]
    guard token.kind == .word, Int(token.end - token.start) == word.utf8CodeUnitCount else {
      return false
    }
    return word.withUTF8Buffer { text[Int(token.start)..<Int(token.end)].elementsEqual($0) }
  }

  func spelling(_ token: QLToken) -> String {
    String(decoding: text[Int(token.start)..<Int(token.end)], as: UTF8.self)
  }

  /// The token as it stands in messages.
  func quoted(_ token: QLToken) -> String {
    if token.kind == .end { return "the end of the query" }
    let spelling = spelling(token)
    return spelling.unicodeScalars.count > 40
      ? "“" + String(String.UnicodeScalarView(spelling.unicodeScalars.prefix(40))) + "…”"
      : "“" + spelling + "”"
  }

  // MARK: Reports

  mutating func report(
    _ code: Diagnostic.Code, _ message: String, at token: QLToken,
    severity: Diagnostic.Severity = .error, expected: [String] = [], suggestion: String? = nil
  ) {
    collector.add(
      Diagnostic(
        severity, code, message, length: Int(token.end - token.start),
        found: token.kind == .end ? nil : String(spelling(token).prefix(200)), expected: expected,
        suggestion: suggestion), at: Int(token.start))
    // Nothing that follows is worth reading.
    if collector.isFull { index = tokens.count - 1 }
  }

  mutating func warn(_ code: Diagnostic.Code, _ message: String, at token: QLToken) {
    report(code, message, at: token, severity: .warning)
  }

  /// Reports that something else should stand at the current token.
  mutating func reportUnexpected(_ expected: String..., after context: String = "") {
    let token = current
    if token.kind == .openBrace, peek().kind == .openBrace { return reportMacro() }
    var list = ""
    for (position, item) in expected.enumerated() {
      list += position == 0 ? item : (position == expected.count - 1 ? " or " : ", ") + item
    }
    let place = context.isEmpty ? "" : " after " + context
    report(
      token.kind == .end ? .unexpectedEnd : .unexpected,
      "expected \(list)\(place), found \(quoted(token))", at: token, expected: expected)
  }

  /// A macro of overpass turbo, which only that program can expand.
  private mutating func reportMacro() {
    let start = index
    var last = index
    while !isAt(.end), !isAt(.semicolon) {
      if isAt(.closeBrace), peek().kind == .closeBrace {
        last = index + 1
        break
      }
      advance()
    }
    index = start
    var token = tokens[start]
    if last > start { token.end = tokens[last].end }
    report(
      .unexpandedMacro,
      "\(quoted(token)) is a macro of overpass turbo; it has to be expanded first", at: token)
  }

  mutating func expect(
    _ kind: QLToken.Kind, _ name: String, after context: String = ""
  ) throws(Abandoned) {
    guard isAt(kind) else {
      reportUnexpected(name, after: context)
      throw Abandoned()
    }
    advance()
  }

  /// Runs a check of the values read at a token and reports its complaint there.
  @discardableResult
  mutating func check(
    at token: QLToken, _ check: (Validator) throws(QueryError) -> Void
  ) -> Bool {
    do throws(QueryError) {
      try check(Validator(hasGlobalBoundingBox: hasGlobalBoundingBox))
      return true
    } catch {
      report(Diagnostic.Code(error.kind), error.message, at: token)
      return false
    }
  }

  // MARK: Going on after an error

  /// Goes behind the next semicolon of this block, or to its end.
  mutating func synchronize() {
    var depth = 0
    while !isAt(.end) {
      switch current.kind {
      case .semicolon where depth == 0:
        advance()
        return
      case .openParenthesis, .openBrace: depth += 1
      case .closeParenthesis, .closeBrace:
        if depth == 0 { return }
        depth -= 1
      default: break
      }
      advance()
    }
  }

  // MARK: Literals

  /// A string, word or number, decoded.
  mutating func parseText(_ what: String) throws(Abandoned) -> (value: String, token: QLToken) {
    let token = current
    switch token.kind {
    case .string, .word, .number:
      advance()
      return (decode(token), token)
    default:
      reportUnexpected(what)
      throw Abandoned()
    }
  }

  mutating func parseIdentifier(_ what: String) throws(Abandoned) -> String {
    guard isAt(.word) else {
      reportUnexpected(what)
      throw Abandoned()
    }
    let name = spelling(current)
    advance()
    return name
  }

  /// `.name`, if it stands here.
  mutating func parseFrom() throws(Abandoned) -> Query.SetName {
    guard isAt(.dot) else { return .default }
    advance()
    return Query.SetName(try parseIdentifier("the name of a set"))
  }

  /// `->.name`, if it stands here.
  mutating func parseInto() throws(Abandoned) -> Query.SetName {
    guard isAt(.arrow) else { return .default }
    advance()
    try expect(.dot, "“.”", after: "“->”")
    return Query.SetName(try parseIdentifier("the name of a set"))
  }

  /// The value of a string, word or number. In strings `\n` and `\t` are line feed and tab, `\u` takes
  /// up to four hexadecimal digits, and any other character behind a backslash stands for itself.
  mutating func decode(_ token: QLToken) -> String {
    guard token.kind == .string else { return spelling(token) }
    var bytes: [UInt8] = []
    let quote = text[Int(token.start)]
    var position = Int(token.start) + 1
    var end = Int(token.end)
    // An unterminated string has been reported; it has no closing quote to cut off.
    if end - 1 >= position, text[end - 1] == quote { end -= 1 }
    while position < end {
      let byte = text[position]
      position += 1
      guard byte == UInt8(ascii: "\\"), position < end else {
        bytes.append(byte)
        continue
      }
      let escaped = text[position]
      position += 1
      switch escaped {
      case UInt8(ascii: "n"): bytes.append(0x0A)
      case UInt8(ascii: "t"): bytes.append(0x09)
      case UInt8(ascii: "u"): appendEscapedCharacter(&position, end, &bytes)
      default: bytes.append(escaped)
      }
    }
    let value = String(decoding: bytes, as: UTF8.self)
    check(at: token) { validator throws(QueryError) in
      try validator.check(text: value, of: "the string")
    }
    return value
  }

  private mutating func appendEscapedCharacter(
    _ position: inout Int, _ end: Int, _ bytes: inout [UInt8]
  ) {
    let start = position - 2
    var value: UInt32 = 0
    var digits = 0
    while digits < 4, position < end, let digit = hexadecimalValue(text[position]) {
      value = value * 16 + digit
      position += 1
      digits += 1
    }
    guard value >= 0x20, let scalar = Unicode.Scalar(value) else {
      let sequence = String(decoding: text[start..<position], as: UTF8.self)
      let hint =
        value >= 0x20 ? "; characters beyond U+FFFF have to be written as they are" : ""
      collector.add(
        Diagnostic(
          .error, .invalidEscape, "“\(sequence)” is no character\(hint)", length: position - start,
          found: sequence), at: start)
      return
    }
    bytes.append(contentsOf: String(Character(scalar)).utf8)
  }
}

private func hexadecimalValue(_ byte: UInt8) -> UInt32? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
  case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a")) + 10
  case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A")) + 10
  default: nil
  }
}

extension Diagnostic.Code {
  /// The code for a fault that a check of values has found.
  init(_ kind: QueryError.Kind) {
    switch kind {
    case .unrestricted: self = .unrestricted
    case .invalidRegex: self = .invalidRegex
    case .invalidTimestamp: self = .invalidTimestamp
    case .invalidRecursion: self = .invalidRecursion
    case .invalidEvaluator: self = .invalidEvaluator
    case .duplicateProperty: self = .duplicateProperty
    case .misplacedStatement: self = .misplacedStatement
    case .invalidCharacter: self = .invalidCharacter
    case .tooDeep: self = .tooDeep
    default: self = .invalidValue
    }
  }
}
