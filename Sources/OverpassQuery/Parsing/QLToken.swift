// The words and signs of Overpass QL.

/// One word, number, string or sign, by its place in the text.
struct QLToken {
  enum Kind: UInt8 {
    case end, word, number, string, unknown
    case openParenthesis, closeParenthesis, openBracket, closeBracket, openBrace, closeBrace
    case semicolon, comma, dot, arrow, colon, doubleColon, question
    case assign, equal, notEqual, bang, tilde
    case or, and, less, lessEqual, doubleLess, greater, greaterEqual, doubleGreater
    case plus, minus, times, slash, percent
  }

  var kind: Kind
  var start: Int32
  var end: Int32
  /// Whether a number has a minus sign in front.
  var isNegative = false

  /// How strongly the sign binds in an expression; 0 for what is no operator. The table is the
  /// server's.
  var precedence: Int {
    switch kind {
    case .comma: 1
    case .assign: 2
    case .question: 3
    case .colon: 4
    case .or: 5
    case .and: 6
    case .equal, .notEqual: 7
    case .less, .lessEqual, .greater, .greaterEqual: 8
    case .plus, .minus: 10
    case .times, .slash, .percent: 11
    case .dot, .arrow: 12
    case .bang: 13
    case .doubleColon: 15
    default: 0
    }
  }
}

/// Cuts a text into tokens as the server does: words of ASCII letters, digits and underscores; numbers
/// with an optional minus sign in front; strings in either kind of quotes; comments are white space.
struct QLTokenizer {
  private let text: [UInt8]
  private var position = 0
  private(set) var tokens: [QLToken] = []

  init(_ text: [UInt8]) {
    self.text = text
    tokens.reserveCapacity(text.count / 4 + 1)
  }

  private func byte(_ ahead: Int = 0) -> UInt8 {
    let index = position + ahead
    return index < text.count ? text[index] : 0
  }

  /// - Returns: all tokens, the last of which is ``QLToken/Kind/end``.
  mutating func run(_ collector: inout DiagnosticCollector) -> [QLToken] {
    // A byte order mark says nothing here.
    if text.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    while true {
      skipBlanks(&collector)
      let start = position
      guard start < text.count else { break }
      let kind = next(&collector)
      tokens.append(
        QLToken(
          kind: kind, start: Int32(start), end: Int32(position),
          isNegative: kind == .number && text[start] == UInt8(ascii: "-")))
    }
    let end = Int32(text.count)
    tokens.append(QLToken(kind: .end, start: end, end: end))
    return tokens
  }

  private mutating func skipBlanks(_ collector: inout DiagnosticCollector) {
    while position < text.count {
      switch text[position] {
      case 0x20, 0x09...0x0D: position += 1
      case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "/"):
        while position < text.count, text[position] != 0x0A { position += 1 }
      case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "*"):
        let start = position
        position += 2
        while position < text.count, !(byte() == UInt8(ascii: "*") && byte(1) == UInt8(ascii: "/"))
        {
          position += 1
        }
        if position < text.count {
          position += 2
        } else {
          // The server reads to the end and says nothing.
          collector.add(
            Diagnostic(.warning, .unterminated, "a comment is not closed", length: 2), at: start)
        }
      default: return
      }
    }
  }

  private mutating func next(_ collector: inout DiagnosticCollector) -> QLToken.Kind {
    let first = byte()
    if isWordStart(first) {
      repeat { position += 1 } while isWordPart(byte())
      return .word
    }
    if isDigit(first) || (first == UInt8(ascii: "-") && (isDigit(byte(1)) || byte(1) == dot)) {
      return number()
    }
    if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") { return string(&collector) }
    position += 1
    switch first {
    case UInt8(ascii: "("): return .openParenthesis
    case UInt8(ascii: ")"): return .closeParenthesis
    case UInt8(ascii: "["): return .openBracket
    case UInt8(ascii: "]"): return .closeBracket
    case UInt8(ascii: "{"): return .openBrace
    case UInt8(ascii: "}"): return .closeBrace
    case UInt8(ascii: ";"): return .semicolon
    case UInt8(ascii: ","): return .comma
    case dot: return .dot
    case UInt8(ascii: "?"): return .question
    case UInt8(ascii: "~"): return .tilde
    case UInt8(ascii: "+"): return .plus
    case UInt8(ascii: "*"): return .times
    case UInt8(ascii: "/"): return .slash
    case UInt8(ascii: "%"): return .percent
    case UInt8(ascii: "-"): return double(">") ? .arrow : .minus
    case UInt8(ascii: ":"): return double(":") ? .doubleColon : .colon
    case UInt8(ascii: "="): return double("=") ? .equal : .assign
    case UInt8(ascii: "!"): return double("=") ? .notEqual : .bang
    case UInt8(ascii: "|"): return double("|") ? .or : .unknown
    case UInt8(ascii: "&"): return double("&") ? .and : .unknown
    case UInt8(ascii: "<"): return double("<") ? .doubleLess : double("=") ? .lessEqual : .less
    case UInt8(ascii: ">"):
      return double(">") ? .doubleGreater : double("=") ? .greaterEqual : .greater
    default:
      // The rest of a character beyond ASCII.
      while byte() & 0xC0 == 0x80 { position += 1 }
      return .unknown
    }
  }

  private let dot = UInt8(ascii: ".")

  private mutating func double(_ second: Unicode.Scalar) -> Bool {
    guard byte() == UInt8(ascii: second) else { return false }
    position += 1
    return true
  }

  private mutating func number() -> QLToken.Kind {
    position += 1
    while isDigit(byte()) { position += 1 }
    if byte() == dot {
      position += 1
      while isDigit(byte()) { position += 1 }
    }
    // A small letter alone; the server does not know `E`.
    if byte() == UInt8(ascii: "e") {
      position += 1
      if byte() == UInt8(ascii: "-") { position += 1 }
      while isDigit(byte()) { position += 1 }
    }
    return .number
  }

  private mutating func string(_ collector: inout DiagnosticCollector) -> QLToken.Kind {
    let start = position
    let quote = byte()
    position += 1
    while position < text.count {
      let current = text[position]
      position += 1
      if current == quote { return .string }
      if current == UInt8(ascii: "\\"), position < text.count { position += 1 }
    }
    collector.add(
      Diagnostic(.error, .unterminated, "a string is not closed", length: 1), at: start)
    return .string
  }
}
