// A host's own networking as a transport.

import COverpassKit
import OverpassKit
import Synchronization

/// What C hands a reply to, for as long as the host's function runs.
final class ReplyTaker {
  let receiver: HTTPReceiver
  private(set) var hasHead = false

  init(_ receiver: HTTPReceiver) { self.receiver = receiver }

  func take(_ head: HTTPHead) -> Bool {
    // A reply has one head.
    guard !hasHead else { return false }
    hasHead = true
    return receiver.receive(head: head)
  }

  /// Bytes before a head belong to nothing.
  func take(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard hasHead else { return false }
    return unsafe receiver.receive(bytes)
  }
}

/// The functions of a host, released with the last client that uses them.
@safe final class HostTransport: @unchecked Sendable {
  private let functions: opk_transport
  private let number = Atomic<UInt64>(0)

  /// - Throws: `.misuse` without a function that performs requests.
  init(_ given: UnsafePointer<opk_transport>) throws(BoundaryError) {
    unsafe functions = try unsafe readOptions(given, over: opk_transport())
    guard unsafe functions.perform != nil else {
      throw .misuse("the transport has no function that performs requests")
    }
  }

  deinit {
    if let release = unsafe functions.release { unsafe release(functions.context) }
  }

  var transport: HTTPTransport {
    HTTPTransport { request, receiver throws(TransportError) in
      try self.perform(request, receiver)
    }
  }

  private func perform(_ request: HTTPRequest, _ receiver: HTTPReceiver) throws(TransportError) {
    let number = number.wrappingAdd(1, ordering: .relaxed).newValue
    let taker = ReplyTaker(receiver)
    let texts = RequestTexts(request)
    var error = opk_error()
    error.struct_size = UInt32(MemoryLayout<opk_error>.size)
    let status = receiver.cancellation.onCancel({
      if let interrupt = unsafe self.functions.interrupt {
        unsafe interrupt(self.functions.context, number)
      }
    }) {
      unsafe texts.withRequest(number) { request in
        let reply = unsafe OpaquePointer(Unmanaged.passUnretained(taker).toOpaque())
        guard let perform = unsafe functions.perform else { return opk_status(OPK_ERR_MISUSE) }
        return unsafe perform(functions.context, request, reply, &error)
      }
    }
    withExtendedLifetime(taker) {}
    let message = unsafe withUnsafeBytes(of: &error.message) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    if let error = TransportError(status, message) { throw error }
  }
}

/// A request's texts, which C borrows.
private struct RequestTexts {
  private let request: HTTPRequest
  private let method: StableText
  private let url: StableText
  private let headers: [(name: StableText, value: StableText)]

  init(_ request: HTTPRequest) {
    self.request = request
    method = StableText(request.method.rawValue)
    url = StableText(request.url)
    headers = request.headers.map { (StableText($0.name), StableText($0.value)) }
  }

  func withRequest<Result>(
    _ number: UInt64, _ body: (UnsafePointer<opk_http_request>) -> Result
  ) -> Result {
    let lines = unsafe headers.map {
      unsafe opk_http_header(name: $0.name.borrowed, value: $0.value.borrowed)
    }
    return unsafe lines.withUnsafeBufferPointer { lines in
      unsafe request.body.withUnsafeBufferPointer { bytes in
        var result = unsafe opk_http_request()
        unsafe result.struct_size = UInt32(MemoryLayout<opk_http_request>.size)
        unsafe result.number = number
        unsafe result.method = method.borrowed.ptr
        unsafe result.url = url.borrowed.ptr
        unsafe result.headers = lines.baseAddress
        unsafe result.header_count = lines.count
        unsafe result.body = bytes.baseAddress
        unsafe result.body_size = bytes.count
        unsafe result.connect_timeout_s = request.connectTimeoutSeconds
        unsafe result.idle_timeout_s = request.idleTimeoutSeconds
        return unsafe body(&result)
      }
    }
  }
}

/// Headers from C.
func readHeaders(_ headers: UnsafePointer<opk_http_header>?, _ count: Int) throws(BoundaryError)
  -> [HTTPHeader]
{
  guard count > 0 else { return [] }
  guard let headers = unsafe headers, count <= 10_000 else { throw .misuse("headers is NULL") }
  return unsafe UnsafeBufferPointer(start: headers, count: count).map { line in
    unsafe HTTPHeader(copied(line.name), copied(line.value))
  }
}

private func copied(_ text: opk_str) -> String {
  guard let start = unsafe text.ptr, unsafe text.len > 0 else { return "" }
  return unsafe String(
    decoding: UnsafeRawBufferPointer(start: start, count: text.len), as: UTF8.self)
}

@_cdecl("opk_http_reply_head") @implementation
public func opk_http_reply_head(
  _ reply: OpaquePointer!, _ http_status: Int32, _ headers: UnsafePointer<opk_http_header>!,
  _ count: Int
) -> Int32 {
  guard let taker = unsafe object(reply, ReplyTaker.self) else { return 1 }
  do throws(BoundaryError) {
    let head = unsafe HTTPHead(status: Int(http_status), headers: try readHeaders(headers, count))
    return taker.take(head) ? 0 : 1
  } catch {
    return 1
  }
}

@_cdecl("opk_http_reply_body") @implementation
public func opk_http_reply_body(
  _ reply: OpaquePointer!, _ bytes: UnsafePointer<UInt8>!, _ len: Int
) -> Int32 {
  guard let taker = unsafe object(reply, ReplyTaker.self), len >= 0,
    unsafe bytes != nil || len == 0
  else { return 1 }
  return unsafe taker.take(UnsafeBufferPointer(start: bytes, count: len)) ? 0 : 1
}

@_cdecl("opk_http_reply_wait") @implementation
public func opk_http_reply_wait(_ reply: OpaquePointer!) -> Int32 {
  unsafe object(reply, ReplyTaker.self)?.receiver.wait() == true ? 0 : 1
}
