// Exports: responses back into the formats of answers.

import COverpassKit
import OverpassKit

private func writer(_ response: OpaquePointer?, _ opt: UnsafePointer<opk_write_options>?)
  throws(BoundaryError) -> DocumentWriter
{
  guard let handle = unsafe object(response, ResponseHandle.self) else {
    throw .misuse("response is NULL")
  }
  let given = try unsafe readOptions(opt, over: opk_write_options())
  guard let raw = UInt8(exactly: given.format), let format = DocumentFormat(rawValue: raw) else {
    throw .misuse("there is no format \(given.format)")
  }
  let known = UInt32(OPK_WRITE_COMPACT | OPK_WRITE_ALLOW_LOSS)
  guard given.flags & ~known == 0 else { throw .misuse("unknown flags for writing") }
  var writer = DocumentWriter(handle.response.document, format: format)
  writer.isCompact = given.flags & UInt32(OPK_WRITE_COMPACT) != 0
  writer.allowsLoss = given.flags & UInt32(OPK_WRITE_ALLOW_LOSS) != 0
  return writer
}

extension BoundaryError {
  fileprivate init(_ error: DocumentError) {
    switch error {
    case .loss(let loss):
      self.init(OPK_ERR_WRITE_LOSS, loss.message)
      if let element = loss.element, element.number != ElementID.unknownNumber {
        self.element = element
      }
    case .write(let error): self.init(error)
    }
  }
}

@_cdecl("opk_response_write") @implementation
public func opk_response_write(
  _ response: OpaquePointer!, _ opt: UnsafePointer<opk_write_options>!,
  _ out: UnsafeMutablePointer<OpaquePointer?>!, _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe boundary(err) { () throws(BoundaryError) in
    guard let out = unsafe out else { throw .misuse("out is NULL") }
    unsafe out.pointee = nil
    let writer = try unsafe writer(response, opt)
    var sink = MemorySink()
    do throws(DocumentError) { try writer.write(to: &sink) } catch { throw BoundaryError(error) }
    unsafe out.pointee = unsafe makeHandle(BytesHandle(sink.takeBytes()))
  }
}

@_cdecl("opk_response_write_file") @implementation
public func opk_response_write_file(
  _ response: OpaquePointer!, _ opt: UnsafePointer<opk_write_options>!,
  _ path: UnsafePointer<CChar>!, _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe boundary(err) { () throws(BoundaryError) in
    guard let path = unsafe path else { throw .misuse("path is NULL") }
    let writer = try unsafe writer(response, opt)
    do throws(DocumentError) {
      try unsafe writer.write(toFile: String(cString: path))
    } catch {
      throw BoundaryError(error)
    }
  }
}

@_cdecl("opk_response_write_fd") @implementation
public func opk_response_write_fd(
  _ response: OpaquePointer!, _ opt: UnsafePointer<opk_write_options>!, _ fd: Int32,
  _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe boundary(err) { () throws(BoundaryError) in
    let writer = try unsafe writer(response, opt)
    var sink = DescriptorSink(fd, name: "file descriptor \(fd)")
    do throws(DocumentError) { try writer.write(to: &sink) } catch { throw BoundaryError(error) }
  }
}
