import OSMModel
import OverpassDecoding
import Testing

func decodeXML(_ text: String, _ change: (inout DecodeOptions) -> Void = { _ in }) throws
  -> Response
{
  var options = DecodeOptions()
  change(&options)
  return try OverpassXML.decode(Array(text.utf8), options: options)
}

@Suite struct XMLElementTests {
  @Test func headerAndRemarks() throws {
    let response = try decodeXML(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <osm version="0.6" generator="Overpass API 0.7.62">
      <note>Licence &amp; <b>more</b></note>
      <meta osm_base="2024-05-01T00:00:00Z" areas="2024-04-30T00:00:00Z"/>
      <bounds minlat="1" minlon="2" maxlat="3" maxlon="4"/>
      <remark> runtime error: Query timed out in "query" at line 3. </remark>
      <remark> runtime remark: second </remark>
      </osm>
      """)
    #expect(response.header.version == "0.6")
    #expect(response.header.generator == "Overpass API 0.7.62")
    #expect(response.header.copyright?.hasPrefix("Licence &") == true)
    #expect(response.header.timestamp == "2024-05-01T00:00:00Z")
    #expect(response.header.areasTimestamp == "2024-04-30T00:00:00Z")
    #expect(
      response.header.bounds
        == BoundingBox(
          southE7: 10_000_000, westE7: 20_000_000, northE7: 30_000_000, eastE7: 40_000_000))
    #expect(
      response.remarks == [
        "runtime error: Query timed out in \"query\" at line 3.", "runtime remark: second",
      ])
    #expect(response.completeness == .partial)
    #expect(response.dataset.count == 0)
  }

  /// B064: as JOSM writes it.
  @Test func josmFile() throws {
    let data = try decodeXML(
      """
      <osm version='0.6' generator='JOSM'><node id='-1' lat='0' lon='0' visible='true'/>\
      <node id='-2' lat='0' lon='1' visible='true'/><way id='-3' visible='true' action='modify'>\
      <nd ref='-1'/><nd ref='-2'/><tag k='highway' v='path'/></way>\
      <node id='-4' action='delete' lat='5' lon='5' version='7' user='x'><tag k='a' v='b'/></node>\
      <way id='-5' action='delete'><nd ref='-1'/></way>\
      <relation id='-6' action='delete'><member type='node' ref='1' role=''/></relation>\
      <node lon='3' id='-7' lat='2'/></osm>
      """
    ).dataset
    #expect(data.nodes.elements.ids.buffer.map { $0 } == [-1, -2, -7])
    #expect(data.nodes.elements.tags.count == 0)
    #expect(data.metadata(ElementIndex(.node, 2)).isEmpty)
    #expect(Array(data.ways.refs(0)) == [-1, -2])
    #expect(data.ways.count == 1 && data.relations.count == 0)
    #expect(data.tagTexts(ElementIndex(.way, 0)) == ["highway": "path"])
    #expect(data.metadata(ElementIndex(.way, 0)).isVisible == true)
  }

  @Test func geometryOfWaysAndMembers() throws {
    let data = try decodeXML(
      """
      <osm><way id="1"><bounds minlat="0" minlon="0" maxlat="1" maxlon="1"/><nd ref="5"/>
      <nd ref="6" lat="1" lon="2"/><nd ref="7"/><nd lat="3" ref="8" lon="4"/></way>
      <way id="2"><nd ref="5"/><nd ref="6"/></way>
      <way id="3"><center lat="1.5" lon="2.5"/></way>
      <relation id="9"><member type="way" ref="1" role="outer"><nd lat="1" lon="2"/><nd/></member>
      <member ref="4" type="node" role="stop" lat="1" lon="2"/><member type="relation" ref="3"/>
      <member type="way" ref="2" role=""/></relation></osm>
      """
    ).dataset
    let place = Coordinate(longitudeE7: 20_000_000, latitudeE7: 10_000_000)
    #expect(
      data.ways.inlineGeometry(0).map { Array($0) } == [
        .undefined, place, .undefined,
        Coordinate(longitudeE7: 40_000_000, latitudeE7: 30_000_000),
      ])
    #expect(Array(data.ways.refs(0)) == [5, 6, 7, 8])
    #expect(data.ways.inlineGeometry(1) == nil)
    #expect(data.ways.elements.centers[2]?.latitudeE7 == 15_000_000)
    #expect(data.relations.inlineGeometry(member: 0).map { Array($0) } == [place, .undefined])
    #expect(data.relations.inlineGeometry(member: 1).map { Array($0) } == [place])
    #expect(data.relations.inlineGeometry(member: 2) == nil)
    #expect(data.relations.inlineGeometry(member: 3) == nil)
    #expect(data.relations.members(0).map(\.ref) == [1, 4, 3, 2])
  }

  @Test func derivedElements() throws {
    let data = try decodeXML(
      """
      <osm><area id="3600000077"><tag k="name" v="Stadt"/></area>
      <count id="0"><tag k="total" v="15"/></count><count id="0"><tag k="total" v="3"/></count>
      <someelement foo="bar"><deep><node id="1"/></deep></someelement>
      <p id="1"><point lat="1" lon="2"/></p>
      <l id="2"><vertex lat="1" lon="2"/><vertex lat="3" lon="4"/></l>
      <q id="3"><linestring><vertex lat="0" lon="0"/><vertex lat="0" lon="1"/>\
      <vertex lat="1" lon="1"/><vertex lat="0" lon="0"/></linestring></q>
      <c><group><point lat="1" lon="2"/></group><group><group><vertex lat="1" lon="2"/>\
      <vertex lat="3" lon="4"/></group></group><tag k="a" v="b"/></c></osm>
      """
    ).dataset
    #expect(
      (0..<data.derived.count).map { data.strings.string(data.derived.typeNames[$0]) }
        == ["area", "count", "count", "p", "l", "q", "c"])
    #expect(data.nodes.count == 0)
    let kinds = data.derived.geometries.map(\.kind)
    #expect(
      kinds == [.none, .none, .none, .point, .lineString, .polygon, .geometryCollection])
    #expect(data.derived.geometries.last?.members.map(\.kind) == [.point, .geometryCollection])
    #expect(data.derived.geometries[5].partEnds == [4])
    #expect(data.number(ElementIndex(.derived, 6)) == nil)
  }

  @Test func metadataAndUnknownParts() throws {
    let response = try decodeXML(
      """
      <osm><node id="1" version="4" timestamp="2024-03-31T02:30:00Z" changeset="9" user="an&#xe9;a"
      uid="7" visible="false"/><node id="2" version="x" timestamp="y" changeset="" uid="z"/>
      <node id="3" lat="1" lon="2"><nd ref="5"/><member type="way" ref="1" role=""/>
      <other><tag k="c" v="d"/></other><tag k="a" v="1"/><tag v="2" k="b"/><tag k="a" v="3"/>
      </node></osm>
      """)
    let data = response.dataset
    let full = data.metadata(ElementIndex(.node, 0))
    #expect(full.version == 4 && full.changeset == 9 && full.userID == 7)
    #expect(full.timestamp == 1_711_852_200 && full.isVisible == false)
    #expect(full.user.map { data.strings.string($0) } == "anéa")
    #expect(data.metadata(ElementIndex(.node, 1)).isEmpty)
    #expect(response.diagnostics.count == 4)
    #expect(response.diagnostics.allSatisfy { $0.kind == .invalidMetadata })
    #expect(data.tagTexts(ElementIndex(.node, 2)) == ["a": "3", "b": "2"])
    #expect(data.ways.refs.count == 0 && data.relations.members.count == 0)
  }

  /// B055: attribute normalisation is expat's, character references survive.
  @Test func textsSurvive() throws {
    let data = try decodeXML(
      """
      <osm><node id="1"><tag k="a" v="x'\\&quot;&#9;&#10;&#13;y&amp;&lt;&gt;"/>
      <tag k="b" v="line
      break"/><tag k="c" v="‫شارع‬ 😀&#x1F355;"/><tag k="" v=""/></node></osm>
      """
    ).dataset
    let tags = data.tagTexts(ElementIndex(.node, 0))
    #expect(tags["a"] == "x'\\\"\t\n\ry&<>")
    #expect(tags["b"] == "line break")
    #expect(tags["c"] == "‫شارع‬ 😀🍕")
    #expect(tags[""] == "")
  }

  @Test func copiesAreMerged() throws {
    let data = try decodeXML(
      """
      <osm><node id="2" lat="1" lon="2"/><way id="1" version="2"><nd ref="2"/></way>
      <node id="2" version="3"><tag k="barrier" v="gate"/></node></osm>
      """
    ).dataset
    #expect(data.nodes.count == 1)
    #expect(data.tagTexts(ElementIndex(.node, 0)) == ["barrier": "gate"])
  }

  @Test(arguments: [
    ("51.1234567", 511_234_567), ("-0.5", -5_000_000), ("+1.5", 15_000_000), ("007.5", 75_000_000),
    ("-000", 0), ("1e1", 100_000_000), ("60.16735", 601_673_500), ("0.00000005", 1),
    ("-214.7483648", -2_147_483_648),
  ]) func coordinates(_ text: String, _ value: Int) throws {
    let data = try decodeXML("<osm><node id='1' lat='\(text)' lon='1'/></osm>").dataset
    #expect(data.nodes.positions[0].latitudeE7 == Int32(value))
  }

  @Test func tooLargeCoordinatesAreUnknown() throws {
    let response = try decodeXML("<osm><node id='1' lat='300' lon='1'/></osm>")
    #expect(response.dataset.nodes.positions[0].isUndefined)
    #expect(response.diagnostics.map(\.kind) == [.coordinateOutOfRange])
    #expect(response.diagnostics.first?.element == ElementID(.node, 1))
  }

  @Test(arguments: ["9223372036854775807", "-9223372036854775807", "12345678901", "0"])
  func ids(_ text: String) throws {
    let data = try decodeXML("<osm><way id='\(text)'><nd ref='\(text)'/></way></osm>").dataset
    #expect(data.ways.elements.ids[0] == Int64(text))
    #expect(data.ways.refs(0).first == Int64(text))
  }
}
