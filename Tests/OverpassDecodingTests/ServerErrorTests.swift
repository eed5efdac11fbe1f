import OSMModel
import OverpassDecoding
import OverpassTestSupport
import Testing

private func page(_ paragraphs: String) -> [UInt8] {
  Array(
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN"
        "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">
    <html xmlns="http://www.w3.org/1999/xhtml" xml:lang="en" lang="en">
    <head><title>OSM3S Response</title></head>
    <body>
    <p>The data included in this document is from www.openstreetmap.org.</p>
    \(paragraphs)
    </body>
    </html>
    """.utf8)
}

@Suite struct ServerErrorTests {
  @Test(
    arguments: [
      (
        "runtime error: Query timed out in \"query\" at line 3 after 26 seconds.",
        ServerCategory.queryTimeout, "query", 3, 26, nil
      ),
      (
        "runtime error: Query ran out of memory in \"recurse\" at line 11. It would need at least 513 MB of RAM to continue.",
        .outOfMemory, "recurse", 11, nil, 513
      ),
      (
        "runtime error: Query run out of memory in \"recurse\" at line 1 using about 541 MB of RAM.",
        .outOfMemory, "recurse", 1, nil, 541
      ),
      (
        "runtime error: Query run out of memory using about 2048 MB of RAM.",
        .outOfMemory, nil, nil, nil, 2048
      ),
      ("runtime error: Query timed out", .queryTimeout, nil, nil, nil, nil),
      (
        "runtime error: Query failed with the exception: x", .runtimeError, nil, nil, nil, nil
      ),
      (
        "runtime error: open64: 2 No such file or directory /db Dispatcher_Client::1",
        .serverError, nil, nil, nil, nil
      ),
      (
        "runtime error: open64: 0 Success /osm3s_osm_base Dispatcher_Client::request_read_and_idx::timeout. The server is probably too busy to handle your request.",
        .tooBusy, nil, nil, nil, nil
      ),
      (
        "runtime error: open64: 0 Success /osm3s_osm_base Dispatcher_Client::request_read_and_idx::rate_limited. Please check /api/status for the quota of your IP address.",
        .rateLimited, nil, nil, nil, nil
      ),
      (
        "runtime error: open64: 0 Success /x Dispatcher_Client::request_read_and_idx::duplicate_query",
        .rateLimited, nil, nil, nil, nil
      ),
      ("line 12: parse error: ';' expected - 'out' found.", .badRequest, nil, 12, nil, nil),
      ("line 2: static error: Unknown tag \"a\" in line 2.", .badRequest, nil, 2, nil, nil),
      ("encoding error: Your input contains only whitespace.", .badRequest, nil, nil, nil, nil),
      ("runtime remark: Timeout is 180", .runtimeRemark, nil, nil, nil, nil),
      ("Test remark", .unknownRemark, nil, nil, nil, nil),
    ] as [(String, ServerCategory, String?, Int?, Int?, Int?)])
  func wordings(
    _ text: String, _ category: ServerCategory, _ statement: String?, _ line: Int?,
    _ seconds: Int?, _ megabytes: Int?
  ) {
    let message = ServerMessage(text)
    #expect(message.text == text)
    #expect(message.category == category)
    #expect(message.statement == statement)
    #expect(message.line == line)
    #expect(message.seconds == seconds)
    #expect(message.megabytes == megabytes)
  }

  /// B024
  @Test func pages() throws {
    let bytes = page(
      """
      <p><strong style="color:#FF0000">Error</strong>: line 1: parse error: Unknown type &quot;nodes&quot; </p>
      <p><strong style="color:#FF0000">Error</strong>: line 2: static error: a &lt;b&gt; &amp; &#39;c&#x27; </p>
      """)
    for prefix in [[], [0xEF, 0xBB, 0xBF], [0x0A, 0x20]] as [[UInt8]] {
      do throws(AnswerError) {
        _ = try OverpassAnswer.decode(prefix + bytes)
        Issue.record("decoded")
      } catch {
        guard case .server(let error) = error else {
          Issue.record("\(error)")
          continue
        }
        #expect(error.category == .badRequest)
        #expect(
          error.messages.map(\.text) == [
            "line 1: parse error: Unknown type \"nodes\"", "line 2: static error: a <b> & 'c'",
          ])
        #expect(error.messages.map(\.line) == [1, 2])
      }
    }
  }

  @Test func pagesOfProxies() {
    let gateway =
      "<html>\r\n<head><title>504 Gateway Time-out</title></head>\r\n<body><center><h1>504 Gateway Time-out</h1></center></body></html>"
    #expect(ServerError.classify(status: 200, body: Array(gateway.utf8))?.category == .tooBusy)
    let strange = "<!doctype html><html><body>Welcome to the hotel</body></html>"
    #expect(ServerError.classify(status: 200, body: Array(strange.utf8))?.category == .badResponse)
    for cut in 0..<gateway.utf8.count {
      #expect(ServerError.classify(status: nil, body: Array(gateway.utf8.prefix(cut))) != nil)
    }
  }

  @Test(arguments: [
    (400, ServerCategory.badRequest), (429, .rateLimited), (500, .serverError), (503, .tooBusy),
    (504, .tooBusy), (502, .serverError), (123, .unexpectedStatus), (404, .unexpectedStatus),
  ]) func statuses(_ status: Int, _ category: ServerCategory) {
    let error = ServerError.classify(status: status, body: [])
    #expect(error?.category == category)
    #expect(error?.status == status)
    #expect(error?.messages == [])
  }

  @Test func goodAnswers() {
    let json = Array("{\"elements\":[]}".utf8)
    #expect(ServerError.classify(status: 200, contentType: "application/json", body: json) == nil)
    #expect(ServerError.classify(status: nil, body: Array("<osm/>".utf8)) == nil)
    let csv = Array("@id\n1\n".utf8)
    #expect(ServerError.classify(status: 200, contentType: "text/csv", body: csv) == nil)
    #expect(ServerError.classify(status: 200, body: csv)?.category == .badResponse)
  }

  /// The partial data stays reachable.
  @Test func remarksBesideData() throws {
    let response = try OverpassAnswer.decode(
      Array(
        """
        <osm version="0.6"><node id="1" lat="1.0" lon="2.0"/><remark> runtime error: Query ran out \
        of memory in "recurse" at line 11. It would need at least 513 MB of RAM to continue.\
        runtime remark: more </remark></osm>
        """.utf8))
    #expect(response.dataset.count == 1)
    #expect(response.completeness == .partial)
    #expect(response.messages.map(\.category) == [.outOfMemory, .runtimeRemark])
    #expect(response.serverError?.category == .outOfMemory)
    #expect(response.serverError?.message?.megabytes == 513)
    let harmless = try decode("{\"elements\":[],\"remark\":\"runtime remark: x\"}")
    #expect(harmless.serverError == nil)
    #expect(harmless.messages.count == 1)
  }

  @Test(.enabled(if: hasSharedData, "needs the shared data beside the project"))
  func recordedReplies() throws {
    var categories: [ServerCategory: Int] = [:]
    for folder in listFolder(sharedRoot + "/cases/oracle") {
      guard let raw = readFile("\(sharedRoot)/cases/oracle/\(folder)/http.txt") else { continue }
      let text = String(decoding: raw, as: UTF8.self)
      let parts = text.split(separator: "\n\n", maxSplits: 1)
      guard parts.count == 2 else { continue }
      let status = parts[0].hasPrefix("Status: 400") ? 400 : 200
      let body = Array(parts[1].utf8)
      let error = ServerError.classify(status: status, body: body)
      if let error { categories[error.category, default: 0] += 1 }
      guard status == 400 else { continue }
      // By the body alone the result is the same, and every paragraph is found.
      #expect(ServerError.classify(status: nil, body: body)?.category == .badRequest, "\(folder)")
      let paragraphs = text.split(separator: "<strong").count - 1
      #expect(error?.messages.count == paragraphs, "\(folder)")
      for message in error?.messages ?? [] where message.text.hasPrefix("line ") {
        #expect(message.line != nil)
      }
    }
    #expect((categories[.badRequest] ?? 0) >= 20)
    #expect(categories[.outOfMemory] == 1)
    #expect(categories[.badResponse] == nil)
  }

  @Test(arguments: ServerCategory.allCases)
  func hasWordsWhereTheServerHasNone(_ category: ServerCategory) {
    let words = ServerError(category).text
    #expect(words.contains(" ") && !words.contains("_"))
    #expect(ServerError(category, status: 504).text == "\(words) (HTTP 504)")
    let message = ServerMessage("runtime error: no")
    #expect(ServerError(category, messages: [message], status: 504).text == message.text)
  }
}
