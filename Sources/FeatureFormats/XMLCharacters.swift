// Which characters XML has, and how those are written that mean something in it.
// Source: XML 1.0 §2.2, §2.4, §3.3.3.

import OSMModel

enum XMLCharacters {
  /// Where the first character stands that XML 1.0 does not have: a control character other than
  /// tab and line breaks, U+FFFE or U+FFFF.
  static func firstForbidden(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
    for (index, byte) in text.enumerated() {
      if byte < 0x20, byte != 0x09, byte != 0x0A, byte != 0x0D { return index }
      if byte == 0xEF, index + 2 < text.count, text[index + 1] == 0xBF, text[index + 2] >= 0xBE {
        return index
      }
    }
    return nil
  }
}

extension TextBuffer {
  /// Appends a quoted attribute value. White space is written by number, otherwise readers would
  /// make blanks of it.
  mutating func append(xmlAttribute text: UnsafeBufferPointer<UInt8>) {
    append(UInt8(ascii: "\""))
    append(xmlText: text)
    append(UInt8(ascii: "\""))
  }

  mutating func append(xmlAttribute text: String) {
    var text = text
    text.withUTF8 { append(xmlAttribute: $0) }
  }

  mutating func append(xmlText text: String) {
    var text = text
    text.withUTF8 { append(xmlText: $0) }
  }

  /// Appends text for an element or attribute; U+FFFD in place of what XML does not have.
  mutating func append(xmlText text: UnsafeBufferPointer<UInt8>) {
    var plainStart = 0
    var index = 0
    while index < text.count {
      let byte = text[index]
      let length = byte == 0xEF ? 3 : 1
      guard TextBuffer.needsXMLEscape(byte),
        byte != 0xEF
          || index + 2 < text.count && text[index + 1] == 0xBF && text[index + 2] >= 0xBE
      else {
        index += 1
        continue
      }
      append(UnsafeBufferPointer(rebasing: text[plainStart..<index]))
      appendXMLEscape(byte)
      index += length
      plainStart = index
    }
    append(UnsafeBufferPointer(rebasing: text[plainStart...]))
  }

  @inline(__always) private static func needsXMLEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "&") || byte == UInt8(ascii: "\"")
      || byte == UInt8(ascii: "<") || byte == UInt8(ascii: ">") || byte == 0xEF
  }

  private mutating func appendXMLEscape(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "&"): append("&amp;")
    case UInt8(ascii: "\""): append("&quot;")
    case UInt8(ascii: "<"): append("&lt;")
    case UInt8(ascii: ">"): append("&gt;")
    case 0x0A: append("&#10;")
    case 0x09: append("&#9;")
    case 0x0D: append("&#13;")
    default: append("\u{FFFD}")
    }
  }
}
