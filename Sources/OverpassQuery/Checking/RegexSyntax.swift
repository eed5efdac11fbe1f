// The syntax of POSIX extended regular expressions, as far as the server refuses some of them.

/// Why a pattern is no POSIX extended regular expression; `nil` if it is one.
///
/// The rules are those of the C library under the server: unmatched `(`, `[` and `{`, repetitions of
/// nothing, bad bounds, bad character classes and a trailing backslash are errors, an unmatched `)` is
/// a character.
///
/// Source: IEEE Std 1003.1, "Extended Regular Expressions"
/// - Complexity: O(*n*)
func regexProblem(in pattern: String) -> String? {
  var checker = RegexSyntax(bytes: Array(pattern.utf8))
  return checker.problem()
}

private struct RegexSyntax {
  let bytes: [UInt8]
  var position = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  mutating func problem() -> String? {
    var openGroups: [Int] = []
    var groups = 0
    // Groups that a back reference like `\1` can refer to.
    var closedGroups: Set<Int> = []
    // Whether something stands before the cursor that a repetition can refer to.
    var hasOperand = false
    while let byte = current {
      position += 1
      switch byte {
      case UInt8(ascii: "\\"):
        guard let escaped = current else { return "it ends in a backslash" }
        position += 1
        if escaped >= UInt8(ascii: "1"), escaped <= UInt8(ascii: "9"),
          !closedGroups.contains(Int(escaped - UInt8(ascii: "0")))
        {
          return "a back reference to a group that does not exist"
        }
        // The C library's anchors at the edges of words and of the text.
        hasOperand = !"bB<>`'".utf8.contains(escaped)
      case UInt8(ascii: "["):
        if let problem = bracketProblem() { return problem }
        hasOperand = true
      case UInt8(ascii: "("):
        groups += 1
        openGroups.append(groups)
        hasOperand = false
      case UInt8(ascii: ")"):
        if let group = openGroups.popLast() { closedGroups.insert(group) }
        hasOperand = true
      case UInt8(ascii: "|"):
        hasOperand = false
      case UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "?"):
        guard hasOperand else { return "nothing stands before a repetition" }
      case UInt8(ascii: "{"):
        guard hasOperand else { return "nothing stands before a repetition" }
        if let problem = boundsProblem() { return problem }
      case UInt8(ascii: "^"), UInt8(ascii: "$"):
        hasOperand = false
      default:
        hasOperand = true
      }
    }
    return !openGroups.isEmpty ? "a parenthesis is not closed" : nil
  }

  /// Reads a bracket expression after its `[`.
  private mutating func bracketProblem() -> String? {
    if current == UInt8(ascii: "^") { position += 1 }
    var isFirst = true
    var rangeStart: UInt8?
    while let byte = current {
      if byte == UInt8(ascii: "]"), !isFirst {
        position += 1
        return nil
      }
      isFirst = false
      position += 1
      if byte == UInt8(ascii: "["), let kind = current,
        kind == UInt8(ascii: ":") || kind == UInt8(ascii: ".") || kind == UInt8(ascii: "=")
      {
        position += 1
        guard let name = bracketName(endingIn: kind) else {
          return "a bracket expression is not closed"
        }
        if kind == UInt8(ascii: ":"), !classNames.contains(name) {
          return "“\(name)” is no character class"
        }
        if name.isEmpty { return "an empty name in a bracket expression" }
        rangeStart = nil
      } else if byte == UInt8(ascii: "-"), let start = rangeStart, let end = current,
        end != UInt8(ascii: "]"), end < 0x80, start < 0x80, end != UInt8(ascii: "[")
      {
        guard start <= end else { return "the ends of a range are in the wrong order" }
        position += 1
        rangeStart = nil
      } else {
        rangeStart = byte
      }
    }
    return "a bracket is not closed"
  }

  private mutating func bracketName(endingIn kind: UInt8) -> String? {
    let start = position
    while position + 1 < bytes.count {
      if bytes[position] == kind, bytes[position + 1] == UInt8(ascii: "]") {
        let name = String(decoding: bytes[start..<position], as: UTF8.self)
        position += 2
        return name
      }
      position += 1
    }
    return nil
  }

  /// Reads the bounds of a repetition after their `{`.
  private mutating func boundsProblem() -> String? {
    let least = number()
    var most = least
    if current == UInt8(ascii: ",") {
      position += 1
      most = number()
    } else if least == nil {
      return "a repetition without bounds"
    }
    guard current == UInt8(ascii: "}") else { return "a brace is not closed" }
    position += 1
    if let least, let most, least > most {
      return "the bounds of a repetition are in the wrong order"
    }
    // The C library's own limit, RE_DUP_MAX.
    if max(least ?? 0, most ?? 0) > 32_767 { return "a repetition of more than 32767 times" }
    return nil
  }

  private mutating func number() -> Int? {
    var value: Int?
    while let byte = current, isDigit(byte) {
      value = min(100_000, (value ?? 0) * 10 + Int(byte - UInt8(ascii: "0")))
      position += 1
    }
    return value
  }
}

private let classNames: Set<String> = [
  "alpha", "digit", "alnum", "upper", "lower", "space", "blank", "punct", "print", "graph", "cntrl",
  "xdigit",
]
