import FeatureFormats
import OSMGeometry
import OSMModel
import OverpassDecoding
import OverpassTestSupport
import Testing

private func geoJSON(
  _ answer: String, _ layout: PropertyLayout = .flat, _ options: FeatureOptions = FeatureOptions(),
  head: GeoJSONHead = GeoJSONHead()
) throws -> String {
  let response = try OverpassJSON.decode(Array(answer.utf8))
  var writer = GeoJSONWriter(FeatureSet(response.dataset, options: options), layout: layout)
  writer.head = head
  var sink = MemorySink()
  try writer.write(to: &sink)
  return text(in: sink.takeBytes())
}

private let oneNode =
  #"{"elements":[{"type":"node","id":1,"lat":50,"lon":-1e-07,"version":4,"user":"an\"na","timestamp":"2024-03-31T02:30:00Z","changeset":5,"uid":6,"tags":{"id":"A7","type":"level","version":"old","@id":"x"}}]}"#

@Suite struct GeoJSONWriterTests {
  @Test func anEmptyAnswerIsAnEmptyCollection() throws {
    #expect(
      try geoJSON(#"{"elements":[]}"#) == "{\"type\":\"FeatureCollection\",\"features\":[\n\n]}\n")
  }

  @Test func theHeadNamesSourceAndRemarks() throws {
    var head = GeoJSONHead()
    head.generator = "x"
    head.copyright = "© y"
    head.timestamp = "z"
    head.remarks = ["runtime error: a \"b\"", "c"]
    let text = try geoJSON(#"{"elements":[]}"#, head: head)
    #expect(
      text.hasPrefix(
        #"{"type":"FeatureCollection","generator":"x","copyright":"© y","timestamp":"z","remarks":["runtime error: a \"b\"","c"],"features":["#
      ))
  }

  /// B059: tags and fields never share a name. B118: no exponents. B120: the bounding box.
  @Test func flatProperties() throws {
    let text = try geoJSON(oneNode)
    #expect(
      text.contains(
        #"{"type":"Feature","id":"node/1","properties":{"@type":"node","@id":"node/1","@version":4,"@timestamp":"2024-03-31T02:30:00Z","@changeset":5,"@uid":6,"@user":"an\"na","id":"A7","type":"level","version":"old","@@id":"x"},"geometry":{"type":"Point","coordinates":[-0.0000001,50]}}"#
      ))
    #expect(text.hasSuffix("\n],\"bbox\":[-0.0000001,50,-0.0000001,50]}\n"))
  }

  /// RFC 7946 §5.2: a box over the antimeridian has its west east of its east.
  @Test(arguments: [
    ("[[179,1],[-178,2]]", "179,1,-178,2"), ("[[-178,1],[179,2]]", "179,1,-178,2"),
    ("[[100,1],[-100,2]]", "100,1,-100,2"), ("[[80,1],[-80,2]]", "-80,1,80,2"),
    ("[[170,1],[179,2]]", "170,1,179,2"), ("[[-170,1],[-179,2]]", "-179,1,-170,2"),
    ("[[179,1],[10,1],[-10,1],[-179,2]]", "-179,1,179,2"), ("[[0,1],[-179,2]]", "-179,1,0,2"),
  ])
  func boxAroundTheCollection(line: String, expected: String) throws {
    let points = line.dropFirst(2).dropLast(2).split(separator: "],[").enumerated().map {
      let numbers = $1.split(separator: ",")
      return
        #"{"type":"node","id":\#($0 + 1),"lon":\#(numbers[0]),"lat":\#(numbers[1]),"tags":{"a":"b"}}"#
    }
    let way = #"{"type":"way","id":1,"nodes":\#(Array(1...points.count)),"tags":{"a":"b"}}"#
    for profile in [FeatureProfile.default, .osmtogeojson] {
      let text = try geoJSON(
        #"{"elements":[\#((points + [way]).joined(separator: ","))]}"#, .flat,
        FeatureOptions(profile: profile))
      #expect(text.hasSuffix("\n],\"bbox\":[\(expected)]}\n"))
    }
  }

  @Test func boxAroundAPole() throws {
    let corners = [-120, 0, 120].enumerated().map {
      #"{"type":"node","id":\#($0 + 1),"lon":\#($1),"lat":70}"#
    }
    let way = #"{"type":"way","id":1,"nodes":[1,2,3,1],"tags":{"natural":"water"}}"#
    let text = try geoJSON(#"{"elements":[\#((corners + [way]).joined(separator: ","))]}"#)
    #expect(text.hasSuffix("\n],\"bbox\":[-180,70,180,90]}\n"))
  }

  @Test func nestedProperties() throws {
    let text = try geoJSON(oneNode, .nested)
    #expect(
      text.contains(
        #""properties":{"type":"node","id":1,"tags":{"id":"A7","type":"level","version":"old","@id":"x"},"relations":[],"meta":{"version":4,"timestamp":"2024-03-31T02:30:00Z","changeset":5,"uid":6,"user":"an\"na"}}"#
      ))
  }

  /// Metadata, tags over it, the identity over both.
  @Test func theFlatLayoutOfOsmtogeojson() throws {
    let text = try geoJSON(oneNode, .flat, FeatureOptions(profile: .osmtogeojson))
    #expect(
      text.contains(
        #""properties":{"id":"node/1","timestamp":"2024-03-31T02:30:00Z","changeset":5,"uid":6,"user":"an\"na","type":"level","version":"old","@id":"x"}"#
      ))
  }

  @Test func membershipsTaintAndPlaceholders() throws {
    let answer =
      #"{"elements":[{"type":"node","id":1,"lat":0,"lon":0},{"type":"node","id":2,"lat":0,"lon":1},{"type":"way","id":3,"nodes":[1,2,9],"tags":{"highway":"path"}},{"type":"way","id":4,"center":{"lat":1.5,"lon":2.5},"tags":{"shop":"yes"}},{"type":"relation","id":7,"members":[{"type":"way","ref":3,"role":"forward"}],"tags":{"type":"route"}}]}"#
    let flat = try geoJSON(answer)
    #expect(
      flat.contains(
        #""@tainted":true,"@relations":[{"rel":7,"role":"forward","reltags":{"type":"route"}}],"highway":"path""#
      ))
    #expect(
      flat.contains(
        #""@id":"way/4","@geometry":"center","shop":"yes"},"geometry":{"type":"Point","coordinates":[2.5,1.5]}"#
      ))
    let nested = try geoJSON(answer, .nested)
    #expect(
      nested.contains(
        #""relations":[{"rel":7,"role":"forward","reltags":{"type":"route"}}],"meta":{},"tainted":true}"#
      ))
    #expect(nested.contains(#""meta":{},"geometry":"center"}"#))
  }

  @Test func aFeatureAloneKeepsANullGeometry() throws {
    let answer =
      #"{"elements":[{"type":"relation","id":1,"members":[{"type":"way","ref":3,"role":"outer"}],"tags":{"type":"multipolygon","landuse":"grass"}}]}"#
    let response = try OverpassJSON.decode(Array(answer.utf8))
    let features = FeatureSet(response.dataset)
    try #require(features.count == 1)
    let alone = text(in: GeoJSONWriter(features).feature(0))
    #expect(alone.hasSuffix("\"geometry\":null}"))
    #expect(try geoJSON(answer).contains("\"features\":[\n\n]"))
  }

  @Test func derivedElementsWithGeometry() throws {
    let text = try geoJSON(
      #"{"elements":[{"type":"le\"n","id":1,"geometry":{"type":"Polygon","coordinates":[[0,0],[0,1],[1,1],[0,0]]},"tags":{"a":"b"}},{"type":"q","geometry":{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[1,2]},{"type":"MultiPoint","coordinates":[[1,2],[3,4]]}]}}]}"#
    )
    #expect(
      text.contains(
        #""id":"le\"n/1","properties":{"@type":"le\"n","@id":"le\"n/1","a":"b"},"geometry":{"type":"Polygon","coordinates":[[[0,0],[1,1],[0,1],[0,0]]]}"#
      ))
    #expect(
      text.contains(
        #"{"type":"Feature","properties":{"@type":"q"},"geometry":{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[1,2]},{"type":"MultiPoint","coordinates":[[1,2],[3,4]]}]}}"#
      ))
  }

  @Test func filesAreReplacedOrNameTheirFault() throws {
    let path = "/tmp/overpasskit-\(getpid()).geojson"
    try withFileSink(path) { sink throws(WriteError) in
      var text = TextForSink("longer than the next")
      try text.write(to: &sink)
    }
    try withFileSink(path) { sink throws(WriteError) in
      var text = TextForSink("short")
      try text.write(to: &sink)
    }
    #expect(readFile(path) == Array("short".utf8))
    unlink(path)
    #expect(throws: WriteError.self) {
      try withFileSink("/does/not/exist") { _ throws(WriteError) in }
    }
    #expect(throws: WriteError.self) {
      try withFileSink("/dev/full") { sink throws(WriteError) in
        var text = TextForSink("x")
        try text.write(to: &sink)
      }
    }
  }
}

private struct TextForSink {
  var bytes: [UInt8]

  init(_ text: String) { bytes = Array(text.utf8) }

  mutating func write(to sink: inout DescriptorSink) throws(WriteError) {
    let result: Result<Void, WriteError> = bytes.withUnsafeBufferPointer { buffer in
      do throws(WriteError) { return .success(try sink.write(buffer)) } catch {
        return .failure(error)
      }
    }
    try result.get()
  }
}

/// Many features: more than one block.
private func manyNodes(_ count: Int) -> String {
  var text = "{\"elements\":["
  for number in 0..<count {
    if number > 0 { text += "," }
    text +=
      "{\"type\":\"node\",\"id\":\(number + 1),\"lat\":1,\"lon\":0.\(number % 7),\"tags\":{\"n\":\"\(number)\"}}"
  }
  return text + "]}"
}

/// Takes some bytes, then refuses.
private struct RefusingSink: ByteSink {
  var room: Int

  mutating func write(_ bytes: UnsafeBufferPointer<UInt8>) throws(WriteError) {
    room -= bytes.count
    if room < 0 { throw WriteError(.write, "full") }
  }
}

@Suite struct GeoJSONThreadTests {
  @Test(arguments: [0, 1, 2047, 2048, 2049, 20_000])
  func anyNumberOfThreadsWritesTheSame(_ count: Int) throws {
    let response = try OverpassJSON.decode(Array(manyNodes(count).utf8))
    var writer = GeoJSONWriter(FeatureSet(response.dataset))
    var expected: String?
    for threads in [1, 2, 3, 16, 1000] {
      writer.threads = threads
      var sink = MemorySink()
      try writer.write(to: &sink)
      let written = text(in: sink.takeBytes())
      #expect(expected ?? written == written)
      #expect(written.utf8.count { $0 == UInt8(ascii: "\n") } == max(count, 1) + 2)
      expected = written
    }
  }

  @Test(arguments: [1, 2, 8]) func aSinkThatRefusesEndsTheWork(_ threads: Int) throws {
    let response = try OverpassJSON.decode(Array(manyNodes(30_000).utf8))
    var writer = GeoJSONWriter(FeatureSet(response.dataset))
    writer.threads = threads
    for room in [0, 10, 300_000, 1_000_000] {
      var sink = RefusingSink(room: room)
      #expect(throws: WriteError.self) { try writer.write(to: &sink) }
    }
  }
}
