import OSMModel
import OverpassDecoding
import OverpassQuery
import Synchronization
import Testing

@testable import OverpassClient

@Suite struct ClientTests {
  private func request(_ text: String = someQuery) throws -> QueryRequest { try QueryRequest(text) }

  @Test func sendsOneFormAndGivesTheAnswer() throws {
    let server = FakeServer()
    server.script("interpreter", [.answer(oneNode)])
    let result = try server.client().fetch(
      try request("[out:json];node[name=\"ä+b\"](1,2,3,4);out;"))
    #expect(result.response.dataset.nodes.count == 1)
    #expect(result.response.header.timestamp == "2024-05-01T00:00:00Z")
    #expect(result.endpoint.url == "https://a.example/api/interpreter")
    #expect(!result.isFromCache)
    let sent = try #require(server.requests.first)
    #expect(server.requests.count == 1)
    #expect(sent.method == .post)
    #expect(sent.headers.contains(HTTPHeader("Content-Type", "application/x-www-form-urlencoded")))
    #expect(sent.headers.contains(HTTPHeader("Accept-Encoding", "gzip")))
    #expect(
      sent.headers.contains(
        HTTPHeader("User-Agent", "test/1.0 (me@example.org) OverpassKit/0.1.0")))
    #expect(
      String(decoding: sent.body, as: UTF8.self)
        == "data=%5Bout%3Ajson%5D%3Bnode%5Bname%3D%22%C3%A4%2Bb%22%5D%281%2C2%2C3%2C4%29%3Bout%3B")
    #expect(server.waits.isEmpty)
  }

  @Test func sendsXMLAsXML() throws {
    let server = FakeServer()
    server.script("interpreter", [.answer(oneNode)])
    let text =
      "<osm-script output=\"json\"><id-query type=\"node\" ref=\"1\"/><print/></osm-script>"
    _ = try server.client().fetch(try request(text))
    let sent = try #require(server.requests.first)
    #expect(sent.headers.contains(HTTPHeader("Content-Type", "text/xml; charset=utf-8")))
    #expect(sent.body == Array(text.utf8))
  }

  /// B036: a query is one request.
  @Test func asksNothingBeforeAQuery() throws {
    let server = FakeServer()
    server.script("interpreter", [.answer(emptyAnswer)])
    let client = try server.client()
    for number in 1...100 { _ = try client.fetch(try request("node(\(number));out;")) }
    #expect(server.requests.count == 100)
    #expect(server.urls.allSatisfy { $0.hasSuffix("interpreter") })
  }

  /// B030.
  @Test(
    arguments: [
      (nil, "1 slots available now.", 30.0), ("7", "2 slots available now.", 30),
      ("45", "", 45), ("5", "Slot available after: 2024-05-01T10:00:40Z, in 40 seconds.", 40),
      ("Sun, 09 Sep 2001 01:48:20 GMT", "", 100),
    ] as [(String?, String, Double)])
  func waitsAfterTooManyQueries(_ retryAfter: String?, _ slots: String, _ expected: Double) throws {
    let server = FakeServer()
    let headers = retryAfter.map { [HTTPHeader("Retry-After", $0)] } ?? []
    server.script("interpreter", [.page(429, rateLimited, headers: headers), .answer(oneNode)])
    server.script("status", [.answer("Rate limit: 2\n\(slots)\n", type: "text/plain")])
    var phases: [FetchProgress.Phase] = []
    var waited: FetchSession.Wait?
    let result = try server.client().fetch(try request()) { progress in
      if phases.last != progress.phase { phases.append(progress.phase) }
      if progress.wait != nil, waited == nil || waited?.reason != .rateLimit {
        waited = progress.wait
      }
      return true
    }
    #expect(
      server.urls == [
        "https://a.example/api/interpreter", "https://a.example/api/status",
        "https://a.example/api/interpreter",
      ])
    #expect(server.waits.reduce(0, +) == expected)
    #expect(result.attempts.count == 2)
    #expect(waited?.reason == .rateLimit)
    #expect(
      phases == [.running, .downloading, .decoding, .waiting, .running, .downloading, .decoding])
  }

  /// B035: the status may be that of another machine, or out of reach.
  @Test func waitsThirtySecondsWithoutStatus() throws {
    let server = FakeServer()
    server.script("interpreter", [.page(429), .answer(oneNode)])
    server.script("status", [.failure(.connect)])
    _ = try server.client().fetch(try request())
    #expect(server.waits.reduce(0, +) == 30)
  }

  @Test func addsJitterToWaits() throws {
    let server = FakeServer()
    server.script("interpreter", [.page(429), .answer(oneNode)])
    _ = try server.client { $0.random = { 0.5 } }.fetch(try request())
    #expect(abs(server.waits.reduce(0, +) - 31.5) < 1e-9)
  }

  @Test func givesUpAfterSomeTries() throws {
    let server = FakeServer()
    server.script("interpreter", [.page(429, rateLimited)])
    let error = try #require(throws: FetchError.self) {
      _ = try server.client().fetch(try request())
    }
    guard case .server(let reason) = error.failure else { throw error }
    #expect(reason.category == .rateLimited)
    #expect(error.attempts.count == 5)
    #expect(server.urls.filter { $0.hasSuffix("interpreter") }.count == 5)
    #expect(server.waits.reduce(0, +) == 120)
  }

  @Test func doesNotWaitForever() throws {
    let server = FakeServer()
    server.script("interpreter", [.page(429, headers: [HTTPHeader("Retry-After", "86400")])])
    let error = #expect(throws: FetchError.self) { _ = try server.client().fetch(try request()) }
    #expect(error?.attempts.count == 1)
    #expect(server.waits.isEmpty)
  }

  @Test(arguments: [500, 502, 503, 504])
  func repeatsWithGrowingWaits(_ status: Int) throws {
    let server = FakeServer()
    server.script("interpreter", [.page(status), .failure(.interrupted), .answer(oneNode)])
    let result = try server.client().fetch(try request())
    #expect(result.attempts.count == 3)
    #expect(server.waits.reduce(0, +) == 45)
    #expect(server.urls.allSatisfy { $0.hasSuffix("interpreter") })
  }

  @Test(arguments: [TransportError.Kind.resolve, .connect, .timeout, .interrupted])
  func repeatsAfterFailures(_ kind: TransportError.Kind) throws {
    let server = FakeServer()
    server.script("interpreter", [.failure(kind), .answer(oneNode)])
    let result = try server.client().fetch(try request())
    #expect(result.attempts.count == 2)
    #expect(server.waits.reduce(0, +) == 15)
  }

  @Test(arguments: [TransportError.Kind.unavailable, .tls, .other])
  func doesNotRepeatHopelessFailures(_ kind: TransportError.Kind) throws {
    let server = FakeServer()
    server.script("interpreter", [.failure(kind)])
    let error = try #require(throws: FetchError.self) {
      _ = try server.client().fetch(try request())
    }
    guard case .transport(let reason) = error.failure else { throw error }
    #expect(reason.kind == kind)
    #expect(server.requests.count == 1)
  }

  /// B037.
  @Test(arguments: [400, 401, 403, 404, 406, 413, 414])
  func neverRepeatsRefusals(_ status: Int) throws {
    let server = FakeServer()
    server.script("interpreter", [.page(status)])
    let endpoints = ["https://a.example/api/interpreter", "https://b.example/api/interpreter"]
    let error = try #require(throws: FetchError.self) {
      _ = try server.client(endpoints).fetch(try request())
    }
    guard case .server(let reason) = error.failure else { throw error }
    #expect(reason.status == status)
    #expect(reason.text.contains("User-Agent") == [403, 406].contains(status))
    #expect(server.requests.count == 1)
  }

  /// B038.
  @Test func asksTheNextServer() throws {
    let server = FakeServer()
    server.script("a.example/api/interpreter", [.page(504)])
    server.script("b.example/api/interpreter", [.answer(oneNode)])
    let endpoints = ["https://a.example/api/interpreter", "https://b.example/api/interpreter"]
    let result = try server.client(endpoints).fetch(try request())
    #expect(result.endpoint.label == "b.example")
    #expect(result.attempts.map(\.endpoint.label) == ["a.example", "b.example"])
    #expect(result.response.header.timestamp == "2024-05-01T00:00:00Z")
    #expect(server.waits.isEmpty)
  }

  /// A limit is not to be got around.
  @Test func staysWithTheServerThatLimits() throws {
    let server = FakeServer()
    server.script("a.example/api/interpreter", [.page(429), .answer(oneNode)])
    server.script("b.example/api/interpreter", [.answer(oneNode)])
    let endpoints = ["https://a.example/api/interpreter", "https://b.example/api/interpreter"]
    let result = try server.client(endpoints).fetch(try request())
    #expect(result.endpoint.label == "a.example")
    #expect(!server.urls.contains { $0.contains("b.example") })
  }

  @Test func goesRoundAllServers() throws {
    let server = FakeServer()
    server.script("interpreter", [.page(504)])
    let endpoints = ["https://a.example/api/interpreter", "https://b.example/api/interpreter"]
    let error = #expect(throws: FetchError.self) {
      _ = try server.client(endpoints) { $0.retry.maximumAttempts = 2 }.fetch(try request())
    }
    #expect(
      error?.attempts.map(\.endpoint.label) == ["a.example", "b.example", "a.example", "b.example"])
    #expect(server.waits.reduce(0, +) == 15)
  }

  // MARK: Answers

  /// B024.
  @Test func readsPagesWithErrors() throws {
    let server = FakeServer()
    let page = """
      <html><body><p><strong style="color:#FF0000">Error</strong>: runtime error: open64: 0 Success \
      /osm3s_x Dispatcher_Client::request_read_and_idx::timeout. The server is probably too busy to \
      handle your request. </p></body></html>
      """
    server.script("interpreter", [.page(200, page), .answer(oneNode)])
    let result = try server.client().fetch(try request())
    guard case .server(let reason)? = result.attempts.first?.failure else {
      return #expect(Bool(false))
    }
    #expect(reason.category == .tooBusy)
  }

  /// What a wrong URL or a portal gives does not get better.
  @Test func doesNotRepeatForeignPages() throws {
    let server = FakeServer()
    server.script("interpreter", [.page(200, "<html><body><h1>Welcome</h1></body></html>")])
    let error = try #require(throws: FetchError.self) {
      _ = try server.client().fetch(try request())
    }
    guard case .server(let reason) = error.failure else { throw error }
    #expect(reason.category == .badResponse)
    #expect(server.requests.count == 1)
  }

  /// B025.
  @Test func keepsTheDataOfAQueryThatRanOutOfTime() throws {
    let remark = #"runtime error: Query timed out in \"query\" at line 3 after 26 seconds."#
    let text = oneNode.dropLast() + ",\"remark\":\"\(remark)\"}"
    let server = FakeServer()
    server.script("interpreter", [.answer(String(text))])
    let error = try #require(throws: FetchError.self) {
      _ = try server.client().fetch(try request())
    }
    guard case .server(let reason) = error.failure else { throw error }
    #expect(reason.category == .queryTimeout)
    #expect(reason.message?.seconds == 26)
    #expect(error.partial?.dataset.nodes.count == 1)
    #expect(server.requests.count == 1)
    var options = DecodeOptions()
    options.allowTruncated = true
    let result = try server.client().fetch(try request(), options: options)
    #expect(result.response.completeness == .partial)
  }

  /// What a server began and another one could not do better is told with the server that it is from.
  @Test func namesTheServerOfPartialData() throws {
    let half = #"{"version":0.6,"elements":[{"type":"node","id":1,"lat":1.0,"lon":2.0},{"type":"no"#
    let server = FakeServer()
    server.script("a.example/api/interpreter", [.answer(half)])
    server.script("b.example/api/interpreter", [.page(504)])
    let endpoints = ["https://a.example", "https://b.example"]
    var options = DecodeOptions()
    options.allowTruncated = true
    let client = try server.client(endpoints) { $0.retry = .never }
    let result = try client.fetch(try request(), options: options)
    #expect(result.response.dataset.nodes.count == 1)
    #expect(result.endpoint.label == "a.example")
    // Who stops waiting for more keeps it, too.
    let patient = try server.client { $0.retry.maximumAttempts = 2 }
    let error = try #require(throws: FetchError.self) {
      _ = try patient.fetch(try request()) { $0.wait?.reason != .connection }
    }
    guard case .cancelled = error.failure else { throw error }
    #expect(error.partial?.dataset.nodes.count == 1)
  }

  /// `allowTruncated` holds for bytes, too, but not for pages about errors.
  @Test func givesTheBytesOfAnAnswerThatIsNotWhole() throws {
    let remark = #"runtime error: Query timed out in \"query\" at line 3 after 26 seconds."#
    let text = oneNode.dropLast() + ",\"remark\":\"\(remark)\"}"
    var options = DecodeOptions()
    for allows in [false, true] {
      options.allowTruncated = allows
      for reply in [FakeServer.Reply.answer(String(text)), .failure(.interrupted, after: oneNode)] {
        let server = FakeServer()
        server.script("interpreter", [reply])
        let client = try server.client { $0.retry = .never }
        let content = try? client.fetchBytes(try request(), options: options).content
        #expect(content == (allows ? reply.body : nil))
      }
    }
    let server = FakeServer()
    server.script("interpreter", [.page(200, rateLimited)])
    let client = try server.client { $0.retry = .never }
    #expect(throws: FetchError.self) { _ = try client.fetchBytes(try request(), options: options) }
  }

  /// A host's transport may hand over a body at one go: still it is told, and stops.
  @Test func tellsOfBodiesThatComeAsOne() throws {
    let nodes = (1...40_000).map { #"{"type":"node","id":\#($0),"lat":1.0,"lon":2.0}"# }
    let text = #"{"version":0.6,"elements":["# + nodes.joined(separator: ",") + "]}"
    var reply = FakeServer.Reply.answer(text)
    reply.portion = text.utf8.count
    let folder = TemporaryFolder()
    let server = FakeServer()
    server.script("interpreter", [reply])
    let cache = try AnswerCache(folder: folder.path, maximumAgeSeconds: 60)
    let client = try server.client { $0.cache = cache }
    for phase in [FetchProgress.Phase.downloading, .decoding] {
      var told: [Int] = []
      _ = try client.fetch(try request()) { progress in
        let elements = progress.elements
        if progress.phase == phase, told.last != elements { told.append(elements) }
        return true
      }
      #expect(told.count > 2)
      #expect(told == told.sorted())
      // The second time it comes from the cache.
      let another = try server.client { $0.cache = phase == .decoding ? cache : nil }
      var elements = 0
      let error = try #require(throws: FetchError.self) {
        _ = try another.fetch(try request()) { progress in
          elements = progress.elements
          return elements == 0
        }
      }
      guard case .cancelled = error.failure else { throw error }
      #expect(elements > 0 && elements < 40_000)
    }
    #expect(server.requests.count == 2)
  }

  @Test func tellsOfBytesThatComeSlowly() throws {
    let server = FakeServer()
    var reply = FakeServer.Reply.answer(oneNode)
    reply.portion = 10
    reply.portionSeconds = 0.5
    server.script("interpreter", [reply])
    let bytes = Mutex<[Int]>([])
    _ = try server.client().fetch(try request()) { progress in
      if progress.phase == .downloading { bytes.withLock { $0.append(progress.bytes) } }
      return true
    }
    let told = bytes.withLock { $0 }
    #expect(told.count > oneNode.utf8.count / 20 - 2)
    #expect(zip(told, told.dropFirst()).allSatisfy { $1 - $0 == 20 })
  }

  /// B029.
  @Test func takesRemarksForWhatTheyAre() throws {
    let text = oneNode.dropLast() + ",\"remark\":\"runtime remark: Timeout is 180.\"}"
    let server = FakeServer()
    server.script("interpreter", [.answer(String(text))])
    let result = try server.client().fetch(try request())
    #expect(result.response.remarks == ["runtime remark: Timeout is 180."])
  }

  /// B041.
  @Test func neverTakesHalfForAll() throws {
    let half = #"{"version":0.6,"elements":[{"type":"node","id":1,"lat":1.0,"lon":2.0},{"type":"no"#
    let server = FakeServer()
    server.script("interpreter", [.answer(half)])
    let error = try #require(throws: FetchError.self) {
      _ = try server.client { $0.retry = .never }.fetch(try request())
    }
    guard case .decode(let reason) = error.failure else { throw error }
    #expect(reason.kind == .truncated)
    #expect(error.partial?.dataset.nodes.count == 1)
    let broken = FakeServer()
    broken.script("interpreter", [.failure(.interrupted, after: half), .answer(oneNode)])
    let result = try broken.client().fetch(try request())
    #expect(result.attempts.count == 2)
  }

  /// B042.
  @Test func takesXMLForJSON() throws {
    let server = FakeServer()
    server.script(
      "interpreter", [.answer("<osm version=\"0.6\"><node id=\"1\" lat=\"1\" lon=\"2\"/></osm>")])
    #expect(try server.client().fetch(try request()).response.dataset.nodes.count == 1)
  }

  @Test func stopsAtDeclaredLengthsBeyondTheLimit() throws {
    let server = FakeServer()
    var reply = FakeServer.Reply.answer(oneNode)
    reply.headers.append(HTTPHeader("Content-Length", "4294967296"))
    server.script("interpreter", [reply])
    var options = DecodeOptions()
    options.maximumBytes = 1 << 20
    let error = try #require(throws: FetchError.self) {
      _ = try server.client().fetch(try request(), options: options)
    }
    guard case .decode(let reason) = error.failure else { throw error }
    #expect(reason.kind == .limit)
    #expect(server.requests.count == 1)
  }

  @Test func givesTablesAsBytes() throws {
    let server = FakeServer()
    server.script("interpreter", [.answer("@id\n1\n", type: "text/csv")])
    let csv = try request("[out:csv(::id)];node(1);out;")
    #expect(try server.client().fetchBytes(csv).content == Array("@id\n1\n".utf8))
    let error = try #require(throws: FetchError.self) { _ = try server.client().fetch(csv) }
    guard case .client(let reason) = error.failure else { throw error }
    #expect(reason.kind == .query)
    #expect(server.requests.count == 1)
  }

  @Test func findsErrorsInBytes() throws {
    let server = FakeServer()
    server.script("interpreter", [.page(200, rateLimited), .answer("", type: "text/csv")])
    let csv = try request("[out:csv(::id;false)];node(1);out;")
    let result = try server.client().fetchBytes(csv)
    #expect(result.content.isEmpty)
    #expect(result.attempts.count == 2)
  }

  // MARK: Redirects

  @Test func followsRedirects() throws {
    let server = FakeServer()
    server.script(
      "a.example/api/interpreter",
      [.page(308, headers: [HTTPHeader("Location", "//b.example/x/../api/interpreter")])])
    server.script(
      "b.example/api/interpreter", [.page(301, headers: [HTTPHeader("Location", "moved")])])
    server.script("b.example/api/moved", [.answer(oneNode)])
    let result = try server.client { $0.headers = [HTTPHeader("Authorization", "secret")] }
      .fetch(try request())
    #expect(result.attempts.last?.url == "https://b.example/api/moved")
    #expect(server.requests.allSatisfy { $0.method == .post && !$0.body.isEmpty })
    let secrets = server.requests.map { $0.headers.contains { $0.name == "Authorization" } }
    #expect(secrets == [true, false, false])
  }

  @Test(arguments: [nil, "http://a.example/api/interpreter", "https://", "interpreter"])
  func refusesBadRedirects(_ location: String?) throws {
    let server = FakeServer()
    let headers = location.map { [HTTPHeader("Location", $0)] } ?? []
    server.script("interpreter", [.page(302, headers: headers)])
    let error = try #require(throws: FetchError.self) {
      _ = try server.client().fetch(try request())
    }
    guard case .server(let reason) = error.failure else { throw error }
    #expect(reason.category == .unexpectedStatus)
    #expect(server.requests.count == (location == "interpreter" ? 6 : 1))
  }

  /// Credentials are for the servers they were given for, also where a page of another one is wanted.
  @Test func tellsCredentialsToItsOwnServersOnly() throws {
    let server = FakeServer()
    server.script("status", [.answer("Rate limit: 2\n", type: "text/plain")])
    server.script("kill_my_queries", [.answer("", type: "text/plain")])
    let client = try server.client { $0.headers = [HTTPHeader("Authorization", "secret")] }
    let other = try Endpoint("https://b.example")
    _ = try client.status()
    _ = try client.status(of: other)
    try client.killQueries()
    try client.killQueries(at: other)
    let secrets = server.requests.map { $0.headers.contains { $0.name == "Authorization" } }
    #expect(secrets == [true, false, true, false])
  }

  // MARK: Cancelling

  @Test func cancelsWhileWaiting() throws {
    let server = FakeServer()
    server.script("interpreter", [.page(429)])
    let error = try #require(throws: FetchError.self) {
      _ = try server.client().fetch(try request()) { $0.phase != .waiting }
    }
    guard case .cancelled = error.failure else { throw error }
    #expect(server.waits.isEmpty)
    #expect(server.urls.filter { $0.hasSuffix("interpreter") }.count == 1)
  }

  @Test func cancelsWithinTheBody() throws {
    let server = FakeServer()
    var reply = FakeServer.Reply.answer(oneNode)
    reply.portion = 1
    server.script("interpreter", [reply])
    let cancellation = Cancellation()
    let bytes = Atomic<Int>(0)
    let error = try #require(throws: FetchError.self) {
      _ = try server.client { $0.killsQueriesOnCancel = true }.fetch(
        try request(), cancellation: cancellation
      ) { progress in
        bytes.store(progress.bytes, ordering: .relaxed)
        return progress.phase != .downloading
      }
    }
    guard case .cancelled = error.failure else { throw error }
    #expect(bytes.load(ordering: .relaxed) == 0)
    #expect(server.urls.last == "https://a.example/api/kill_my_queries")
    #expect(server.requests.count == 2)
  }

  @Test func killsNothingUnasked() throws {
    let server = FakeServer()
    server.script("interpreter", [.answer(oneNode)])
    #expect(throws: FetchError.self) {
      _ = try server.client().fetch(try request()) { $0.phase != .running }
    }
    #expect(server.requests.count <= 1)
  }

  // MARK: The query

  @Test func refusesWhatIsNoQuery() {
    #expect(throws: QuerySyntaxError.self) { _ = try QueryRequest("node[amenity=;out;") }
    #expect(throws: QuerySyntaxError.self) { _ = try QueryRequest("node({{bbox}});out;") }
  }

  @Test func allowsForTheTimeTheQueryMayTake() throws {
    let server = FakeServer()
    server.script("interpreter", [.answer(oneNode)])
    let client = try server.client()
    for text in ["[timeout:900];node(1);out;", "node(1);out;"] {
      _ = try client.fetch(try request(text))
    }
    _ = try client.fetch(QueryRequest(unchecked: "something new", timeoutSeconds: 5))
    #expect(server.requests.map(\.idleTimeoutSeconds) == [960, 240, 65])
  }

  @Test func refusesSettingsThatMakeNoSense() throws {
    let server = FakeServer()
    #expect(throws: ClientError.self) { _ = try server.client([]) }
    #expect(throws: ClientError.self) {
      _ = try server.client { $0.retry.maximumAttempts = 0 }
    }
    for header in [
      HTTPHeader("A b", ""), HTTPHeader("X", "a\r\nY: b"), HTTPHeader("user-agent", "x"),
      HTTPHeader("", ""),
    ] {
      #expect(throws: ClientError.self) { _ = try server.client { $0.headers = [header] } }
    }
  }
}
