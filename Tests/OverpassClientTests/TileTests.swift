import OSMModel
import OverpassDecoding
import OverpassQuery
import Synchronization
import Testing

@testable import OverpassClient

/// What a server was sent.
private final class Sent: Sendable {
  let texts = Mutex<[String]>([])
  var count: Int { texts.withLock { $0.count } }
}

@Suite struct TileTests {
  private let box = BoundingBox(southE7: 0, westE7: 0, northE7: 100_000_000, eastE7: 80_000_000)

  /// A server with a node at each whole degree, which finds no more than some nodes in its time.
  private func client(
    finding most: Int, sent: Sent, remark: String = "Query timed out in \"query\""
  ) throws -> OverpassClient {
    let server = FakeServer()
    let transport = HTTPTransport { request, receiver throws(TransportError) in
      let text = String(decoding: request.body, as: UTF8.self)
      sent.texts.withLock { $0.append(text) }
      guard let box = TileTests.box(in: text) else { throw TransportError(.other, "no box") }
      var nodes: [String] = []
      for lat in 0...10 {
        for lon in 0...8 {
          let position = Coordinate(
            longitudeE7: Int32(lon) * 10_000_000, latitudeE7: Int32(lat) * 10_000_000)
          if box.contains(position) {
            nodes.append(
              #"{"type":"node","id":\#(lat * 100 + lon + 1),"lat":\#(lat),"lon":\#(lon)}"#)
          }
        }
      }
      let end =
        nodes.count > most
        ? #","remark":"runtime error: \#(remark.replacing("\"", with: "\\\"")) after 9 seconds."}"#
        : "}"
      let body = "{\"elements\":[\(nodes.prefix(most).joined(separator: ","))]\(end)"
      _ = receiver.receive(head: HTTPHead(status: 200))
      _ = Array(body.utf8).withUnsafeBufferPointer { receiver.receive($0) }
    }
    return try server.client { $0.transport = transport }
  }

  /// The box of a query as it is sent.
  private static func box(in body: String) -> BoundingBox? {
    let text = body.replacing("%2C", with: ",").replacing("%28", with: "(").replacing(
      "%29", with: ")"
    ).replacing("%5B", with: "[").replacing("%5D", with: "]").replacing("%3A", with: ":")
    let start =
      text.firstRange(of: "[bbox:")?.upperBound ?? text.firstRange(of: "node(")?.upperBound
    guard let start else { return nil }
    let numbers = text[start...].prefix { $0 != "]" && $0 != ")" }.split(separator: ",")
      .compactMap { Double($0) }
    guard numbers.count == 4 else { return nil }
    return BoundingBox(
      southE7: Int32(numbers[0] * 1e7), westE7: Int32(numbers[1] * 1e7),
      northE7: Int32(numbers[2] * 1e7), eastE7: Int32(numbers[3] * 1e7))
  }

  @Test(arguments: ["node[x];out;", "[bbox:0,0,10,8];node;out;", "node(0,0,10,8);out;"])
  func dividesUntilTheServerCopes(_ text: String) throws {
    let sent = Sent()
    let result = try client(finding: 10, sent: sent).fetchTiled(Query.parse(text), box: box)
    let dataset = result.response.dataset
    let ids = (0..<dataset.nodes.count).map { dataset.nodes.elements.ids[$0] }
    #expect(ids.count == 99)
    #expect(ids == ids.sorted())
    #expect(result.response.completeness == .complete)
    #expect(result.tiles.count == sent.count)
    #expect(result.tiles.contains { $0.depth > 1 })
    #expect(result.tiles.contains { !$0.isAnswered })
    #expect(result.attempts.count == result.tiles.count)
  }

  @Test func asksOnceWhereThatIsEnough() throws {
    let sent = Sent()
    var told: [(Int, Int)] = []
    let result = try client(finding: 1000, sent: sent).fetchTiled(
      Query.parse("node(0,0,10,8);out;")
    ) { progress in
      told.append((progress.tilesDone, progress.tilesLeft))
      return true
    }
    #expect(result.response.dataset.nodes.count == 99)
    #expect(result.tiles.count == 1)
    #expect(!told.isEmpty && told.allSatisfy { $0 == (0, 1) })
  }

  @Test func tellsWhereTilesCameFrom() throws {
    let folder = TemporaryFolder()
    let server = FakeServer()
    server.script("interpreter", [.answer(oneNode)])
    let cache = try AnswerCache(folder: folder.path, maximumAgeSeconds: 3600)
    let client = try server.client { $0.cache = cache }
    for isFromCache in [false, true] {
      let result = try client.fetchTiled(Query.parse("[out:json];node(0,0,10,8);out;"))
      #expect(result.isFromCache == isFromCache)
      #expect(result.endpoint == client.configuration.endpoints[0])
      #expect(result.response.dataset.nodes.count == 1)
    }
    #expect(server.requests.count == 1)
  }

  @Test func keepsToItsLimits() throws {
    let sent = Sent()
    var limits = TileLimits()
    limits.maximumRequests = 5
    let error = try #require(throws: FetchError.self) {
      _ = try client(
        finding: 10, sent: sent, remark: "Query ran out of memory in \"query\" at line 1"
      )
      .fetchTiled(Query.parse("node[x];out;"), box: box, limits: limits)
    }
    guard case .client(let reason) = error.failure else { throw error }
    #expect(reason.kind == .limit)
    #expect(sent.count == 5)
    #expect(error.attempts.count == 5)
    limits.maximumDepth = 1
    let shallow = try #require(throws: FetchError.self) {
      _ = try client(finding: 10, sent: sent).fetchTiled(
        Query.parse("node[x];out;"), box: box, limits: limits)
    }
    guard case .server(let reason) = shallow.failure else { throw shallow }
    #expect(reason.category == .queryTimeout)
    #expect(shallow.partial?.dataset.nodes.count == 10)
  }

  @Test(arguments: [
    "node[x];out count;", "node[x];out 10;", "node[x];out ids noids;", "(node[x];-node[y];);out;",
    "node[x];make x n=count(nodes);out;", "node[x];convert x ::id=id();out;",
    "[out:csv(::id)];node[x];out;",
    "[diff:\"2020-01-01T00:00:00Z\"];node[x];out;", "if(count(nodes)>1){node[x];out;}",
    "node(1,1,2,2);out;", "(node(1,1,2,2);way(1,1,2,3););out;",
    // What is near, inside or counted may lie in another tile.
    "node[x](0,0,10,8)->.a;node[y](around.a:500)(0,0,10,8);out;",
    "[bbox:0,0,10,8];node[x];node[y](around:500);out;", "node[x];node[y](around:500);out;",
    "node[x](0,0,10,8)->.a;node[y](0,0,10,8)->.b;node.b(around.a:9);out;",
    "node[x](0,0,10,8)->.a;node(around.a:9)->.c;node[y](0,0,10,8)->.b;node.b.c;out;",
    "rel[x](0,0,10,8);map_to_area;node[y](area)(0,0,10,8);out;",
    "node[x](0,0,10,8);way(bn)(0,0,10,8);node(w)(0,0,10,8);out;",
    "way[x](0,0,10,8);>;node._(way_cnt:2);out;",
    "node[x](0,0,10,8);foreach->.e(node[y](around.e:9)(0,0,10,8);out;);",
    "node[z](1);foreach->.e(node[y](around.a:9)(0,0,10,8);out;node[x](0,0,10,8)->.a;);",
    "node[x](0,0,10,8);node._(if:count(nodes)>5);out;",
    "node[x](0,0,10,8)->.a;way(0,0,10,8)(if:t[\"y\"]==a.u(t[\"y\"]));out;",
  ])
  func refusesWhatTilesCannotAnswer(_ text: String) throws {
    let sent = Sent()
    let query = try Query.parse(text)
    let error = try #require(throws: FetchError.self) {
      _ = try client(finding: 1, sent: sent).fetchTiled(query, box: box)
    }
    guard case .client(let reason) = error.failure else { throw error }
    #expect(reason.kind == .query)
    #expect(sent.count == 0)
  }

  @Test(arguments: [
    "area[name=X]->.a;node[x](area.a)(0,0,10,8);out;",
    "[bbox:0,0,10,8];area[name=X];node[x](area);out;",
    "node[x](0,0,10,8);node[y](around:500);out;",
    "node[x](around:500,5,5)(0,0,10,8);out;", "node[x](0,0,10,8)(if:t[\"a\"]>3);out;",
    "way[x](0,0,10,8);node(w)(0,0,10,8);out;", "node[x](0,0,10,8);way(bn)(0,0,10,8);out;",
    "way[x](0,0,10,8);node(way_cnt:2)(0,0,10,8);out;",
    "(way[x](0,0,10,8);rel[x](0,0,10,8););(._;>;);out;",
    "nwr[x](0,0,10,8)->.a;nwr[y](0,0,10,8)->.b;nwr.a.b;out geom(0,0,10,8);",
    "node[x](0,0,10,8);foreach->.e(way(bn.e);out;);",
    "node[x](1,1,2,2)->.a;node[y](around.a:500)(0,0,10,8);out;",
  ])
  func takesWhatTilesCanAnswer(_ text: String) throws {
    _ = try TileQuery(Query.parse(text), box: box)
  }

  @Test func quartersMeet() {
    let pacific = BoundingBox(
      southE7: -10, westE7: 1_700_000_000, northE7: 11, eastE7: -1_700_000_001)
    let quarters = pacific.quarters ?? []
    #expect(quarters.count == 4)
    #expect(quarters.allSatisfy { $0.isValid })
    #expect(quarters[0].northE7 == quarters[2].southE7)
    #expect(quarters[0].eastE7 == quarters[1].westE7)
    #expect(quarters[0].westE7 == pacific.westE7 && quarters[3].eastE7 == pacific.eastE7)
    #expect(BoundingBox(southE7: 0, westE7: 0, northE7: 1, eastE7: 9).quarters == nil)
    let world = BoundingBox(
      southE7: -900_000_000, westE7: -1_800_000_000, northE7: 900_000_000, eastE7: 1_800_000_000)
    let wests = (world.quarters ?? []).map { $0.westE7 }
    #expect(wests == [-1_800_000_000, 0, -1_800_000_000, 0])
  }
}
