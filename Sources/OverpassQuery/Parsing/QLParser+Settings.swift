// Settings in Overpass QL.

import OSMModel

extension QLParser {
  private static let settingNames = ["out", "timeout", "maxsize", "bbox", "date", "diff", "adiff"]

  mutating func parseSettings() -> Query.Settings {
    var settings = Query.Settings()
    var seen: Set<String> = []
    guard isAt(.openBracket) else { return settings }
    while isAt(.openBracket) {
      do throws(Abandoned) {
        try parseSetting(&settings, &seen)
      } catch {
        skipSetting()
      }
    }
    if isAt(.semicolon) {
      advance()
    } else {
      reportUnexpected("“;”", after: "the settings")
      if isAt(.end) { return settings }
    }
    check(at: tokens[0]) { validator throws(QueryError) in try validator.check(settings) }
    return settings
  }

  /// Goes behind the closing bracket of a setting that could not be read.
  private mutating func skipSetting() {
    while !isAt(.end), !isAt(.semicolon) {
      let isClosing = isAt(.closeBracket)
      advance()
      if isClosing { return }
    }
  }

  private mutating func parseSetting(
    _ settings: inout Query.Settings, _ seen: inout Set<String>
  ) throws(Abandoned) {
    advance()
    let nameToken = current
    let name = try parseIdentifier("the name of a setting")
    guard QLParser.settingNames.contains(name) else {
      report(
        .unknownSetting, "there is no setting “\(name)”", at: nameToken,
        expected: QLParser.settingNames,
        suggestion: closest(to: name, among: QLParser.settingNames))
      throw Abandoned()
    }
    if name == "bbox", isAt(.closeBracket) {
      report(
        .unexpandedMacro,
        "“[bbox]” gets its numbers from the address of a request; a query by itself needs them",
        at: nameToken)
      throw Abandoned()
    }
    if !seen.insert(name == "adiff" ? "diff" : name).inserted {
      warn(.overridden, "the setting “\(name)” stands twice; the last one counts", at: nameToken)
    }
    try expect(.colon, "“:”", after: "“\(name)”")
    switch name {
    case "out": settings.output = try parseOutputFormat()
    case "bbox": settings.boundingBox = try parseGlobalBox()
    case "date": settings.time = .date(try parseMoment("date"))
    case "diff", "adiff":
      let from = try parseMoment(name)
      var to: Query.Timestamp?
      if isAt(.comma) {
        advance()
        to = try parseMoment(name)
      }
      settings.time = name == "diff" ? .diff(from: from, to: to) : .adiff(from: from, to: to)
    default:
      let number = try parseLimit(name)
      if name == "timeout" {
        settings.timeoutSeconds = number
      } else {
        settings.maxsizeBytes = number
      }
    }
    try expect(.closeBracket, "“]”", after: "the setting “\(name)”")
  }

  private mutating func parseMoment(_ name: String) throws(Abandoned) -> Query.Timestamp {
    let (value, token) = try parseText("a moment in quotation marks")
    do throws(SettingsReader.Complaint) {
      return try SettingsReader.timestamp(value, of: "“\(name)”")
    } catch {
      report(error.code, error.message, at: token)
      throw Abandoned()
    }
  }

  /// A number, with its unit behind it as a word of its own.
  private mutating func parseLimit(_ name: String) throws(Abandoned) -> Int64 {
    var (value, token) = try parseText("a number")
    while !isAt(.end), !isAt(.closeBracket), !isAt(.semicolon) {
      value += " " + spelling(current)
      token.end = current.end
      advance()
    }
    do throws(SettingsReader.Complaint) {
      return try SettingsReader.number(value, of: "“\(name)”")
    } catch {
      report(error.code, error.message, at: token)
      throw Abandoned()
    }
  }

  private mutating func parseGlobalBox() throws(Abandoned) -> BoundingBox {
    var (value, token) = try parseText("a number")
    while isAt(.comma) {
      advance()
      let (next, nextToken) = try parseText("a number")
      value += "," + next
      token.end = nextToken.end
    }
    do throws(SettingsReader.Complaint) {
      return try SettingsReader.boundingBox(value)
    } catch {
      report(error.code, error.message, at: token)
      throw Abandoned()
    }
  }

  // MARK: Output formats

  private static let formats = ["xml", "json", "csv", "custom", "popup"]

  private mutating func parseOutputFormat() throws(Abandoned) -> Query.OutputFormat {
    let (name, token) = try parseText("the name of a format")
    switch name {
    case "xml": return .xml
    case "json": return .json
    case "custom": return .custom
    case "csv": return .csv(try parseCSVFormat())
    case "popup": return .popup(try parsePopupCategories())
    default:
      report(
        .invalidValue, "there is no output format “\(name)”", at: token, expected: QLParser.formats,
        suggestion: closest(to: name, among: QLParser.formats))
      throw Abandoned()
    }
  }

  /// `(::id,name;true;",")`
  mutating func parseCSVFormat() throws(Abandoned) -> Query.CSVFormat {
    var format = Query.CSVFormat(columns: [])
    try expect(.openParenthesis, "“(”", after: "“csv”")
    while true {
      let isSpecial = isAt(.doubleColon)
      if isSpecial { advance() }
      let (name, _) = try parseText("the name of a column")
      format.columns.append(isSpecial ? .special(name) : .tag(name))
      guard isAt(.comma) else { break }
      advance()
    }
    if isAt(.semicolon) {
      advance()
      let (value, token) = try parseText("true or false")
      format.hasHeader = value != "false"
      if value != "true", value != "false" {
        warn(
          .ignored, "“\(value)” is neither true nor false; the server takes it for true", at: token)
      }
    }
    if isAt(.semicolon) {
      advance()
      format.separator = try parseText("a separator in quotation marks").value
    }
    try expect(.closeParenthesis, "“)”", after: "the columns")
    return format
  }

  /// `("title";[key~"pattern"];"title key";)…`
  mutating func parsePopupCategories() throws(Abandoned) -> [Query.PopupCategory] {
    var categories: [Query.PopupCategory] = []
    while isAt(.openParenthesis) {
      advance()
      var category = Query.PopupCategory(title: try parseText("a title").value, alternatives: [])
      try expect(.semicolon, "“;”", after: "the title")
      while isAt(.openBracket) {
        var conditions: [Query.PopupCondition] = []
        while isAt(.openBracket) { conditions.append(try parsePopupCondition()) }
        category.alternatives.append(conditions)
        try expect(.semicolon, "“;”", after: "the conditions")
      }
      if !isAt(.closeParenthesis) {
        category.titleKey = try parseText("a key").value
        try expect(.semicolon, "“;”", after: "the key")
      }
      try expect(.closeParenthesis, "“)”", after: "the category")
      categories.append(category)
    }
    return categories
  }

  private mutating func parsePopupCondition() throws(Abandoned) -> Query.PopupCondition {
    advance()
    var condition = Query.PopupCondition(key: try parseText("a key").value)
    if isAt(.bang) {
      condition.isNegated = true
      advance()
    }
    switch current.kind {
    case .assign, .notEqual:
      condition.isNegated = isAt(.notEqual)
      advance()
      condition.pattern = "^" + (try parseText("a value").value) + "$"
    case .tilde:
      advance()
      condition.pattern = try parseText("a regular expression").value
    case .closeBracket: break
    default:
      reportUnexpected("“=”", "“~”", "“]”")
      throw Abandoned()
    }
    try expect(.closeBracket, "“]”", after: "the condition")
    return condition
  }
}
