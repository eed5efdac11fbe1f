// A transport without a network, and a clock without sleep.

import OSMModel
import Synchronization

@testable import OverpassClient

/// Answers requests from a script, and keeps what was asked.
final class FakeServer: Sendable {
  struct Reply: Sendable {
    var status = 200
    var headers: [HTTPHeader] = []
    var body: [UInt8] = []
    /// How many bytes come at a time.
    var portion = 1 << 16
    /// How long each of them takes.
    var portionSeconds = 0.0
    /// What breaks after the body.
    var failure: TransportError?
    /// How long the server works.
    var seconds = 0.0

    static func answer(_ text: String, type: String = "application/json") -> Reply {
      Reply(headers: [HTTPHeader("Content-Type", type)], body: Array(text.utf8))
    }

    static func page(_ status: Int, _ text: String = "", headers: [HTTPHeader] = []) -> Reply {
      Reply(
        status: status, headers: [HTTPHeader("Content-Type", "text/html")] + headers,
        body: Array(text.utf8))
    }

    static func failure(_ kind: TransportError.Kind, after text: String? = nil) -> Reply {
      var reply = text.map { answer($0) } ?? Reply(status: 0)
      reply.failure = TransportError(kind, "broken on purpose")
      return reply
    }
  }

  private struct State {
    var replies: [String: [Reply]] = [:]
    var requests: [HTTPRequest] = []
    var now = 1000.0
    var waits: [Double] = []
    var active = 0
    var mostActive = 0
  }

  private let state = Mutex(State())
  /// Runs before each reply, such as to cancel.
  let beforeReply: @Sendable (HTTPRequest) -> Void

  init(beforeReply: @escaping @Sendable (HTTPRequest) -> Void = { _ in }) {
    self.beforeReply = beforeReply
  }

  /// Adds replies for requests whose URL ends so. The last one is repeated.
  func script(_ ending: String, _ replies: [Reply]) {
    state.withLock { $0.replies[ending, default: []] += replies }
  }

  var requests: [HTTPRequest] { state.withLock { $0.requests } }
  var urls: [String] { requests.map(\.url) }
  /// All waits, each as a whole.
  var waits: [Double] { state.withLock { $0.waits } }
  var now: Double { state.withLock { $0.now } }
  var mostActive: Int { state.withLock { $0.mostActive } }

  func pass(_ seconds: Double) { state.withLock { $0.now += seconds } }

  var transport: HTTPTransport {
    HTTPTransport { request, receiver throws(TransportError) in
      try self.perform(request, receiver)
    }
  }

  /// 2001-09-09T01:46:40Z at the start of each test.
  var clock: ClientClock {
    ClientClock(
      now: { self.now }, unixTime: { 1_000_000_000 - 1000 + self.now },
      wait: { seconds, cancellation in
        guard !cancellation.isCancelled else { return }
        self.state.withLock { state in
          state.now += seconds
          state.waits.append(seconds)
        }
      })
  }

  private func perform(_ request: HTTPRequest, _ receiver: HTTPReceiver) throws(TransportError) {
    let reply = state.withLock { state -> Reply? in
      state.requests.append(request)
      state.active += 1
      state.mostActive = max(state.mostActive, state.active)
      let ending = state.replies.keys.filter { request.url.hasSuffix($0) }.max {
        $0.count < $1.count
      }
      guard let ending, let first = state.replies[ending]?.first else { return nil }
      if (state.replies[ending]?.count ?? 0) > 1 { state.replies[ending]?.removeFirst() }
      return first
    }
    defer { state.withLock { $0.active -= 1 } }
    beforeReply(request)
    guard let reply else { throw TransportError(.connect, "nothing answers at \(request.url)") }
    state.withLock { $0.now += reply.seconds }
    guard receiver.wait() else { return }
    if reply.status > 0 {
      guard receiver.receive(head: HTTPHead(status: reply.status, headers: reply.headers)) else {
        return
      }
      var rest = reply.body[...]
      while !rest.isEmpty {
        let portion = Array(rest.prefix(reply.portion))
        rest = rest.dropFirst(reply.portion)
        pass(reply.portionSeconds)
        guard portion.withUnsafeBufferPointer({ receiver.receive($0) }) else { return }
      }
    }
    if let failure = reply.failure { throw failure }
  }

  /// A client that asks this server, at once and without jitter.
  func client(
    _ endpoints: [String] = ["https://a.example/api/interpreter"],
    change: (inout OverpassClient.Configuration) -> Void = { _ in }
  ) throws -> OverpassClient {
    var configuration = OverpassClient.Configuration(
      application: try Application("test/1.0 (me@example.org)"),
      endpoints: try endpoints.map { try Endpoint($0) }, transport: transport)
    configuration.clock = clock
    configuration.turns = HostTurns()
    configuration.random = { 0 }
    change(&configuration)
    return try OverpassClient(configuration)
  }
}

let emptyAnswer = #"{"version":0.6,"osm3s":{},"elements":[]}"#
let oneNode =
  #"{"version":0.6,"osm3s":{"timestamp_osm_base":"2024-05-01T00:00:00Z"},"elements":["#
  + #"{"type":"node","id":1,"lat":1.0,"lon":2.0}]}"#
let rateLimited = """
  <html><body><p><strong style="color:#FF0000">Error</strong>: runtime error: open64: 0 Success \
  /osm3s_osm_base Dispatcher_Client::request_read_and_idx::rate_limited. Please check /api/status \
  for the quota of your IP address. </p></body></html>
  """
let someQuery = "[out:json];node(1);out;"
