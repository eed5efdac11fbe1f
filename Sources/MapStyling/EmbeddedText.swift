// Scripts, style sheets and data inside of a page. Source: HTML Living Standard, "Restrictions for
// contents of script elements".

import FeatureFormats
import OSMModel

extension TextBuffer {
  /// Appends a script that no HTML parser ends early: in `<!--`, `<script` and `</script` the first
  /// character becomes `\x3C`, which means the same in texts and regular expressions, the only
  /// places where scripts have them. Line ends become LF, as parsers read them.
  mutating func append(script: [UInt8]) {
    append(embedded: script, escape: "\\x3C", before: ["!--", "script", "/script"])
  }

  /// Appends a style sheet; `<` is written as `\3C ` before the end of its element.
  mutating func append(styleSheet: [UInt8]) {
    append(embedded: styleSheet, escape: "\\3C ", before: ["!--", "/style"])
  }

  /// Appends a text that is only read.
  mutating func append(licence: [UInt8]) {
    append(embedded: licence, escape: "&lt;", before: ["!--", "script", "/script"])
  }

  private mutating func append(
    embedded text: [UInt8], escape: StaticString, before followers: [String]
  ) {
    let followers = followers.map { Array($0.utf8) }
    for (index, byte) in text.enumerated() {
      switch byte {
      case UInt8(ascii: "<")
      where followers.contains(where: { follows($0, at: index + 1, in: text) }):
        append(escape)
      case 0x0D:
        if index + 1 == text.count || text[index + 1] != 0x0A { append(0x0A as UInt8) }
      // HTML reads this as U+FFFD, so that the hash would not fit.
      case 0: append("\u{FFFD}" as StaticString)
      default: append(byte)
      }
    }
  }
}

/// Whether a word in lower case stands at a place, in whatever case.
private func follows(_ word: [UInt8], at place: Int, in text: [UInt8]) -> Bool {
  guard text.count - place >= word.count else { return false }
  for (offset, byte) in word.enumerated() {
    let other = text[place + offset]
    let isUpper = (0x41...0x5A).contains(other)
    if (isUpper ? other | 0x20 : other) != byte { return false }
  }
  return true
}

/// Passes JSON on with each `<` as `\u003c`. In JSON it stands in texts only, where both mean the
/// same, so that nothing in the data ends the element that holds it.
struct ScriptDataSink<Sink: ByteSink & ~Copyable>: ByteSink, ~Copyable {
  /// Borrowed for the life of this one.
  private let sink: UnsafeMutablePointer<Sink>
  private var text = TextBuffer()

  init(_ sink: UnsafeMutablePointer<Sink>) { self.sink = sink }

  mutating func write(_ bytes: UnsafeBufferPointer<UInt8>) throws(WriteError) {
    var plainStart = 0
    for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "<") {
      text.append(UnsafeBufferPointer(rebasing: bytes[plainStart..<index]))
      text.append("\\u003c")
      plainStart = index + 1
    }
    // One call for each block: it may be one of the system.
    if plainStart == 0 { return try sink.pointee.write(bytes) }
    text.append(UnsafeBufferPointer(rebasing: bytes[plainStart...]))
    try sink.pointee.write(text.bytes.buffer)
    text.bytes.truncate(to: 0)
  }
}
