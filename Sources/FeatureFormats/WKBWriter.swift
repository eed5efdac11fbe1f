// OGC well-known binary: little-endian, two dimensions, degrees of longitude and latitude.
// Source: OGC 06-103r4 "Simple Feature Access - Part 1", clause 8.2; for EWKB, PostGIS manual,
// "ST_AsEWKB".

import OSMModel

/// Writes geometries as well-known binary.
public enum WKBWriter {
  /// The geometry as WKB. A geometry of kind `none` is an empty GEOMETRYCOLLECTION, the only empty
  /// geometry every reader takes.
  public static func bytes(of geometry: Geometry) -> Column<UInt8> {
    var bytes = Column<UInt8>()
    append(geometry, to: &bytes)
    return bytes
  }

  /// The geometry as EWKB, which names its reference system: SRID 4326, WGS84. Members carry none of
  /// their own, as in PostGIS.
  public static func extendedBytes(of geometry: Geometry) -> Column<UInt8> {
    extended(bytes(of: geometry))
  }

  /// EWKB of WKB: a flag in the type, the number of the reference system behind it.
  static func extended(_ plain: borrowing Column<UInt8>) -> Column<UInt8> {
    var bytes = Column<UInt8>()
    let headSize = 5
    guard plain.count >= headSize else { return bytes }
    bytes.reserve(plain.count + 4)
    bytes.append(contentsOf: UnsafeBufferPointer(rebasing: plain.buffer[..<headSize]))
    bytes[headSize - 1] |= 0x20
    append(referenceSystem, to: &bytes)
    bytes.append(contentsOf: UnsafeBufferPointer(rebasing: plain.buffer[headSize...]))
    return bytes
  }

  /// The number of WGS84, longitude and latitude in degrees, in the EPSG's list.
  static let referenceSystem: UInt32 = 4326

  /// How many bytes the WKB of a geometry has.
  static func byteCount(of geometry: Geometry) -> Int {
    let positions = 16 * geometry.coordinates.count
    switch geometry.kind {
    case .none: return 9
    case .point: return 21
    case .lineString: return 9 + positions
    case .polygon: return 9 + 4 * geometry.partEnds.count + positions
    case .multiPoint: return 9 + 21 * geometry.coordinates.count
    case .multiLineString: return 9 + 9 * geometry.partEnds.count + positions
    case .multiPolygon:
      return 9 + 9 * geometry.polygonEnds.count + 4 * geometry.partEnds.count + positions
    case .geometryCollection: return geometry.members.reduce(9) { $0 + byteCount(of: $1) }
    }
  }

  /// Appends the WKB of a geometry.
  public static func append(_ geometry: Geometry, to bytes: inout Column<UInt8>) {
    switch geometry.kind {
    case .none: appendHead(7, count: 0, to: &bytes)
    case .point:
      appendHead(1, to: &bytes)
      appendPositions(geometry.coordinates.prefix(1), to: &bytes)
    case .lineString:
      appendHead(2, count: geometry.coordinates.count, to: &bytes)
      appendPositions(geometry.coordinates[...], to: &bytes)
    case .polygon: appendPolygon(geometry, 0..<geometry.partEnds.count, to: &bytes)
    case .multiPoint:
      appendHead(4, count: geometry.coordinates.count, to: &bytes)
      for index in geometry.coordinates.indices {
        appendHead(1, to: &bytes)
        appendPositions(geometry.coordinates[index...index], to: &bytes)
      }
    case .multiLineString:
      appendHead(5, count: geometry.partEnds.count, to: &bytes)
      for part in geometry.partEnds.indices {
        let positions = geometry.part(part)
        appendHead(2, count: positions.count, to: &bytes)
        appendPositions(positions, to: &bytes)
      }
    case .multiPolygon:
      appendHead(6, count: geometry.polygonEnds.count, to: &bytes)
      for polygon in geometry.polygonEnds.indices {
        appendPolygon(geometry, geometry.ringRange(polygon), to: &bytes)
      }
    case .geometryCollection:
      appendHead(7, count: geometry.members.count, to: &bytes)
      for member in geometry.members { append(member, to: &bytes) }
    }
  }

  private static func appendPolygon(
    _ geometry: Geometry, _ rings: Range<Int>, to bytes: inout Column<UInt8>
  ) {
    appendHead(3, count: rings.count, to: &bytes)
    for ring in rings {
      let positions = geometry.part(ring)
      append(UInt32(truncatingIfNeeded: positions.count), to: &bytes)
      appendPositions(positions, to: &bytes)
    }
  }

  private static func appendHead(_ type: UInt32, to bytes: inout Column<UInt8>) {
    bytes.append(1)
    append(type, to: &bytes)
  }

  static func appendHead(_ type: UInt32, count: Int, to bytes: inout Column<UInt8>) {
    appendHead(type, to: &bytes)
    append(UInt32(truncatingIfNeeded: count), to: &bytes)
  }

  private static func appendPositions(
    _ positions: ArraySlice<Coordinate>, to bytes: inout Column<UInt8>
  ) {
    let count = positions.count * 16
    bytes.reserveMore(count)
    guard let room = UnsafeMutableRawPointer(bytes.spareCapacity.baseAddress) else { return }
    var place = room
    for position in positions {
      place.storeBytes(of: position.longitude.bitPattern.littleEndian, as: UInt64.self)
      (place + 8).storeBytes(of: position.latitude.bitPattern.littleEndian, as: UInt64.self)
      place += 16
    }
    bytes.commit(count)
  }

  @inline(__always)
  private static func append<Value: FixedWidthInteger & BitwiseCopyable>(
    _ value: Value, to bytes: inout Column<UInt8>
  ) {
    withUnsafeBytes(of: value.littleEndian) { raw in
      bytes.append(contentsOf: raw.assumingMemoryBound(to: UInt8.self))
    }
  }
}
