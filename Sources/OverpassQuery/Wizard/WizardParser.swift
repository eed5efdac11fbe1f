// The parser of the wizard's search language.

/// Reads searches like `amenity=cafe and name~"x" in Berlin`.
///
/// The language is overpass turbo's: `=`, `!=`, `~`, `!~`, `:` and `like` between key and value, `is
/// null`, `and`, `or` and brackets, `type:`, `user:`, `uid:`, `id:`, `newer:`, `older:`, `date:`, and at
/// the end `in bbox`, `in …`, `around …` or `global`.
///
/// Source: https://wiki.openstreetmap.org/wiki/Overpass_turbo/Wizard
struct WizardParser {
  struct Failed: Error {}

  let text: [UInt8]
  var index = 0
  var collector = DiagnosticCollector()

  init(_ text: [UInt8]) { self.text = text }

  mutating func parse() throws(Failed) -> WizardSearch {
    skipBlanks()
    let expression = try parseOr(depth: 0)
    let start = index
    skipBlanks()
    var place = WizardSearch.Place.box
    if index < text.count, index > start {
      place = try parsePlace()
      skipBlanks()
    }
    guard index == text.count else {
      throw fail("expected “and”, “or”, “in”, “around” or “global”")
    }
    return WizardSearch(expression: expression, place: place)
  }

  private mutating func parsePlace() throws(Failed) -> WizardSearch.Place {
    if takeWord("in", "IN") {
      try requireBlanks()
      if takeWord("bbox", "BBOX") { return .box }
      return .area(try parsePlaceName())
    }
    if takeWord("around", "AROUND") {
      try requireBlanks()
      return .around(try parsePlaceName())
    }
    if takeWord("global", "GLOBAL") { return .everywhere }
    throw fail("expected “and”, “or”, “in”, “around” or “global”")
  }

  private mutating func parsePlaceName() throws(Failed) -> String {
    let start = index
    let name = try parseValue("the name of a place")
    if name.utf8.contains(UInt8(ascii: "}")) || name.utf8.contains(0x0A) || name.isEmpty {
      index = start
      throw fail("a name of a place cannot be looked up")
    }
    return name
  }

  // MARK: Logic

  private mutating func parseOr(depth: Int) throws(Failed) -> WizardExpression {
    guard depth < Query.Limits.nesting else {
      throw fail("the search is nested too deeply", .tooDeep)
    }
    var left = try parseAnd(depth: depth)
    var count = 0
    while takeOperator("or", "OR", "||", "|") {
      count += 1
      guard count < Query.Limits.operators else { throw fail("the search is too long", .tooDeep) }
      left = .or(left, try parseAnd(depth: depth))
    }
    return left
  }

  private mutating func parseAnd(depth: Int) throws(Failed) -> WizardExpression {
    var left = try parseOperand(depth: depth)
    var count = 0
    while takeOperator("and", "AND", "&&", "&") {
      count += 1
      guard count < Query.Limits.operators else { throw fail("the search is too long", .tooDeep) }
      left = .and(left, try parseOperand(depth: depth))
    }
    return left
  }

  private mutating func parseOperand(depth: Int) throws(Failed) -> WizardExpression {
    guard current == UInt8(ascii: "(") else { return .condition(try parseCondition()) }
    index += 1
    skipBlanks()
    let inner = try parseOr(depth: depth + 1)
    skipBlanks()
    guard current == UInt8(ascii: ")") else { throw fail("expected “)”") }
    index += 1
    return inner
  }

  // MARK: Conditions

  private mutating func parseCondition() throws(Failed) -> WizardCondition {
    let start = index
    if current == UInt8(ascii: "~") {
      index += 1
      skipBlanks()
      let key = try parseValue("a regular expression for the key")
      skipBlanks()
      guard takeSign("~=") || takeSign("=~") || takeSign("~") else { throw fail("expected “~”") }
      skipBlanks()
      return WizardCondition(kind: .keyMatches(try parsePattern()), key: key, offset: start)
    }
    if let condition = try parseSpecial(start) { return condition }
    if let key = parseKey() {
      skipBlanks()
      if let kind = try parseComparison() {
        return WizardCondition(kind: kind, key: key, offset: start)
      }
      index = start
    }
    let word = try parseValue("a condition")
    let end = index
    skipBlanks()
    if index > end, let kind = try parseWords() {
      return WizardCondition(kind: kind, key: word, offset: start)
    }
    if current == UInt8(ascii: ":") {
      index += 1
      skipBlanks()
      return WizardCondition(kind: .contains(try parseValue("a value")), key: word, offset: start)
    }
    index = end
    return WizardCondition(kind: .preset, key: word, offset: start)
  }

  /// `type:…` and conditions on metadata.
  private mutating func parseSpecial(_ start: Int) throws(Failed) -> WizardCondition? {
    for name in ["type", "user", "uid", "newer", "older", "id", "date"] {
      guard text[index...].starts(with: name.utf8) else { continue }
      index += name.utf8.count
      skipBlanks()
      guard current == UInt8(ascii: ":") else {
        index = start
        continue
      }
      index += 1
      skipBlanks()
      let valueStart = index
      let value = try parseValue("a value")
      guard name == "type" else {
        return WizardCondition(kind: .meta(name), key: value, offset: start)
      }
      let type = value == "rel" ? "relation" : value
      guard ["node", "way", "relation"].contains(type) else {
        index = valueStart
        throw fail(
          "“\(value)” is no type of elements", .invalidValue,
          suggestion: closest(to: value, among: ["node", "way", "relation"]))
      }
      return WizardCondition(kind: .type(type), key: "", offset: start)
    }
    return nil
  }

  private mutating func parseComparison() throws(Failed) -> WizardCondition.Kind? {
    if takeSign("!~") {
      skipBlanks()
      return .notMatches(try parsePattern())
    }
    if takeSign("=~") || takeSign("~=") || takeSign("~") {
      skipBlanks()
      return .matches(try parsePattern())
    }
    let isNegated = takeSign("!=") || takeSign("<>")
    guard isNegated || takeSign("==") || takeSign("=") else { return nil }
    skipBlanks()
    if takeSign("*") { return isNegated ? .noKey : .key }
    let value = try parseValue("a value")
    return isNegated ? .notEquals(value) : .equals(value)
  }

  /// `is null`, `is not null`, `like`, `not like`
  private mutating func parseWords() throws(Failed) -> WizardCondition.Kind? {
    let start = index
    if takeWord("is", "IS") {
      try requireBlanks()
      let isNot = takeWord("not", "NOT")
      if isNot { try requireBlanks() }
      if takeWord("null", "NULL") { return isNot ? .key : .noKey }
    } else {
      let isNot = takeWord("not", "NOT")
      if isNot { try requireBlanks() }
      if takeWord("like", "LIKE") {
        try requireBlanks()
        let pattern = try parsePattern()
        return isNot ? .notMatches(pattern) : .matches(pattern)
      }
    }
    index = start
    return nil
  }

  // MARK: Words

  private var current: UInt8 { index < text.count ? text[index] : 0 }

  mutating func fail(
    _ message: String, _ code: Diagnostic.Code = .unexpected, suggestion: String? = nil
  ) -> Failed {
    let found = text[min(index, text.count)...].prefix(20)
    let rest = found.isEmpty ? "the end" : "“" + String(decoding: found, as: UTF8.self) + "”"
    collector.add(
      Diagnostic(
        .error, index == text.count ? .unexpectedEnd : code,
        code == .unexpected ? message + ", found " + rest : message, suggestion: suggestion),
      at: index)
    return Failed()
  }

  private mutating func skipBlanks() { while isBlank(current) { index += 1 } }

  private mutating func requireBlanks() throws(Failed) {
    guard isBlank(current) else { throw fail("expected a blank") }
    skipBlanks()
  }

  private mutating func takeSign(_ sign: StaticString) -> Bool {
    guard sign.withUTF8Buffer({ text[index...].starts(with: $0) }) else { return false }
    index += sign.utf8CodeUnitCount
    return true
  }

  /// A keyword with nothing but a blank or the end behind it.
  private mutating func takeWord(_ spellings: String...) -> Bool {
    for spelling in spellings where text[index...].starts(with: spelling.utf8) {
      let end = index + spelling.utf8.count
      if end == text.count || isBlank(text[end]) {
        index = end
        return true
      }
    }
    return false
  }

  /// An operator with blanks on both sides; nothing is consumed without it.
  private mutating func takeOperator(_ spellings: String...) -> Bool {
    let start = index
    skipBlanks()
    if index > start {
      for spelling in spellings where text[index...].starts(with: spelling.utf8) {
        let end = index + spelling.utf8.count
        if end < text.count, isBlank(text[end]) {
          index = end
          skipBlanks()
          return true
        }
      }
    }
    index = start
    return false
  }

  /// A key: letters, digits, `_`, `:` and `-`, or a text in quotation marks.
  private mutating func parseKey() -> String? {
    if current == UInt8(ascii: "\"") || current == UInt8(ascii: "'") { return parseQuoted() }
    let start = index
    while isWordPart(current) || current == UInt8(ascii: ":") || current == UInt8(ascii: "-") {
      index += 1
    }
    return index > start ? String(decoding: text[start..<index], as: UTF8.self) : nil
  }

  /// A value: anything without blanks and signs, or a text in quotation marks.
  private mutating func parseValue(_ what: String) throws(Failed) -> String {
    if current == UInt8(ascii: "\"") || current == UInt8(ascii: "'") {
      if let value = parseQuoted() { return value }
      throw fail("a quotation mark is not closed", .unterminated)
    }
    let start = index
    while index < text.count, !"'\" ()~=!*/:<>&|[]{}#+@$%?^.,\t\n\r".utf8.contains(text[index]) {
      index += 1
    }
    guard index > start else { throw fail("expected \(what)") }
    return String(decoding: text[start..<index], as: UTF8.self)
  }

  /// `/pattern/`, `/pattern/i` or a value.
  private mutating func parsePattern() throws(Failed) -> Query.Pattern {
    guard current == UInt8(ascii: "/") else {
      return Query.Pattern(try parseValue("a regular expression"))
    }
    let start = index
    index += 1
    var pattern: [UInt8] = []
    while index < text.count, current != UInt8(ascii: "/") {
      if current == UInt8(ascii: "\\"), index + 1 < text.count, text[index + 1] == UInt8(ascii: "/")
      {
        index += 1
      }
      pattern.append(current)
      index += 1
    }
    guard index < text.count, !pattern.isEmpty else {
      index = start
      throw fail("a regular expression is not closed", .unterminated)
    }
    index += 1
    let ignoresCase = current == UInt8(ascii: "i")
    if ignoresCase { index += 1 }
    return Query.Pattern(String(decoding: pattern, as: UTF8.self), ignoresCase: ignoresCase)
  }

  /// - Returns: `nil`, and nothing consumed, if the quotation mark is not closed or an escape unknown.
  private mutating func parseQuoted() -> String? {
    let start = index
    let quote = current
    index += 1
    var value: [UInt8] = []
    while index < text.count {
      let byte = text[index]
      index += 1
      if byte == quote { return String(decoding: value, as: UTF8.self) }
      guard byte == UInt8(ascii: "\\"), index < text.count else {
        value.append(byte)
        continue
      }
      switch text[index] {
      case UInt8(ascii: "n"): value.append(0x0A)
      case UInt8(ascii: "t"): value.append(0x09)
      case let other: value.append(other)
      }
      index += 1
    }
    index = start
    return nil
  }
}
