// Addresses on the web, as links in XML.

/// Addresses on the web. Source: RFC 3986 §2, §3.
enum WebAddress {
  /// Whether a text begins like an address of the web, with a host and perhaps a port; the path may
  /// hold anything, as ``TextBuffer/append(xmlAddress:)`` escapes it.
  static func isPlain(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let start = hostStart(text) else { return false }
    var isPort = false
    var index = start
    while index < text.count, !isHostEnd(text[index]) {
      let byte = text[index]
      if byte == UInt8(ascii: ":") {
        if isPort || index == start { return false }
        isPort = true
      } else if isPort {
        guard isDigit(byte) else { return false }
      } else {
        guard
          isLetter(byte) || isDigit(byte) || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: ".") || byte >= 0x80
        else { return false }
      }
      index += 1
    }
    return index > start
  }

  private static func hostStart(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
    for scheme in ["https://", "http://"] as [StaticString] {
      let count = scheme.utf8CodeUnitCount
      guard text.count > count else { continue }
      // Schemes are written in either case.
      let isEqual = (0..<count).allSatisfy { lowercased(text[$0]) == scheme.utf8Start[$0] }
      if isEqual { return count }
    }
    return nil
  }

  private static func isHostEnd(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
  }

  static func isLetter(_ byte: UInt8) -> Bool {
    let letter = lowercased(byte)
    return letter >= UInt8(ascii: "a") && letter <= UInt8(ascii: "z")
  }

  static func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }

  static func isHexDigit(_ byte: UInt8) -> Bool {
    let letter = lowercased(byte)
    return isDigit(byte) || letter >= UInt8(ascii: "a") && letter <= UInt8(ascii: "f")
  }
}

extension TextBuffer {
  /// Appends an address, with percent signs for bytes that no address has, and escaped for XML.
  mutating func append(xmlAddress text: UnsafeBufferPointer<UInt8>) {
    var hasFragment = false
    for index in text.indices {
      let byte = text[index]
      switch byte {
      case UInt8(ascii: "%"):
        let isEscape =
          index + 2 < text.count && WebAddress.isHexDigit(text[index + 1])
          && WebAddress.isHexDigit(text[index + 2])
        if isEscape { append(byte) } else { append("%25") }
      case UInt8(ascii: "#"):
        if hasFragment { append("%23") } else { append(byte) }
        hasFragment = true
      case UInt8(ascii: "&"): append("&amp;")
      case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"),
        UInt8(ascii: ":"), UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "@"),
        UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "'"), UInt8(ascii: "("),
        UInt8(ascii: ")"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: ","),
        UInt8(ascii: ";"), UInt8(ascii: "="):
        append(byte)
      default:
        if WebAddress.isLetter(byte) || WebAddress.isDigit(byte) {
          append(byte)
        } else {
          append("%")
          append(hexDigit: byte >> 4)
          append(hexDigit: byte & 15)
        }
      }
    }
  }

  private mutating func append(hexDigit digit: UInt8) {
    append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10)
  }
}
