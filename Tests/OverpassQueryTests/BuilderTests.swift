// The fluent builder: texts for the common questions, value semantics, and faults.

import OSMModel
import OverpassQuery
import Testing

@Suite struct BuilderTests {
  let places = Query.nodes().boundingBox(south: 1, west: 2, north: 3, east: 4)

  func tag(_ change: (QueryBuilder) -> QueryBuilder) throws -> String {
    let text = try change(Query.nodes()).format(.xml).ql()
    let rest = text.dropFirst("[out:xml];node".count)
    return String(rest.dropLast(";out;".count))
  }

  @Test func everyOutputMode() throws {
    let select = "[out:json];node(1,2,3,4);"
    #expect(try places.ql() == select + "out;")
    #expect(try places.output(.center).ql() == select + "out center;")
    #expect(try places.output(.geometry).ql() == select + "out geom;")
    #expect(try places.output(.recurseDown).ql() == select + "(._;>;);out;")
    #expect(try places.output(.recurseUp).ql() == select + "(._;<;);out;")
    #expect(try places.output(.recurseUpAndDown).ql() == select + "(._;<;>;);out;")
  }

  @Test func everySetOfTypes() throws {
    let words: [(QueryBuilder.ElementTypes, String)] = [
      (.node, "node"), (.way, "way"), (.relation, "relation"), ([.node, .way], "nw"),
      ([.node, .relation], "nr"), ([.way, .relation], "wr"), (.all, "nwr"),
    ]
    for (types, word) in words {
      #expect(try Query.elements(types).tag("a").ql() == "[out:json];\(word)[\"a\"];out;")
    }
  }

  @Test func settings() throws {
    let text = try places.timeout(seconds: 25).maxsize(mebibytes: 512).ql()
    #expect(text == "[out:json][timeout:25][maxsize:536870912];node(1,2,3,4);out;")
    #expect(try places.timeout(seconds: 0.2).ql().hasPrefix("[out:json][timeout:1];"))
    #expect(
      try places.format(.xml).date("2020-04-27").ql().hasPrefix(
        "[out:xml][date:\"2020-04-27T00:00:00Z\"];"))
  }

  @Test func printing() throws {
    let text = try places.verbosity(.meta).output(.center).order(.quadtile).limit(10).ql()
    #expect(text == "[out:json];node(1,2,3,4);out meta center qt 10;")
  }

  @Test func placesAndNumbers() throws {
    #expect(
      try Query.ways().around(latitude: 52.5, longitude: 13.4, radius: 300).ql()
        == "[out:json];way(around:300,52.5,13.4);out;")
    let triangle = [(0, 0), (1, 0), (0, 1)].map {
      Coordinate(longitudeE7: Int32($0.0 * 10_000_000), latitudeE7: Int32($0.1 * 10_000_000))
    }
    #expect(
      try Query.ways().polygon(triangle).ql()
        == "[out:json];way(poly:\"0 0 0 1 1 0\");out;")
    #expect(try Query.nodes().ids([7]).ql() == "[out:json];node(7);out;")
    #expect(try Query.nodes().ids([7, 8]).ql() == "[out:json];node(id:7,8);out;")
    #expect(
      try Query.nodes().area(id: 3_600_000_001).ql()
        == "[out:json];node(area:3600000001);out;")
    #expect(Query.areaID(of: ElementID(.relation, 2_758_138)) == 3_602_758_138)
    #expect(Query.areaID(of: ElementID(.way, 2_758_138)) == 2_402_758_138)
    #expect(Query.areaID(of: ElementID(.node, 1)) == nil)
  }

  @Test func tagFilters() throws {
    #expect(try tag { $0.tag("a") } == #"["a"]"#)
    #expect(try tag { $0.withoutTag("a") } == #"[!"a"]"#)
    #expect(try tag { $0.tag("a", "b") } == #"["a"="b"]"#)
    #expect(try tag { $0.tag("a", not: "b") } == #"["a"!="b"]"#)
    #expect(try tag { $0.tag("a", contains: "b.c") } == #"["a"~"b\\.c",i]"#)
    #expect(try tag { $0.tag("a", endsWith: "b") } == #"["a"~"b$"]"#)
    #expect(try tag { $0.tag("a", matching: "^b|c") } == #"["a"~"^b|c"]"#)
    #expect(try tag { $0.tag("a", notMatching: "b", ignoringCase: true) } == #"["a"!~"b",i]"#)
    #expect(try tag { $0.tag("a", noneOf: ["b", "c"]) } == #"["a"!~"^(b|c)$"]"#)
    #expect(try tag { $0.tag(keyMatching: "^a", valueMatching: "b") } == #"[~"^a"~"b"]"#)
  }

  @Test func continuingInTwoWaysLeavesTheOriginalAlone() throws {
    let common = Query.nodes().tag("amenity", "cafe")
    let first = common.boundingBox(south: 1, west: 2, north: 3, east: 4).timeout(seconds: 5)
    let second = common.around(latitude: 1, longitude: 2, radius: 3)
    #expect(try common.ql() == "[out:json];node[\"amenity\"=\"cafe\"];out;")
    #expect(try first.ql() == "[out:json][timeout:5];node[\"amenity\"=\"cafe\"](1,2,3,4);out;")
    #expect(try second.ql() == "[out:json];node[\"amenity\"=\"cafe\"](around:3,1,2);out;")
  }

  @Test(arguments: [
    (QueryBuilder().tag("a"), QueryError.Kind.noElementType),
    (Query.nodes(), .unrestricted),
    (Query.nodes().tag("a").timeout(seconds: 0), .invalidTimeout),
    (Query.nodes().tag("a").timeout(seconds: -1), .invalidTimeout),
    (Query.nodes().tag("a").timeout(seconds: .nan), .invalidTimeout),
    (Query.nodes().tag("a").timeout(seconds: .infinity), .invalidTimeout),
    (Query.nodes().tag("a").maxsize(bytes: 0), .invalidMaxsize),
    (Query.nodes().tag("a").maxsize(mebibytes: .max), .invalidMaxsize),
    (Query.nodes().tag("a").limit(0), .invalidLimit),
    (Query.nodes().boundingBox(south: .nan, west: 0, north: 1, east: 1), .invalidBoundingBox),
    (Query.nodes().boundingBox(south: 0, west: 0, north: 91, east: 1), .invalidBoundingBox),
    (Query.nodes().boundingBox(south: 2, west: 0, north: 1, east: 1), .invalidBoundingBox),
    (
      Query.nodes().boundingBox(
        centerLatitude: 0, longitude: 0, widthMeters: 0, heightMeters: 1), .invalidDistance
    ),
    (Query.nodes().around(latitude: 0, longitude: 181, radius: 1), .invalidPosition),
    (Query.nodes().around(latitude: 0, longitude: 0, radius: -1), .invalidDistance),
    (Query.nodes().around(latitude: 0, longitude: 0, radius: .infinity), .invalidDistance),
    (Query.nodes().around(line: [], radius: 1), .emptyList),
    (Query.nodes().polygon([]), .invalidPolygon),
    (Query.nodes().ids([]), .emptyList),
    (Query.nodes().ids([0]), .invalidNumber),
    (Query.nodes().tag(""), .emptyKey),
    (Query.nodes().tag("a", ""), .emptyList),
    (Query.nodes().tag("a", oneOf: []), .emptyList),
    (Query.nodes().tag("a", "\0"), .invalidCharacter),
    (Query.nodes().tag("a\u{1b}", "b"), .invalidCharacter),
    (Query.nodes().tag("a", matching: "("), .invalidRegex),
    (Query.nodes().date("yesterday"), .invalidTimestamp),
  ])
  func faults(_ builder: QueryBuilder, _ kind: QueryError.Kind) throws {
    let error = #expect(throws: QueryError.self) { try builder.build() }
    #expect(error?.kind == kind)
    #expect(error?.message.isEmpty == false)
  }

  @Test func theFirstFaultWins() throws {
    let builder = Query.nodes().tag("").timeout(seconds: 0)
    #expect(builder.error?.kind == .emptyKey)
    let error = #expect(throws: QueryError.self) { try builder.ql() }
    #expect(error == builder.error)
  }
}

@Suite struct CenteredBoxTests {
  @Test func sizeInMeters() throws {
    let box = try BoundingBox(
      centerLatitude: 0, longitude: 0, widthMeters: 2_000, heightMeters: 4_000)
    #expect(box.southE7 == -180_000 && box.northE7 == 180_000)
    #expect(abs(Int(box.eastE7) - 90_000) <= 1 && box.westE7 == -box.eastE7)
  }

  @Test func theBoxIsWideEnoughAtItsNarrowEnd() throws {
    let box = try BoundingBox(
      centerLatitude: 60, longitude: 25, widthMeters: 200_000, heightMeters: 200_000)
    let metersPerDegree = 10_000_000.0 / 90
    let narrow = metersPerDegree * 0.484  // cos(60.9°) ≈ 0.486
    #expect(Double(box.eastE7 - box.westE7) / 1e7 * narrow > 198_000)
  }

  @Test func acrossTheAntimeridian() throws {
    let east = try BoundingBox(
      centerLatitude: 0, longitude: 179.99, widthMeters: 10_000, heightMeters: 1_000)
    #expect(east.isValid && east.crossesAntimeridian)
    #expect(east.westE7 < 1_799_900_000 && east.eastE7 < -1_799_000_000)
    let west = try BoundingBox(
      centerLatitude: 0, longitude: -180, widthMeters: 10_000, heightMeters: 1_000)
    #expect(west.isValid && west.crossesAntimeridian && west.westE7 > 1_799_000_000)
  }

  @Test(arguments: [90.0, 89.9999, -90, -89.9999])
  func atThePoles(_ latitude: Double) throws {
    let box = try BoundingBox(
      centerLatitude: latitude, longitude: 10, widthMeters: 1_000, heightMeters: 1_000)
    #expect(box.isValid)
    #expect(box.westE7 == -1_800_000_000 && box.eastE7 == 1_800_000_000)
  }

  @Test func theWholeEarth() throws {
    let box = try BoundingBox(
      centerLatitude: 0, longitude: 0, widthMeters: 1e9, heightMeters: 1e9)
    #expect(
      box
        == BoundingBox(
          southE7: -900_000_000, westE7: -1_800_000_000, northE7: 900_000_000,
          eastE7: 1_800_000_000))
  }
}
