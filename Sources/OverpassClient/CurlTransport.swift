// The usual transport: libcurl, opened when the first request is sent.

import CTransport
import OSMModel

/// How libcurl is used.
public struct CurlOptions: Sendable, Hashable {
  /// The path of a file of certificates (PEM) to trust; `nil` for those that the system trusts.
  public var certificateFile: String?
  /// The name of the library, where the usual ones are not meant.
  @_spi(Testing) public var libraryName: String?

  public init(certificateFile: String? = nil) { self.certificateFile = certificateFile }
}

extension HTTPTransport {
  /// Carries requests by libcurl, with HTTP/2 where the server speaks it over TLS, and proxies from
  /// the environment.
  ///
  /// libcurl is opened by the first request; where there is none, requests fail with
  /// ``TransportError/Kind/unavailable`` and nothing else is affected. Connections are kept for
  /// further requests, and closed with the last copy of the transport. The child of a fork opens
  /// connections of its own; a fork must not happen while another thread starts or ends a request.
  public static func curl(_ options: CurlOptions = CurlOptions()) -> HTTPTransport {
    let pool = CurlPool(options)
    return HTTPTransport { (request, receiver) throws(TransportError) in
      try pool.perform(request, receiver)
    }
  }
}

/// The channels of a transport that no request uses at the moment.
private final class CurlPool: Sendable {
  private struct State {
    var idle: [CurlChannel] = []
    var process = getpid()
  }

  /// More connections to one server than that are not polite, and to several servers rare.
  private static let idleLimit = 8

  private let options: CurlOptions
  private let state = Monitor(State())

  init(_ options: CurlOptions) { self.options = options }

  func perform(_ request: HTTPRequest, _ receiver: HTTPReceiver) throws(TransportError) {
    guard !receiver.cancellation.isCancelled else { return }
    let lines = try headerLines(of: request)
    let channel = try takeChannel()
    defer { giveBack(channel) }
    // The handler keeps the channel, which may have another request already when it is called: that
    // one is interrupted for nothing, and goes on.
    try receiver.cancellation.onCancel({ channel.wake() }) { () throws(TransportError) in
      try channel.perform(request, lines, receiver, certificateFile: options.certificateFile)
    }
  }

  private func takeChannel() throws(TransportError) -> CurlChannel {
    let idle = state.withLock { state -> CurlChannel? in
      let process = getpid()
      if state.process != process {
        // The parent of this process goes on using them.
        state.process = process
        state.idle = []
      }
      return state.idle.popLast()
    }
    if let idle { return idle }
    return try CurlChannel(libraryName: options.libraryName)
  }

  private func giveBack(_ channel: CurlChannel) {
    state.withLock { state in
      guard state.process == getpid(), state.idle.count < Self.idleLimit else { return }
      state.idle.append(channel)
    }
  }
}

/// What libcurl is to send as headers, and what it is not to add by itself.
private func headerLines(of request: HTTPRequest) throws(TransportError) -> [String] {
  var lines: [String] = []
  var names: Set<String> = []
  for header in request.headers {
    let name = header.name.lowercased()
    guard !name.isEmpty, name.utf8.allSatisfy({ isTokenCharacter($0) }) else {
      throw TransportError(.other, "\"\(header.name)\" is no name of a header")
    }
    guard header.value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
      throw TransportError(.other, "the header \(header.name) contains control characters")
    }
    guard name != "content-length", name != "transfer-encoding" else {
      throw TransportError(.other, "the header \(header.name) follows from the body")
    }
    // A colon without a value would take the header away.
    let isEmpty = header.value.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 }
    lines.append(isEmpty ? "\(header.name);" : "\(header.name): \(header.value)")
    names.insert(name)
  }
  for name in ["Accept", "Content-Type", "Expect"] where !names.contains(name.lowercased()) {
    lines.append("\(name):")
  }
  return lines
}

/// Whether names of headers may contain a byte. Source: RFC 9110 §5.6.2.
private func isTokenCharacter(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
  default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
  }
}
