// Numbers: 64-bit ids and coordinates are read from their decimal digits, never through Double.

import OSMModel

extension JSONScanner {
  @inline(__always) static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

  /// Whether all eight bytes are digits.
  @inline(__always) private static func areDigits(_ word: UInt64) -> Bool {
    ((word & 0xF0F0_F0F0_F0F0_F0F0)
      | (((word &+ 0x0606_0606_0606_0606) & 0xF0F0_F0F0_F0F0_F0F0) >> 4))
      == 0x3333_3333_3333_3333
  }

  /// The value of eight digits, the first in the lowest byte: pairs, fours and eights are combined
  /// by one multiplication each.
  @inline(__always) private static func eightDigits(_ word: UInt64) -> UInt64 {
    var value = word & 0x0F0F_0F0F_0F0F_0F0F
    value = (value &* 10) &+ (value >> 8)
    let low = (value & 0x0000_00FF_0000_00FF) &* 0x000F_4240_0000_0064
    let high = ((value >> 16) & 0x0000_00FF_0000_00FF) &* 0x0000_2710_0000_0001
    return (low &+ high) >> 32
  }

  /// Reads a whole number that fits into 64 bits.
  @inline(__always) mutating func integer(_ message: StaticString) throws(Fault) -> Int64 {
    let isNegative = current == UInt8(ascii: "-")
    if isNegative { position += 1 }
    let first = position
    var value: UInt64 = 0
    if hasBytes(8), JSONScanner.areDigits(word) {
      value = JSONScanner.eightDigits(word)
      position += 8
    }
    while JSONScanner.isDigit(current) {
      // Nineteen digits cannot overflow UInt64.
      guard position - first < 19 else { throw fault(message, .value) }
      value = value &* 10 &+ UInt64(position.pointee &- 0x30)
      position += 1
    }
    guard position > first else { throw fault(message) }
    if first.pointee == 0x30, position - first > 1 { throw fault("a number with a leading zero") }
    let next = current
    if next == UInt8(ascii: ".") || next | 0x20 == UInt8(ascii: "e") {
      throw fault(message, .value)
    }
    if isNegative {
      guard value <= UInt64(Int64.max) + 1 else { throw fault(message, .value) }
      return Int64(truncatingIfNeeded: 0 &- value)
    }
    guard value <= UInt64(Int64.max) else { throw fault(message, .value) }
    return Int64(truncatingIfNeeded: value)
  }

  /// Reads an id: a whole number, which some programs write as text.
  /// The least number of 64 bits stands for "no id" and is none.
  @inline(__always) mutating func identifier(_ message: StaticString) throws(Fault) -> Int64 {
    let value =
      try current == UInt8(ascii: "\"") ? quotedIdentifier(message) : integer(message)
    guard value != ElementID.unknownNumber else { throw fault(message, .value) }
    return value
  }

  @inline(never)
  private mutating func quotedIdentifier(_ message: StaticString) throws(Fault) -> Int64 {
    position += 1
    let value = try integer(message)
    guard current == UInt8(ascii: "\"") else {
      throw fault(message, position < end ? .value : .syntax)
    }
    position += 1
    return value
  }

  /// Reads a coordinate in units of 1e-7 degrees, rounded to the nearest. `nil` when it is too large
  /// to hold.
  @inline(__always) mutating func coordinate() throws(Fault) -> Int32? {
    let isNegative = current == UInt8(ascii: "-")
    if isNegative { position += 1 }
    let first = position
    var value: Int64 = 0
    while JSONScanner.isDigit(current), position - first < 4 {
      value = value &* 10 &+ Int64(position.pointee &- 0x30)
      position += 1
    }
    // What the server prints: a point and exactly seven digits.
    if position > first, hasBytes(9), position.pointee == UInt8(ascii: "."),
      first.pointee != 0x30 || position - first == 1
    {
      let fraction = UnsafeRawPointer(position + 1).loadUnaligned(as: UInt64.self).littleEndian
      // A zero in front makes eight digits of the seven.
      let padded = fraction << 8 | 0x30
      if JSONScanner.areDigits(padded) {
        let next = UInt8(truncatingIfNeeded: fraction >> 56)
        if !JSONScanner.isDigit(next), next | 0x20 != UInt8(ascii: "e") {
          position += 8
          value = value &* 10_000_000 &+ Int64(JSONScanner.eightDigits(padded))
          return Int32(exactly: isNegative ? 0 &- value : value)
        }
      }
    }
    position = first
    guard let magnitude = try decimal(scaledBy: 7) else { return nil }
    return Int32(exactly: isNegative ? 0 &- magnitude : magnitude)
  }

  /// Reads digits, fraction and exponent of a number without its sign, times a power of ten, rounded
  /// half away from zero. `nil` when the result has more than 18 digits.
  @inline(never)
  mutating func decimal(scaledBy places: Int) throws(Fault) -> Int64? {
    let first = position
    // The significant digits, and the power of ten of the last of them.
    var digits: Int64 = 0
    var exponent = places
    var droppedFirst: UInt8 = 0
    var dropped = false
    func note(_ digit: UInt8, _ digits: inout Int64) -> Bool {
      if !dropped, digits < 100_000_000_000_000_000 {
        digits = digits * 10 + Int64(digit)
        return true
      }
      if !dropped { droppedFirst = digit }
      dropped = true
      return false
    }
    while JSONScanner.isDigit(current) {
      if !note(position.pointee &- 0x30, &digits) { exponent += 1 }
      position += 1
    }
    guard position > first else { throw fault("expected a number") }
    if first.pointee == 0x30, position - first > 1 { throw fault("a number with a leading zero") }
    if current == UInt8(ascii: ".") {
      position += 1
      let fraction = position
      while JSONScanner.isDigit(current) {
        if note(position.pointee &- 0x30, &digits) { exponent -= 1 }
        position += 1
      }
      guard position > fraction else { throw fault("expected digits after the point") }
    }
    exponent += try takeExponent()
    if digits == 0 { return 0 }
    if dropped, exponent == 0, droppedFirst >= 5 { return digits + 1 }
    while exponent > 0 {
      guard digits < 100_000_000_000_000_000 else { return nil }
      digits *= 10
      exponent -= 1
    }
    guard exponent < 0 else { return digits }
    guard exponent > -20 else { return 0 }
    var divisor: Int64 = 1
    for _ in 0..<min(-exponent, 18) { divisor *= 10 }
    if exponent == -19 { digits /= 10 }
    let quotient = digits / divisor
    return digits % divisor >= divisor - divisor / 2 ? quotient + 1 : quotient
  }

  /// Reads an exponent, if there is one.
  private mutating func takeExponent() throws(Fault) -> Int {
    guard current | 0x20 == UInt8(ascii: "e") else { return 0 }
    position += 1
    let isNegative = current == UInt8(ascii: "-")
    if isNegative || current == UInt8(ascii: "+") { position += 1 }
    let first = position
    var value = 0
    while JSONScanner.isDigit(current) {
      if value < 10_000 { value = value * 10 + Int(position.pointee &- 0x30) }
      position += 1
    }
    guard position > first else { throw fault("expected digits in the exponent") }
    return isNegative ? -value : value
  }
}
