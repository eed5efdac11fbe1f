// Literal text inside regular expressions.

extension Query {
  /// Text as a POSIX extended regular expression that matches exactly it.
  ///
  /// This is the inner of two layers of escapes; the outer one, of strings in a query, is the
  /// printers' business.
  ///
  /// Source: drolbr/Overpass-API issues 271 and 502
  public static func escapedForRegex(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\", "^", "$", ".", "|", "?", "*", "+", "(", ")", "[", "{":
        result.unicodeScalars.append("\\")
        result.unicodeScalars.append(scalar)
      // A closing bracket or brace is an ordinary character outside of its pair.
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// A bracket expression that matches any one of these characters. A backslash is an ordinary
  /// character there, so the order has to do the work: `]` first, `^` not first, `-` last.
  ///
  /// Source: IEEE Std 1003.1, "RE Bracket Expression"
  static func bracketExpression(anyOf characters: some Sequence<Character>) -> String {
    var others = ""
    var hasClosing = false
    var hasHyphen = false
    var hasCaret = false
    for character in characters {
      switch character {
      case "]": hasClosing = true
      case "-": hasHyphen = true
      case "^": hasCaret = true
      default: if !others.contains(character) { others.append(character) }
      }
    }
    // `[^]` and `[^-]` would negate; with nothing else in it a lone `^` is escaped instead.
    if hasCaret, !hasClosing, others.isEmpty { return hasHyphen ? "[-^]" : "\\^" }
    return "[" + (hasClosing ? "]" : "") + others + (hasCaret ? "^" : "") + (hasHyphen ? "-" : "")
      + "]"
  }
}
