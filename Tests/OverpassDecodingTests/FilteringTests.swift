import OSMModel
import OverpassDecoding
import OverpassTestSupport
import Testing

/// The elements that a filter takes, such as `node/1`.
private func names(_ response: Response, _ filter: ElementFilter) throws -> [String] {
  let data = try response.filtered(by: filter).dataset
  return (0..<data.count).compactMap { data.element(at: $0) }.map {
    "\(data.typeName($0))/\(data.number($0) ?? -1)"
  }
}

private func box(_ south: Double, _ west: Double, _ north: Double, _ east: Double) throws
  -> ElementFilter
{
  let low = try #require(Coordinate(longitude: west, latitude: south))
  let high = try #require(Coordinate(longitude: east, latitude: north))
  var filter = ElementFilter()
  filter.box = BoundingBox(
    southE7: low.latitudeE7, westE7: low.longitudeE7, northE7: high.latitudeE7,
    eastE7: high.longitudeE7)
  return filter
}

@Suite struct FilteringTests {
  static let places =
    #"{"type": "node", "id": 1, "lat": 1, "lon": 1, "tags": {"amenity": "cafe", "name": "A"}},"#
    + #"{"type": "node", "id": 2, "lat": 2, "lon": 2, "tags": {"amenity": "bar"}},"#
    + #"{"type": "node", "id": 3, "lat": 30, "lon": 179.5},"#
    + #"{"type": "way", "id": 1, "nodes": [2, 3], "tags": {"amenity": "cafe"}},"#
    + #"{"type": "way", "id": 2, "nodes": [9], "center": {"lat": 1, "lon": 1}},"#
    + #"{"type": "way", "id": 3, "nodes": [9, 8], "geometry": [null, {"lat": 30, "lon": -179}]},"#
    + #"{"type": "relation", "id": 1, "members": [{"type": "relation", "ref": 2, "role": ""}]},"#
    + #"{"type": "relation", "id": 2, "members": [{"type": "way", "ref": 1, "role": "r"},"#
    + #"{"type": "relation", "ref": 1, "role": ""}]},"#
    + #"{"type": "relation", "id": 3, "bounds": {"minlat": 0, "minlon": 0, "maxlat": 1, "maxlon": 1}},"#
    + #"{"type": "area", "id": 7, "tags": {"amenity": "cafe"}},"#
    + #"{"type": "count", "id": 0, "tags": {"total": "9"}}"#

  @Test func types() throws {
    let response = try answer(FilteringTests.places)
    #expect(try names(response, ElementFilter(types: [.way])) == ["way/1", "way/2", "way/3"])
    #expect(try names(response, ElementFilter(types: [.area])) == ["area/7"])
    #expect(try names(response, ElementFilter(types: [.derived])) == ["count/0"])
    #expect(try names(response, ElementFilter(types: [])) == [])
    let all = try response.filtered(by: ElementFilter())
    #expect(lines(of: all) == lines(of: response))
  }

  @Test func tags() throws {
    let response = try answer(FilteringTests.places)
    let cases: [([TagCondition], [String])] = [
      ([.equals(key: "amenity", value: "cafe")], ["node/1", "way/1", "area/7"]),
      ([.equals(key: "amenity", value: "cafe"), .exists(key: "name")], ["node/1"]),
      ([.oneOf(key: "amenity", values: ["bar", "pub"])], ["node/2"]),
      ([.exists(key: "amenity"), .notEquals(key: "amenity", value: "cafe")], ["node/2"]),
      ([.exists(key: "amenity"), .notExists(key: "name")], ["node/2", "way/1", "area/7"]),
      ([.noneOf(key: "amenity", values: ["cafe", "bar"]), .exists(key: "total")], ["count/0"]),
      ([.exists(key: "nowhere")], []), ([.equals(key: "name", value: "nobody")], []),
      ([.exists(key: "name"), .notExists(key: "nowhere")], ["node/1"]),
    ]
    for (conditions, expected) in cases {
      #expect(try names(response, ElementFilter(tags: conditions)) == expected, "\(conditions)")
    }
  }

  @Test func boxes() throws {
    let response = try answer(FilteringTests.places)
    #expect(
      try names(response, try box(0, 0, 1, 1)) == ["node/1", "way/2", "relation/3"])
    #expect(
      try names(response, try box(1.5, 1.5, 3, 3)) == [
        "node/2", "way/1", "relation/1", "relation/2",
      ])
    // Over the antimeridian.
    #expect(
      try names(response, try box(0, 179, 40, -178)) == [
        "node/3", "way/1", "way/3", "relation/1", "relation/2",
      ])
    #expect(try names(response, try box(50, 0, 60, 1)) == [])
  }

  @Test func references() throws {
    let response = try answer(FilteringTests.places)
    var filter = ElementFilter(types: [.relation])
    filter.keepsReferences = true
    filter.box = try box(1.5, 1.5, 3, 3).box
    #expect(
      try names(response, filter) == ["node/2", "node/3", "way/1", "relation/1", "relation/2"])
    filter = ElementFilter(types: [.way], tags: [.equals(key: "amenity", value: "cafe")])
    #expect(try names(response, filter) == ["way/1"])
    filter.keepsReferences = true
    #expect(try names(response, filter) == ["node/2", "node/3", "way/1"])
  }

  /// Only texts that are used are kept, and what is kept is as it was.
  @Test func whatIsKeptIsAsItWas() throws {
    let response = try answer(FilteringTests.places, remark: "runtime error: x")
    let part = try response.filtered(by: ElementFilter(types: [.relation]))
    #expect(part.dataset.strings.find("cafe") == nil)
    #expect(part.remarks == response.remarks && part.completeness == .partial)
    let kept = Set(elementLines(part))
    #expect(kept.isSubset(of: elementLines(response)))
    #expect(kept.count == 3)
  }

  /// Filters that share no element cut an answer into parts, which merge into the whole.
  @Test(.enabled(if: hasSharedData, "needs the shared data beside the project"))
  func partsMakeTheWhole() throws {
    var count = 0
    for name in listFolder(sharedRoot + "/data/responses") where name.hasSuffix(".json.gz") {
      guard count < 4 else { break }
      let bytes = try #require(readFile("\(sharedRoot)/data/responses/\(name)"))
      let whole = try OverpassAnswer.decode(bytes)
      let parts = try [
        ElementFilter(types: [.node], tags: [.exists(key: "name")]),
        ElementFilter(types: [.node], tags: [.notExists(key: "name")]),
        ElementFilter(types: [.way], tags: [.exists(key: "building")]),
        ElementFilter(types: [.way, .relation, .area, .derived]),
      ].map { try whole.filtered(by: $0) }
      let merged = try Response.merging(parts)
      let (got, expected) = (elementLines(merged).sorted(), elementLines(whole).sorted())
      #expect(zip(got, expected).first { $0 != $1 } == nil, "\(name)")
      #expect(got.count == expected.count, "\(name)")
      count += 1
    }
    #expect(count > 0)
  }
}
