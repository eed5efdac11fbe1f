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
    head.remarks = source.response.remarks
    self.head = head
  }
}

private func featureOptions(_ opt: UnsafePointer<opk_feature_options>?) throws(BoundaryError)
  -> FeatureOptions
{
  let given = try readOptions(opt, over: opk_feature_options())
  guard let rawProfile = UInt8(exactly: given.profile),
    let profile = FeatureProfile(rawValue: rawProfile)
  else { throw .misuse("there is no profile \(given.profile)") }
  guard let rawPoints = UInt8(exactly: given.points), let nodes = NodeSelection(rawValue: rawPoints)
  else { throw .misuse("there is no choice of points \(given.points)") }
  var options = FeatureOptions(profile: profile, nodes: nodes)
  guard given.uninteresting_keys != nil || given.uninteresting_key_count == 0 else {
    throw .misuse("uninteresting_keys is NULL")
  }
  for key in UnsafeBufferPointer(
    start: given.uninteresting_keys, count: given.uninteresting_key_count)
  {
    guard let key else { throw .misuse("an uninteresting key is NULL") }
    options.uninterestingTags.append(UninterestingTag(String(cString: key)))
  }
  return options
}

@_cdecl("opk_features_build") @implementation
public func opk_features_build(
  _ response: OpaquePointer!, _ opt: UnsafePointer<opk_feature_options>!,
  _ out: UnsafeMutablePointer<OpaquePointer?>!, _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  boundary(err) { () throws(BoundaryError) in
    guard let out else { throw .misuse("out is NULL") }
    out.pointee = nil
    guard let source = object(response, ResponseHandle.self) else {
      throw .misuse("response is NULL")
    }
    out.pointee = makeHandle(FeaturesHandle(source, try featureOptions(opt)))
  }
}

@_cdecl("opk_features_free") @implementation
public func opk_features_free(_ features: OpaquePointer!) {
  freeHandle(features, FeaturesHandle.self)
}

@_cdecl("opk_features_count") @implementation
public func opk_features_count(_ features: OpaquePointer!) -> Int {
  object(features, FeaturesHandle.self)?.features.count ?? 0
}

/// The handle, if it has a feature `index`.
private func handle(_ features: OpaquePointer?, _ index: Int) -> FeaturesHandle? {
  guard let handle = object(features, FeaturesHandle.self), index >= 0,
    index < handle.features.count
  else { return nil }
  return handle
}

/// The handle, which has to have a feature `index`.
private func required(_ features: OpaquePointer?, _ index: Int) throws(BoundaryError)
  -> FeaturesHandle
{
  guard let handle = handle(features, index) else { throw .misuse("there is no feature \(index)") }
  return handle
}

@_cdecl("opk_features_get") @implementation
public func opk_features_get(
  _ features: OpaquePointer!, _ index: Int, _ out: UnsafeMutablePointer<opk_feature>!
) -> opk_status {
  guard let set = handle(features, index)?.features, let out else {
    return opk_status(OPK_ERR_MISUSE)
  }
  let feature = set.feature(index)
  var geometry = Geometry()
  let info = set.geometry(of: index, into: &geometry)
  var result = opk_feature()
  let id = feature.id
  result.type = UInt32(id.type.rawValue)
  result.id = id.number == ElementID.unknownNumber ? 0 : id.number
  result.element_index = -1
  if let element = feature.element {
    result.element_index = set.dataset.position(of: element).map { Int64($0) } ?? -1
    if element.type == .derived {
      result.type_name = text(set.dataset.derived.typeNames[element.row], in: set.dataset.strings)
    }
  }
  if let name = id.type.name { result.type_name = text(name) }
  result.geometry_kind = UInt32(info.kind.rawValue)
  result.origin = UInt32(info.placeholder.rawValue)
  result.is_tainted = info.isTainted ? 1 : 0
  result.tag_count = feature.tags.count
  writeStruct(result, to: out)
  return opk_status(OPK_OK)
}

@_cdecl("opk_features_tags") @implementation
public func opk_features_tags(
  _ features: OpaquePointer!, _ index: Int, _ buffer: UnsafeMutablePointer<opk_tag>!,
  _ capacity: Int
) -> Int {
  guard let set = handle(features, index)?.features else { return 0 }
  let tags = set.feature(index).tags
  if let buffer {
    for (place, tag) in tags.prefix(max(capacity, 0)).enumerated() {
      buffer[place] = opk_tag(key: tag.key.rawValue, value: tag.value.rawValue)
    }
  }
  return tags.count
}

@_cdecl("opk_features_tag") @implementation
public func opk_features_tag(
  _ features: OpaquePointer!, _ index: Int, _ tag: Int, _ key: UnsafeMutablePointer<opk_str>!,
  _ value: UnsafeMutablePointer<opk_str>!
) -> opk_status {
  key?.pointee = noText
  value?.pointee = noText
  guard let set = handle(features, index)?.features else { return opk_status(OPK_ERR_MISUSE) }
  let tags = set.feature(index).tags
  guard tags.indices.contains(tag) else { return opk_status(OPK_ERR_MISUSE) }
  key?.pointee = text(tags[tag].key, in: set.dataset.strings)
  value?.pointee = text(tags[tag].value, in: set.dataset.strings)
  return opk_status(OPK_OK)
}

@_cdecl("opk_features_geometry") @implementation
public func opk_features_geometry(
  _ features: OpaquePointer!, _ index: Int, _ out: UnsafeMutablePointer<OpaquePointer?>!,
  _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  boundary(err) { () throws(BoundaryError) in
    guard let out else { throw .misuse("out is NULL") }
    out.pointee = nil
    let set = try required(features, index).features
    var geometry = Geometry()
    _ = set.geometry(of: index, into: &geometry)
    out.pointee = makeHandle(GeometryHandle(geometry))
  }
}

@_cdecl("opk_features_wkb") @implementation
public func opk_features_wkb(
  _ features: OpaquePointer!, _ index: Int, _ out: UnsafeMutablePointer<OpaquePointer?>!,
  _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  boundary(err) { () throws(BoundaryError) in
    guard let out else { throw .misuse("out is NULL") }
    out.pointee = nil
    let set = try required(features, index).features
    var geometry = Geometry()
    _ = set.geometry(of: index, into: &geometry)
    out.pointee = makeHandle(BytesHandle(WKBWriter.bytes(of: geometry)))
  }
}
