// The lowest layer of the JSON decoder: white space, strings and numbers, eight bytes at a time.
// It implements RFC 8259 strictly, except that it leaves the meaning of text to its caller.

import OSMModel

/// Walks over a JSON text once, or over the part of it that is at hand. Every read is checked against
/// the end; there is no need for padding.
struct JSONScanner {
  private(set) var start: UnsafePointer<UInt8>
  private(set) var end: UnsafePointer<UInt8>
  var position: UnsafePointer<UInt8>
  /// Bytes of the answer before `start`.
  private var startOffset: Int

  /// - Parameter start: the first byte of `input`.
  init(_ input: UnsafeBufferPointer<UInt8>, at start: UnsafePointer<UInt8>, offset: Int) {
    self.start = start
    position = start
    end = start + input.count
    startOffset = offset
  }

  /// Goes on in another part of the answer.
  mutating func move(
    to input: UnsafeBufferPointer<UInt8>, at start: UnsafePointer<UInt8>, offset: Int
  ) {
    self = JSONScanner(input, at: start, offset: offset)
  }

  /// The place in the answer, in bytes from its beginning.
  var offset: Int { offset(of: position) }

  func offset(of place: UnsafePointer<UInt8>) -> Int { startOffset + (place - start) }

  /// The byte at the position, or 0 at the end: no JSON text holds a NUL byte outside of a string,
  /// and inside of one it is an error.
  @inline(__always) var current: UInt8 { position < end ? position.pointee : 0 }

  @inline(__always) var word: UInt64 {
    UnsafeRawPointer(position).loadUnaligned(as: UInt64.self).littleEndian
  }

  @inline(__always) func hasBytes(_ count: Int) -> Bool { end - position >= count }

  @inline(never) func fault(_ message: StaticString, _ kind: DecodeError.Kind = .syntax) -> Fault {
    position >= end && kind == .syntax
      ? Fault(kind: .truncated, message: "the answer stops in the middle", offset: offset(of: end))
      : Fault(kind: kind, message: message, offset: offset)
  }

  // MARK: White space and punctuation

  /// Moves to the next byte that is not white space. The server breaks the line and indents, so the
  /// usual gap is a newline and less than eight blanks.
  @inline(__always) mutating func skipSpace() {
    if current > 0x20 { return }
    skipSpaceSlowly()
  }

  @inline(__always) private mutating func skipSpaceSlowly() {
    while position < end {
      let byte = position.pointee
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
      position += 1
      while hasBytes(8) {
        let other = word ^ 0x2020_2020_2020_2020
        if other == 0 {
          position += 8
          continue
        }
        position += other.trailingZeroBitCount >> 3
        break
      }
      if current > 0x20 { return }
    }
  }

  /// Takes one byte of punctuation and the white space behind it.
  @inline(__always) mutating func take(_ byte: UInt8, _ message: StaticString) throws(Fault) {
    guard current == byte else { throw fault(message) }
    position += 1
    skipSpace()
  }

  /// Takes a byte and the white space behind it if it is there.
  @inline(__always) mutating func takeIfPresent(_ byte: UInt8) -> Bool {
    guard current == byte else { return false }
    position += 1
    skipSpace()
    return true
  }

  /// After a value: takes a comma and tells that there is more, or the closing byte.
  @inline(__always) mutating func takeSeparator(closing: UInt8) throws(Fault) -> Bool {
    // The server prints the comma right behind the value, and breaks the line behind it.
    if hasBytes(9), position.pointee == UInt8(ascii: ",") {
      position += 1
      let gap = word ^ 0x2020_2020_2020_200A
      let length = gap.trailingZeroBitCount >> 3
      if gap & 0xFF == 0, gap != 0 {
        position += length
        if position.pointee > 0x20 { return true }
      }
      skipSpace()
      return true
    }
    return try takeSeparatorElsewhere(closing: closing)
  }

  @inline(never)
  private mutating func takeSeparatorElsewhere(closing: UInt8) throws(Fault) -> Bool {
    skipSpace()
    if current == UInt8(ascii: ",") {
      position += 1
      skipSpace()
      return true
    }
    guard current == closing else { throw fault("expected ',' or a closing bracket") }
    position += 1
    return false
  }

  /// Takes the colon behind a key, and the white space around it. The server prints one blank.
  @inline(__always) mutating func takeColon() throws(Fault) {
    if hasBytes(3), position[0] == UInt8(ascii: ":"), position[1] == 0x20, position[2] > 0x20 {
      position += 2
      return
    }
    skipSpace()
    try take(UInt8(ascii: ":"), "expected ':'")
  }

  /// Takes a key with its colon, written as the server prints it: `"name": `, of eight bytes at most.
  @inline(__always) mutating func takeKey(_ key: StaticString) -> Bool {
    let count = key.utf8CodeUnitCount
    guard hasBytes(9), word & JSONScanner.mask(count) == JSONScanner.firstBytes(of: key) else {
      return false
    }
    position += count
    return true
  }

  /// Takes a text that is there as it is printed.
  @inline(__always) mutating func takeText(_ text: StaticString) -> Bool { takeKey(text) }

  /// The lowest `count` bytes of a word.
  @inline(__always) private static func mask(_ count: Int) -> UInt64 {
    count >= 8 ? .max : 1 << UInt64(count &* 8) &- 1
  }

  /// Up to eight bytes of a text, the first one lowest. For a literal it is a constant.
  @inline(__always) private static func firstBytes(of text: StaticString) -> UInt64 {
    var result: UInt64 = 0
    for index in 0..<min(text.utf8CodeUnitCount, 8) {
      result |= UInt64(text.utf8Start[index]) << UInt64(index &* 8)
    }
    return result
  }

  // MARK: Strings

  /// A string as it stands in the text, between its quotes.
  struct RawString {
    var bytes: UnsafeBufferPointer<UInt8>
    var hasEscapes: Bool
    var isASCII: Bool
  }

  /// Reads a string and moves behind its closing quote.
  @inline(__always) mutating func string(_ message: StaticString) throws(Fault) -> RawString {
    guard current == UInt8(ascii: "\"") else { throw fault(message) }
    position += 1
    let first = position
    var escapes = false
    var highBits: UInt64 = 0
    while true {
      var byte: UInt8
      if hasBytes(8) {
        let word = self.word
        let hit = JSONScanner.stringEnds(in: word)
        if hit == 0 {
          highBits |= word
          position += 8
          continue
        }
        let skipped = hit.trailingZeroBitCount >> 3
        // Bytes behind the hit are not part of the string.
        highBits |= word & ((1 << UInt64(skipped &* 8)) &- 1)
        position += skipped
        byte = position.pointee
      } else {
        guard position < end else { throw fault(message) }
        byte = position.pointee
      }
      if byte == UInt8(ascii: "\"") {
        let bytes = UnsafeBufferPointer(start: first, count: position - first)
        position += 1
        return RawString(
          bytes: bytes, hasEscapes: escapes, isASCII: highBits & 0x8080_8080_8080_8080 == 0)
      }
      if byte == UInt8(ascii: "\\") {
        escapes = true
        position += 1
        guard position < end else { throw fault(message) }
        highBits |= UInt64(position.pointee)
        position += 1
      } else if byte < 0x20 {
        throw fault("a control character inside a string", .syntax)
      } else {
        highBits |= UInt64(byte)
        position += 1
      }
    }
  }

  /// Marks the bytes of a word that end a run of plain string bytes: quote, backslash, control.
  /// The lowest mark is exact.
  @inline(__always) static func stringEnds(in word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quote = word ^ 0x2222_2222_2222_2222
    let backslash = word ^ 0x5C5C_5C5C_5C5C_5C5C
    let quotes = (quote &- ones) & ~quote
    let backslashes = (backslash &- ones) & ~backslash
    let controls = (word &- 0x2020_2020_2020_2020) & ~word
    return (quotes | backslashes | controls) & 0x8080_8080_8080_8080
  }

  // MARK: Literals

  /// Takes `null` if it is there.
  @inline(__always) mutating func takeNull() throws(Fault) -> Bool {
    guard current == UInt8(ascii: "n") else { return false }
    try takeLiteral("null")
    return true
  }

  mutating func takeLiteral(_ literal: StaticString) throws(Fault) {
    let wanted = UnsafeBufferPointer(
      start: literal.utf8Start, count: literal.utf8CodeUnitCount)
    for byte in wanted {
      guard current == byte else { throw fault("expected a JSON value") }
      position += 1
    }
  }
}
