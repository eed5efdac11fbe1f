// The parser of the XML form: attributes, settings, and the document.

import OSMModel

/// Reads the XML form from a tree of elements. Nothing throws: what is wrong is reported, and reading
/// goes on with the next element.
struct XMLQueryParser {
  let text: [UInt8]
  var collector: DiagnosticCollector
  var tree: XMLTree?
  var hasGlobalBoundingBox = false
  /// Where the statements begin.
  var statementOffsets: [Int] = []

  init(_ text: [UInt8], _ collector: DiagnosticCollector) {
    self.text = text
    self.collector = collector
    tree = XMLTree(text, &self.collector)
    if tree == nil { reportMacro() }
  }

  /// A macro of overpass turbo among attributes is what most often breaks a document.
  private mutating func reportMacro() {
    let macros = MacroScanner(text: text, isXML: true).tokens()
    guard let macro = macros.first(where: { $0.kind != .malformed && !$0.isInComment }) else {
      return
    }
    let spelling = String(decoding: text[macro.range].prefix(100), as: UTF8.self)
    report(
      .unexpandedMacro,
      "“\(spelling)” is a macro of overpass turbo; it has to be expanded first",
      at: macro.range.lowerBound, length: macro.range.count, found: spelling)
  }

  mutating func parseQuery() -> Query {
    var query = Query()
    guard let tree else { return query }
    let root = tree[0]
    guard root.name == "osm-script" else {
      // The server executes whatever the document holds.
      if let statement = convertStatement(0, depth: 0) { query.statements = [statement] }
      return query
    }
    query.settings = convertSettings(root)
    hasGlobalBoundingBox = query.settings.boundingBox != nil
    query.statements = convertStatements(root.children, depth: 0)
    checkText(root)
    return query
  }

  func element(_ index: Int) -> XMLElement { tree?[index] ?? XMLElement(name: "", offset: 0) }

  // MARK: Reports

  mutating func report(
    _ code: Diagnostic.Code, _ message: String, at offset: Int,
    severity: Diagnostic.Severity = .error, length: Int = 0, found: String? = nil,
    expected: [String] = [], suggestion: String? = nil
  ) {
    collector.add(
      Diagnostic(
        severity, code, message, length: length, found: found, expected: expected,
        suggestion: suggestion), at: offset)
  }

  /// Reports something about an attribute, at its place in the start tag.
  mutating func report(
    _ code: Diagnostic.Code, _ message: String, at attribute: String, of element: XMLElement,
    severity: Diagnostic.Severity = .error, expected: [String] = [], suggestion: String? = nil
  ) {
    report(
      code, message, at: offset(of: attribute, in: element), severity: severity,
      length: attribute.utf8.count, found: value(attribute, of: element), expected: expected,
      suggestion: suggestion)
  }

  /// expat tells where an element begins; its attributes have to be looked for.
  private func offset(of attribute: String, in element: XMLElement) -> Int {
    let name = Array(attribute.utf8)
    var index = max(element.offset, 0)
    var quote: UInt8?
    while index + name.count < text.count {
      let byte = text[index]
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: ">") {
        break
      } else if isBlank(byte), text[index + 1..<index + 1 + name.count].elementsEqual(name) {
        let next = index + 1 + name.count
        if next < text.count, text[next] == UInt8(ascii: "=") || isBlank(text[next]) {
          return index + 1
        }
      }
      index += 1
    }
    return element.offset
  }

  @discardableResult
  mutating func check(
    _ element: XMLElement, _ check: (Validator) throws(QueryError) -> Void
  ) -> Bool {
    do throws(QueryError) {
      try check(Validator(hasGlobalBoundingBox: hasGlobalBoundingBox))
      return true
    } catch {
      report(
        Diagnostic.Code(error.kind), error.message, at: element.offset,
        length: element.name.utf8.count + 1)
      return false
    }
  }

  mutating func checkText(_ element: XMLElement) {
    guard let offset = element.textOffset else { return }
    report(.unexpected, "“\(element.name)” must not contain text", at: offset)
  }

  mutating func checkEmpty(_ element: XMLElement) {
    checkText(element)
    for child in element.children {
      let inner = self.element(child)
      report(
        .misplacedStatement, "“\(inner.name)” cannot stand in “\(element.name)”", at: inner.offset,
        length: inner.name.utf8.count + 1, found: inner.name)
    }
  }

  // MARK: Attributes

  func value(_ name: String, of element: XMLElement) -> String? {
    element.attributes.first { $0.name == name }?.value
  }

  /// Reports attributes that the server does not know for the element.
  mutating func allow(
    _ names: [String], in element: XMLElement, numbered prefixes: [String] = []
  ) {
    for (name, _) in element.attributes where !names.contains(name) {
      // Looking for the place of each costs a walk over the tag.
      if collector.isFull { return }
      if prefixes.contains(where: { name.hasPrefix($0) }) { continue }
      report(
        .unknownAttribute, "“\(element.name)” has no attribute “\(name)”", at: name, of: element,
        expected: names, suggestion: closest(to: name, among: names))
    }
  }

  mutating func setName(_ attribute: String, of element: XMLElement) -> Query.SetName {
    guard let name = value(attribute, of: element).map({ Query.SetName($0) }) else {
      return .default
    }
    guard !name.isValid else { return name }
    report(
      .invalidValue,
      "“\(name.name)” is no name of a set; allowed are letters, digits and underscores",
      at: attribute, of: element)
    return .default
  }

  /// A value from a list of words.
  mutating func choice<Choice>(
    _ attribute: String, of element: XMLElement, _ choices: [(String, Choice)], default: Choice
  ) -> Choice {
    guard let text = value(attribute, of: element) else { return `default` }
    if let (_, choice) = choices.first(where: { $0.0 == text }) { return choice }
    let names = choices.map(\.0)
    report(
      .invalidValue,
      "“\(text)” is no value for “\(attribute)” of “\(element.name)”; there are "
        + names.joined(separator: ", "), at: attribute, of: element, expected: names,
      suggestion: closest(to: text, among: names))
    return `default`
  }

  /// A whole number; absent and empty attributes have none.
  mutating func number(_ attribute: String, of element: XMLElement) -> Int64? {
    guard let text = value(attribute, of: element), !text.isEmpty else { return nil }
    if let number = Int64(text) { return number }
    report(.invalidValue, "“\(text)” is no whole number", at: attribute, of: element)
    return nil
  }

  /// A number for the server's `atof`, which takes anything else for 0.
  mutating func decimalValue(_ attribute: String, of element: XMLElement) -> Double? {
    guard let text = value(attribute, of: element), !text.isEmpty else { return nil }
    if let number = decimal(text) { return number }
    report(
      .inexactNumber, "“\(text)” is no number; the server takes it for 0", at: attribute,
      of: element, severity: .warning)
    return 0
  }

  /// The values of `name`, `name_1`, `name_2` and so on.
  func list(_ name: String, of element: XMLElement) -> [String] {
    element.attributes.filter { $0.name == name || $0.name.hasPrefix(name + "_") }.map(\.value)
  }

  /// The box in `s`, `w`, `n`, `e`; `nil` if none of them is there or the box is wrong.
  mutating func box(_ element: XMLElement, isRequired: Bool) -> BoundingBox? {
    let names = ["s", "w", "n", "e"]
    var values: [Double] = []
    for name in names {
      if let number = decimalValue(name, of: element) { values.append(number) }
    }
    if values.isEmpty, !isRequired { return nil }
    guard values.count == 4 else {
      report(
        .missingAttribute, "a bounding box takes the attributes s, w, n and e", at: element.offset,
        length: element.name.utf8.count + 1, expected: names)
      return nil
    }
    var box: BoundingBox?
    check(element) { _ throws(QueryError) in
      box = try BoundingBox(south: values[0], west: values[1], north: values[2], east: values[3])
    }
    return box
  }

  // MARK: Settings

  private mutating func convertSettings(_ root: XMLElement) -> Query.Settings {
    allow(
      ["bbox", "timeout", "element-limit", "output", "output-config", "date", "from", "augmented"],
      in: root)
    var settings = Query.Settings()
    settings.timeoutSeconds = setting("timeout", of: root) {
      text throws(SettingsReader.Complaint) in
      try SettingsReader.number(text, of: "“timeout”")
    }
    settings.maxsizeBytes = setting("element-limit", of: root) {
      text throws(SettingsReader.Complaint) in
      try SettingsReader.number(text, of: "“element-limit”")
    }
    if value("bbox", of: root) != "" {
      settings.boundingBox = setting("bbox", of: root) { text throws(SettingsReader.Complaint) in
        try SettingsReader.boundingBox(text)
      }
    }
    settings.time = convertTime(root)
    settings.output = convertOutput(root)
    check(root) { validator throws(QueryError) in try validator.check(settings) }
    return settings
  }

  private mutating func setting<Value>(
    _ name: String, of root: XMLElement,
    _ read: (String) throws(SettingsReader.Complaint) -> Value
  ) -> Value? {
    guard let text = value(name, of: root) else { return nil }
    do throws(SettingsReader.Complaint) {
      return try read(text)
    } catch {
      report(error.code, error.message, at: name, of: root)
      return nil
    }
  }

  private mutating func moment(_ name: String, of root: XMLElement) -> Query.Timestamp? {
    guard value(name, of: root) != "" else { return nil }
    return setting(name, of: root) { text throws(SettingsReader.Complaint) in
      try SettingsReader.timestamp(text, of: "“\(name)”")
    }
  }

  private mutating func convertTime(_ root: XMLElement) -> Query.Time? {
    let date = moment("date", of: root)
    let from = moment("from", of: root)
    let augmented = value("augmented", of: root) ?? ""
    if !augmented.isEmpty, augmented != "deletions" {
      report(
        .invalidValue, "“augmented” can only be “deletions”", at: "augmented", of: root,
        expected: ["deletions"])
    }
    guard let from else {
      if !augmented.isEmpty {
        report(
          .missingAttribute, "“augmented” needs the attribute “from”", at: "augmented", of: root,
          expected: ["from"])
      }
      return date.map { .date($0) }
    }
    return augmented.isEmpty ? .diff(from: from, to: date) : .adiff(from: from, to: date)
  }

  private mutating func convertOutput(_ root: XMLElement) -> Query.OutputFormat? {
    guard let name = value("output", of: root) else { return nil }
    let config = value("output-config", of: root) ?? ""
    switch name {
    case "xml": return .xml
    case "json": return .json
    case "custom": return .custom
    case "csv", "popup":
      // The configuration is a piece of Overpass QL.
      var parser = QLParser(Array(config.utf8), DiagnosticCollector())
      do throws(QLParser.Abandoned) {
        let format: Query.OutputFormat =
          name == "csv"
          ? .csv(try parser.parseCSVFormat()) : .popup(try parser.parsePopupCategories())
        if parser.collector.errorCount == 0 { return format }
      } catch {}
      let reason = parser.collector.entries.first?.diagnostic.message ?? "it cannot be read"
      let attribute = config.isEmpty ? "output" : "output-config"
      report(
        .invalidValue, "the configuration of the output format is wrong: \(reason)", at: attribute,
        of: root)
      return nil
    default:
      let names = ["xml", "json", "csv", "custom", "popup"]
      report(
        .invalidValue, "there is no output format “\(name)”", at: "output", of: root,
        expected: names, suggestion: closest(to: name, among: names))
      return nil
    }
  }
}
