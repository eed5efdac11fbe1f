// Exports: features as an Arrow C stream, and as arrays.

import COverpassKit
import OverpassKit

/// Counts as a handle for as long as a stream, or anything that came out of it, lives.
private final class LiveStream: Sendable {
  init() { countHandle() }

  deinit { discountHandle() }
}

private func exporter(_ features: OpaquePointer?, _ opt: UnsafePointer<opk_arrow_options>?)
  throws(BoundaryError) -> ArrowExporter
{
  guard let handle = unsafe object(features, FeaturesHandle.self) else {
    throw .misuse("features is NULL")
  }
  let given = try unsafe readOptions(opt, over: unsafe opk_arrow_options())
  var exporter = ArrowExporter(handle.features)
  exporter.head = handle.head
  let flags = unsafe Int(given.flags)
  guard flags & ~(OPK_ARROW_WITHOUT_TAGS | OPK_ARROW_METADATA) == 0 else {
    throw .misuse("there are no flags \(flags)")
  }
  exporter.options.hasTags = flags & OPK_ARROW_WITHOUT_TAGS == 0
  exporter.options.hasMetadata = flags & OPK_ARROW_METADATA != 0
  exporter.options.tagColumns = try unsafe texts(given.columns, given.column_count, "columns")
  let batchSize = unsafe given.batch_size
  guard batchSize >= 0 else { throw .misuse("batch_size is out of range") }
  if batchSize > 0 { exporter.options.batchSize = batchSize }
  return exporter
}

@_cdecl("opk_features_arrow") @implementation
public func opk_features_arrow(
  _ features: OpaquePointer!, _ opt: UnsafePointer<opk_arrow_options>!,
  _ out: UnsafeMutablePointer<ArrowArrayStream>!, _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe boundary(err) { () throws(BoundaryError) in
    guard let out = unsafe out else { throw .misuse("out is NULL") }
    unsafe out.initialize(to: ArrowArrayStream())
    let exporter = try unsafe exporter(features, opt)
    do throws(ArrowError) {
      try unsafe exporter.export(to: UnsafeMutableRawPointer(out), keeping: LiveStream())
    } catch {
      throw .misuse(error.message)
    }
  }
}

/// The arrays of a set, at fixed places in memory.
final class ArraysHandle: Sendable {
  let arrays: FeatureArrays
  let dataset: Dataset
  /// With 0 for unknown numbers, as everywhere in the C interface.
  let ids: Column<Int64>
  let coordinates: Column<Double>
  let hasCoordinates: Bool

  init(_ features: FeatureSet, hasCoordinates: Bool) {
    self.hasCoordinates = hasCoordinates
    dataset = features.dataset
    arrays = features.arrays(withPositions: hasCoordinates)
    var ids = Column<Int64>()
    ids.reserve(arrays.count)
    for place in 0..<arrays.count {
      let number = arrays.ids[place]
      ids.append(number == ElementID.unknownNumber ? 0 : number)
    }
    self.ids = ids
    var coordinates = Column<Double>()
    coordinates.reserve(2 * arrays.positions.count)
    for place in 0..<arrays.positions.count {
      let position = arrays.positions[place]
      coordinates.append(position.longitude)
      coordinates.append(position.latitude)
    }
    self.coordinates = coordinates
  }
}

@_cdecl("opk_features_arrays") @implementation
public func opk_features_arrays(
  _ features: OpaquePointer!, _ flags: UInt32, _ out: UnsafeMutablePointer<OpaquePointer?>!,
  _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe boundary(err) { () throws(BoundaryError) in
    guard let out = unsafe out else { throw .misuse("out is NULL") }
    unsafe out.pointee = nil
    guard let set = unsafe object(features, FeaturesHandle.self)?.features else {
      throw .misuse("features is NULL")
    }
    guard Int(flags) & ~OPK_ARRAYS_COORDINATES == 0 else {
      throw .misuse("there are no flags \(flags)")
    }
    let hasCoordinates = Int(flags) & OPK_ARRAYS_COORDINATES != 0
    unsafe out.pointee = unsafe makeHandle(ArraysHandle(set, hasCoordinates: hasCoordinates))
  }
}

@_cdecl("opk_arrays_get") @implementation
public func opk_arrays_get(
  _ arrays: OpaquePointer!, _ out: UnsafeMutablePointer<opk_feature_arrays>!
) -> opk_status {
  guard let handle = unsafe object(arrays, ArraysHandle.self), let out = unsafe out else {
    return opk_status(OPK_ERR_MISUSE)
  }
  var result = unsafe opk_feature_arrays()
  unsafe result.count = handle.arrays.count
  unsafe result.indices = handle.arrays.indices.buffer.baseAddress
  unsafe result.ids = handle.ids.buffer.baseAddress
  unsafe result.types = handle.arrays.types.buffer.baseAddress
  unsafe result.kinds = handle.arrays.kinds.buffer.baseAddress
  unsafe result.tag_ends = handle.arrays.tagEnds.buffer.baseAddress
  unsafe result.tags = rebound(handle.arrays.tags.buffer.baseAddress)
  if handle.hasCoordinates {
    unsafe result.position_ends = handle.arrays.positionEnds.buffer.baseAddress
    unsafe result.coordinates = handle.coordinates.buffer.baseAddress
    unsafe result.part_ends = handle.arrays.partEnds.buffer.baseAddress
    unsafe result.feature_part_ends = handle.arrays.featurePartEnds.buffer.baseAddress
    unsafe result.polygon_ends = handle.arrays.polygonEnds.buffer.baseAddress
    unsafe result.feature_polygon_ends = handle.arrays.featurePolygonEnds.buffer.baseAddress
  }
  unsafe result.text_count = handle.dataset.strings.count
  unsafe result.text_starts = handle.dataset.strings.startOffsets.baseAddress
  unsafe result.texts = handle.dataset.strings.arenaBytes.baseAddress
  unsafe writeStruct(result, to: out)
  return opk_status(OPK_OK)
}

@_cdecl("opk_arrays_free") @implementation
public func opk_arrays_free(_ arrays: OpaquePointer!) {
  unsafe freeHandle(arrays, ArraysHandle.self)
}
