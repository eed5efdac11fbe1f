// The Swift code of README.md, through the umbrella alone.

import OverpassKit
import OverpassTestSupport
import Testing

@Suite struct QuickStartTests {
  @Test func fromAQuestionToItsText() throws {
    let query = try Query.nodes().tag("amenity", "cafe")
      .around(latitude: 52.5, longitude: 13.4, radius: 300).build()
    #expect(
      try query.ql() == #"[out:json];node["amenity"="cafe"](around:300,52.5,13.4);out;"#)
  }

  @Test func fromAnAnswerToFeatures() throws {
    let answer = projectRoot + "/Examples/data/helsinki-relations.json.gz"
    let response = try OverpassAnswer.decode(contentsOf: answer)
    let features = FeatureSet(response.dataset)
    var assembler = features.makeAssembler()
    var geometry = Geometry()
    var areas = 0
    for index in 0..<features.count {
      let info = assembler.geometry(of: index, into: &geometry)
      if info.kind == .polygon || info.kind == .multiPolygon { areas += 1 }
    }
    #expect(areas > 100)
    var sink = MemorySink()
    try GeoJSONWriter(features).write(to: &sink)
    let written = text(in: sink.takeBytes())
    #expect(written.hasPrefix("{\"type\":\"FeatureCollection\""))
    var document = MemorySink()
    try DocumentWriter(response.document, format: .osmXML).write(to: &document)
    #expect(text(in: document.takeBytes()).hasPrefix("<?xml version=\"1.0\""))
  }

  @Test func responsesOfResponses() throws {
    let answer = projectRoot + "/Examples/data/helsinki-relations.json.gz"
    let response = try OverpassAnswer.decode(contentsOf: answer)
    var filter = ElementFilter(types: [.relation])
    filter.tags = [.equals(key: "type", value: "multipolygon"), .exists(key: "building")]
    filter.keepsReferences = true
    let buildings = try response.filtered(by: filter)
    let rest = try response.filtered(by: ElementFilter(types: [.node, .way, .relation]))
    #expect(buildings.dataset.count > 0 && buildings.dataset.count < response.dataset.count)
    let whole = try Response.merging([buildings, rest])
    #expect(whole.dataset.count == response.dataset.count)
    let changes = try OverpassXML.decode(
      Array("<osmChange><create><node id='1' lat='60' lon='25'/></create></osmChange>".utf8))
    #expect(try whole.applying([changes]).dataset.nodes.count == whole.dataset.nodes.count + 1)
  }

  @Test func whatIsAroundHere() throws {
    let query = Query.amenity("toilets", latitude: 60.1699, longitude: 24.9384, radius: 500)
    #expect(try query.xml().hasPrefix("<osm-script output=\"json\"><query type=\"nwr\">"))
    let answer = projectRoot + "/Examples/data/helsinki-relations.json.gz"
    let response = try OverpassAnswer.decode(contentsOf: answer)
    let here = try #require(Coordinate(longitude: 24.9384, latitude: 60.1699))
    let places = response.dataset.places(near: here, languages: ["fi", "en"])
    #expect(places.count > 10)
    #expect(zip(places, places.dropFirst()).allSatisfy { $0.distance <= $1.distance })
    let nearest = try #require(places.first)
    let seen = FeatureSet(response.dataset).visualization(of: nearest.element, languages: ["fi"])
    #expect(seen?.title == (nearest.isNamed ? nearest.title : nil))
  }

  @Test func fromFeaturesToAMap() throws {
    let answer = projectRoot + "/Examples/data/helsinki-relations.json.gz"
    let features = FeatureSet(try OverpassAnswer.decode(contentsOf: answer).dataset)
    var style = try MapStyle("Cafés")
    try style.add(
      RasterBasemap(
        "Streets", tiles: ["https://tiles.example.org/{z}/{x}/{y}.png"],
        attribution: .openStreetMap))
    try style.add(features, named: "cafes")
    let file = try style.write()
    defer { unlink(file.path) }
    #expect(file.url.hasPrefix("file:///"))
    #expect((readFile(file.path)?.count ?? 0) > 200_000)
  }
}
