// Byte-level helpers shared by both printers.

import OSMModel

/// A growing text. All that is printed goes through here.
struct TextBuffer {
  var bytes: [UInt8] = []

  mutating func append(_ text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  mutating func append(_ byte: Unicode.Scalar) { bytes.append(UInt8(ascii: byte)) }

  mutating func append(_ number: Int64) { append(String(number)) }

  /// Units of 1e-7 degrees as decimal degrees.
  mutating func append(degreesE7 value: Int32) { appendDegrees(value, to: &bytes) }

  /// `south,west,north,east`
  mutating func append(_ box: BoundingBox) {
    append(degreesE7: box.southE7)
    append(",")
    append(degreesE7: box.westE7)
    append(",")
    append(degreesE7: box.northE7)
    append(",")
    append(degreesE7: box.eastE7)
  }

  /// `latitude` `separator` `longitude` for each position.
  mutating func append(_ line: [Coordinate], separator: Unicode.Scalar) {
    for (index, position) in line.enumerated() {
      if index > 0 { append(separator) }
      append(degreesE7: position.latitudeE7)
      append(separator)
      append(degreesE7: position.longitudeE7)
    }
  }

  mutating func indent(_ depth: Int) {
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
  }
}

/// A finite number in fixed notation with the digits that identify it: no exponent, no `-0`. Some
/// servers refuse exponents with a capital letter, and no one needs them.
///
/// Source: drolbr/Overpass-API issue 514
func fixedNotation(_ value: Double) -> String {
  guard value.isFinite, value != 0 else { return "0" }
  let text = Array(value.magnitude.description.utf8)
  var digits: [UInt8] = []
  // Where the decimal point stands, counted in digits from the left.
  var point: Int?
  var exponent = 0
  var index = 0
  while index < text.count {
    let byte = text[index]
    index += 1
    if byte == UInt8(ascii: ".") {
      point = digits.count
    } else if byte == UInt8(ascii: "e") {
      exponent = Int(String(decoding: text[index...], as: UTF8.self)) ?? 0
      break
    } else {
      digits.append(byte)
    }
  }
  let place = (point ?? digits.count) + exponent
  var result: [UInt8] = value < 0 ? [UInt8(ascii: "-")] : []
  let zero = UInt8(ascii: "0")
  var fraction: [UInt8]
  if place <= 0 {
    result.append(zero)
    fraction = Array(repeating: zero, count: -place) + digits
  } else {
    let whole = digits.prefix(place)
    // Leading zeros come from texts like `0.5`.
    let significant = whole.drop { $0 == zero }
    result.append(contentsOf: significant)
    result.append(contentsOf: repeatElement(zero, count: place - whole.count))
    if significant.isEmpty && place == whole.count { result.append(zero) }
    fraction = Array(digits.dropFirst(place))
  }
  while fraction.last == zero { fraction.removeLast() }
  if !fraction.isEmpty { result.append(UInt8(ascii: ".")) }
  result.append(contentsOf: fraction)
  return String(decoding: result, as: UTF8.self)
}
