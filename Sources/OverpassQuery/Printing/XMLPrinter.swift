// Prints a query in the XML form of the language: the document, settings and statements.

import OSMModel

extension Query {
  /// The query in the XML form.
  ///
  /// The text starts with `<osm-script`, without a declaration or comment, as servers look for it
  /// there.
  ///
  /// - Parameter layout: where line breaks and blanks go.
  /// - Throws: ``QueryError`` if the server would refuse the query, see ``validate()``, and
  ///   ``QueryError/Kind/notExpressibleInXML`` where the XML form has no words for it.
  ///
  /// Source: https://wiki.openstreetmap.org/wiki/Overpass_API/Language_Guide, "XML"
  public func xml(_ layout: Layout = .compact) throws(QueryError) -> String {
    String(decoding: try xmlBytes(layout), as: UTF8.self)
  }

  /// The query in the XML form, in UTF-8.
  public func xmlBytes(_ layout: Layout = .compact) throws(QueryError) -> [UInt8] {
    try validate()
    var printer = XMLPrinter(layout: layout)
    try printer.print(self)
    return printer.text.bytes
  }
}

struct XMLPrinter {
  var text = TextBuffer()
  let layout: Query.Layout
  /// Elements that are open.
  var depth = 0

  init(layout: Query.Layout) { self.layout = layout }

  // MARK: Elements and attributes

  mutating func open(_ name: StaticString) {
    indent()
    text.append("<")
    text.append(name)
  }

  /// Ends an element without content.
  mutating func end() {
    text.append("/>")
    breakLine()
  }

  /// Ends an element with content; without any, in the short form.
  mutating func end(
    _ name: StaticString, isEmpty: Bool = false,
    content: (inout XMLPrinter) throws(QueryError) -> Void
  ) throws(QueryError) {
    if isEmpty { return end() }
    beginContent()
    try content(&self)
    endContent(name)
  }

  mutating func beginContent() {
    text.append(">")
    breakLine()
    depth += 1
  }

  mutating func endContent(_ name: StaticString) {
    depth -= 1
    indent()
    text.append("</")
    text.append(name)
    text.append(">")
    breakLine()
  }

  private mutating func indent() { if layout == .pretty { text.indent(depth) } }

  private mutating func breakLine() { if layout == .pretty { text.append("\n") } }

  mutating func attribute(_ name: StaticString, _ value: String) throws(QueryError) {
    beginAttribute(name)
    try escape(value)
    text.append("\"")
  }

  mutating func attribute(_ name: StaticString, fixed value: StaticString) {
    beginAttribute(name)
    text.append(value)
    text.append("\"")
  }

  mutating func attribute(_ name: StaticString, _ value: Int64) {
    beginAttribute(name)
    text.append(value)
    text.append("\"")
  }

  mutating func attribute(_ name: StaticString, degreesE7 value: Int32) {
    beginAttribute(name)
    text.append(degreesE7: value)
    text.append("\"")
  }

  mutating func beginAttribute(_ name: StaticString) {
    text.append(" ")
    text.append(name)
    text.append("=\"")
  }

  /// `name="…" name_1="…" name_2="…"` for a list of values.
  mutating func attributes<Value>(
    _ name: StaticString, _ values: [Value],
    print: (inout XMLPrinter, Value) throws(QueryError) -> Void
  ) throws(QueryError) {
    for (index, value) in values.enumerated() {
      text.append(" ")
      text.append(name)
      if index > 0 {
        text.append("_")
        text.append(Int64(index))
      }
      text.append("=\"")
      try print(&self, value)
      text.append("\"")
    }
  }

  mutating func attributes(_ box: BoundingBox) {
    attribute("s", degreesE7: box.southE7)
    attribute("w", degreesE7: box.westE7)
    attribute("n", degreesE7: box.northE7)
    attribute("e", degreesE7: box.eastE7)
  }

  mutating func from(_ name: Query.SetName) throws(QueryError) {
    if name != .default { try attribute("from", name.name) }
  }

  mutating func into(_ name: Query.SetName) throws(QueryError) {
    if name != .default { try attribute("into", name.name) }
  }

  /// Text inside quotation marks. Line feed and tab become character references, because XML would
  /// turn them into blanks otherwise.
  ///
  /// - Throws: ``QueryError/Kind/notExpressibleInXML`` for the two code points beyond the control
  ///   characters that XML 1.0 forbids.
  mutating func escape(_ value: String) throws(QueryError) {
    for scalar in value.unicodeScalars {
      switch scalar {
      case "&": text.append("&amp;")
      case "<": text.append("&lt;")
      case ">": text.append("&gt;")
      case "\"": text.append("&quot;")
      case "\n": text.append("&#10;")
      case "\t": text.append("&#9;")
      case "\u{FFFE}", "\u{FFFF}":
        throw QueryError(
          .notExpressibleInXML,
          "XML forbids the character U+\(scalar.value == 0xFFFE ? "FFFE" : "FFFF")")
      default: text.bytes.append(contentsOf: UTF8.encode(scalar) ?? .init())
      }
    }
  }

  // MARK: The document

  mutating func print(_ query: Query) throws(QueryError) {
    open("osm-script")
    let settings = query.settings
    if let output = settings.output { try print(output) }
    if let timeout = settings.timeoutSeconds { attribute("timeout", timeout) }
    if let maxsize = settings.maxsizeBytes { attribute("element-limit", maxsize) }
    if let box = settings.boundingBox {
      beginAttribute("bbox")
      text.append(box)
      text.append("\"")
    }
    switch settings.time {
    case nil: break
    case .date(let moment): try attribute("date", moment.description)
    case .diff(let from, let to):
      try attribute("from", from.description)
      if let to { try attribute("date", to.description) }
    case .adiff(let from, let to):
      try attribute("from", from.description)
      if let to { try attribute("date", to.description) }
      attribute("augmented", fixed: "deletions")
    }
    try end("osm-script", isEmpty: query.statements.isEmpty) { printer throws(QueryError) in
      for statement in query.statements { try printer.print(statement) }
    }
  }

  private mutating func print(_ format: Query.OutputFormat) throws(QueryError) {
    switch format {
    case .xml: attribute("output", fixed: "xml")
    case .json: attribute("output", fixed: "json")
    case .custom: attribute("output", fixed: "custom")
    case .csv(let format):
      attribute("output", fixed: "csv")
      var printer = QLPrinter(layout: .compact)
      printer.print(csv: format)
      try attribute("output-config", String(decoding: printer.text.bytes, as: UTF8.self))
    case .popup(let categories):
      attribute("output", fixed: "popup")
      var printer = QLPrinter(layout: .compact)
      for category in categories { printer.print(category) }
      try attribute("output-config", String(decoding: printer.text.bytes, as: UTF8.self))
    }
  }
}
