import OSMModel
import OverpassDecoding
import Testing

@Suite struct JSONElementTests {
  @Test func headerAndRemarks() throws {
    let response = try decode(
      """
      {"version": 0.6, "generator": "Overpass API 0.7.62", "osm3s": {"timestamp_osm_base":
      "2024-05-01T00:00:00Z", "timestamp_areas_base": "2024-04-30T00:00:00Z", "copyright": "ODbL",
      "other": [1, {"a": null}]}, "unknown": {"deep": [[[]]]}, "elements": [],
      "remark": "runtime error: Query timed out in \\"query\\" at line 3 after 26 seconds."}
      """)
    #expect(response.header.version == "0.6")
    #expect(response.header.generator == "Overpass API 0.7.62")
    #expect(response.header.timestamp == "2024-05-01T00:00:00Z")
    #expect(response.header.areasTimestamp == "2024-04-30T00:00:00Z")
    #expect(response.header.copyright == "ODbL")
    #expect(
      response.remarks == [
        "runtime error: Query timed out in \"query\" at line 3 after 26 seconds."
      ])
    #expect(response.completeness == .partial)
    #expect(response.dataset.count == 0)
  }

  @Test(arguments: [
    ("runtime error: Query timed out", Response.Completeness.partial),
    ("runtime remark: Timeout is 180", .complete), ("something new", .unknown),
    ("runtime remark: one. runtime error: two", .partial),
  ]) func whatARemarkMeans(_ remark: String, _ meaning: Response.Completeness) throws {
    #expect(
      try decode("{\"elements\":[],\"remark\":\"\(remark)\"}").completeness == meaning)
  }

  /// B028
  @Test func aTagNamedRemarkIsNoRemark() throws {
    let response = try decode(
      #"{"elements":[{"type":"node","id":1,"lat":1.0,"lon":2.0,"tags":{"remark":"runtime error: none"}}]}"#
    )
    #expect(response.remarks.isEmpty)
    #expect(response.completeness == .complete)
  }

  @Test func nodesWaysAndRelations() throws {
    let response = try decode(
      #"""
      {"elements":[
      {"type":"node","id":1,"lat":60.1673513,"lon":-24.94,"tags":{"name":"a","amenity":"cafe"}},
      {"type":"way","id":2,"nodes":[1,12345678901,-3],"bounds":{"minlat":1,"minlon":2,"maxlat":3,"maxlon":4},
       "geometry":[null,{"lat":1,"lon":2}],"tags":{}},
      {"type":"relation","id":3,"center":{"lat":1.5,"lon":2.5},"members":[
       {"type":"way","ref":2,"role":"outer","geometry":[]},
       {"type":"node","ref":1,"role":"label","lat":1.0,"lon":2.0},
       {"type":"relation","ref":9,"role":""}]}]}
      """#)
    let data = response.dataset
    #expect(
      data.nodes.positions[0] == Coordinate(longitudeE7: -249_400_000, latitudeE7: 601_673_513))
    #expect(data.tagTexts(ElementIndex(.node, 0)) == ["name": "a", "amenity": "cafe"])
    #expect(Array(data.ways.refs(0)) == [1, 12_345_678_901, -3])
    let inline = data.ways.inlineGeometry(0)
    let line = try #require(inline)
    #expect(
      Array(line) == [.undefined, Coordinate(longitudeE7: 20_000_000, latitudeE7: 10_000_000)])
    #expect(
      data.ways.elements.bounds[0]
        == BoundingBox(
          southE7: 10_000_000, westE7: 20_000_000, northE7: 30_000_000, eastE7: 40_000_000))
    #expect(data.relations.members(0).map(\.type) == [.way, .node, .relation])
    #expect(data.relations.members(0).map(\.ref) == [2, 1, 9])
    #expect(
      data.relations.members(0).map { data.strings.string($0.role) } == ["outer", "label", ""])
    #expect(data.relations.inlineGeometry(member: 0) == nil)
    #expect(data.relations.inlineGeometry(member: 1)?.first?.latitudeE7 == 10_000_000)
    #expect(data.relations.inlineGeometry(member: 2) == nil)
    #expect(
      data.relations.elements.centers[0]
        == Coordinate(longitudeE7: 25_000_000, latitudeE7: 15_000_000))
  }

  @Test func keysInAnyOrderAndWithEscapes() throws {
    let response = try decode(
      #"{"elements":[{"tags":{"a":"b"},"nodes":[5],"id":2,"type":"way","t\u0061gs":{"c":"d"}}]}"#)
    #expect(Array(response.dataset.ways.refs(0)) == [5])
    #expect(response.dataset.tagTexts(ElementIndex(.way, 0)) == ["c": "d"])
  }

  @Test func repeatedKeysMeanTheLastOne() throws {
    let response = try decode(
      #"{"elements":[{"type":"way","id":2,"nodes":[5,6],"nodes":[7],"tags":{"a":"1","b":"2","a":"3"}}]}"#
    )
    #expect(Array(response.dataset.ways.refs(0)) == [7])
    #expect(response.dataset.ways.elements.tags(0).count == 2)
    #expect(response.dataset.tagTexts(ElementIndex(.way, 0)) == ["a": "3", "b": "2"])
  }

  @Test func metadataWithAnyFieldMissing() throws {
    let data = try decode(
      #"""
      {"elements":[{"type":"node","id":1},
      {"type":"node","id":2,"version":4,"timestamp":"2024-03-31T02:30:00Z","changeset":9,"user":"anna","uid":7},
      {"type":"node","id":3,"uid":8,"visible":false},
      {"type":"node","id":4,"version":"x","changeset":null,"timestamp":"yesterday"}]}
      """#)
    #expect(data.dataset.metadata(ElementIndex(.node, 0)).isEmpty)
    let full = data.dataset.metadata(ElementIndex(.node, 1))
    #expect(full.version == 4)
    #expect(full.timestamp == 1_711_852_200)
    #expect(full.changeset == 9)
    #expect(full.userID == 7)
    #expect(full.user.map { data.dataset.strings.string($0) } == "anna")
    let sparse = data.dataset.metadata(ElementIndex(.node, 2))
    #expect(sparse.userID == 8 && sparse.version == nil && sparse.isVisible == false)
    #expect(data.dataset.metadata(ElementIndex(.node, 3)).isEmpty)
    #expect(data.diagnostics.map(\.kind) == [.invalidMetadata, .invalidMetadata, .invalidMetadata])
    #expect(data.diagnostics.first?.element == ElementID(.node, 4))
  }

  /// B052, B053, B054: what a query derives is kept.
  @Test func areasCountsAndDerivedElements() throws {
    let data = try decode(
      #"""
      {"elements":[{"type":"area","id":3600000077,"tags":{"name":"Stadt"}},
      {"type":"count","id":0,"tags":{"total":"15"}},{"type":"count","id":0,"tags":{"total":"3"}},
      {"type":"length","id":1,"geometry":{"type":"LineString","coordinates":[[0,0],[1,0.5]]}},
      {"type":"thing","id":2,"geometry":{"type":"Polygon","coordinates":[[0,0],[1,0],[1,1],[0,0]]}},
      {"type":"item","id":3,"geometry":{"type":"GeometryCollection","geometries":[
        {"type":"Point","coordinates":[1,2,99]},
        {"type":"MultiPolygon","coordinates":[[[[0,0],[1,0],[1,1],[0,0]]],[[[5,5],[6,5],[6,6],[5,5]]]]}]}}]}
      """#
    ).dataset
    #expect(data.derived.count == 6)
    #expect(data.order.map(\.type) == [.area, .derived])
    #expect(
      (0..<6).map { data.strings.string(data.derived.typeNames[$0]) }
        == ["area", "count", "count", "length", "thing", "item"])
    #expect(data.find(ElementID(.area, 3_600_000_077)) == ElementIndex(.area, 0))
    #expect(data.derived.geometries[3].kind == .lineString)
    #expect(data.derived.geometries[3].coordinates.last?.latitudeE7 == 5_000_000)
    #expect(data.derived.geometries[4].kind == .polygon)
    #expect(data.derived.geometries[4].partEnds == [4])
    #expect(data.derived.geometries[4].polygonEnds == [1])
    let collection = data.derived.geometries[5]
    #expect(collection.members.map(\.kind) == [.point, .multiPolygon])
    #expect(collection.members.last?.polygonEnds == [1, 2])
  }

  @Test func areasAreFoundInAnyOrder() throws {
    var text = ""
    let numbers = (0..<20_000).map { 3_600_000_000 + Int64($0 * 7919 % 20_011) }
    for number in numbers {
      if !text.isEmpty { text += "," }
      text += "{\"type\":\"area\",\"id\":\(number)},{\"type\":\"count\",\"id\":\(number)}"
    }
    let data = try decode("{\"elements\":[\(text)]}").dataset
    for (row, number) in numbers.enumerated() {
      #expect(data.find(ElementID(.area, number)) == ElementIndex(.area, 2 * row))
    }
    #expect(data.find(ElementID(.area, 1)) == nil)
    #expect(data.find(ElementID(.area, .max)) == nil)
  }

  /// `out noids`
  @Test func elementsWithoutIDs() throws {
    let data = try decode(
      #"{"elements":[{"type":"node","lat":1,"lon":2},{"type":"node","lat":1,"lon":2}]}"#)
    #expect(data.dataset.nodes.count == 2)
    #expect(data.dataset.number(ElementIndex(.node, 1)) == nil)
  }

  @Test func halfAPositionIsNone() throws {
    let data = try decode(
      #"{"elements":[{"type":"node","id":1,"lat":1},{"type":"node","id":2,"lat":null,"lon":3}]}"#)
    #expect(data.dataset.nodes.positions[0].isUndefined)
    #expect(data.dataset.nodes.positions[1].isUndefined)
  }
}
