import OverpassTestSupport
import Testing

@testable @_spi(Testing) import OverpassClient

/// Replies as they come over a real connection. Proxies that the environment names are not asked.
@Suite struct CurlTransportTests {
  private let transport = HTTPTransport.curl()

  init() { noProxy }

  /// Answers one request with the same bytes, then closes the connection.
  private func exchange(_ reply: String, idleTimeoutSeconds: Double = 20) throws -> Exchange {
    try LoopbackServer.serve { connection in
      guard connection.readRequest() != nil else { return }
      connection.send(reply)
    } _: { server in
      Exchange(
        transport, HTTPRequest(.get, server.url(), idleTimeoutSeconds: idleTimeoutSeconds))
    }
  }

  @Test func sendsPostsByteForByte() throws {
    let body = Array("data=%5Bout%3Ajson%5D%3B\0\r\n".utf8)
    try LoopbackServer.serve { connection in
      guard connection.readRequest() != nil else { return }
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
    } _: { server in
      let exchange = Exchange(
        transport,
        HTTPRequest(
          .post, server.url("/api/interpreter?x=1"),
          headers: [
            HTTPHeader("User-Agent", "test/1.0 (a@example.org)"),
            HTTPHeader("Content-Type", "application/x-www-form-urlencoded"),
            HTTPHeader("Accept-Encoding", "gzip"), HTTPHeader("X-Empty", ""),
          ],
          body: body))
      #expect(exchange.error == nil)
      #expect(exchange.body == Array("ok".utf8))
      let request = try #require(server.requests.first)
      #expect(request.line == "POST /api/interpreter?x=1 HTTP/1.1")
      #expect(
        request.headers.sorted() == [
          "Accept-Encoding: gzip", "Content-Length: \(body.count)",
          "Content-Type: application/x-www-form-urlencoded", "Host: 127.0.0.1:\(server.port)",
          "User-Agent: test/1.0 (a@example.org)", "X-Empty:",
        ])
      #expect(request.body == body)
    }
  }

  /// More than the buffers of a connection hold, so that sending needs several turns.
  @Test(arguments: [0, 5_000_000]) func sendsBodiesOfAnyLength(_ length: Int) throws {
    try LoopbackServer.serve { connection in
      guard connection.readRequest() != nil else { return }
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    } _: { server in
      let body = [UInt8](repeating: 7, count: length)
      let exchange = Exchange(transport, HTTPRequest(.post, server.url(), body: body))
      #expect(exchange.error == nil)
      #expect(exchange.heads.first?.status == 200)
      #expect(server.requests.map(\.body.count) == [length])
    }
  }

  @Test func getsWithoutABody() throws {
    try LoopbackServer.serve { connection in
      guard connection.readRequest() != nil else { return }
      connection.send("HTTP/1.1 204 No Content\r\n\r\n")
    } _: { server in
      let exchange = Exchange(
        transport, HTTPRequest(.get, server.url("/api/status"), body: Array("ignored".utf8)))
      #expect(exchange.heads.map(\.status) == [204])
      let request = try #require(server.requests.first)
      #expect(request.line == "GET /api/status HTTP/1.1")
      #expect(request.headers == ["Host: 127.0.0.1:\(server.port)"])
      #expect(request.body == [])
    }
  }

  @Test func takesHeads() throws {
    let exchange = try exchange(
      "HTTP/1.1 429 Too Many Requests\r\nRetry-After:  30 \r\nX-Twice: a\r\nx-twice: b:c\r\n"
        + "Content-Length: 0\r\n\r\n")
    #expect(
      exchange.heads == [
        HTTPHead(
          status: 429,
          headers: [
            HTTPHeader("Retry-After", "30"), HTTPHeader("X-Twice", "a"),
            HTTPHeader("x-twice", "b:c"), HTTPHeader("Content-Length", "0"),
          ])
      ])
    #expect(exchange.error == nil)
  }

  @Test func passesOverInterimHeads() throws {
    let exchange = try exchange(
      "HTTP/1.1 100 Continue\r\nX-Interim: 1\r\n\r\n"
        + "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
        + "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx")
    #expect(
      exchange.heads == [HTTPHead(status: 200, headers: [HTTPHeader("Content-Length", "1")])])
    #expect(exchange.body == Array("x".utf8))
  }

  @Test func takesChunksAndPassesOverTrailers() throws {
    let exchange = try exchange(
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        + "3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nX-Trailer: 1\r\n\r\n")
    #expect(exchange.heads.count == 1)
    #expect(exchange.heads.first?.value(of: "x-trailer") == nil)
    #expect(exchange.body == Array("abcde".utf8))
    #expect(exchange.error == nil)
  }

  @Test func takesBodiesThatEndWithTheConnection() throws {
    let exchange = try exchange("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nall of it")
    #expect(exchange.body == Array("all of it".utf8))
    #expect(exchange.error == nil)
  }

  @Test func handsCompressedBodiesOverAsTheyCame() throws {
    let packed: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0x4B, 4, 0, 0x43, 0xBE, 0xB7, 0xE8]
    let exchange = try LoopbackServer.serve { connection in
      guard connection.readRequest() != nil else { return }
      connection.send(
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(packed.count)\r\n\r\n")
      connection.send(packed)
    } _: { server in
      Exchange(
        transport,
        HTTPRequest(.get, server.url(), headers: [HTTPHeader("Accept-Encoding", "gzip")]))
    }
    #expect(exchange.body == packed)
    #expect(exchange.error == nil)
  }

  @Test func doesNotFollowRedirects() throws {
    let exchange = try exchange(
      "HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n")
    #expect(exchange.heads.map(\.status) == [302])
    #expect(exchange.heads.first?.value(of: "location") == "/elsewhere")
  }

  @Test func refusesEndlessHeads() throws {
    let line = "X: \(String(repeating: "y", count: 1000))\r\n"
    let exchange = try exchange(
      "HTTP/1.1 200 OK\r\n" + String(repeating: line, count: 110) + "Content-Length: 0\r\n\r\n")
    #expect(exchange.error?.kind == .other)
    #expect(exchange.error?.message.contains("102400 bytes") == true)
    #expect(exchange.heads == [])
  }

  /// Bytes that no HTTP server sends.
  @Test func refusesWhatIsNoReply() throws {
    let exchange = try exchange("SSH-2.0-OpenSSH_9.2\r\n")
    #expect(exchange.error?.kind == .other)
    #expect(exchange.heads == [])
  }

  @Test(arguments: [
    ("Content-Length: 9\r\n\r\nhalf", "half"),
    ("Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n", "half"),
    ("Transfer-Encoding: chunked\r\n\r\n9\r\nhal", "hal"),
  ])
  func tellsThatAReplyIsCut(_ rest: String, _ body: String) throws {
    let exchange = try exchange("HTTP/1.1 200 OK\r\n" + rest)
    #expect(exchange.error?.kind == .interrupted)
    #expect(exchange.error?.message.hasPrefix("127.0.0.1") == true)
    #expect(exchange.body == Array(body.utf8))
  }

  @Test func tellsThatNothingCame() throws {
    let exchange = try exchange("")
    #expect(exchange.error?.kind == .interrupted)
    #expect(exchange.heads == [])
  }

  @Test func tellsOfResets() throws {
    let exchange = try LoopbackServer.serve { connection in
      guard connection.readRequest() != nil else { return }
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf")
      connection.reset()
    } _: { server in
      Exchange(transport, HTTPRequest(.get, server.url()))
    }
    #expect(exchange.error?.kind == .interrupted)
  }

  @Test func givesUpWhenNothingComes() throws {
    for head in ["", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"] {
      let exchange = try LoopbackServer.serve { connection in
        guard connection.readRequest() != nil else { return }
        connection.send(head)
        connection.waitForEnd()
      } _: { server in
        Exchange(transport, HTTPRequest(.get, server.url(), idleTimeoutSeconds: 0.3))
      }
      #expect(exchange.error?.kind == .timeout)
      #expect(exchange.error?.message == "127.0.0.1:\(exchange.port): nothing came for 0.3 seconds")
      #expect(exchange.body.count == (head.isEmpty ? 0 : 4))
    }
  }

  /// Each portion comes in time, all of them together do not.
  @Test func slowBodiesAreNotIdle() throws {
    let exchange = try LoopbackServer.serve { connection in
      guard connection.readRequest() != nil else { return }
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n")
      for _ in 0..<12 {
        connection.pause(seconds: 0.1)
        connection.send("x")
      }
    } _: { server in
      Exchange(transport, HTTPRequest(.get, server.url(), idleTimeoutSeconds: 1))
    }
    #expect(exchange.error == nil)
    #expect(exchange.body.count == 12)
  }

  @Test func ticksWhileNothingComes() throws {
    let hasTicked = Cancellation()
    let exchange = try LoopbackServer.serve { connection in
      guard connection.readRequest() != nil else { return }
      hasTicked.wait(seconds: 20)
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    } _: { server in
      Exchange(transport, HTTPRequest(.get, server.url()), tick: { hasTicked.cancel() })
    }
    #expect(exchange.ticks >= 1)
    #expect(exchange.heads.map(\.status) == [200])
  }

  @Test func tellsThatNobodyListens() throws {
    let port = try LoopbackServer.unusedPort()
    let exchange = Exchange(transport, HTTPRequest(.get, "http://127.0.0.1:\(port)/"))
    #expect(exchange.error?.kind == .connect)
    #expect(exchange.error?.message.contains("127.0.0.1") == true)
  }

  @Test func tellsThatAHostIsUnknown() {
    let exchange = Exchange(transport, HTTPRequest(.get, "http://overpass.invalid/api/status"))
    #expect(exchange.error?.kind == .resolve)
    #expect(exchange.error?.message.contains("overpass.invalid") == true)
  }

  @Test func tellsThatAServerSpeaksNoTLS() throws {
    let exchange = try LoopbackServer.serve { connection in
      connection.send("HTTP/1.1 400 Bad Request\r\n\r\n")
      connection.waitForEnd()
    } _: { server in
      Exchange(transport, HTTPRequest(.get, "https://127.0.0.1:\(server.port)/"))
    }
    #expect(exchange.error?.kind == .tls)
  }

  @Test(arguments: [
    "ftp://127.0.0.1/", "file:///etc/passwd", "no url", "http://a\0b/", "", "http:",
  ])
  func refusesOtherURLs(_ url: String) {
    let exchange = Exchange(transport, HTTPRequest(.get, url))
    #expect(exchange.error?.kind == .other)
    #expect(exchange.heads == [])
  }

  @Test(arguments: [
    HTTPHeader("X", "a\r\nY: b"), HTTPHeader("X\n", "a"), HTTPHeader("", "a"),
    HTTPHeader("X: Y", "a"), HTTPHeader("X", "\0"), HTTPHeader("Content-Length", "3"),
  ])
  func refusesHeadersThatWouldBeSomethingElse(_ header: HTTPHeader) {
    let exchange = Exchange(transport, HTTPRequest(.get, "http://127.0.0.1:1/", headers: [header]))
    #expect(exchange.error?.kind == .other)
  }

  @Test func tellsThatLibcurlIsMissing() {
    var options = CurlOptions()
    options.libraryName = "libcurl-that-is-not-there.so.4"
    let exchange = Exchange(.curl(options), HTTPRequest(.get, "http://127.0.0.1:1/"))
    #expect(exchange.error?.kind == .unavailable)
    #expect(exchange.error?.message.hasPrefix("libcurl cannot be opened: libcurl-that") == true)
  }

  #if os(Linux)
    @Test func refusesOtherLibraries() {
      var options = CurlOptions()
      options.libraryName = "libc.so.6"
      let exchange = Exchange(.curl(options), HTTPRequest(.get, "http://127.0.0.1:1/"))
      #expect(exchange.error?.kind == .unavailable)
      #expect(
        exchange.error?.message == "libc.so.6 is no libcurl: it has no curl_global_init")
    }
  #endif
}

extension Exchange {
  /// Of the server, as the message of the error names it.
  fileprivate var port: Int {
    error?.message.split(separator: ":").dropFirst().first.flatMap { Int($0) } ?? 0
  }
}
