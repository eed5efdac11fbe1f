// What carries requests to servers: libcurl, a host's own networking, or a test.

/// Why no reply came, or not all of one.
public struct TransportError: Error, Sendable, Hashable {
  public enum Kind: UInt8, Sendable, Hashable, CaseIterable {
    /// There is nothing that could carry requests, such as libcurl.
    case unavailable = 1
    /// The host's name is unknown.
    case resolve = 2
    /// The host does not answer.
    case connect = 3
    /// The connection cannot be made safe: a certificate that is not trusted, for example.
    case tls = 4
    /// Nothing came for too long.
    case timeout = 5
    /// The connection broke, or the reply stopped in the middle.
    case interrupted = 6
    /// Anything else.
    case other = 7
  }

  public var kind: Kind
  public var message: String

  public init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  /// Whether the same request may well succeed a little later.
  public var isRetryable: Bool {
    switch kind {
    case .unavailable, .tls, .other: false
    case .resolve, .connect, .timeout, .interrupted: true
    }
  }
}

/// Carries requests to servers. It holds no rules: redirects, retries and the meaning of replies are
/// the client's business.
///
/// Several threads may use a transport at once.
public struct HTTPTransport: Sendable {
  /// Sends a request and hands the reply to the receiver as it comes, on the calling thread; returns
  /// when the reply is at its end or the receiver wants no more.
  ///
  /// Bodies are handed over as they came: compressed bodies need not be decompressed, and redirects
  /// are not followed. Work stops at once when ``HTTPReceiver/cancellation`` says so.
  public typealias Perform =
    @Sendable (HTTPRequest, HTTPReceiver) throws(TransportError) -> Void

  let perform: Perform

  public init(perform: @escaping Perform) { self.perform = perform }
}

/// Takes a reply as it comes. It belongs to one request.
public final class HTTPReceiver {
  /// Tells when the caller wants no more; ``Cancellation/onCancel(_:_:)`` interrupts what blocks.
  public let cancellation: Cancellation
  private let takeHead: (HTTPHead) -> Bool
  private let takeBody: (UnsafeBufferPointer<UInt8>) -> Bool
  private let tick: () -> Void

  /// - Parameters:
  ///   - tick: called about once a second while nothing comes.
  ///   - head: called once; false ends the request.
  ///   - body: called for each portion; false ends the request.
  public init(
    cancellation: Cancellation, tick: @escaping () -> Void,
    head: @escaping (HTTPHead) -> Bool, body: @escaping (UnsafeBufferPointer<UInt8>) -> Bool
  ) {
    self.cancellation = cancellation
    self.tick = tick
    takeHead = head
    takeBody = body
  }

  /// Takes the head of the final reply (not of `100 Continue` and the like).
  /// - Returns: false when the request is to end here.
  public func receive(head: HTTPHead) -> Bool { !cancellation.isCancelled && takeHead(head) }

  /// Takes the next bytes of the body, borrowed for the call.
  /// - Returns: false when the request is to end here.
  public func receive(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    !cancellation.isCancelled && takeBody(bytes)
  }

  /// To be called about once a second while nothing comes.
  /// - Returns: false when the request is to end here.
  public func wait() -> Bool {
    tick()
    return !cancellation.isCancelled
  }
}
