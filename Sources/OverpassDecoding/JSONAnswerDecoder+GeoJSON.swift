// GeoJSON geometries, which `make` and `convert` print with the elements they derive.

import OSMModel

extension JSONAnswerDecoder {
  /// Reads one geometry object. Kinds that are not known give a geometry of kind `none`.
  mutating func decodeGeoJSON(depth: Int) throws(Fault) -> Geometry {
    guard depth < options.maximumDepth else {
      throw scanner.fault("values nest too deep (max_depth)", .limit)
    }
    guard scanner.current == UInt8(ascii: "{") else { throw scanner.fault("expected a geometry") }
    try scanner.take(UInt8(ascii: "{"), "expected '{'")
    var kind = GeometryKind.none
    var nested = NestedPositions()
    var members: [Geometry] = []
    if !scanner.takeClosing(UInt8(ascii: "}")) {
      repeat {
        let key = try keyName()
        if isKey(key, "type"), scanner.current == UInt8(ascii: "\"") {
          kind = geometryKind(try scanner.string("expected a geometry type"))
        } else if isKey(key, "coordinates"), scanner.current == UInt8(ascii: "[") {
          nested = NestedPositions()
          _ = try decodeNested(into: &nested, level: 0)
        } else if isKey(key, "geometries"), scanner.current == UInt8(ascii: "[") {
          members = try decodeGeometries(depth: depth + 1)
        } else {
          try scanner.skipValue(depth: depth, maximumDepth: options.maximumDepth)
        }
      } while try scanner.takeSeparator(closing: UInt8(ascii: "}"))
    }
    return nested.geometry(of: kind, members: members)
  }

  private mutating func decodeGeometries(depth: Int) throws(Fault) -> [Geometry] {
    try scanner.take(UInt8(ascii: "["), "expected a list of geometries")
    var result: [Geometry] = []
    if scanner.takeClosing(UInt8(ascii: "]")) { return result }
    repeat {
      if try scanner.takeNull() { continue }
      let member = try decodeGeoJSON(depth: depth + 1)
      if member.kind != .none { result.append(member) }
    } while try scanner.takeSeparator(closing: UInt8(ascii: "]"))
    return result
  }

  private func geometryKind(_ name: JSONScanner.RawString) -> GeometryKind {
    if isKey(name, "Point") { return .point }
    if isKey(name, "LineString") { return .lineString }
    if isKey(name, "Polygon") { return .polygon }
    if isKey(name, "MultiPoint") { return .multiPoint }
    if isKey(name, "MultiLineString") { return .multiLineString }
    if isKey(name, "MultiPolygon") { return .multiPolygon }
    if isKey(name, "GeometryCollection") { return .geometryCollection }
    return .none
  }

  /// Reads `coordinates` of any depth up to four levels and gives how many levels it has.
  private mutating func decodeNested(into nested: inout NestedPositions, level: Int) throws(Fault)
    -> Int
  {
    guard level < 4 else { throw scanner.fault("coordinates nest too deep", .limit) }
    try scanner.take(UInt8(ascii: "["), "expected coordinates")
    if scanner.takeClosing(UInt8(ascii: "]")) { return 0 }
    var levels = 0
    if scanner.current == UInt8(ascii: "[") || scanner.current == UInt8(ascii: "n") {
      repeat {
        if try scanner.takeNull() { continue }
        levels = max(levels, try decodeNested(into: &nested, level: level + 1))
      } while try scanner.takeSeparator(closing: UInt8(ascii: "]"))
      if levels == 1 { nested.endPart() }
      if levels == 2 { nested.endPolygon() }
      return levels + 1
    }
    var numbers = 0
    var position = Coordinate.undefined
    repeat {
      guard isNumberStart else { throw scanner.fault("expected a number") }
      if numbers < 2 {
        let value = try optionalCoordinate() ?? .max
        if numbers == 0 { position.longitudeE7 = value } else { position.latitudeE7 = value }
      } else {
        _ = try scanner.skipNumber()
      }
      numbers += 1
    } while try scanner.takeSeparator(closing: UInt8(ascii: "]"))
    if position.longitudeE7 != .max, position.latitudeE7 != .max {
      nested.coordinates.append(position)
    }
    return 1
  }
}

/// Positions read from nested lists, before their meaning is known.
private struct NestedPositions {
  var coordinates: [Coordinate] = []
  var partEnds: [Int] = []
  var polygonEnds: [Int] = []

  mutating func endPart() { partEnds.append(coordinates.count) }
  mutating func endPolygon() { polygonEnds.append(partEnds.count) }

  func geometry(of kind: GeometryKind, members: [Geometry]) -> Geometry {
    var result = Geometry()
    switch kind {
    case .none: return result
    case .geometryCollection:
      result.kind = kind
      result.members = members
      return result
    case .point: result.coordinates = Array(coordinates.prefix(1))
    case .multiPoint: result.coordinates = coordinates
    case .lineString, .multiLineString:
      let parts = kind == .lineString ? Array(partEnds.prefix(1)) : partEnds
      result.coordinates = Array(coordinates.prefix(parts.last ?? 0))
      result.partEnds = parts
    case .polygon, .multiPolygon:
      // The server prints `Polygon` with two levels instead of three: that is one ring.
      var polygons = polygonEnds.isEmpty && !partEnds.isEmpty ? [partEnds.count] : polygonEnds
      if kind == .polygon { polygons = Array(polygons.prefix(1)) }
      let parts = partEnds.prefix(polygons.last ?? 0)
      result.coordinates = Array(coordinates.prefix(parts.last ?? 0))
      result.partEnds = Array(parts)
      result.polygonEnds = polygons
    }
    // What stands outside of the levels that its kind has is left out.
    if result.coordinates.isEmpty { return Geometry() }
    result.kind = kind
    return result
  }
}
