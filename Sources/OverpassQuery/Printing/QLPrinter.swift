// Prints a query as Overpass QL: settings, literals and the entry points.

import OSMModel

extension Query {
  /// How Overpass QL is laid out.
  public enum Layout: Sendable, Hashable {
    /// On one line, for sending.
    case compact
    /// One statement on a line, blocks indented by two blanks, for reading.
    case pretty
  }

  /// The query as Overpass QL.
  ///
  /// Equal queries give equal texts, and the text parses to an equal query.
  ///
  /// - Parameter layout: where line breaks and blanks go.
  /// - Throws: ``QueryError`` if the server would refuse the query; see ``validate()``.
  public func ql(_ layout: Layout = .compact) throws(QueryError) -> String {
    String(decoding: try qlBytes(layout), as: UTF8.self)
  }

  /// The query as Overpass QL in UTF-8.
  public func qlBytes(_ layout: Layout = .compact) throws(QueryError) -> [UInt8] {
    try validate()
    var printer = QLPrinter(layout: layout)
    printer.print(settings)
    try printer.print(statements, depth: 0)
    // The server takes a text that begins with `<` for the XML form.
    if printer.text.bytes.first == UInt8(ascii: "<") {
      printer.text.bytes.insert(contentsOf: "._ ".utf8, at: 0)
    }
    // Without anything in it a text would be no query at all; a comment makes it one.
    return printer.text.bytes.isEmpty ? Array("/**/".utf8) : printer.text.bytes
  }
}

extension Query: CustomStringConvertible {
  /// The query as Overpass QL, or what is wrong with it.
  public var description: String {
    do throws(QueryError) { return try ql() } catch { return "(" + error.message + ")" }
  }
}

struct QLPrinter {
  var text = TextBuffer()
  let layout: Query.Layout

  var isPretty: Bool { layout == .pretty }

  init(layout: Query.Layout) { self.layout = layout }

  // MARK: Settings

  mutating func print(_ settings: Query.Settings) {
    guard !settings.isEmpty else { return }
    if let output = settings.output {
      text.append("[out:")
      print(output)
      text.append("]")
    }
    if let timeout = settings.timeoutSeconds {
      text.append("[timeout:")
      text.append(timeout)
      text.append("]")
    }
    if let maxsize = settings.maxsizeBytes {
      text.append("[maxsize:")
      text.append(maxsize)
      text.append("]")
    }
    if let box = settings.boundingBox {
      text.append("[bbox:")
      text.append(box)
      text.append("]")
    }
    switch settings.time {
    case nil: break
    case .date(let moment): print("[date:", moment, nil)
    case .diff(let from, let to): print("[diff:", from, to)
    case .adiff(let from, let to): print("[adiff:", from, to)
    }
    text.append(";")
    if isPretty { text.append("\n") }
  }

  private mutating func print(
    _ opening: StaticString, _ from: Query.Timestamp, _ to: Query.Timestamp?
  ) {
    text.append(opening)
    quote(from.description)
    if let to {
      text.append(",")
      quote(to.description)
    }
    text.append("]")
  }

  private mutating func print(_ format: Query.OutputFormat) {
    switch format {
    case .xml: text.append("xml")
    case .json: text.append("json")
    case .custom: text.append("custom")
    case .csv(let format):
      text.append("csv")
      print(csv: format)
    case .popup(let categories):
      text.append("popup")
      for category in categories { print(category) }
    }
  }

  /// `("name",::id;true;",")`, which the XML form uses too.
  mutating func print(csv format: Query.CSVFormat) {
    text.append("(")
    for (index, column) in format.columns.enumerated() {
      if index > 0 { text.append(",") }
      switch column {
      case .tag(let key): quote(key)
      case .special(let name):
        text.append("::")
        print(word: name)
      }
    }
    if format.separator != "\t" {
      text.append(format.hasHeader ? ";true;" : ";false;")
      quote(format.separator)
    } else if !format.hasHeader {
      text.append(";false")
    }
    text.append(")")
  }

  /// `("title";["key"~"pattern"];"title key";)`
  mutating func print(_ category: Query.PopupCategory) {
    text.append("(")
    quote(category.title)
    text.append(";")
    for conditions in category.alternatives {
      for condition in conditions {
        text.append("[")
        quote(condition.key)
        text.append(condition.isNegated ? "!~" : "~")
        quote(condition.pattern)
        text.append("]")
      }
      text.append(";")
    }
    if let key = category.titleKey {
      quote(key)
      text.append(";")
    }
    text.append(")")
  }

  // MARK: Literals

  /// A text in double quotes, escaped as the server decodes it: `\\`, `\"`, `\n` and `\t`. All other
  /// characters stand for themselves, in UTF-8; `\u` would lose everything beyond U+FFFF.
  ///
  /// Source: Overpass QL, "Escaping"
  mutating func quote(_ value: String) {
    text.append("\"")
    for byte in value.utf8 {
      switch byte {
      case UInt8(ascii: "\\"): text.append("\\\\")
      case UInt8(ascii: "\""): text.append("\\\"")
      case 0x0A: text.append("\\n")
      case 0x09: text.append("\\t")
      default: text.bytes.append(byte)
      }
    }
    text.append("\"")
  }

  /// A key or name: bare if the server's tokenizer reads it as one word, quoted otherwise.
  mutating func print(word: String) {
    if isIdentifier(word) { text.append(word) } else { quote(word) }
  }

  mutating func print(into name: Query.SetName) {
    guard name != .default else { return }
    text.append("->.")
    text.append(name.name)
  }

  /// `.name` in front of a statement or behind a filter's word; nothing for the default set.
  mutating func print(from name: Query.SetName) {
    guard name != .default else { return }
    text.append(".")
    text.append(name.name)
  }
}
