// Exports: GeoJSON into memory and into files.

import COverpassKit
import OverpassKit

private func writer(_ features: OpaquePointer?, _ opt: UnsafePointer<opk_geojson_options>?)
  throws(BoundaryError) -> GeoJSONWriter
{
  guard let handle = unsafe object(features, FeaturesHandle.self) else {
    throw .misuse("features is NULL")
  }
  let given = try unsafe readOptions(opt, over: opk_geojson_options())
  guard let raw = UInt8(exactly: given.properties), let layout = PropertyLayout(rawValue: raw)
  else { throw .misuse("there is no layout of properties \(given.properties)") }
  var writer = GeoJSONWriter(handle.features, layout: layout)
  writer.head = handle.head
  return writer
}

extension BoundaryError {
  init(_ error: WriteError) {
    switch error.kind {
    case .open: self.init(OPK_ERR_FILE_OPEN, error.message)
    case .write: self.init(OPK_ERR_FILE_WRITE, error.message)
    }
  }
}

@_cdecl("opk_features_write_geojson") @implementation
public func opk_features_write_geojson(
  _ features: OpaquePointer!, _ opt: UnsafePointer<opk_geojson_options>!,
  _ out: UnsafeMutablePointer<OpaquePointer?>!, _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe boundary(err) { () throws(BoundaryError) in
    guard let out = unsafe out else { throw .misuse("out is NULL") }
    unsafe out.pointee = nil
    let writer = try unsafe writer(features, opt)
    var sink = MemorySink()
    do throws(WriteError) { try writer.write(to: &sink) } catch { throw BoundaryError(error) }
    unsafe out.pointee = unsafe makeHandle(BytesHandle(sink.takeBytes()))
  }
}

@_cdecl("opk_features_write_geojson_file") @implementation
public func opk_features_write_geojson_file(
  _ features: OpaquePointer!, _ opt: UnsafePointer<opk_geojson_options>!,
  _ path: UnsafePointer<CChar>!, _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe boundary(err) { () throws(BoundaryError) in
    guard let path = unsafe path else { throw .misuse("path is NULL") }
    let writer = try unsafe writer(features, opt)
    do throws(WriteError) {
      try unsafe withFileSink(String(cString: path)) { sink throws(WriteError) in
        try writer.write(to: &sink)
      }
    } catch {
      throw BoundaryError(error)
    }
  }
}

@_cdecl("opk_features_feature_geojson") @implementation
public func opk_features_feature_geojson(
  _ features: OpaquePointer!, _ index: Int, _ opt: UnsafePointer<opk_geojson_options>!,
  _ out: UnsafeMutablePointer<OpaquePointer?>!, _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe boundary(err) { () throws(BoundaryError) in
    guard let out = unsafe out else { throw .misuse("out is NULL") }
    unsafe out.pointee = nil
    let writer = try unsafe writer(features, opt)
    guard index >= 0, index < writer.features.count else {
      throw .misuse("there is no feature \(index)")
    }
    unsafe out.pointee = unsafe makeHandle(BytesHandle(writer.feature(index)))
  }
}
