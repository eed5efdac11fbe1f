// Finding the macros of overpass turbo in a text.

/// One `{{…}}` in a text.
struct MacroToken {
  enum Kind {
    /// `{{name}}` or `{{name:argument}}`
    case use
    /// `{{name=value}}`
    case definition
    /// Anything else between double braces.
    case malformed
  }

  var kind: Kind
  var name: String
  /// Argument or value.
  var argument: String
  /// The bytes of the whole macro.
  var range: Range<Int>
  /// Whether it stands in a comment of the query.
  var isInComment: Bool
  /// Whether it stands between quotation marks.
  var isInQuotes: Bool
}

/// Walks over a query text in either form and finds macros, with what surrounds them.
struct MacroScanner {
  let text: [UInt8]
  let isXML: Bool

  func tokens() -> [MacroToken] {
    var result: [MacroToken] = []
    var index = 0
    var quote: UInt8?
    var comment: [UInt8]?
    // Where nothing closes one macro, nothing closes a later one.
    var canClose = true
    while index < text.count {
      if canClose, starts("{{", at: index) {
        if let token = token(at: index, isInComment: comment != nil, isInQuotes: quote != nil) {
          result.append(token)
          index = token.range.upperBound
          continue
        }
        canClose = false
      }
      let byte = text[index]
      if let end = comment {
        if text[index...].starts(with: end) {
          comment = nil
          index += end.count
        } else {
          index += 1
        }
        continue
      }
      if let open = quote {
        if byte == UInt8(ascii: "\\"), !isXML { index += 1 }
        if byte == open { quote = nil }
      } else if isXML, starts("<!--", at: index) {
        comment = Array("-->".utf8)
      } else if !isXML, starts("/*", at: index) {
        comment = Array("*/".utf8)
        index += 1
      } else if !isXML, starts("//", at: index) {
        comment = [0x0A]
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      }
      index += 1
    }
    return result
  }

  private func starts(_ prefix: StaticString, at index: Int) -> Bool {
    prefix.withUTF8Buffer { text[index...].starts(with: $0) }
  }

  /// Reads a macro up to the first `}}`.
  private func token(at start: Int, isInComment: Bool, isInQuotes: Bool) -> MacroToken? {
    var end = start + 2
    while end + 1 < text.count, !starts("}}", at: end) { end += 1 }
    guard end + 1 < text.count else { return nil }
    let content = text[start + 2..<end]
    let name = content.prefix(while: isWordPart)
    let rest = content.dropFirst(name.count)
    let kind: MacroToken.Kind
    switch rest.first {
    case _ where name.isEmpty: kind = .malformed
    case nil, UInt8(ascii: ":"): kind = .use
    case UInt8(ascii: "=") where rest.count > 1: kind = .definition
    default: kind = .malformed
    }
    return MacroToken(
      kind: kind, name: String(decoding: name, as: UTF8.self),
      argument: String(decoding: rest.dropFirst(), as: UTF8.self), range: start..<end + 2,
      isInComment: isInComment, isInQuotes: isInQuotes)
  }
}

extension Query {
  /// The first part of a text that looks like `{{name}}` or `{{name:…}}`.
  static func firstMacro(in text: String) -> String? {
    let bytes = Array(text.utf8)
    let token = MacroScanner(text: bytes, isXML: true).tokens().first { $0.kind != .malformed }
    return token.map { String(decoding: bytes[$0.range], as: UTF8.self) }
  }
}
