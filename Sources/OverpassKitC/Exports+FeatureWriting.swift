// Exports: features in all formats, into memory, files, descriptors and functions of the caller.

import COverpassKit
import OverpassKit

private func writer(
  _ features: OpaquePointer?, _ opt: UnsafePointer<opk_features_write_options>?
) throws(BoundaryError) -> FeatureWriter {
  guard let handle = unsafe object(features, FeaturesHandle.self) else {
    throw .misuse("features is NULL")
  }
  var defaults = unsafe opk_features_write_options()
  unsafe defaults.format = UInt32(OPK_FORMAT_GEOJSON)
  let given = try unsafe readOptions(opt, over: defaults)
  guard let rawFormat = unsafe UInt8(exactly: given.format),
    let format = FeatureFormat(rawValue: rawFormat)
  else { throw .misuse(unsafe "there is no format of features \(given.format)") }
  guard let rawLayout = unsafe UInt8(exactly: given.properties),
    let layout = PropertyLayout(rawValue: rawLayout)
  else { throw .misuse(unsafe "there is no layout of properties \(given.properties)") }
  let flags = unsafe Int(given.flags)
  let known = OPK_WRITE_ROUTES | OPK_WRITE_NO_HEADINGS | OPK_WRITE_KEEP_FORMULAS
  guard flags & ~known == 0 else { throw .misuse("unknown flags for writing") }
  var writer = FeatureWriter(handle.features, format: format)
  writer.head = handle.head
  writer.layout = layout
  writer.linesAreRoutes = flags & OPK_WRITE_ROUTES != 0
  writer.omitsHeadings = flags & OPK_WRITE_NO_HEADINGS != 0
  writer.keepsFormulas = flags & OPK_WRITE_KEEP_FORMULAS != 0
  if unsafe given.columns != nil || given.column_count > 0 {
    let headings = try unsafe texts(given.columns, given.column_count, "columns")
    do throws(TableLayoutError) {
      writer.table = try TableLayout(headings)
    } catch {
      throw .misuse(error.message)
    }
  }
  return writer
}

/// Hands bytes to a function of C.
@safe private struct CallSink: ByteSink {
  let function: (UnsafeBufferPointer<UInt8>) -> Int32

  mutating func write(_ bytes: UnsafeBufferPointer<UInt8>) throws(WriteError) {
    guard !bytes.isEmpty else { return }
    let answer = unsafe function(bytes)
    guard answer == 0 else {
      throw WriteError(.write, "the caller's function did not take the bytes (\(answer))")
    }
  }
}

@_cdecl("opk_features_write") @implementation
public func opk_features_write(
  _ features: OpaquePointer!, _ opt: UnsafePointer<opk_features_write_options>!,
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

@_cdecl("opk_features_write_file") @implementation
public func opk_features_write_file(
  _ features: OpaquePointer!, _ opt: UnsafePointer<opk_features_write_options>!,
  _ path: UnsafePointer<CChar>!, _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe boundary(err) { () throws(BoundaryError) in
    guard let path = unsafe path else { throw .misuse("path is NULL") }
    let writer = try unsafe writer(features, opt)
    do throws(WriteError) {
      try unsafe withReplacedFile(String(cString: path)) { sink throws(WriteError) in
        try writer.write(to: &sink)
      }
    } catch {
      throw BoundaryError(error)
    }
  }
}

@_cdecl("opk_features_write_fd") @implementation
public func opk_features_write_fd(
  _ features: OpaquePointer!, _ opt: UnsafePointer<opk_features_write_options>!, _ fd: Int32,
  _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe boundary(err) { () throws(BoundaryError) in
    let writer = try unsafe writer(features, opt)
    var sink = DescriptorSink(fd, name: "file descriptor \(fd)")
    do throws(WriteError) { try writer.write(to: &sink) } catch { throw BoundaryError(error) }
  }
}

@_cdecl("opk_features_write_call") @implementation
public func opk_features_write_call(
  _ features: OpaquePointer!, _ opt: UnsafePointer<opk_features_write_options>!,
  _ write: opk_write_fn!, _ context: UnsafeMutableRawPointer!,
  _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe boundary(err) { () throws(BoundaryError) in
    guard let write = unsafe write else { throw .misuse("write is NULL") }
    let writer = try unsafe writer(features, opt)
    var sink = unsafe CallSink { unsafe write(context, $0.baseAddress, $0.count) }
    do throws(WriteError) { try writer.write(to: &sink) } catch { throw BoundaryError(error) }
  }
}
