// Exports: measures of geometries, and the box around all of them.

import COverpassKit
import OverpassKit

@_cdecl("opk_features_measure") @implementation
public func opk_features_measure(
  _ features: OpaquePointer!, _ index: Int, _ out: UnsafeMutablePointer<opk_measures>!
) -> opk_status {
  guard let set = unsafe object(features, FeaturesHandle.self)?.features, let out = unsafe out,
    index >= 0,
    index < set.count
  else { return opk_status(OPK_ERR_MISUSE) }
  var geometry = Geometry()
  _ = set.geometry(of: index, into: &geometry)
  unsafe writeStruct(measures(of: geometry), to: out)
  return opk_status(OPK_OK)
}

@_cdecl("opk_features_bounds") @implementation
public func opk_features_bounds(
  _ features: OpaquePointer!, _ southwest: UnsafeMutablePointer<opk_position>!,
  _ northeast: UnsafeMutablePointer<opk_position>!
) -> opk_status {
  guard let set = unsafe object(features, FeaturesHandle.self)?.features,
    let southwest = unsafe southwest, let northeast = unsafe northeast
  else { return opk_status(OPK_ERR_MISUSE) }
  let box = set.boundingBox
  unsafe southwest.pointee = cPosition(box?.southWest ?? .undefined)
  unsafe northeast.pointee = cPosition(box?.northEast ?? .undefined)
  return opk_status(OPK_OK)
}

@_cdecl("opk_geometry_measure") @implementation
public func opk_geometry_measure(
  _ geometry: OpaquePointer!, _ out: UnsafeMutablePointer<opk_measures>!
) -> opk_status {
  guard let handle = unsafe object(geometry, GeometryHandle.self), let out = unsafe out else {
    return opk_status(OPK_ERR_MISUSE)
  }
  unsafe writeStruct(measures(of: handle.geometry), to: out)
  return opk_status(OPK_OK)
}

private func measures(of geometry: Geometry) -> opk_measures {
  var result = opk_measures()
  result.length = geometry.length ?? .nan
  result.area = geometry.area ?? .nan
  result.centroid = cPosition(geometry.centroid ?? .undefined)
  result.point_on_surface = cPosition(geometry.pointOnSurface ?? .undefined)
  let box = geometry.boundingBox
  result.southwest = cPosition(box?.southWest ?? .undefined)
  result.northeast = cPosition(box?.northEast ?? .undefined)
  return result
}
