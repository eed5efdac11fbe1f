// Exports: a geometry's positions, parts and polygons as arrays, and its well-known forms.

import COverpassKit
import OverpassKit

/// A geometry at a fixed place in memory.
final class GeometryHandle: Sendable {
  let kind: GeometryKind
  let positions: Column<Coordinate>
  let partEnds: Column<Int>
  let polygonEnds: Column<Int>
  let members: [GeometryHandle]

  init(_ geometry: Geometry) {
    kind = geometry.kind
    positions = column(geometry.coordinates)
    partEnds = column(geometry.partEnds)
    polygonEnds = column(geometry.polygonEnds)
    members = geometry.members.map(GeometryHandle.init)
  }
}

extension GeometryHandle {
  /// The geometry as a value.
  var geometry: Geometry {
    var result = Geometry()
    result.kind = kind
    for index in 0..<positions.count { result.coordinates.append(positions[index]) }
    for index in 0..<partEnds.count { result.partEnds.append(partEnds[index]) }
    for index in 0..<polygonEnds.count { result.polygonEnds.append(polygonEnds[index]) }
    result.members = members.map { $0.geometry }
    return result
  }
}

private func column<Value: BitwiseCopyable>(_ values: [Value]) -> Column<Value> {
  var result = Column<Value>()
  unsafe values.withUnsafeBufferPointer { unsafe result.append(contentsOf: $0) }
  return result
}

@_cdecl("opk_geometry_free") @implementation
public func opk_geometry_free(_ geometry: OpaquePointer!) {
  unsafe freeHandle(geometry, GeometryHandle.self)
}

@_cdecl("opk_geometry_kind") @implementation
public func opk_geometry_kind(_ geometry: OpaquePointer!) -> UInt32 {
  unsafe object(geometry, GeometryHandle.self).map { UInt32($0.kind.rawValue) } ?? 0
}

@_cdecl("opk_geometry_positions") @implementation
public func opk_geometry_positions(_ geometry: OpaquePointer!, _ count: UnsafeMutablePointer<Int>!)
  -> UnsafePointer<opk_position>!
{
  let handle = unsafe object(geometry, GeometryHandle.self)
  unsafe count?.pointee = handle?.positions.count ?? 0
  return unsafe rebound(handle?.positions.buffer.baseAddress)
}

@_cdecl("opk_geometry_part_ends") @implementation
public func opk_geometry_part_ends(_ geometry: OpaquePointer!, _ count: UnsafeMutablePointer<Int>!)
  -> UnsafePointer<Int>!
{
  let handle = unsafe object(geometry, GeometryHandle.self)
  unsafe count?.pointee = handle?.partEnds.count ?? 0
  return unsafe handle?.partEnds.buffer.baseAddress
}

@_cdecl("opk_geometry_polygon_ends") @implementation
public func opk_geometry_polygon_ends(
  _ geometry: OpaquePointer!, _ count: UnsafeMutablePointer<Int>!
) -> UnsafePointer<Int>! {
  let handle = unsafe object(geometry, GeometryHandle.self)
  unsafe count?.pointee = handle?.polygonEnds.count ?? 0
  return unsafe handle?.polygonEnds.buffer.baseAddress
}

@_cdecl("opk_geometry_member_count") @implementation
public func opk_geometry_member_count(_ geometry: OpaquePointer!) -> Int {
  unsafe object(geometry, GeometryHandle.self)?.members.count ?? 0
}

@_cdecl("opk_geometry_member") @implementation
public func opk_geometry_member(_ geometry: OpaquePointer!, _ index: Int) -> OpaquePointer! {
  guard let handle = unsafe object(geometry, GeometryHandle.self),
    handle.members.indices.contains(index)
  else { return nil }
  // Borrowed: the collection keeps its members alive.
  return unsafe OpaquePointer(Unmanaged.passUnretained(handle.members[index]).toOpaque())
}

/// Gives out one of a geometry's forms as bytes.
private func give(
  _ geometry: OpaquePointer?, _ out: UnsafeMutablePointer<OpaquePointer?>?,
  _ err: UnsafeMutablePointer<opk_error>?, _ form: (Geometry) -> Column<UInt8>
) -> opk_status {
  unsafe boundary(err) { () throws(BoundaryError) in
    guard let out = unsafe out else { throw .misuse("out is NULL") }
    unsafe out.pointee = nil
    guard let handle = unsafe object(geometry, GeometryHandle.self) else {
      throw .misuse("geometry is NULL")
    }
    unsafe out.pointee = unsafe makeHandle(BytesHandle(form(handle.geometry)))
  }
}

@_cdecl("opk_geometry_wkt") @implementation
public func opk_geometry_wkt(
  _ geometry: OpaquePointer!, _ out: UnsafeMutablePointer<OpaquePointer?>!,
  _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe give(geometry, out, err, WKTWriter.bytes)
}

@_cdecl("opk_geometry_ewkt") @implementation
public func opk_geometry_ewkt(
  _ geometry: OpaquePointer!, _ out: UnsafeMutablePointer<OpaquePointer?>!,
  _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe give(geometry, out, err, WKTWriter.extendedBytes)
}

@_cdecl("opk_geometry_wkb") @implementation
public func opk_geometry_wkb(
  _ geometry: OpaquePointer!, _ out: UnsafeMutablePointer<OpaquePointer?>!,
  _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe give(geometry, out, err, WKBWriter.bytes)
}

@_cdecl("opk_geometry_ewkb") @implementation
public func opk_geometry_ewkb(
  _ geometry: OpaquePointer!, _ out: UnsafeMutablePointer<OpaquePointer?>!,
  _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe give(geometry, out, err, WKBWriter.extendedBytes)
}
