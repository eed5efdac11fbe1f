// One request after the other over libcurl, and what goes wrong there in the words of transports.

import CTransport
import OSMModel

/// Connections that one request at a time uses.
final class CurlChannel: @unchecked Sendable {
  private let channel: OpaquePointer

  init(libraryName: String?) throws(TransportError) {
    var message = [CChar](repeating: 0, count: 512)
    let library =
      if let libraryName {
        ct_library_open(libraryName, &message, message.count)
      } else {
        ct_library_open(nil, &message, message.count)
      }
    guard let library else { throw TransportError(.unavailable, text(of: message)) }
    guard let channel = ct_channel_new(library) else {
      throw TransportError(.other, "libcurl cannot start: out of memory or of file descriptors")
    }
    self.channel = channel
  }

  deinit { ct_channel_free(channel) }

  /// Makes a request look at its cancellation. Any thread may do so at any time.
  func wake() { ct_channel_wake(channel) }

  /// - Parameter lines: of headers, in libcurl's notation.
  func perform(
    _ request: HTTPRequest, _ lines: [String], _ receiver: HTTPReceiver, certificateFile: String?
  ) throws(TransportError) {
    guard !request.url.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else {
      throw TransportError(.other, "the URL contains spaces or control characters")
    }
    for line in lines {
      guard ct_channel_add_header(channel, line) else {
        throw TransportError(.other, "out of memory")
      }
    }
    let reply = CurlReply(receiver)
    let outcome = send(request, to: reply, certificateFile: certificateFile)
    guard let kind = TransportError.Kind(outcome) else {
      if reply.isHeadTooLong {
        throw TransportError(
          .other,
          "\(request.host): the head of the reply is longer than \(HeadLines.sizeLimit) bytes")
      }
      return
    }
    guard !receiver.cancellation.isCancelled else { return }
    let words = String(cString: ct_channel_words(channel))
    // Ports are words of their own there.
    let isNamed = words.contains(request.host.prefix { $0 != ":" })
    throw TransportError(kind, isNamed ? words : "\(request.host): \(words)")
  }

  private func send(
    _ request: HTTPRequest, to reply: CurlReply, certificateFile: String?
  ) -> ct_outcome {
    var functions = ct_receiver()
    functions.context = Unmanaged.passUnretained(reply).toOpaque()
    functions.take_line = { context, bytes, count in
      CurlReply.of(context)?.take(line: UnsafeBufferPointer(start: bytes, count: count)) ?? false
    }
    functions.take_body = { context, bytes, count in
      CurlReply.of(context)?.take(body: UnsafeBufferPointer(start: bytes, count: count)) ?? false
    }
    functions.tick = { context in CurlReply.of(context)?.receiver.wait() ?? false }
    functions.is_wanted = { context in
      CurlReply.of(context).map { !$0.receiver.cancellation.isCancelled } ?? false
    }
    var form = ct_request()
    form.is_post = request.method == .post
    form.connect_timeout_ms = milliseconds(request.connectTimeoutSeconds)
    form.idle_timeout_seconds = max(request.idleTimeoutSeconds, 0)
    return withExtendedLifetime(reply) {
      request.url.withCString { url in
        request.body.withUnsafeBufferPointer { body in
          form.url = url
          form.body = body.baseAddress
          form.body_len = body.count
          guard let certificateFile else { return ct_channel_perform(channel, &form, &functions) }
          return certificateFile.withCString { path in
            form.certificate_file = path
            return ct_channel_perform(channel, &form, &functions)
          }
        }
      }
    }
  }
}

/// What the functions that libcurl calls work on.
private final class CurlReply {
  let receiver: HTTPReceiver
  private var head = HeadLines()

  init(_ receiver: HTTPReceiver) { self.receiver = receiver }

  static func of(_ context: UnsafeMutableRawPointer?) -> CurlReply? {
    context.map { Unmanaged<CurlReply>.fromOpaque($0).takeUnretainedValue() }
  }

  var isHeadTooLong: Bool { head.isTooLong }

  func take(line: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let complete = head.take(line) else { return !head.isTooLong }
    return receiver.receive(head: complete)
  }

  func take(body: UnsafeBufferPointer<UInt8>) -> Bool { receiver.receive(body) }
}

extension TransportError.Kind {
  /// `nil` where nothing went wrong.
  fileprivate init?(_ outcome: ct_outcome) {
    switch outcome {
    case CT_DONE, CT_ENDED: return nil
    case CT_RESOLVE: self = .resolve
    case CT_CONNECT: self = .connect
    case CT_TLS: self = .tls
    case CT_TIMEOUT: self = .timeout
    case CT_INTERRUPTED: self = .interrupted
    default: self = .other
    }
  }
}

extension HTTPRequest {
  /// The host as the URL names it, for messages.
  fileprivate var host: String {
    guard let colon = url.utf8.firstIndex(of: UInt8(ascii: ":")) else { return url }
    let rest = url.utf8[colon...].drop { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") }
    let authority = rest.prefix { !"/?#".utf8.contains($0) }
    let name =
      authority.lastIndex(of: UInt8(ascii: "@")).map { authority[$0...].dropFirst() } ?? authority
    return String(decoding: name, as: UTF8.self)
  }
}

/// At least one; what is no number counts as the longest time.
private func milliseconds(_ seconds: Double) -> Int32 {
  guard seconds < 2_000_000 else { return 2_000_000_000 }
  return Int32(max(seconds * 1000, 1))
}

private func text(of message: [CChar]) -> String {
  String(decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
