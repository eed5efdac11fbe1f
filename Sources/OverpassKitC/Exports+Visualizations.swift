// Exports: what a map shows of elements.

import COverpassKit
import OverpassKit

/// Visualizations at fixed places in memory.
final class VisualizationsHandle: Sendable {
  struct Item: Sendable {
    let element: ElementID
    let shape: UInt32
    let origin: UInt32
    let isTainted: Bool
    let position: Coordinate
    let title: StableText?
    let geometry: GeometryHandle

    init(_ seen: Visualization) {
      element = seen.element
      shape = UInt32(truncatingIfNeeded: shapeCode(seen.geometry))
      origin = UInt32(seen.placeholder.rawValue)
      isTainted = seen.isTainted
      position = seen.coordinate ?? .undefined
      title = seen.title.map { StableText($0) }
      geometry = GeometryHandle(seen.geometry)
    }
  }

  let items: [Item]
  private let places: [ElementID: Int]

  init(_ seen: [Visualization]) {
    items = seen.map(Item.init)
    var places: [ElementID: Int] = [:]
    for (place, item) in items.enumerated() where item.element.type != .derived {
      places[item.element] = place
    }
    self.places = places
  }

  func place(of id: ElementID) -> Int? { places[id] }
}

private func shapeCode(_ geometry: Geometry) -> Int {
  switch geometry.kind {
  case .point: OPK_SHAPE_ANNOTATION
  case .lineString: OPK_SHAPE_POLYLINE
  case .multiLineString: OPK_SHAPE_POLYLINES
  case .polygon: OPK_SHAPE_POLYGON
  case .multiPolygon: OPK_SHAPE_POLYGONS
  case .multiPoint: OPK_SHAPE_ANNOTATIONS
  case .none, .geometryCollection: OPK_SHAPE_COLLECTION
  }
}

/// The identity that C names by a type and a number; `nil` for a type that is none.
func elementID(_ type: UInt32, _ id: Int64) -> ElementID? {
  UInt8(exactly: type).flatMap { ElementType(rawValue: $0) }.map { ElementID($0, id) }
}

func languages(
  _ list: UnsafePointer<UnsafePointer<CChar>?>?, _ count: Int
) throws(BoundaryError) -> LanguagePreference {
  unsafe LanguagePreference(try texts(list, count, "languages"))
}

@_cdecl("opk_visualizations_build") @implementation
public func opk_visualizations_build(
  _ features: OpaquePointer!, _ languages: UnsafePointer<UnsafePointer<CChar>?>!,
  _ language_count: Int, _ out: UnsafeMutablePointer<OpaquePointer?>!,
  _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe boundary(err) { () throws(BoundaryError) in
    guard let out = unsafe out else { throw .misuse("out is NULL") }
    unsafe out.pointee = nil
    guard let set = unsafe object(features, FeaturesHandle.self)?.features else {
      throw .misuse("features is NULL")
    }
    let preference = try unsafe OverpassKitC.languages(languages, language_count)
    unsafe out.pointee = unsafe makeHandle(
      VisualizationsHandle(set.visualizations(languages: preference)))
  }
}

@_cdecl("opk_visualizations_build_one") @implementation
public func opk_visualizations_build_one(
  _ features: OpaquePointer!, _ type: UInt32, _ id: Int64,
  _ languages: UnsafePointer<UnsafePointer<CChar>?>!, _ language_count: Int,
  _ out: UnsafeMutablePointer<OpaquePointer?>!, _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe boundary(err) { () throws(BoundaryError) in
    guard let out = unsafe out else { throw .misuse("out is NULL") }
    unsafe out.pointee = nil
    guard let set = unsafe object(features, FeaturesHandle.self)?.features else {
      throw .misuse("features is NULL")
    }
    let preference = try unsafe OverpassKitC.languages(languages, language_count)
    guard let element = elementID(type, id) else {
      throw .misuse("there is no element type \(type)")
    }
    let seen = set.visualization(of: element, languages: preference)
    unsafe out.pointee = unsafe makeHandle(VisualizationsHandle(seen.map { [$0] } ?? []))
  }
}

@_cdecl("opk_visualizations_count") @implementation
public func opk_visualizations_count(_ visualizations: OpaquePointer!) -> Int {
  unsafe object(visualizations, VisualizationsHandle.self)?.items.count ?? 0
}

@_cdecl("opk_visualizations_get") @implementation
public func opk_visualizations_get(
  _ visualizations: OpaquePointer!, _ index: Int, _ out: UnsafeMutablePointer<opk_visualization>!
) -> opk_status {
  guard let handle = unsafe object(visualizations, VisualizationsHandle.self), let out = unsafe out,
    handle.items.indices.contains(index)
  else { return opk_status(OPK_ERR_MISUSE) }
  let item = handle.items[index]
  var result = unsafe opk_visualization()
  unsafe result.type = UInt32(item.element.type.rawValue)
  unsafe result.id = item.element.number == ElementID.unknownNumber ? 0 : item.element.number
  unsafe result.title = unsafe item.title?.borrowed ?? noText
  unsafe result.shape = item.shape
  unsafe result.origin = item.origin
  unsafe result.is_tainted = item.isTainted ? 1 : 0
  unsafe result.position = cPosition(item.position)
  // Borrowed: the handle keeps its geometries alive.
  unsafe result.geometry = unsafe OpaquePointer(Unmanaged.passUnretained(item.geometry).toOpaque())
  unsafe writeStruct(result, to: out)
  return opk_status(OPK_OK)
}

@_cdecl("opk_visualizations_find") @implementation
public func opk_visualizations_find(
  _ visualizations: OpaquePointer!, _ type: UInt32, _ id: Int64
) -> Int64 {
  guard let element = elementID(type, id),
    let place = unsafe object(visualizations, VisualizationsHandle.self)?.place(of: element)
  else { return -1 }
  return Int64(place)
}

@_cdecl("opk_visualizations_free") @implementation
public func opk_visualizations_free(_ visualizations: OpaquePointer!) {
  unsafe freeHandle(visualizations, VisualizationsHandle.self)
}
