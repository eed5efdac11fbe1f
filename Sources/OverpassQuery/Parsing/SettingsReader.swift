// Settings from names and texts, as both forms of the language give them.

import OSMModel

/// The rules for the values of settings, which the server has under the names of the XML form.
enum SettingsReader {
  /// What is wrong with a value.
  struct Complaint: Error {
    var code: Diagnostic.Code
    var message: String
  }

  /// A positive number, in C's notations for whole numbers, with an optional unit.
  static func number(_ text: String, of name: String) throws(Complaint) -> Int64 {
    guard let number = parseNumber(text), number > 0 else {
      throw Complaint(
        code: .invalidValue,
        message: "“\(text)” is no value for \(name); it takes a positive whole number, optionally"
          + " with ki, Mi, Gi, k, M or G behind it")
    }
    return number
  }

  private static func parseNumber(_ text: String) -> Int64? {
    var rest = text[...]
    var radix: Int64 = 10
    if rest.hasPrefix("0x") || rest.hasPrefix("0X") {
      radix = 16
      rest = rest.dropFirst(2)
    } else if rest.hasPrefix("0"), rest.utf8.count > 1 {
      radix = 8
    }
    var value: Int64 = 0
    var digits = 0
    while let first = rest.first, let digit = first.hexDigitValue, digit < radix {
      let (product, overflow) = value.multipliedReportingOverflow(by: radix)
      let (sum, carry) = product.addingReportingOverflow(Int64(digit))
      if overflow || carry { return nil }
      value = sum
      digits += 1
      rest = rest.dropFirst()
    }
    guard digits > 0 else { return nil }
    if rest.first == " " { rest = rest.dropFirst() }
    let factor: Int64
    switch rest {
    case "": factor = 1
    case "ki": factor = 1 << 10
    case "Mi": factor = 1 << 20
    case "Gi": factor = 1 << 30
    case "k": factor = 1_000
    case "M": factor = 1_000_000
    case "G": factor = 1_000_000_000
    default: return nil
    }
    let (product, overflow) = value.multipliedReportingOverflow(by: factor)
    return overflow ? nil : product
  }

  static func timestamp(_ text: String, of name: String) throws(Complaint) -> Query.Timestamp {
    guard let moment = Query.Timestamp(text) else {
      throw Complaint(
        code: .invalidTimestamp,
        message: "“\(text)” is no moment for \(name); it takes the form 2020-12-31T23:59:59Z")
    }
    return moment
  }

  /// `south,west,north,east`
  static func boundingBox(_ text: String) throws(Complaint) -> BoundingBox {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 4 else {
      throw Complaint(
        code: .invalidValue,
        message: "a bounding box takes four numbers: south, west, north and east")
    }
    var values: [Double] = []
    for part in parts {
      let trimmed = part.drop { $0 == " " }
      guard let value = decimal(trimmed) else {
        throw Complaint(
          code: .invalidValue, message: "“\(part)” in a bounding box is no number")
      }
      values.append(value)
    }
    do throws(QueryError) {
      return try BoundingBox(south: values[0], west: values[1], north: values[2], east: values[3])
    } catch {
      throw Complaint(code: .invalidValue, message: error.message)
    }
  }

  /// `lat lon lat lon …`
  static func polygon(_ text: String) throws(Complaint) -> [Coordinate] {
    let parts = text.split { $0 == " " || $0 == "\t" || $0 == "\n" }
    guard parts.count % 2 == 0 else {
      throw Complaint(
        code: .invalidValue, message: "a polygon takes an even count of numbers, not \(parts.count)"
      )
    }
    var positions: [Coordinate] = []
    positions.reserveCapacity(parts.count / 2)
    for index in stride(from: 0, to: parts.count, by: 2) {
      guard let latitude = decimal(parts[index]), let longitude = decimal(parts[index + 1]),
        let position = Coordinate(longitude: longitude, latitude: latitude)
      else {
        throw Complaint(
          code: .invalidValue,
          message: "“\(parts[index]) \(parts[index + 1])” in a polygon is no latitude and longitude"
        )
      }
      positions.append(position)
    }
    guard positions.count >= 3 else {
      throw Complaint(
        code: .invalidValue,
        message: "a polygon needs at least 3 positions; there are \(positions.count)")
    }
    return positions
  }
}

/// A number in decimal notation, with nothing before or behind it.
func decimal(_ text: some StringProtocol) -> Double? {
  var text = String(text)
  // The server's tokenizer reads `1.` as one number.
  if text.utf8.last == UInt8(ascii: ".") { text.removeLast() }
  guard let first = text.utf8.first(where: { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "+") }),
    isDigit(first) || first == UInt8(ascii: "."), let value = Double(text), value.isFinite
  else { return nil }
  return value
}
