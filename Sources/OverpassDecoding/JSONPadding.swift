// JSONP: with the parameter `jsonp` of a request the server wraps its answer in the call of a function,
// `callback({…});`. Source: Overpass API, output_json.cc; wiki "Overpass API", "jsonp".

import OSMModel

/// The call around an answer.
enum JSONPadding {
  /// No name of a function is longer.
  private static var longestName: Int { 256 }

  /// How many bytes the name of a function and an opening bracket take at the start of a text: 0 for
  /// anything else, `nil` where the text ends within what may be a name.
  static func length(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
    var end = 0
    while end < text.count, end <= longestName, isNamePart(text[end]) { end += 1 }
    guard end > 0, end <= longestName else { return 0 }
    guard end < text.count else { return nil }
    return text[end] == UInt8(ascii: "(") ? end + 1 : 0
  }

  /// Letters, digits, what else names may hold (`$`, `_`, `.`), and characters beyond ASCII.
  private static func isNamePart(_ byte: UInt8) -> Bool {
    byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z")
      || byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") || byte >= 0x80
      || byte == UInt8(ascii: "$") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
  }
}

extension JSONScanner {
  /// Moves behind the name of a function and its bracket; false where there is none.
  /// - Parameter isFinal: whether nothing comes behind the text at hand.
  mutating func takePadding(isFinal: Bool) throws(Fault) -> Bool {
    let rest = UnsafeBufferPointer(start: position, count: end - position)
    guard let length = JSONPadding.length(rest) else {
      if isFinal { return false }
      position = end
      throw fault("expected '('")
    }
    position += length
    return length > 0
  }
}
