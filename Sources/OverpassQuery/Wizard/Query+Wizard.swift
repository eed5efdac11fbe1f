// From a search in the wizard's language to a query text with macros.

extension Query {
  /// A query text for a search like `amenity=cafe in Berlin`.
  ///
  /// The text is Overpass QL with the macros `{{bbox}}`, `{{geocodeArea:…}}`, `{{geocodeCoords:…}}` and
  /// `{{date:…}}`, for ``MacroExpander`` to expand.
  ///
  /// ```swift
  /// let text = try Query.wizard("amenity=cafe in Berlin")
  /// // [out:json][timeout:25];
  /// // {{geocodeArea:Berlin}}->.searchArea;
  /// // nwr["amenity"="cafe"](area.searchArea);
  /// // out geom;
  /// ```
  ///
  /// - Parameters:
  ///   - search: the search.
  ///   - presets: words that stand for tags.
  /// - Throws: ``QuerySyntaxError`` with the place in the search.
  public static func wizard(
    _ search: String, presets: [WizardPreset] = []
  ) throws(QuerySyntaxError) -> String {
    let bytes = Array(search.utf8)
    var parser = WizardParser(bytes)
    do throws(WizardParser.Failed) {
      let search = try parser.parse()
      var writer = WizardWriter(presets: presets)
      let text = writer.write(search)
      if let (offset, diagnostic) = writer.failure {
        parser.collector.add(diagnostic, at: offset)
        throw WizardParser.Failed()
      }
      return text
    } catch {
      throw QuerySyntaxError(diagnostics: parser.collector.located(in: bytes))
    }
  }
}

/// Writes the text for a search.
struct WizardWriter {
  let presets: [Query.WizardPreset]
  var failure: (offset: Int, diagnostic: Diagnostic)?
  private var dateSetting: String?
  /// Clauses that the parser has been asked about.
  private var verified: Set<String> = []

  init(presets: [Query.WizardPreset]) { self.presets = presets }

  mutating func write(_ search: WizardSearch) -> String {
    guard let alternatives = search.expression.alternatives() else {
      fail(
        0, .tooDeep, "the search has more than \(WizardExpression.alternativeLimit) alternatives")
      return ""
    }
    var lead = ""
    let place: String
    switch search.place {
    case .box: place = "({{bbox}})"
    case .everywhere: place = ""
    case .area(let name):
      lead = "{{geocodeArea:\(name)}}->.searchArea;\n"
      place = "(area.searchArea)"
    case .around(let name):
      lead = "{{radius=1000}}\n"
      place = "(around:{{radius}},{{geocodeCoords:\(name)}})"
    }
    var statements: [String] = []
    for conditions in alternatives {
      for statement in write(conditions) {
        // Without a place the conditions have to do.
        if place.isEmpty { _ = checked("", statement, ";", conditions.first?.offset ?? 0) }
        statements.append(statement + place + ";")
      }
    }
    let body =
      statements.count == 1
      ? statements[0] : "(\n" + statements.map { "  " + $0 + "\n" }.joined() + ");"
    let settings = "[out:json][timeout:25]" + (dateSetting ?? "")
    return settings + ";\n" + lead + body + "\nout geom;\n"
  }

  private mutating func fail(
    _ offset: Int, _ code: Diagnostic.Code, _ message: String, suggestion: String? = nil
  ) {
    if failure == nil {
      failure = (offset, Diagnostic(.error, code, message, suggestion: suggestion))
    }
  }

  /// A clause, after a look whether it is one: what the parser refuses between `head` and `tail` is
  /// reported at the place in the search that it was made from.
  private mutating func checked(
    _ head: String, _ clause: String, _ tail: String, _ offset: Int
  ) -> String {
    guard failure == nil, verified.insert(clause).inserted else { return clause }
    var expander = MacroExpander()
    expander.now = Query.Timestamp(year: 2024, month: 1, day: 1)
    do throws(QuerySyntaxError) {
      _ = try expander.query(head + clause + tail)
    } catch {
      let first = error.first
      fail(
        offset, first?.code ?? .invalidValue, first?.message ?? "this condition has no meaning",
        suggestion: first?.suggestion)
    }
    return clause
  }

  /// One statement for each type that remains.
  private mutating func write(_ conditions: [WizardCondition]) -> [String] {
    var types = ["node", "way", "relation"]
    var clauses = ""
    for condition in conditions {
      switch condition.kind {
      case .type(let type): types = types.filter { $0 == type }
      case .preset:
        var clause = ""
        writePreset(condition, &types, &clause)
        clauses += checked("[bbox:0,0,1,1];nwr", clause, ";", condition.offset)
      case .meta("date"):
        let setting = checked("", "[date:\"\(date(condition.key))\"]", ";out;", condition.offset)
        if let other = dateSetting, other != setting {
          fail(condition.offset, .overridden, "a search looks at one date only")
        }
        dateSetting = setting
      case .meta(let name):
        clauses += checked("[bbox:0,0,1,1];nwr", meta(name, condition), ";", condition.offset)
      default: clauses += checked("[bbox:0,0,1,1];nwr", tag(condition), ";", condition.offset)
      }
    }
    if types.count == 3 { types = ["nwr"] }
    return types.map { $0 + clauses }
  }

  private func quote(_ text: String) -> String {
    var printer = QLPrinter(layout: .compact)
    printer.quote(text)
    // Braces that a search asks for are no macro; a backslash in between changes nothing else.
    var result = ""
    var previous: Character = " "
    for character in String(decoding: printer.text.bytes, as: UTF8.self) {
      if character == "{", previous == "{" { result.append("\\") }
      result.append(character)
      previous = character
    }
    return result
  }

  private func quote(_ pattern: Query.Pattern) -> String {
    quote(pattern.text) + (pattern.ignoresCase ? ",i" : "")
  }

  private mutating func tag(_ condition: WizardCondition) -> String {
    let key = condition.key
    // The server knows no empty keys and values in plain filters; patterns reach them.
    if key.isEmpty {
      let pattern: Query.Pattern
      switch condition.kind {
      case .key: pattern = ".*"
      case .equals(let value):
        pattern = Query.Pattern("^" + Query.escapedForRegex(value) + "$")
      case .contains(let value): pattern = Query.Pattern(Query.escapedForRegex(value))
      case .matches(let text):
        pattern = text
        check(text, condition)
        if text.text.isEmpty {
          fail(condition.offset, .invalidRegex, "a pattern for the key needs one for the value")
        }
      default:
        fail(condition.offset, .invalidValue, "the server cannot deny an empty key")
        return ""
      }
      return "[~\"^$\"~\(quote(pattern))]"
    }
    let quoted = quote(key)
    switch condition.kind {
    case .key: return "[\(quoted)]"
    case .noKey: return "[\(quoted)!~\".*\"]"
    case .equals(let value):
      return value.isEmpty ? "[\(quoted)~\"^$\"]" : "[\(quoted)=\(quote(value))]"
    case .notEquals(let value):
      return value.isEmpty ? "[\(quoted)!~\"^$\"]" : "[\(quoted)!=\(quote(value))]"
    case .matches(let pattern):
      check(pattern, condition)
      return "[\(quoted)~\(quote(pattern))]"
    case .notMatches(let pattern):

      check(pattern, condition)
      return "[\(quoted)!~\(quote(pattern))]"
    case .keyMatches(let pattern):

      check(Query.Pattern(key), condition)
      check(pattern, condition)
      if pattern.text.isEmpty {
        fail(condition.offset, .invalidRegex, "a pattern for the key needs one for the value")
      }
      return "[~\(quoted)~\(quote(pattern))]"
    case .contains(let value): return "[\(quoted)~\(quote(Query.escapedForRegex(value)))]"
    case .type, .meta, .preset: return ""
    }
  }

  private mutating func check(_ pattern: Query.Pattern, _ condition: WizardCondition) {
    guard let problem = regexProblem(in: pattern.text) else { return }
    fail(condition.offset, .invalidRegex, "“\(pattern.text)” is no regular expression: \(problem)")
  }

  private mutating func meta(_ name: String, _ condition: WizardCondition) -> String {
    let value = condition.key
    switch name {
    case "id", "uid":
      guard let number = Int64(value), number > 0 else {
        fail(condition.offset, .invalidValue, "“\(value)” is no number for “\(name)”")
        return ""
      }
      return name == "id" ? "(\(number))" : "(uid:\(number))"
    case "user": return "(user:\(quote(value)))"
    case "newer": return "(newer:\(span(value)))"
    default: return "(if: timestamp() <= \(span(value)))"
    }
  }

  /// A moment, or a span of time before now as a macro.
  private func span(_ text: String) -> String {
    secondsInSpan(text) == nil ? quote(text) : "\"{{date:\(text)}}\""
  }

  /// A moment written in full, from a year, month or day, or a span of time before now as a macro.
  private func date(_ text: String) -> String {
    let whole = "0000-01-01T00:00:00Z"
    let isDate = text.utf8.enumerated().allSatisfy { index, byte in
      index == 4 || index == 7 ? byte == UInt8(ascii: "-") : isDigit(byte)
    }
    if isDate, [4, 7, 10].contains(text.utf8.count) {
      return text + whole.dropFirst(text.utf8.count)
    }
    if secondsInSpan(text) != nil { return "{{date:\(text)}}" }
    let quoted = quote(text)
    return String(quoted.dropFirst().dropLast())
  }

  private mutating func writePreset(
    _ condition: WizardCondition, _ types: inout [String], _ clauses: inout String
  ) {
    let word = condition.key.lowercased()
    let preset =
      presets.first { $0.name.lowercased() == word }
      ?? presets.first { $0.terms.contains { $0.lowercased() == word } }
    guard let preset else {
      fail(
        condition.offset, .unknownFilter,
        "“\(condition.key)” is neither a condition nor a known word",
        suggestion: closest(to: word, among: presets.map(\.name)))
      return
    }
    types = types.filter { type in
      switch type {
      case "node": preset.types.contains(.node)
      case "way": preset.types.contains(.way)
      default: preset.types.contains(.relation)
      }
    }
    for (key, value) in preset.tags {
      let kind: WizardCondition.Kind = value == "*" ? .key : .equals(value)
      clauses += tag(WizardCondition(kind: kind, key: key, offset: condition.offset))
    }
  }
}
