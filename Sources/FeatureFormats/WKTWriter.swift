// OGC well-known text: two dimensions, degrees of longitude and latitude.
// Source: OGC 06-103r4 "Simple Feature Access - Part 1", clause 7; for EWKT, PostGIS manual,
// "ST_AsEWKT".

import OSMModel

/// Writes geometries as well-known text.
public enum WKTWriter {
  /// The geometry as WKT. A geometry of kind `none` is `GEOMETRYCOLLECTION EMPTY`.
  public static func bytes(of geometry: Geometry) -> Column<UInt8> {
    var buffer = TextBuffer()
    buffer.append(wkt: geometry)
    return buffer.bytes
  }

  /// The geometry as EWKT, which names its reference system: `SRID=4326;` and WKT.
  public static func extendedBytes(of geometry: Geometry) -> Column<UInt8> {
    var buffer = TextBuffer()
    buffer.append(ewkt: geometry)
    return buffer.bytes
  }
}

extension TextBuffer {
  mutating func append(ewkt geometry: Geometry) {
    append("SRID=")
    append(integer: Int64(WKBWriter.referenceSystem))
    append(";")
    append(wkt: geometry)
  }

  mutating func append(wkt geometry: Geometry) {
    switch geometry.kind {
    case .none: append("GEOMETRYCOLLECTION EMPTY")
    case .point:
      append("POINT ")
      appendPositions(geometry.coordinates.prefix(1))
    case .lineString:
      append("LINESTRING ")
      appendPositions(geometry.coordinates[...])
    case .polygon:
      append("POLYGON ")
      appendParts(geometry, geometry.partEnds.indices)
    case .multiPoint:
      append("MULTIPOINT ")
      appendList(geometry.coordinates.indices) { buffer, index in
        buffer.appendPositions(geometry.coordinates[index...index])
      }
    case .multiLineString:
      append("MULTILINESTRING ")
      appendParts(geometry, geometry.partEnds.indices)
    case .multiPolygon:
      append("MULTIPOLYGON ")
      appendList(geometry.polygonEnds.indices) { buffer, polygon in
        buffer.appendParts(geometry, geometry.ringRange(polygon))
      }
    case .geometryCollection:
      append("GEOMETRYCOLLECTION ")
      appendList(geometry.members.indices) { buffer, index in
        buffer.append(wkt: geometry.members[index])
      }
    }
  }

  /// Appends `EMPTY`, or what `appendItem` prints of each in brackets.
  private mutating func appendList(
    _ range: Range<Int>, _ appendItem: (inout TextBuffer, Int) -> Void
  ) {
    guard !range.isEmpty else { return append("EMPTY") }
    append("(")
    for index in range {
      if index > range.lowerBound { append(", ") }
      appendItem(&self, index)
    }
    append(")")
  }

  private mutating func appendParts(_ geometry: Geometry, _ parts: Range<Int>) {
    appendList(parts) { buffer, part in buffer.appendPositions(geometry.part(part)) }
  }

  private mutating func appendPositions(_ positions: ArraySlice<Coordinate>) {
    guard !positions.isEmpty else { return append("EMPTY") }
    append("(")
    var isFirst = true
    for position in positions {
      if !isFirst { append(", ") }
      isFirst = false
      append(degreesE7: position.longitudeE7)
      append(" ")
      append(degreesE7: position.latitudeE7)
    }
    append(")")
  }
}
