// Asking servers: whatever a server replies, in whatever portions, there is an answer or an error, after
// no more requests than are allowed; whatever the text, there is an endpoint, an application, a tile
// query or an error.

import FuzzSupport
import OverpassKit
import Synchronization

/// A server that says the parts of the input one after the other, on a clock that does not sleep.
private final class Server: Sendable {
  private struct State {
    var replies: [[UInt8]]
    var requests = 0
    var now = 0.0
  }

  private let state: Mutex<State>

  init(_ replies: [[UInt8]]) { state = Mutex(State(replies: replies)) }

  var requests: Int { state.withLock { $0.requests } }

  var clock: ClientClock {
    ClientClock(
      now: { self.state.withLock { $0.now } }, unixTime: { 1.7e9 + self.state.withLock { $0.now } },
      wait: { seconds, _ in
        require(seconds > 0 && seconds <= 1, "a wait of \(seconds) s at once")
        self.state.withLock { $0.now += seconds }
      })
  }

  func reply(_ receiver: HTTPReceiver) throws(TransportError) {
    let bytes = state.withLock { state -> [UInt8] in
      state.requests += 1
      return state.replies.isEmpty ? [] : state.replies.removeFirst()
    }
    var input = bytes.withUnsafeBufferPointer { ByteReader($0) }
    let choice = input.byte()
    let size = Int(input.byte()) + 1
    let statuses = [200, 200, 200, 429, 504, 302, 400, 500, 406, 0, 201, -1]
    let status = statuses[Int(choice) % statuses.count]
    // Lines in front of an empty one are headers.
    let text = Array(bytes.dropFirst(2))
    let end = text.indices.first { text[$0...].starts(with: [10, 10]) } ?? -2
    let lines = text.prefix(max(end, 0)).split(separator: 10)
    let headers = lines.compactMap { line -> HTTPHeader? in
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
      return HTTPHeader(
        String(decoding: line[..<colon], as: UTF8.self),
        String(decoding: line[(colon + 1)...], as: UTF8.self))
    }
    guard receiver.receive(head: HTTPHead(status: status, headers: headers)) else { return }
    var rest = text.dropFirst(end + 2)
    while !rest.isEmpty {
      let portion = Array(rest.prefix(size))
      rest = rest.dropFirst(size)
      guard portion.withUnsafeBufferPointer({ receiver.receive($0) }) else { return }
    }
    if choice >= 0xC0 { throw TransportError(.interrupted, "broken on purpose") }
  }
}

private func fetch(_ replies: [[UInt8]], _ choice: UInt8) {
  let server = Server(replies)
  do {
    var configuration = OverpassClient.Configuration(
      application: try Application("fuzz/1.0"), endpoints: [try Endpoint("http://a.example")],
      transport: HTTPTransport { _, receiver throws(TransportError) in try server.reply(receiver) })
    configuration.retry.maximumAttempts = 3
    configuration.clock = server.clock
    configuration.turns = HostTurns()
    let client = try OverpassClient(configuration)
    let request = QueryRequest(unchecked: "a query")
    var options = DecodeOptions()
    options.maximumBytes = 1 << 20
    options.allowTruncated = choice & 2 != 0
    do throws(FetchError) {
      if choice & 1 == 0 {
        let response = try client.fetch(request, options: options).response
        walk(response)
        require(
          options.allowTruncated || response.completeness != .partial, "half is taken for all")
      } else {
        _ = try client.fetchBytes(request, options: options)
      }
    } catch {
      require(!error.failure.text.isEmpty, "an error without words")
      if let partial = error.partial { walk(partial) }
    }
    // Each attempt may be redirected five times, and followed by a look at the slots.
    require(server.requests <= 3 * 7, "\(server.requests) requests")
  } catch {
    require(false, "\(error)")
  }
}

private func readTexts(_ text: String) {
  if let endpoint = try? Endpoint(text) {
    require((try? Endpoint(endpoint.url))?.url == endpoint.url, "\(endpoint.url) is not stable")
  }
  if let application = try? Application(text) {
    require(
      application.name.utf8.allSatisfy { $0 >= 0x20 }, "an application with control characters")
  }
}

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var input = ByteReader(UnsafeBufferPointer(start: start, count: count))
  let choice = input.byte()
  let bytes = input.bytes()
  // Record separators stand between replies.
  let replies = bytes.split(separator: 0x1E, omittingEmptySubsequences: false).map { Array($0) }
  fetch(replies, choice)
  readTexts(String(decoding: bytes.prefix(300), as: UTF8.self))
  return 0
}
