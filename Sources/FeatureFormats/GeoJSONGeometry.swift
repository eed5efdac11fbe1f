// The geometry objects of GeoJSON. Source: RFC 7946 §3.1.

import OSMModel

extension TextBuffer {
  /// Appends a geometry object, or `null` for a geometry of kind `none`.
  mutating func append(geoJSON geometry: Geometry) {
    switch geometry.kind {
    case .none: append("null")
    case .point:
      append("{\"type\":\"Point\",\"coordinates\":")
      if let position = geometry.coordinates.first { append(position) }
      append("}")
    case .multiPoint:
      append("{\"type\":\"MultiPoint\",\"coordinates\":")
      appendPositions(geometry, 0..<geometry.coordinates.count)
      append("}")
    case .lineString:
      append("{\"type\":\"LineString\",\"coordinates\":")
      appendPositions(geometry, 0..<geometry.coordinates.count)
      append("}")
    case .multiLineString:
      append("{\"type\":\"MultiLineString\",\"coordinates\":")
      appendParts(geometry, 0..<geometry.partEnds.count)
      append("}")
    case .polygon:
      append("{\"type\":\"Polygon\",\"coordinates\":")
      appendParts(geometry, 0..<geometry.partEnds.count)
      append("}")
    case .multiPolygon:
      append("{\"type\":\"MultiPolygon\",\"coordinates\":[")
      for polygon in geometry.polygonEnds.indices {
        if polygon > 0 { append(UInt8(ascii: ",")) }
        appendParts(geometry, geometry.ringRange(polygon))
      }
      append("]}")
    case .geometryCollection:
      append("{\"type\":\"GeometryCollection\",\"geometries\":[")
      for (index, member) in geometry.members.enumerated() {
        if index > 0 { append(UInt8(ascii: ",")) }
        append(geoJSON: member)
      }
      append("]}")
    }
  }

  private mutating func appendParts(_ geometry: Geometry, _ parts: Range<Int>) {
    append(UInt8(ascii: "["))
    for part in parts {
      if part > parts.lowerBound { append(UInt8(ascii: ",")) }
      appendPositions(geometry, geometry.partRange(part))
    }
    append(UInt8(ascii: "]"))
  }

  private mutating func appendPositions(_ geometry: Geometry, _ range: Range<Int>) {
    append(UInt8(ascii: "["))
    geometry.coordinates.withUnsafeBufferPointer { positions in
      for index in range {
        if index > range.lowerBound { append(UInt8(ascii: ",")) }
        append(positions[index])
      }
    }
    append(UInt8(ascii: "]"))
  }

  /// Appends `[longitude,latitude]`.
  @inline(__always) mutating func append(_ position: Coordinate) {
    append(UInt8(ascii: "["))
    append(degreesE7: position.longitudeE7)
    append(UInt8(ascii: ","))
    append(degreesE7: position.latitudeE7)
    append(UInt8(ascii: "]"))
  }
}
