// JSON as far as tables of tag rules need it. Source: RFC 8259.

/// Rules about tags that cannot be read.
public struct TagRulesError: Error, Sendable, Equatable {
  /// The line, counted from 1.
  public var line: Int

  public init(line: Int) { self.line = line }
}

/// A JSON value and the line on which it begins.
struct RuleValue: Sendable {
  enum Content: Sendable {
    case object([(name: String, value: RuleValue)])
    case list([RuleValue])
    case text(String)
    case bool(Bool)
    /// Numbers and `null`, which mean nothing in rules.
    case other
  }

  var line: Int
  var content: Content

  /// Reads a whole text.
  init(parsing text: String) throws(TagRulesError) {
    var reader = RuleReader(text)
    self = try reader.value(depth: 0)
    reader.skipBlanks()
    guard reader.isAtEnd else { throw reader.error }
  }

  init(line: Int, _ content: Content) {
    self.line = line
    self.content = content
  }

  var error: TagRulesError { TagRulesError(line: line) }

  /// The value of a name; `nil` also when this is no object.
  subscript(name: String) -> RuleValue? {
    guard case .object(let members) = content else { return nil }
    return members.last { $0.name == name }?.value
  }

  var text: String? {
    if case .text(let text) = content { return text }
    return nil
  }

  var bool: Bool? {
    if case .bool(let bool) = content { return bool }
    return nil
  }

  /// Texts of a list, the one text, or the names of `{"name": true}`.
  func texts() throws(TagRulesError) -> Set<String> {
    var found = Set<String>()
    switch content {
    case .text(let text): found = [text]
    case .list(let values):
      for value in values {
        guard let text = value.text else { throw value.error }
        found.insert(text)
      }
    case .object(let members):
      for (name, value) in members {
        guard let isIncluded = value.bool else { throw value.error }
        if isIncluded { found.insert(name) }
      }
    case .bool, .other: throw error
    }
    return found
  }
}

/// Whether a text of rules is JSON rather than a table of lines: no key begins with a bracket.
func isJSON(_ text: String) -> Bool {
  let first = text.utf8.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
  return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
}

/// Appends a text as a JSON string.
func appendJSON(_ text: String, to result: inout String) {
  result += "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"": result += "\\\""
    case "\\": result += "\\\\"
    case _ where scalar.value < 0x20:
      let digits = String(scalar.value, radix: 16)
      result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    default: result.unicodeScalars.append(scalar)
    }
  }
  result += "\""
}

/// Texts in order as a JSON list.
func jsonList(_ texts: some Sequence<String>) -> String {
  var result = "["
  for text in texts.sorted() {
    if result.utf8.count > 1 { result += ", " }
    appendJSON(text, to: &result)
  }
  return result + "]"
}

private struct RuleReader {
  private let bytes: [UInt8]
  private var place = 0
  private var line = 1
  private static let depthLimit = 16

  init(_ text: String) { bytes = Array(text.utf8) }

  var isAtEnd: Bool { place >= bytes.count }
  var error: TagRulesError { TagRulesError(line: line) }
  private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

  mutating func skipBlanks() {
    while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
      if byte == 0x0A { line += 1 }
      place += 1
    }
  }

  mutating func value(depth: Int) throws(TagRulesError) -> RuleValue {
    skipBlanks()
    let start = line
    guard depth < RuleReader.depthLimit, let byte = next else { throw error }
    switch byte {
    case UInt8(ascii: "{"): return RuleValue(line: start, .object(try members(depth)))
    case UInt8(ascii: "["): return RuleValue(line: start, .list(try values(depth)))
    case UInt8(ascii: "\""): return RuleValue(line: start, .text(try string()))
    default: return RuleValue(line: start, try word())
    }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    skipBlanks()
    guard next == byte else { return false }
    place += 1
    return true
  }

  private mutating func members(
    _ depth: Int
  ) throws(TagRulesError) -> [(name: String, value: RuleValue)] {
    var found: [(name: String, value: RuleValue)] = []
    place += 1
    if take(UInt8(ascii: "}")) { return found }
    repeat {
      skipBlanks()
      guard next == UInt8(ascii: "\"") else { throw error }
      let name = try string()
      guard take(UInt8(ascii: ":")) else { throw error }
      found.append((name, try value(depth: depth + 1)))
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "}")) else { throw error }
    return found
  }

  private mutating func values(_ depth: Int) throws(TagRulesError) -> [RuleValue] {
    var found: [RuleValue] = []
    place += 1
    if take(UInt8(ascii: "]")) { return found }
    repeat { found.append(try value(depth: depth + 1)) } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "]")) else { throw error }
    return found
  }

  /// `true`, `false`, `null` or a number.
  private mutating func word() throws(TagRulesError) -> RuleValue.Content {
    let start = place
    while let byte = next, !"{}[],:\" \t\r\n".utf8.contains(byte) { place += 1 }
    let word = String(decoding: bytes[start..<place], as: UTF8.self)
    switch word {
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "null": return .other
    default:
      guard Double(word) != nil else { throw error }
      return .other
    }
  }

  private mutating func string() throws(TagRulesError) -> String {
    var text: [UInt8] = []
    place += 1
    while let byte = next, byte >= 0x20 {
      place += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"): try escape(&text)
      default: text.append(byte)
      }
    }
    throw error
  }

  private mutating func escape(_ text: inout [UInt8]) throws(TagRulesError) {
    guard let byte = next else { throw error }
    place += 1
    switch byte {
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
    case UInt8(ascii: "u"):
      var unit = try codeUnit()
      if unit & 0xFC00 == 0xD800, next == UInt8(ascii: "\\") {
        place += 1
        guard next == UInt8(ascii: "u") else { throw error }
        place += 1
        let low = try codeUnit()
        guard low & 0xFC00 == 0xDC00 else { throw error }
        unit = 0x10000 + (unit & 0x3FF) << 10 + (low & 0x3FF)
      }
      guard let scalar = Unicode.Scalar(unit) else { throw error }
      text.append(contentsOf: String(Character(scalar)).utf8)
    default: throw error
    }
  }

  private mutating func codeUnit() throws(TagRulesError) -> UInt32 {
    guard place + 4 <= bytes.count,
      let unit = UInt32(String(decoding: bytes[place..<place + 4], as: UTF8.self), radix: 16)
    else { throw error }
    place += 4
    return unit
  }
}
