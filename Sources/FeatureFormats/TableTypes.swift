// The types of a table's columns. Source: GDAL, "Comma Separated Value (.csv)", on `.csvt` files.

import OSMGeometry
import OSMModel

/// The type of a column, as GDAL calls it.
enum TableType: UInt8 {
  // In this order: a column has the last type that any of its values needs.
  case integer
  case real
  case text
  case time
  case longitude
  case latitude
  case geometry

  var name: StaticString {
    switch self {
    case .integer: "Integer64"
    case .real: "Real"
    case .text: "String"
    case .time: "DateTime"
    case .longitude: "CoordX"
    case .latitude: "CoordY"
    case .geometry: "WKT"
    }
  }
}

enum TableTypes {
  /// The types of all columns. Keys are numbers where all their values are, written as numbers are:
  /// `007` and `+1` are texts, as numbers would not give them back. A key that does not occur is text.
  static func types(of plan: TablePlan) -> [TableType] {
    var found = [TableType?](repeating: nil, count: plan.columns.count)
    var known = [TableType?](repeating: nil, count: plan.features.dataset.strings.count)
    var values = [StringID](repeating: .absent, count: plan.columns.count)
    let hasTags = plan.columns.contains { if case .tag = $0.source { true } else { false } }
    for index in 0..<(hasTags ? plan.features.count : 0) {
      plan.collect(plan.features.feature(index).tags, into: &values)
      for (place, value) in values.enumerated() where value != .absent && found[place] != .text {
        let number = Int(value.rawValue)
        let type = known[number] ?? type(of: plan.features.dataset.strings.bytes(value))
        known[number] = type
        if type.rawValue >= found[place]?.rawValue ?? 0 { found[place] = type }
      }
    }
    return zip(plan.columns, found).map { column, found in
      guard case .field(let field) = column.source else { return found ?? .text }
      switch field {
      case .type, .user, .tags, .attribution: return .text
      case .id, .version, .changeset, .userID: return .integer
      case .timestamp: return .time
      case .longitude: return .longitude
      case .latitude: return .latitude
      case .geometry: return .geometry
      }
    }
  }

  static func type(of text: UnsafeBufferPointer<UInt8>) -> TableType {
    var digits = text[...]
    if digits.first == UInt8(ascii: "-") { digits = digits.dropFirst() }
    guard TableCells.isNumber(digits) else { return .text }
    let point = digits.firstIndex(of: UInt8(ascii: "."))
    let whole = digits[..<(point ?? digits.endIndex)]
    if whole.count > 1, whole.first == UInt8(ascii: "0") { return .text }
    // What has no more digits than these fits into 64 bits, and into a double.
    if point == nil { return whole.count <= 18 ? .integer : .text }
    return digits.count <= 16 ? .real : .text
  }
}
