import FeatureFormats
import OSMGeometry
import OSMModel
import OverpassDecoding
import OverpassTestSupport
import Testing

/// What a writer makes of an answer.
func written(
  _ answer: String, as format: FeatureFormat, _ options: FeatureOptions = FeatureOptions(),
  _ configure: (inout FeatureWriter) throws -> Void = { _ in }
) throws -> String {
  let response = try OverpassJSON.decode(Array(answer.utf8))
  var writer = FeatureWriter(FeatureSet(response.dataset, options: options), format: format)
  try configure(&writer)
  var sink = MemorySink()
  try writer.write(to: &sink)
  return text(in: sink.takeBytes())
}

/// An answer with nodes at 1°, 2° and these tags, which are JSON already.
func nodes(tags: [String]) -> String {
  let nodes = tags.enumerated().map {
    #"{"type":"node","id":\#($0 + 1),"lon":1,"lat":2,"tags":{\#($1)}}"#
  }
  return #"{"elements":[\#(nodes.joined(separator: ","))]}"#
}

/// One of each: a point, a line, an area with a hole, a line over the antimeridian, a collection, and
/// a relation without geometry.
let variety =
  #"{"elements":[{"type":"node","id":1,"lon":1,"lat":2,"timestamp":"2024-03-31T02:30:00Z","tags":{"name":"a"}},{"type":"way","id":2,"geometry":[{"lon":0,"lat":0},{"lon":1,"lat":1}],"tags":{"highway":"path"}},{"type":"relation","id":3,"members":[{"type":"way","ref":5,"role":"outer","geometry":[{"lon":0,"lat":0},{"lon":9,"lat":0},{"lon":9,"lat":9},{"lon":0,"lat":0}]},{"type":"way","ref":6,"role":"inner","geometry":[{"lon":4,"lat":2},{"lon":5,"lat":2},{"lon":5,"lat":3},{"lon":4,"lat":2}]}],"tags":{"type":"multipolygon","landuse":"grass"}},{"type":"way","id":4,"geometry":[{"lon":179,"lat":0},{"lon":-179,"lat":2}],"tags":{"route":"ferry"}},{"type":"q","geometry":{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[1,2]},{"type":"LineString","coordinates":[[3,4],[5,6]]}]}},{"type":"relation","id":8,"members":[{"type":"way","ref":9,"role":"outer"}],"tags":{"type":"multipolygon","landuse":"grass"}}]}"#

@Suite struct FeatureWriterTests {
  @Test func geoJSONIsThatOfItsOwnWriter() throws {
    let response = try OverpassJSON.decode(Array(variety.utf8))
    for layout in PropertyLayout.allCases {
      var sink = MemorySink()
      try GeoJSONWriter(FeatureSet(response.dataset), layout: layout).write(to: &sink)
      let expected = text(in: sink.takeBytes())
      #expect(try written(variety, as: .geoJSON) { $0.layout = layout } == expected)
      // Sequences hold the same features.
      let features = expected.split(separator: "\n").dropFirst().dropLast().map {
        $0.hasSuffix(",") ? $0.dropLast() : $0
      }
      #expect(features.count == 5)
      let sequence = try written(variety, as: .geoJSONSequence) { $0.layout = layout }
      #expect(sequence == features.map { "\u{1E}\($0)\n" }.joined())
      let lines = try written(variety, as: .geoJSONLines) { $0.layout = layout }
      #expect(lines == features.map { "\($0)\n" }.joined())
    }
  }

  @Test func wellKnownTextALine() throws {
    let lines = [
      "POINT (1 2)", "LINESTRING (0 0, 1 1)",
      "POLYGON ((0 0, 9 0, 9 9, 0 0), (4 2, 5 3, 5 2, 4 2))",
      "MULTILINESTRING ((179 0, 180 1), (-180 1, -179 2))",
      "GEOMETRYCOLLECTION (POINT (1 2), LINESTRING (3 4, 5 6))",
    ]
    #expect(try written(variety, as: .wkt) == lines.map { "\($0)\n" }.joined())
    #expect(try written(variety, as: .ewkt) == lines.map { "SRID=4326;\($0)\n" }.joined())
  }

  @Test func emptyAnswers() throws {
    let empty = #"{"elements":[]}"#
    for format in [FeatureFormat.geoJSONSequence, .geoJSONLines, .wkt, .ewkt] {
      #expect(try written(empty, as: format) == "")
    }
    #expect(try written(empty, as: .csv) == "osm_type,osm_id,lon,lat\r\n")
    #expect(
      try written(empty, as: .columnTypes) == "\"String\",\"Integer64\",\"CoordX\",\"CoordY\"\n")
    #expect(try written(empty, as: .gpx).hasSuffix("</metadata>\n</gpx>\n"))
    #expect(try written(empty, as: .kml).hasSuffix("</description>\n</Document>\n</kml>\n"))
  }

  @Test(arguments: FeatureFormat.allCases) func anyNumberOfThreadsWritesTheSame(
    _ format: FeatureFormat
  ) throws {
    let answer = nodes(tags: (0..<5000).map { #""n":"\#($0)","k\#($0 % 300)":"v""# })
    let response = try OverpassJSON.decode(Array(answer.utf8))
    var writer = FeatureWriter(FeatureSet(response.dataset), format: format)
    var expected: [UInt8]?
    for threads in [1, 2, 16] {
      writer.threads = threads
      var sink = MemorySink()
      try writer.write(to: &sink)
      let written = bytes(in: sink.takeBytes())
      #expect(expected ?? written == written)
      expected = written
    }
  }

  @Test(arguments: FeatureFormat.allCases) func aSinkThatRefusesEndsTheWork(
    _ format: FeatureFormat
  ) throws {
    let response = try OverpassJSON.decode(Array(variety.utf8))
    var sink = FullSink()
    #expect(throws: WriteError.self) {
      try FeatureWriter(FeatureSet(response.dataset), format: format).write(to: &sink)
    }
  }
}

private struct FullSink: ByteSink {
  mutating func write(_ bytes: UnsafeBufferPointer<UInt8>) throws(WriteError) {
    throw WriteError(.write, "full")
  }
}

@Suite struct WellKnownTests {
  @Test func emptyGeometries() {
    var geometry = Geometry()
    for (kind, expected) in [
      (GeometryKind.none, "GEOMETRYCOLLECTION EMPTY"), (.point, "POINT EMPTY"),
      (.lineString, "LINESTRING EMPTY"), (.polygon, "POLYGON EMPTY"),
      (.multiPoint, "MULTIPOINT EMPTY"), (.multiLineString, "MULTILINESTRING EMPTY"),
      (.multiPolygon, "MULTIPOLYGON EMPTY"), (.geometryCollection, "GEOMETRYCOLLECTION EMPTY"),
    ] {
      geometry.kind = kind
      #expect(text(in: WKTWriter.bytes(of: geometry)) == expected)
    }
  }

  @Test func severalOfAKind() {
    var points = Geometry()
    points.kind = .multiPoint
    points.coordinates = [
      Coordinate(longitudeE7: -1, latitudeE7: 0),
      Coordinate(longitudeE7: 5, latitudeE7: 20_000_000),
    ]
    #expect(
      text(in: WKTWriter.bytes(of: points)) == "MULTIPOINT ((-0.0000001 0), (0.0000005 2))")
    #expect(text(in: WKTWriter.extendedBytes(of: points)).hasPrefix("SRID=4326;MULTIPOINT ("))
  }

  @Test func extendedBinaryNamesItsReferenceSystem() {
    let point = Geometry(point: Coordinate(longitudeE7: 10_000_000, latitudeE7: 20_000_000))
    let plain = bytes(in: WKBWriter.bytes(of: point))
    let extended = bytes(in: WKBWriter.extendedBytes(of: point))
    #expect(extended.prefix(9) == [1, 1, 0, 0, 0x20, 0xE6, 0x10, 0, 0])
    #expect(extended.dropFirst(9) == plain.dropFirst(5))
  }

  @Test func binaryIsOneCollection() throws {
    let response = try OverpassJSON.decode(Array(variety.utf8))
    let features = FeatureSet(response.dataset)
    for (format, head) in [
      (FeatureFormat.wkb, [1, 7, 0, 0, 0, 5, 0, 0, 0]),
      (.ewkb, [1, 7, 0, 0, 0x20, 0xE6, 0x10, 0, 0, 5, 0, 0, 0]),
    ] {
      var sink = MemorySink()
      try FeatureWriter(features, format: format).write(to: &sink)
      let written = bytes(in: sink.takeBytes())
      #expect(written.prefix(head.count) == head[...].map { UInt8($0) }[...])
      #expect(written[head.count...].prefix(5) == [1, 1, 0, 0, 0])
    }
  }
}
