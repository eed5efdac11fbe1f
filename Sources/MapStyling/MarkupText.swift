// Texts in HTML and SVG, where some characters mean something else.

import FeatureFormats
import OSMModel

/// A text that stands for itself in HTML, XML and their quoted attributes.
func escapedHTML(_ text: String) -> String {
  var buffer = TextBuffer()
  var text = text
  text.withUTF8 { buffer.append(markup: $0) }
  return String(decoding: buffer.bytes.buffer, as: UTF8.self)
}

extension TextBuffer {
  mutating func append(markup text: String) {
    var text = text
    text.withUTF8 { append(markup: $0) }
  }

  /// Appends a text for HTML and XML: no markup, no end of an attribute, no character that XML
  /// forbids (XML 1.0 §2.2): control characters become U+FFFD.
  mutating func append(markup text: UnsafeBufferPointer<UInt8>) {
    var plainStart = 0
    for (index, byte) in text.enumerated() {
      let replacement: StaticString
      switch byte {
      case UInt8(ascii: "&"): replacement = "&amp;"
      case UInt8(ascii: "<"): replacement = "&lt;"
      case UInt8(ascii: ">"): replacement = "&gt;"
      case UInt8(ascii: "\""): replacement = "&quot;"
      case UInt8(ascii: "'"): replacement = "&#39;"
      case 0x09, 0x0A: continue
      case 0x0D: replacement = "&#13;"
      case 0..<0x20: replacement = "\u{FFFD}"
      // The last byte of U+FFFE and U+FFFF.
      case 0xBE, 0xBF:
        guard index >= 2, text[index - 2] == 0xEF, text[index - 1] == 0xBF else { continue }
        append(UnsafeBufferPointer(rebasing: text[plainStart..<(index - 2)]))
        append("\u{FFFD}" as StaticString)
        plainStart = index + 1
        continue
      default: continue
      }
      append(UnsafeBufferPointer(rebasing: text[plainStart..<index]))
      append(replacement)
      plainStart = index + 1
    }
    append(UnsafeBufferPointer(rebasing: text[plainStart...]))
  }

  mutating func append(text: String) {
    var text = text
    text.withUTF8 { append($0) }
  }

  /// Appends a number as JSON and CSS have it: no exponent for what maps need, no `.0`.
  mutating func append(number value: Double) {
    if let whole = Int64(exactly: value) { return append(integer: whole) }
    append(text: value.description)
  }
}
