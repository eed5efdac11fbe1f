// Exports: the status page of a server.

import COverpassKit
import OverpassKit

/// A status page, with the texts C borrows from it.
final class SlotsHandle: Sendable {
  let status: ServerStatus
  let announcedEndpoint: StableText?
  let waiting: [StableText]
  let running: [StableText]

  init(_ status: ServerStatus) {
    self.status = status
    announcedEndpoint = status.announcedEndpoint.map(StableText.init)
    waiting = status.waiting.map { StableText($0.time) }
    running = status.running.map { StableText($0.start) }
  }
}

@_cdecl("opk_slots_parse") @implementation
public func opk_slots_parse(
  _ page: UnsafePointer<CChar>!, _ len: Int, _ out: UnsafeMutablePointer<OpaquePointer?>!,
  _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe boundary(err) { () throws(BoundaryError) in
    guard let out = unsafe out else { throw .misuse("out is NULL") }
    unsafe out.pointee = nil
    let page = unsafe String(decoding: try bytes(page, len), as: UTF8.self)
    do throws(DecodeError) {
      unsafe out.pointee = unsafe makeHandle(SlotsHandle(try ServerStatus(page)))
    } catch {
      throw BoundaryError(error)
    }
  }
}

@_cdecl("opk_slots_get") @implementation
public func opk_slots_get(_ slots: OpaquePointer!, _ out: UnsafeMutablePointer<opk_slots_info>!)
  -> opk_status
{
  guard let handle = unsafe object(slots, SlotsHandle.self), let out = unsafe out else {
    return opk_status(OPK_ERR_MISUSE)
  }
  let status = handle.status
  var result = unsafe opk_slots_info()
  unsafe result.rate_limit = status.rateLimit.map { Int64($0) } ?? -1
  unsafe result.free_slots = status.freeSlots.map { Int64($0) } ?? -1
  unsafe result.wait_seconds = status.waitSeconds.map { Int64($0) } ?? -1
  unsafe result.waiting_count = status.waiting.count
  unsafe result.running_count = status.running.count
  unsafe result.announced_endpoint = unsafe handle.announcedEndpoint?.borrowed ?? noText
  unsafe writeStruct(result, to: out)
  return opk_status(OPK_OK)
}

@_cdecl("opk_slots_waiting") @implementation
public func opk_slots_waiting(
  _ slots: OpaquePointer!, _ index: Int, _ time: UnsafeMutablePointer<opk_str>!,
  _ seconds: UnsafeMutablePointer<Int64>!
) -> opk_status {
  unsafe time?.pointee = unsafe noText
  guard let handle = unsafe object(slots, SlotsHandle.self), handle.waiting.indices.contains(index)
  else {
    return opk_status(OPK_ERR_MISUSE)
  }
  unsafe time?.pointee = unsafe handle.waiting[index].borrowed
  unsafe seconds?.pointee = Int64(handle.status.waiting[index].seconds)
  return opk_status(OPK_OK)
}

@_cdecl("opk_slots_running") @implementation
public func opk_slots_running(
  _ slots: OpaquePointer!, _ index: Int, _ start: UnsafeMutablePointer<opk_str>!
) -> opk_status {
  unsafe start?.pointee = unsafe noText
  guard let handle = unsafe object(slots, SlotsHandle.self), handle.running.indices.contains(index)
  else {
    return opk_status(OPK_ERR_MISUSE)
  }
  unsafe start?.pointee = unsafe handle.running[index].borrowed
  return opk_status(OPK_OK)
}

@_cdecl("opk_slots_free") @implementation
public func opk_slots_free(_ slots: OpaquePointer!) { unsafe freeHandle(slots, SlotsHandle.self) }
