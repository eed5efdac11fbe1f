import OSMModel
import OverpassDecoding
import Testing

@testable import OverpassClient

/// A folder that disappears with the object.
final class TemporaryFolder {
  let path: String

  init() {
    var template = Array("/tmp/opk-cache-XXXXXX".utf8CString)
    path = template.withUnsafeMutableBufferPointer { name in
      guard let start = name.baseAddress, let made = mkdtemp(start) else { return "" }
      return String(cString: made)
    }
  }

  deinit {
    for name in names { unlink(path + "/" + name) }
    rmdir(path)
  }

  var names: [String] {
    guard let directory = opendir(path) else { return [] }
    defer { closedir(directory) }
    var result: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { result.append(name) }
    }
    return result.sorted()
  }

  /// Changes the bytes of a file.
  func edit(_ name: String, _ change: (inout [UInt8]) -> Void) {
    guard let file = fopen(path + "/" + name, "r+") else { return }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    bytes.removeLast(bytes.count - fread(&bytes, 1, bytes.count, file))
    change(&bytes)
    rewind(file)
    fwrite(bytes, 1, bytes.count, file)
    fflush(file)
    ftruncate(fileno(file), bytes.count)
  }
}

@Suite struct CacheTests {
  private let folder = TemporaryFolder()

  private func client(_ server: FakeServer, bytes: Int = 1 << 30) throws -> OverpassClient {
    let cache = try AnswerCache(
      folder: folder.path, maximumAgeSeconds: 3600, maximumBytes: bytes)
    return try server.client { $0.cache = cache }
  }

  private func fetch(_ client: OverpassClient, _ text: String = someQuery) throws
    -> FetchResult<Response>
  { try client.fetch(try QueryRequest(text)) }

  @Test func asksOnce() throws {
    let server = FakeServer()
    server.script("interpreter", [.answer(oneNode)])
    let first = try fetch(try client(server))
    var phases: [FetchProgress.Phase] = []
    let second = try client(server).fetch(try QueryRequest(someQuery)) { progress in
      phases.append(progress.phase)
      return true
    }
    #expect(!first.isFromCache)
    #expect(second.isFromCache)
    #expect(second.attempts.isEmpty)
    #expect(second.response.dataset.nodes.count == 1)
    #expect(second.endpoint.label == "a.example")
    #expect(Set(phases) == [.decoding])
    #expect(server.requests.count == 1)
    #expect(folder.names.count == 1)
  }

  @Test func knowsQueriesByWhatTheyAskFor() throws {
    let server = FakeServer()
    server.script("interpreter", [.answer(oneNode)])
    let client = try client(server)
    for text in [
      someQuery, "[out:json][timeout:900];\n// the same\nnode(1); out;",
      "[maxsize:1000000][out:json];node(1);out;",
      "<osm-script output=\"json\"><id-query type=\"node\" ref=\"1\"/><print/></osm-script>",
    ] {
      _ = try fetch(client, text)
    }
    #expect(server.requests.count == 1)
    for text in ["node(1);out;", "[out:json];node(2);out;", "[out:json];node(1);out ids;"] {
      #expect(try !fetch(client, text).isFromCache)
    }
    #expect(server.requests.count == 4)
  }

  @Test func keepsServersApart() throws {
    let server = FakeServer()
    server.script("interpreter", [.answer(oneNode)])
    let cache = try AnswerCache(folder: folder.path, maximumAgeSeconds: 3600)
    for host in ["a", "b"] {
      let client = try server.client(["https://\(host).example/"]) { $0.cache = cache }
      #expect(try !fetch(client).isFromCache)
    }
    #expect(folder.names.count == 2)
  }

  @Test func forgetsOldAnswers() throws {
    let server = FakeServer()
    server.script("interpreter", [.answer(oneNode)])
    let client = try client(server)
    _ = try fetch(client)
    server.pass(3599)
    #expect(try fetch(client).isFromCache)
    server.pass(3601)
    #expect(try !fetch(client).isFromCache)
    server.pass(-7200)
    #expect(try !fetch(client).isFromCache)
    #expect(folder.names.count == 1)
  }

  @Test(arguments: [
    FakeServer.Reply.answer(String(oneNode.dropLast(5))),
    .answer(String(oneNode.dropLast()) + #","remark":"runtime error: Query timed out"}"#),
    .page(400, "<html><body><p><strong>Error</strong>: parse error: x</p></body></html>"),
    .page(200, "<html><body><p><strong>Error</strong>: parse error: x</p></body></html>"),
    .failure(.interrupted, after: oneNode),
  ])
  func keepsNoErrors(_ reply: FakeServer.Reply) throws {
    let server = FakeServer()
    server.script("interpreter", [reply])
    let cache = try AnswerCache(folder: folder.path, maximumAgeSeconds: 3600)
    let client = try server.client {
      $0.cache = cache
      $0.retry = .never
    }
    #expect(throws: FetchError.self) { _ = try fetch(client) }
    #expect(folder.names.isEmpty)
  }

  @Test func keepsNothingOfWhatWasCancelled() throws {
    let server = FakeServer()
    var reply = FakeServer.Reply.answer(oneNode)
    reply.portion = 10
    server.script("interpreter", [reply])
    #expect(throws: FetchError.self) {
      _ = try client(server).fetch(try QueryRequest(someQuery)) { $0.phase != .downloading }
    }
    #expect(folder.names.isEmpty)
  }

  @Test func noticesDamage() throws {
    let server = FakeServer()
    server.script("interpreter", [.answer(oneNode)])
    let client = try client(server)
    let damages: [(inout [UInt8]) -> Void] = [
      { $0[50] ^= 1 }, { $0.removeLast() }, { $0.append(0) }, { $0[0] = 0 }, { $0 = [] },
      { $0[8] = 0xFF },
      { bytes in bytes.replaceSubrange(8..<16, with: [UInt8](repeating: 0xFF, count: 8)) },
      { bytes in bytes.replaceSubrange(16..<24, with: [UInt8](repeating: 0x7F, count: 8)) },
    ]
    _ = try fetch(client)
    for damage in damages {
      folder.edit(folder.names[0], damage)
      #expect(try !fetch(client).isFromCache)
      #expect(try fetch(client).isFromCache)
    }
  }

  @Test func staysWithinItsSize() throws {
    let server = FakeServer()
    server.script("interpreter", [.answer(oneNode)])
    let size = oneNode.utf8.count + 32
    let client = try client(server, bytes: 3 * size + 10)
    for number in 1...6 {
      _ = try fetch(client, "[out:json];node(\(number));out;")
      #expect(folder.names.count == min(number, 3))
    }
    let small = try self.client(server, bytes: 20)
    #expect(try !fetch(small, "[out:json];node(9);out;").isFromCache)
  }

  /// The folder may hold files of others.
  @Test func removesItsOwnFilesOnly() throws {
    let hash = String(repeating: "0a", count: 32)
    let foreign = [
      "film.part", "exam.answer", "\(hash).part", "A\(hash.dropFirst()).answer", "x\(hash).answer",
    ]
    let own = ["\(hash).answer.1z.part", "\(hash).answer"]
    for name in foreign + own {
      let path = folder.path + "/" + name
      let file = fopen(path, "w")
      fputs(String(repeating: "x", count: 1000), file)
      if let file { fclose(file) }
      var old = [timeval(tv_sec: 1, tv_usec: 0), timeval(tv_sec: 1, tv_usec: 0)]
      utimes(path, &old)
    }
    let server = FakeServer()
    server.script("interpreter", [.answer(oneNode)])
    _ = try fetch(try client(server, bytes: 500))
    #expect(foreign.allSatisfy { folder.names.contains($0) })
    #expect(!own.contains { folder.names.contains($0) })
    #expect(folder.names.count == foreign.count + 1)
  }

  /// Opening a pipe would wait for somebody who writes to it.
  @Test func passesOverWhatIsNoFile() throws {
    let server = FakeServer()
    server.script("interpreter", [.answer(oneNode)])
    let cache = try AnswerCache(folder: folder.path, maximumAgeSeconds: 60)
    mkfifo(try cache.path(QueryRequest(someQuery), Endpoint("https://a.example")), 0o600)
    #expect(try !fetch(client(server)).isFromCache)
    #expect(try fetch(client(server)).isFromCache)
  }

  @Test func anUnusableFolderIsNoCache() throws {
    let server = FakeServer()
    server.script("interpreter", [.answer(oneNode)])
    for path in ["/dev/null/x", "/proc/nothing/here"] {
      let cache = try AnswerCache(folder: path, maximumAgeSeconds: 60)
      #expect(try fetch(try server.client { $0.cache = cache }).response.dataset.nodes.count == 1)
    }
    #expect(throws: ClientError.self) { _ = try AnswerCache(folder: "", maximumAgeSeconds: 1) }
    #expect(throws: ClientError.self) { _ = try AnswerCache(folder: "x", maximumAgeSeconds: .nan) }
    #expect(throws: ClientError.self) {
      _ = try AnswerCache(folder: "x", maximumAgeSeconds: 1, maximumBytes: 0)
    }
  }

  @Test func makesItsFolder() throws {
    let server = FakeServer()
    server.script("interpreter", [.answer(oneNode)])
    let path = folder.path + "/a/b"
    let cache = try AnswerCache(folder: path, maximumAgeSeconds: 60)
    let client = try server.client { $0.cache = cache }
    _ = try fetch(client)
    #expect(try fetch(client).isFromCache)
    for name in [try cache.path(QueryRequest(someQuery), Endpoint("https://a.example"))] {
      unlink(name)
    }
    rmdir(path)
    rmdir(folder.path + "/a")
  }

  @Test func givesBytesDecompressed() throws {
    let server = FakeServer()
    server.script("interpreter", [.answer("@id\n1\n", type: "text/csv")])
    let client = try client(server)
    let csv = try QueryRequest("[out:csv(::id)];node(1);out;")
    let first = try client.fetchBytes(csv)
    let second = try client.fetchBytes(csv)
    #expect(second.isFromCache)
    #expect(first.content == second.content)
  }
}
