// Building text as bytes: numbers in fixed point, JSON strings, no intermediate values.

import OSMModel

/// A run of bytes under construction, with the printing that the text formats and maps share.
package struct TextBuffer: ~Copyable {
  package var bytes = Column<UInt8>()

  package init() {}

  @inline(__always) package mutating func append(_ byte: UInt8) { bytes.append(byte) }

  @inline(__always) package mutating func append(_ literal: StaticString) {
    bytes.append(
      contentsOf: UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
  }

  @inline(__always) package mutating func append(_ text: UnsafeBufferPointer<UInt8>) {
    bytes.append(contentsOf: text)
  }

  // MARK: Numbers

  package mutating func append(integer value: Int64) {
    if value < 0 { append(UInt8(ascii: "-")) }
    appendDecimal(value.magnitude)
  }

  @inline(__always) private mutating func appendDecimal(_ value: UInt64) {
    bytes.reserveMore(20)
    var digits = 1
    var bound: UInt64 = 10
    while digits < 20, value >= bound {
      digits += 1
      let (next, overflow) = bound.multipliedReportingOverflow(by: 10)
      if overflow {
        if value >= bound { digits += 1 }
        break
      }
      bound = next
    }
    let room = bytes.spareCapacity
    var rest = value
    var place = min(digits, 20) - 1
    while place >= 0 {
      room[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
      place -= 1
    }
    bytes.commit(min(digits, 20))
  }

  /// Appends degrees: exact, at most seven decimals, no exponent, no trailing zeros.
  @inline(__always) package mutating func append(degreesE7 value: Int32) {
    bytes.reserveMore(16)
    let room = bytes.spareCapacity
    var length = TextBuffer.writeWholeDegrees(of: value, to: room)
    var fraction = value.magnitude % 10_000_000
    if fraction > 0 {
      room[length] = UInt8(ascii: ".")
      let point = length
      var place = point + 7
      length = point + 8
      var isTrailing = true
      while place > point {
        let digit = fraction % 10
        fraction /= 10
        if isTrailing, digit == 0 {
          length -= 1
        } else {
          isTrailing = false
          room[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
        }
        place -= 1
      }
    }
    bytes.commit(length)
  }

  /// Appends degrees with seven decimals, as servers print them.
  @inline(__always) mutating func append(fixedDegreesE7 value: Int32) {
    bytes.reserveMore(16)
    let room = bytes.spareCapacity
    let length = TextBuffer.writeWholeDegrees(of: value, to: room)
    var fraction = value.magnitude % 10_000_000
    room[length] = UInt8(ascii: ".")
    var place = length + 7
    while place > length {
      room[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: fraction % 10)
      fraction /= 10
      place -= 1
    }
    bytes.commit(length + 8)
  }

  /// Writes the sign and the digits in front of the point, and gives how many bytes these are.
  @inline(__always) private static func writeWholeDegrees(
    of value: Int32, to room: UnsafeMutableBufferPointer<UInt8>
  ) -> Int {
    var length = 0
    if value < 0 {
      room[0] = UInt8(ascii: "-")
      length = 1
    }
    let whole = value.magnitude / 10_000_000
    if whole >= 100 {
      room[length] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: whole / 100)
      length += 1
    }
    if whole >= 10 {
      room[length] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: whole / 10 % 10)
      length += 1
    }
    room[length] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: whole % 10)
    return length + 1
  }

  package mutating func append(timestamp seconds: Int64) {
    bytes.reserveMore(20)
    writeTimestamp(seconds, to: bytes.spareCapacity)
    bytes.commit(20)
  }

  // MARK: JSON

  package mutating func append(jsonString text: String) {
    var text = text
    text.withUTF8 { append(jsonString: $0) }
  }

  /// Appends a quoted JSON string. Only what RFC 8259 §7 demands is escaped.
  package mutating func append(jsonString text: UnsafeBufferPointer<UInt8>) {
    append(UInt8(ascii: "\""))
    var plainStart = 0
    for (index, byte) in text.enumerated() {
      guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else {
        continue
      }
      append(UnsafeBufferPointer(rebasing: text[plainStart..<index]))
      appendEscape(byte)
      plainStart = index + 1
    }
    append(UnsafeBufferPointer(rebasing: text[plainStart...]))
    append(UInt8(ascii: "\""))
  }

  private mutating func appendEscape(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): append("\\\"")
    case UInt8(ascii: "\\"): append("\\\\")
    case 0x0A: append("\\n")
    case 0x09: append("\\t")
    case 0x0D: append("\\r")
    default:
      append("\\u00")
      append(byte < 0x10 ? UInt8(ascii: "0") : UInt8(ascii: "1"))
      let low = byte & 0x0F
      append(low < 10 ? UInt8(ascii: "0") + low : UInt8(ascii: "a") + low - 10)
    }
  }
}

extension Column {
  /// Makes room for some values behind those there are; grows by doubling.
  @inline(__always) mutating func reserveMore(_ extra: Int) {
    if spareCapacity.count < extra { reserve(Swift.max(count + extra, count * 2)) }
  }
}
