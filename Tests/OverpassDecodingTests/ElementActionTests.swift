import OSMModel
import OverpassDecoding
import Testing

@Suite struct ElementActionTests {
  /// B057
  @Test func deletedElements() throws {
    let response = try decodeXML(
      """
      <osm version="0.6"><action type="delete"><old><node id="1" lat="1.0" lon="2.0" version="2" \
      timestamp="2024-01-01T00:00:00Z" changeset="5" uid="7" user="anna"/></old><new>\
      <node id="1" visible="false" version="3" timestamp="2024-02-01T00:00:00Z" changeset="6" \
      uid="8" user="ben"/></new></action><action type="delete"><old><node id="2" lat="1.0" \
      lon="2.0"/></old><new><node id="2" visible="false"/></new></action></osm>
      """)
    let data = response.dataset
    #expect(response.actions.map(\.kind) == [.delete, .delete])
    let first = response.actions[0]
    let (old, new) = (try #require(first.old), try #require(first.new))
    #expect(data.nodes.positions[old.row].latitudeE7 == 10_000_000)
    #expect(data.metadata(old).version == 2)
    #expect(data.nodes.positions[new.row].isUndefined)
    let deletion = data.metadata(new)
    #expect(deletion.version == 3 && deletion.isVisible == false && deletion.userID == 8)
    #expect(deletion.user.map { data.strings.string($0) } == "ben")
    let second = try #require(response.actions[1].new)
    var expected = Metadata()
    expected.isVisible = false
    #expect(data.metadata(second) == expected)
    #expect(data.count == 4)
  }

  /// B058
  @Test func nothingIsMerged() throws {
    let response = try decodeXML(
      """
      <osm version="0.6"><action type="modify"><old><way id="7" version="2"/></old><new>\
      <way id="7" version="3"><nd ref="1"/><nd ref="2"/></way></new></action><action type="delete">\
      <old><way id="7" version="2"/></old><new><way id="7" visible="false" version="3"/></new>\
      </action><action type="create"><node id="9" lat="1.0" lon="2.0"/></action></osm>
      """)
    let data = response.dataset
    #expect(
      response.actions == [
        ElementAction(.modify, old: ElementIndex(.way, 0), new: ElementIndex(.way, 1)),
        ElementAction(.delete, old: ElementIndex(.way, 2), new: ElementIndex(.way, 3)),
        ElementAction(.create, new: ElementIndex(.node, 0)),
      ])
    #expect(Array(data.ways.elements.ids.buffer) == [7, 7, 7, 7])
    #expect(Array(data.ways.refs(1)) == [1, 2])
    #expect(data.find(ElementID(.way, 7)) == ElementIndex(.way, 0))
    #expect(data.find(ElementID(.node, 9)) == ElementIndex(.node, 0))
    #expect(response.diagnostics.isEmpty)
  }

  @Test func diffsWithGeometry() throws {
    let response = try decodeXML(
      """
      <osm version="0.6" generator="Overpass API"><note>n</note><meta osm_base="x"/>
      <action type="show_initial"><node id="1" lat="1" lon="2"/></action>
      <action type="show_final"><node id="2" lat="1" lon="2"/></action>
      <action type="modify"><old><relation id="3"><member type="way" ref="4" role="">\
      <nd lat="1" lon="2"/></member></relation></old><new><relation id="3">\
      <member type="way" ref="4" role=""><nd lat="3" lon="4"/></member></relation></new></action>
      <action type="delete"><old><way id="5"><nd ref="1" lat="1" lon="2"/></way></old></action>
      <action type="unheard"><node id="6"/></action><remark>runtime remark: r</remark></osm>
      """)
    let data = response.dataset
    #expect(
      response.actions == [
        ElementAction(.showInitial, old: ElementIndex(.node, 0)),
        ElementAction(.showFinal, new: ElementIndex(.node, 1)),
        ElementAction(.modify, old: ElementIndex(.relation, 0), new: ElementIndex(.relation, 1)),
        ElementAction(.delete, old: ElementIndex(.way, 0)),
      ])
    #expect(data.relations.inlineGeometry(member: 0)?.first?.latitudeE7 == 10_000_000)
    #expect(data.relations.inlineGeometry(member: 1)?.first?.latitudeE7 == 30_000_000)
    #expect(data.nodes.count == 2)
    #expect(response.remarks.count == 1)
  }

  @Test func changeFile() throws {
    let response = try decodeXML(
      """
      <osmChange version="0.6" generator="osmosis"><create><node id="1" version="1" lat="1" lon="2"/>\
      <way id="-2"><nd ref="1"/><tag k="highway" v="path"/></way></create><modify>\
      <node id="1" version="2" lat="3" lon="2"/></modify><delete if-unused="true">\
      <node id="1" version="3"/><relation id="4" version="9" visible="true"/></delete><other/>\
      <modify/></osmChange>
      """)
    #expect(response.header.generator == "osmosis")
    #expect(
      response.actions == [
        ElementAction(.create, new: ElementIndex(.node, 0)),
        ElementAction(.create, new: ElementIndex(.way, 0)),
        ElementAction(.modify, new: ElementIndex(.node, 1)),
        ElementAction(.delete, new: ElementIndex(.node, 2)),
        ElementAction(.delete, new: ElementIndex(.relation, 0)),
      ])
    let data = response.dataset
    #expect(data.metadata(ElementIndex(.node, 1)).isVisible == nil)
    #expect(data.metadata(ElementIndex(.node, 2)).isVisible == false)
    #expect(data.metadata(ElementIndex(.relation, 0)).isVisible == true)
    #expect(data.tagTexts(ElementIndex(.way, 0)) == ["highway": "path"])
  }

  @Test func ordinaryAnswersHaveNone() throws {
    #expect(try decodeXML("<osm><node id='1'/></osm>").actions.isEmpty)
    #expect(try decodeXML("<osmChange/>").dataset.count == 0)
  }

  /// A cut in the middle of an action keeps the states that were whole.
  @Test func cutDiffs() throws {
    let whole = Array(
      """
      <osm><action type="modify"><old><node id="1" lat="1" lon="2"/></old><new>\
      <node id="1" lat="3" lon="4"/></new></action></osm>
      """.utf8)
    for count in 1..<whole.count {
      var options = DecodeOptions()
      options.allowTruncated = true
      let response = try OverpassXML.decode(Array(whole[..<count]), options: options)
      let states = response.actions.reduce(0) {
        $0 + ($1.old == nil ? 0 : 1) + ($1.new == nil ? 0 : 1)
      }
      #expect(states == response.dataset.count)
    }
  }
}
