import OSMModel
import OverpassDecoding
import Testing

@testable import OSMGeometry

/// Documents that list several states of elements: features are those of today.
@Suite struct CurrentStateTests {
  private func features(_ xml: String) throws -> FeatureSet {
    FeatureSet(try OverpassXML.decode(Array(xml.utf8)).dataset)
  }

  private func geometries(_ set: FeatureSet) -> [String] {
    var assembler = set.makeAssembler()
    return (0..<set.count).map { index in
      var geometry = Geometry()
      _ = assembler.geometry(of: index, into: &geometry)
      let positions = geometry.coordinates.map { "\($0.longitudeE7 / 1_000_000)" }
      return "\(set.feature(index).id.type) \(positions.joined(separator: " "))"
    }
  }

  /// B057
  @Test func deletedStates() throws {
    for xml in [
      "<osmChange><delete><node id='4' lat='7' lon='7'><tag k='amenity' v='cafe'/></node></delete>"
        + "</osmChange>",
      "<osm><node id='4' lat='7' lon='7' visible='false'><tag k='amenity' v='cafe'/></node></osm>",
      "<osm><action type='delete'><old><node id='4' lat='7' lon='7'><tag k='a' v='b'/></node></old>"
        + "<new><node id='4' visible='false' version='2'/></new></action></osm>",
      "<osm><action type='show_initial'><node id='4' lat='7' lon='7'><tag k='a' v='b'/></node>"
        + "</action></osm>",
    ] {
      let set = try features(xml)
      #expect(set.count == 0, "\(xml)")
      #expect(set.problems().isEmpty, "\(xml)")
    }
  }

  @Test func newStatesWithTheirOwnNodes() throws {
    let set = try features(
      """
      <osm><action type="modify"><old><node id="1" lat="1" lon="2" version="1"/></old>
      <new><node id="1" lat="1" lon="3" version="2"/></new></action>
      <action type="modify"><old><way id="5" version="1"><nd ref="1" lat="1" lon="2"/>
      <nd ref="9" lat="2" lon="4"/><tag k="highway" v="a"/></way></old>
      <new><way id="5" version="2"><nd ref="1" lat="1" lon="3"/><nd ref="9" lat="2" lon="4"/>
      <tag k="highway" v="b"/></way></new></action></osm>
      """)
    #expect(geometries(set) == ["node 30", "way 30 40"] || geometries(set) == ["way 30 40"])
    for index in 0..<set.count where set.feature(index).id.type == .way {
      #expect(set.feature(index).tags.count == 1)
      #expect(set.feature(index).metadata.version == 2)
    }
  }

  /// Change files: what is modified and created stays.
  @Test func changeFiles() throws {
    let set = try features(
      """
      <osmChange><create><node id="1" lat="1" lon="1"/><node id="2" lat="1" lon="2"/></create>
      <modify><way id="3"><nd ref="1"/><nd ref="2"/><tag k="highway" v="x"/></way></modify>
      <delete><way id="4"><nd ref="1"/><nd ref="2"/><tag k="highway" v="x"/></way>
      <relation id="6"><member type="way" ref="3" role=""/><tag k="type" v="route"/></relation>
      </delete></osmChange>
      """)
    #expect(geometries(set) == ["way 10 20"])
  }

  /// Elements keep their places, so that features lead to them.
  @Test func rowsAreKept() throws {
    let data = try OverpassXML.decode(
      Array(
        """
        <osm><node id="1" visible="false" lat="1" lon="1"><tag k="a" v="b"/></node>
        <node id="2" lat="1" lon="2"><tag k="a" v="c"/></node></osm>
        """.utf8)
    ).dataset
    let set = FeatureSet(data)
    #expect(set.count == 1)
    #expect(set.feature(0).id == ElementID(.node, 2))
    #expect(set.dataset.position(of: ElementIndex(.node, 1)) == 1)
    #expect(set.dataset.strings.count == data.strings.count)
    #expect(data.isCurrent(ElementIndex(.node, 1)) && !data.isCurrent(ElementIndex(.node, 0)))
  }
}
