// Exports: features, their tags and geometry, GeoJSON and problems.

import COverpassKit
import OverpassKit

/// Features, with the response they came from.
final class FeaturesHandle: Sendable {
  let features: FeatureSet
  let head: GeoJSONHead
  /// The type names that derived elements chose, at a fixed place in memory.
  let source: ResponseHandle

  init(_ source: ResponseHandle, _ options: FeatureOptions) {
    self.source = source
    features = FeatureSet(source.response.dataset, options: options)
    var head = GeoJSONHead()
    head.generator =
      "OverpassKit \(OPK_VERSION_MAJOR).\(OPK_VERSION_MINOR).\(OPK_VERSION_PATCH)"
    head.copyright = source.response.header.copyright
    head.timestamp = source.response.header.timestamp
    // With one that says so when the answer is cut off.
    head.remarks = source.response.document.remarks
    self.head = head
  }
}

@_cdecl("opk_is_area") @implementation
public func opk_is_area(
  _ profile: UInt32, _ keys: UnsafePointer<UnsafePointer<CChar>?>!,
  _ values: UnsafePointer<UnsafePointer<CChar>?>!, _ tag_count: Int
) -> Int32 {
  guard let raw = UInt8(exactly: profile), let profile = FeatureProfile(rawValue: raw),
    let keys = try? unsafe texts(keys, tag_count, "keys"),
    let values = try? unsafe texts(values, tag_count, "values")
  else { return -1 }
  let tags = zip(keys, values).map { (key: $0, value: $1) }
  return profile.areaRules.isArea(tags) ? 1 : 0
}

@_cdecl("opk_features_build") @implementation
public func opk_features_build(
  _ response: OpaquePointer!, _ opt: UnsafePointer<opk_feature_options>!,
  _ out: UnsafeMutablePointer<OpaquePointer?>!, _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe boundary(err) { () throws(BoundaryError) in
    guard let out = unsafe out else { throw .misuse("out is NULL") }
    unsafe out.pointee = nil
    guard let source = unsafe object(response, ResponseHandle.self) else {
      throw .misuse("response is NULL")
    }
    unsafe out.pointee = unsafe makeHandle(FeaturesHandle(source, try featureOptions(opt)))
  }
}

@_cdecl("opk_features_free") @implementation
public func opk_features_free(_ features: OpaquePointer!) {
  unsafe freeHandle(features, FeaturesHandle.self)
}

@_cdecl("opk_features_count") @implementation
public func opk_features_count(_ features: OpaquePointer!) -> Int {
  unsafe object(features, FeaturesHandle.self)?.features.count ?? 0
}

@_cdecl("opk_features_kinds") @implementation
public func opk_features_kinds(
  _ features: OpaquePointer!, _ buffer: UnsafeMutablePointer<UInt8>!, _ capacity: Int
) -> Int {
  guard let set = unsafe object(features, FeaturesHandle.self)?.features else { return 0 }
  if let buffer = unsafe buffer {
    let kinds = set.kinds(first: capacity)
    for index in kinds.indices { unsafe buffer[index] = kinds[index].rawValue }
  }
  return set.count
}

/// The handle, if it has a feature `index`.
private func handle(_ features: OpaquePointer?, _ index: Int) -> FeaturesHandle? {
  guard let handle = unsafe object(features, FeaturesHandle.self), index >= 0,
    index < handle.features.count
  else { return nil }
  return handle
}

/// The handle, which has to have a feature `index`.
private func required(_ features: OpaquePointer?, _ index: Int) throws(BoundaryError)
  -> FeaturesHandle
{
  guard let handle = unsafe handle(features, index) else {
    throw .misuse("there is no feature \(index)")
  }
  return handle
}

@_cdecl("opk_features_get") @implementation
public func opk_features_get(
  _ features: OpaquePointer!, _ index: Int, _ out: UnsafeMutablePointer<opk_feature>!
) -> opk_status {
  guard let set = unsafe handle(features, index)?.features, let out = unsafe out else {
    return opk_status(OPK_ERR_MISUSE)
  }
  let feature = set.feature(index)
  var geometry = Geometry()
  let info = set.geometry(of: index, into: &geometry)
  var result = unsafe opk_feature()
  let id = feature.id
  unsafe result.type = UInt32(id.type.rawValue)
  unsafe result.id = id.number == ElementID.unknownNumber ? 0 : id.number
  unsafe result.element_index = -1
  if let element = feature.element {
    unsafe result.element_index = set.dataset.position(of: element).map { Int64($0) } ?? -1
    if element.type == .derived {
      unsafe result.type_name = unsafe text(
        set.dataset.derived.typeNames[element.row], in: set.dataset.strings)
    }
  }
  if let name = id.type.name { unsafe result.type_name = unsafe text(name) }
  unsafe result.geometry_kind = UInt32(info.kind.rawValue)
  unsafe result.origin = UInt32(info.placeholder.rawValue)
  unsafe result.is_tainted = info.isTainted ? 1 : 0
  unsafe result.is_invalid = info.isValid ? 0 : 1
  unsafe result.tag_count = feature.tags.count
  unsafe result.label = cPosition(feature.label ?? .undefined)
  unsafe result.admin_centre = cPosition(feature.adminCentre ?? .undefined)
  unsafe writeStruct(result, to: out)
  return opk_status(OPK_OK)
}

@_cdecl("opk_features_find") @implementation
public func opk_features_find(_ features: OpaquePointer!, _ type: UInt32, _ id: Int64) -> Int64 {
  guard let element = elementID(type, id),
    let place = unsafe object(features, FeaturesHandle.self)?.features.index(of: element)
  else { return -1 }
  return Int64(place)
}

@_cdecl("opk_features_tags") @implementation
public func opk_features_tags(
  _ features: OpaquePointer!, _ index: Int, _ buffer: UnsafeMutablePointer<opk_tag>!,
  _ capacity: Int
) -> Int {
  guard let set = unsafe handle(features, index)?.features else { return 0 }
  let tags = set.feature(index).tags
  if let buffer = unsafe buffer {
    for (place, tag) in tags.prefix(max(capacity, 0)).enumerated() {
      unsafe buffer[place] = opk_tag(key: tag.key.rawValue, value: tag.value.rawValue)
    }
  }
  return tags.count
}

@_cdecl("opk_features_tag") @implementation
public func opk_features_tag(
  _ features: OpaquePointer!, _ index: Int, _ tag: Int, _ key: UnsafeMutablePointer<opk_str>!,
  _ value: UnsafeMutablePointer<opk_str>!
) -> opk_status {
  unsafe key?.pointee = unsafe noText
  unsafe value?.pointee = unsafe noText
  guard let set = unsafe handle(features, index)?.features else {
    return opk_status(OPK_ERR_MISUSE)
  }
  let tags = set.feature(index).tags
  guard tags.indices.contains(tag) else { return opk_status(OPK_ERR_MISUSE) }
  unsafe key?.pointee = unsafe text(tags[tag].key, in: set.dataset.strings)
  unsafe value?.pointee = unsafe text(tags[tag].value, in: set.dataset.strings)
  return opk_status(OPK_OK)
}

@_cdecl("opk_features_missing") @implementation
public func opk_features_missing(
  _ features: OpaquePointer!, _ index: Int, _ types: UnsafeMutablePointer<UInt8>!,
  _ ids: UnsafeMutablePointer<Int64>!, _ capacity: Int
) -> Int {
  guard let set = unsafe handle(features, index)?.features else { return 0 }
  let missing = set.feature(index).missing
  for (place, element) in missing.prefix(max(capacity, 0)).enumerated() {
    if let types = unsafe types { unsafe types[place] = element.type.rawValue }
    if let ids = unsafe ids { unsafe ids[place] = element.number }
  }
  return missing.count
}

@_cdecl("opk_features_geometry") @implementation
public func opk_features_geometry(
  _ features: OpaquePointer!, _ index: Int, _ out: UnsafeMutablePointer<OpaquePointer?>!,
  _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe boundary(err) { () throws(BoundaryError) in
    guard let out = unsafe out else { throw .misuse("out is NULL") }
    unsafe out.pointee = nil
    let set = try unsafe required(features, index).features
    var geometry = Geometry()
    _ = set.geometry(of: index, into: &geometry)
    unsafe out.pointee = unsafe makeHandle(GeometryHandle(geometry))
  }
}

@_cdecl("opk_features_wkb") @implementation
public func opk_features_wkb(
  _ features: OpaquePointer!, _ index: Int, _ out: UnsafeMutablePointer<OpaquePointer?>!,
  _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe boundary(err) { () throws(BoundaryError) in
    guard let out = unsafe out else { throw .misuse("out is NULL") }
    unsafe out.pointee = nil
    let set = try unsafe required(features, index).features
    var geometry = Geometry()
    _ = set.geometry(of: index, into: &geometry)
    unsafe out.pointee = unsafe makeHandle(BytesHandle(WKBWriter.bytes(of: geometry)))
  }
}
