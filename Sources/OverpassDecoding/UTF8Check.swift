// Whether bytes are UTF-8, and mending them where they are not.
// Source: The Unicode Standard, table 3-7 "Well-Formed UTF-8 Byte Sequences".

enum UTF8Check {
  static func isValid(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool { firstInvalid(bytes) == nil }

  /// Where the first byte stands that belongs to no well-formed sequence.
  static func firstInvalid(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    let raw = UnsafeRawBufferPointer(bytes)
    var index = 0
    while index < bytes.count {
      while index + 8 <= raw.count,
        raw.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
      {
        index += 8
      }
      guard index < bytes.count else { return nil }
      let length = sequenceLength(bytes, at: index)
      if length == 0 { return index }
      index += length
    }
    return nil
  }

  /// Whether the bytes, of which the first is part of no well-formed sequence, could become a
  /// character with more bytes behind them.
  static func isBeginningOfCharacter(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard bytes.count < 4 else { return false }
    // Any character of the right length that begins so will do.
    for filler: UInt8 in [0x80, 0xBF] {
      let padded = Array(bytes) + [filler, filler, filler]
      if padded.withUnsafeBufferPointer({ sequenceLength($0, at: 0) }) > bytes.count { return true }
    }
    return false
  }

  /// The length of the well-formed sequence at `index`, or 0.
  @inline(__always)
  static func sequenceLength(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
    let first = bytes[index]
    if first < 0x80 { return 1 }
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch first {
    case 0xC2...0xDF: length = 2
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xE1...0xEC, 0xEE...0xEF: length = 3
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: length = 4
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    default: return 0
    }
    guard index + length <= bytes.count, second.contains(bytes[index + 1]) else { return 0 }
    for next in (index + 2)..<max(index + length, index + 2) where bytes[next] & 0xC0 != 0x80 {
      return 0
    }
    return length
  }

  /// The bytes with U+FFFD in place of each byte that belongs to no well-formed sequence.
  static func repaired(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + 8)
    var index = 0
    while index < bytes.count {
      let length = sequenceLength(bytes, at: index)
      if length == 0 {
        result.append(contentsOf: replacement)
        index += 1
      } else {
        result.append(contentsOf: bytes[index..<index + length])
        index += length
      }
    }
    return result
  }

  /// U+FFFD.
  static let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]
}
