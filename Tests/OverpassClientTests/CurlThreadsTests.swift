import OSMModel
import OverpassTestSupport
import Synchronization
import Testing

@testable import OverpassClient

/// Connections that are kept, many threads, and giving up from another thread.
@Suite struct CurlThreadsTests {
  private let transport = HTTPTransport.curl()

  init() { noProxy }

  /// Answers requests on a connection until the client closes it.
  private static let answering: @Sendable (LoopbackConnection) -> Void = { connection in
    while let request = connection.readRequest() {
      let body = request.body
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n")
      connection.send(body)
    }
  }

  @Test func keepsConnections() throws {
    try LoopbackServer.serve(Self.answering) { server in
      for number in 0..<5 {
        let body = Array("\(number)".utf8)
        let exchange = Exchange(transport, HTTPRequest(.post, server.url(), body: body))
        #expect(exchange.body == body)
      }
      #expect(server.connectionCount == 1)
    }
  }

  /// What one request was told about its connection is nothing that the next one does.
  @Test func goesOnAfterErrors() throws {
    let count = Atomic<Int>(0)
    try LoopbackServer.serve { connection in
      guard connection.readRequest() != nil else { return }
      if count.add(1, ordering: .relaxed).newValue == 1 {
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf")
      } else {
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfull")
      }
    } _: { server in
      let first = Exchange(
        transport, HTTPRequest(.post, server.url(), headers: [HTTPHeader("X", "y")], body: [1]))
      #expect(first.error?.kind == .interrupted)
      let second = Exchange(transport, HTTPRequest(.get, server.url()))
      #expect(second.error == nil)
      #expect(second.body == Array("full".utf8))
    }
  }

  /// A server may close a connection while nobody uses it.
  @Test func reopensClosedConnections() throws {
    try LoopbackServer.serve { connection in
      guard connection.readRequest() != nil else { return }
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    } _: { server in
      for _ in 0..<3 {
        #expect(Exchange(transport, HTTPRequest(.post, server.url(), body: [1])).error == nil)
      }
      #expect(server.connectionCount == 3)
    }
  }

  @Test func servesManyThreadsAtOnce() throws {
    let rounds = 20
    let wrong = Atomic<Int>(0)
    try LoopbackServer.serve(Self.answering) { server in
      let threads = (0..<16).map { thread in
        WorkerThread { [transport, url = server.url()] in
          for round in 0..<rounds {
            let body = Array(String(repeating: "\(thread) \(round);", count: 1000).utf8)
            let exchange = Exchange(transport, HTTPRequest(.post, url, body: body))
            if exchange.body != body || exchange.error != nil {
              wrong.add(1, ordering: .relaxed)
            }
          }
        }
      }
      for thread in threads { thread?.join() }
      #expect(threads.allSatisfy { $0 != nil })
      #expect(wrong.load(ordering: .relaxed) == 0)
      #expect(server.connectionCount <= 16 * rounds)
    }
  }

  @Test func aReceiverMayEndARequest() throws {
    try LoopbackServer.serve { connection in
      guard connection.readRequest() != nil else { return }
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 4294967296\r\n\r\n")
      let portion = [UInt8](repeating: 0x20, count: 65_536)
      while connection.send(portion) {}
    } _: { server in
      let request = HTTPRequest(.get, server.url())
      let atHead = Exchange(transport, request, head: { false })
      #expect(atHead.error == nil)
      #expect(atHead.heads.first?.contentLength == 4_294_967_296)
      #expect(atHead.body == [])
      let inBody = Exchange(transport, request, body: { $0 < 100_000 })
      #expect(inBody.error == nil)
      #expect(inBody.body.count >= 100_000)
      #expect(inBody.body.count < 1_000_000)
    }
  }

  @Test func cancellationEndsWaitingForTheHead() throws {
    let isWaiting = Cancellation()
    let cancellation = Cancellation()
    let exchange = try LoopbackServer.serve { connection in
      guard connection.readRequest() != nil else { return }
      isWaiting.cancel()
      connection.waitForEnd()
    } _: { server in
      let canceller = WorkerThread {
        isWaiting.wait(seconds: 20)
        cancellation.cancel()
      }
      defer { canceller?.join() }
      return Exchange(transport, HTTPRequest(.get, server.url()), cancellation: cancellation)
    }
    #expect(cancellation.isCancelled)
    #expect(exchange.error == nil)
    #expect(exchange.heads == [])
  }

  @Test func cancellationEndsABody() throws {
    let isWaiting = Cancellation()
    let cancellation = Cancellation()
    let exchange = try LoopbackServer.serve { connection in
      guard connection.readRequest() != nil else { return }
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf")
      connection.waitForEnd()
    } _: { server in
      let canceller = WorkerThread {
        isWaiting.wait(seconds: 20)
        cancellation.cancel()
      }
      defer { canceller?.join() }
      return Exchange(
        transport, HTTPRequest(.get, server.url()), cancellation: cancellation,
        body: { count in
          if count == 4 { isWaiting.cancel() }
          return true
        })
    }
    #expect(cancellation.isCancelled)
    #expect(exchange.error == nil)
    #expect(exchange.body == Array("half".utf8))
  }

  /// What came in one piece with what led to the cancellation is not handed over either.
  @Test func nothingComesAfterACancellation() throws {
    let cancellation = Cancellation()
    let exchange = try LoopbackServer.serve { connection in
      guard connection.readRequest() != nil else { return }
      connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
      connection.send(String(repeating: "1\r\nx\r\n", count: 1000) + "0\r\n\r\n")
    } _: { server in
      Exchange(
        transport, HTTPRequest(.get, server.url()), cancellation: cancellation,
        body: { _ in
          cancellation.cancel()
          return true
        })
    }
    #expect(exchange.error == nil)
    #expect(exchange.body == Array("x".utf8))
  }

  @Test func whatIsCancelledDoesNotStart() throws {
    let cancellation = Cancellation()
    cancellation.cancel()
    try LoopbackServer.serve(Self.answering) { server in
      let exchange = Exchange(
        transport, HTTPRequest(.get, server.url()), cancellation: cancellation)
      #expect(exchange.error == nil)
      #expect(exchange.heads == [])
      #expect(server.connectionCount == 0)
    }
  }
}
