// Passing over values nobody asked for, with the same strictness and a bound on nesting.

extension JSONScanner {
  /// Passes over one value of any kind.
  mutating func skipValue(depth: Int, maximumDepth: Int) throws(Fault) {
    switch current {
    case UInt8(ascii: "\""):
      let text = try string("expected a string")
      if text.hasEscapes { try checkEscapes(text.bytes) }
    case UInt8(ascii: "{"):
      guard depth < maximumDepth else { throw fault("values nest too deep (max_depth)", .limit) }
      try take(UInt8(ascii: "{"), "expected '{'")
      if takeClosing(UInt8(ascii: "}")) { return }
      repeat {
        let key = try string("expected a key")
        if key.hasEscapes { try checkEscapes(key.bytes) }
        try takeColon()
        try skipValue(depth: depth + 1, maximumDepth: maximumDepth)
      } while try takeSeparator(closing: UInt8(ascii: "}"))
    case UInt8(ascii: "["):
      guard depth < maximumDepth else { throw fault("values nest too deep (max_depth)", .limit) }
      try take(UInt8(ascii: "["), "expected '['")
      if takeClosing(UInt8(ascii: "]")) { return }
      repeat {
        try skipValue(depth: depth + 1, maximumDepth: maximumDepth)
      } while try takeSeparator(closing: UInt8(ascii: "]"))
    case UInt8(ascii: "t"): try takeLiteral("true")
    case UInt8(ascii: "f"): try takeLiteral("false")
    case UInt8(ascii: "n"): try takeLiteral("null")
    default: try skipNumber()
    }
  }

  /// Takes the closing byte of an empty object or array.
  @inline(__always) mutating func takeClosing(_ byte: UInt8) -> Bool {
    guard current == byte else { return false }
    position += 1
    return true
  }

  /// Passes over a number and gives its text.
  @discardableResult
  mutating func skipNumber() throws(Fault) -> UnsafeBufferPointer<UInt8> {
    let first = position
    if current == UInt8(ascii: "-") { position += 1 }
    guard JSONScanner.isDigit(current) else { throw fault("expected a JSON value") }
    _ = try decimal(scaledBy: 0)
    return UnsafeBufferPointer(start: first, count: position - first)
  }

  /// Checks the escapes of a string that is passed over.
  func checkEscapes(_ bytes: UnsafeBufferPointer<UInt8>) throws(Fault) {
    var index = 0
    while index < bytes.count {
      guard bytes[index] == UInt8(ascii: "\\") else {
        index += 1
        continue
      }
      guard let length = JSONEscape.length(bytes, at: index) else {
        throw escapeFault(bytes, index)
      }
      index += length
    }
  }

  func escapeFault(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Fault {
    let start = bytes.baseAddress.map { offset(of: $0) } ?? offset
    return Fault(kind: .syntax, message: "an escape that JSON does not have", offset: start + index)
  }
}

/// The escape sequences of JSON strings. Source: RFC 8259 §7.
enum JSONEscape {
  /// The length of the escape at `index`, or `nil` if it is none.
  static func length(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Int? {
    guard index + 1 < bytes.count else { return nil }
    switch bytes[index + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return 2
    case UInt8(ascii: "u"): return codeUnit(bytes, at: index) == nil ? nil : 6
    default: return nil
    }
  }

  /// The value of the `\uXXXX` at `index`.
  static func codeUnit(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> UInt32? {
    guard index + 5 < bytes.count, bytes[index] == UInt8(ascii: "\\"),
      bytes[index + 1] == UInt8(ascii: "u")
    else { return nil }
    var value: UInt32 = 0
    for byte in bytes[(index + 2)..<(index + 6)] {
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
      default: return nil
      }
      value = value << 4 | UInt32(digit)
    }
    return value
  }

  /// The byte a two-byte escape stands for.
  static func simple(_ letter: UInt8) -> UInt8 {
    switch letter {
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    default: letter
    }
  }
}
