import OSMModel
import OverpassDecoding
import Testing

/// A change file with what stands in `osmChange`.
private func changes(_ text: String) throws -> Response {
  try decodeXML("<osmChange version=\"0.6\">\(text)</osmChange>")
}

@Suite struct ApplyingTests {
  @Test func createModifyDelete() throws {
    let base = try answer(
      #"{"type": "node", "id": 1, "lat": 1, "lon": 1, "version": 1, "tags": {"a": "b"}},"#
        + #"{"type": "node", "id": 3, "lat": 3, "lon": 3, "version": 1},"#
        + #"{"type": "way", "id": 1, "version": 1, "nodes": [1, 3]}"#)
    let list = try changes(
      "<create><node id='2' version='1' lat='2' lon='2' user='new'/></create>"
        + "<modify><way id='1' version='2'><nd ref='1'/><nd ref='2'/><tag k='c' v='d'/></way></modify>"
        + "<delete><node id='3' version='2'/></delete>")
    let expected = try answer(
      #"{"type": "node", "id": 1, "lat": 1, "lon": 1, "version": 1, "tags": {"a": "b"}},"#
        + #"{"type": "node", "id": 2, "lat": 2, "lon": 2, "version": 1, "user": "new"},"#
        + #"{"type": "way", "id": 1, "version": 2, "nodes": [1, 2], "tags": {"c": "d"}}"#)
    let applied = try base.applying([list])
    #expect(elementLines(applied) == elementLines(expected))
    #expect(applied.actions.isEmpty)
    #expect(applied.diagnostics.isEmpty)
    #expect(elementLines(try applied.applying([list])) == elementLines(expected))
    // Nothing of the state before is left, not even its texts.
    #expect(applied.dataset.strings.find("new") != nil)
  }

  @Test func missingElements() throws {
    let base = try answer(#"{"type": "node", "id": 5, "lat": 1, "lon": 1}"#)
    let applied = try base.applying([
      try changes(
        "<modify><node id='1' version='9' lat='2' lon='2'/></modify>"
          + "<delete><way id='7' version='3'/></delete>")
    ])
    let expected = try answer(
      #"{"type": "node", "id": 1, "lat": 2, "lon": 2, "version": 9},"#
        + #"{"type": "node", "id": 5, "lat": 1, "lon": 1}"#)
    #expect(elementLines(applied) == elementLines(expected))
    #expect(applied.diagnostics.isEmpty)
  }

  @Test func olderVersionsAreLeftOut() throws {
    let base = try answer(#"{"type": "node", "id": 1, "lat": 1, "lon": 1, "version": 3}"#)
    for text in [
      "<modify><node id='1' version='2' lat='9' lon='9'/></modify>",
      "<delete><node id='1' version='2'/></delete>",
    ] {
      let applied = try base.applying([try changes(text)])
      #expect(elementLines(applied) == elementLines(base))
      #expect(
        applied.diagnostics.map(\.text) == [
          "node/1: a change was left out (version 2, while 3 is there)"
        ])
    }
    // Without versions, and with the same one, the change counts.
    for text in [
      "<modify><node id='1' lat='9' lon='9'/></modify>",
      "<modify><node id='1' version='3' lat='9' lon='9'/></modify>",
    ] {
      let applied = try base.applying([try changes(text)])
      #expect(applied.dataset.nodes.positions[0].latitudeE7 == 90_000_000)
    }
  }

  @Test func severalFilesInTheirOrder() throws {
    let base = try answer(#"{"type": "node", "id": 1, "lat": 1, "lon": 1, "version": 1}"#)
    let gone = try changes("<delete><node id='1' version='2'/></delete>")
    let back = try changes("<modify><node id='1' version='3' lat='3' lon='3'/></modify>")
    let stale = try changes("<modify><node id='1' version='2' lat='2' lon='2'/></modify>")
    #expect(try base.applying([gone]).dataset.count == 0)
    #expect(try base.applying([gone, back]).dataset.count == 1)
    // The deletion is of version 2, too, and what comes later counts.
    #expect(try base.applying([gone, stale]).dataset.count == 1)
    #expect(try base.applying([back, gone]).dataset.count == 1)
    #expect(try base.applying([back, gone]).diagnostics.count == 1)
    let whole = try changes(
      "<create><node id='2' version='1' lat='1' lon='1'/></create>"
        + "<modify><node id='2' version='2' lat='2' lon='2'/></modify>"
        + "<delete><node id='2' version='3'/></delete>")
    #expect(elementLines(try base.applying([whole])) == elementLines(base))
  }

  @Test func invisibleStatesAreDeletions() throws {
    let base = try answer(#"{"type": "node", "id": 1, "lat": 1, "lon": 1, "version": 1}"#)
    let list = try changes("<modify><node id='1' version='2' visible='false'/></modify>")
    #expect(try base.applying([list]).dataset.count == 0)
  }

  @Test func augmentedDiffs() throws {
    let base = try answer(
      #"{"type": "node", "id": 1, "lat": 1, "lon": 1, "version": 1},"#
        + #"{"type": "node", "id": 2, "lat": 2, "lon": 2, "version": 1},"#
        + #"{"type": "node", "id": 3, "lat": 3, "lon": 3, "version": 1}"#,
      timestamp: "2024-01-01T00:00:00Z")
    let diff = try decodeXML(
      """
      <osm version="0.6"><meta osm_base="2024-01-02T00:00:00Z"/>
      <action type="modify"><old><node id="1" version="1" lat="1" lon="1"/></old>
      <new><node id="1" version="2" lat="7" lon="7"/></new></action>
      <action type="delete"><old><node id="2" version="1" lat="2" lon="2"/></old>
      <new><node id="2" version="2" visible="false"/></new></action>
      <action type="show_initial"><node id="3" version="1" lat="3" lon="3"/></action>
      <action type="show_final"><node id="4" version="5" lat="4" lon="4"/></action></osm>
      """)
    let expected = try answer(
      #"{"type": "node", "id": 1, "lat": 7, "lon": 7, "version": 2},"#
        + #"{"type": "node", "id": 4, "lat": 4, "lon": 4, "version": 5}"#)
    let applied = try base.applying([diff])
    #expect(elementLines(applied) == elementLines(expected))
    #expect(applied.header.timestamp == "2024-01-02T00:00:00Z")
  }

  /// Lines that `out geom` printed go where their nodes go.
  @Test func printedPositionsFollow() throws {
    let base = try answer(
      #"{"type": "way", "id": 1, "nodes": [1, 2], "center": {"lat": 1, "lon": 1},"#
        + #""geometry": [{"lat": 1, "lon": 1}, {"lat": 2, "lon": 2}]},"#
        + #"{"type": "way", "id": 2, "nodes": [2, 3], "geometry": [{"lat": 2, "lon": 2}, null]},"#
        + #"{"type": "way", "id": 3, "nodes": [3, 4], "center": {"lat": 3, "lon": 3},"#
        + #""geometry": [{"lat": 3, "lon": 3}, {"lat": 4, "lon": 4}]},"#
        + #"{"type": "relation", "id": 1, "center": {"lat": 1, "lon": 1}, "members": ["#
        + #"{"type": "node", "ref": 1, "role": "", "lat": 1, "lon": 1},"#
        + #"{"type": "way", "ref": 1, "role": "r", "geometry": [{"lat": 1, "lon": 1}, {"lat": 2, "lon": 2}]},"#
        + #"{"type": "way", "ref": 9, "role": "", "geometry": [{"lat": 1, "lon": 1}, {"lat": 5, "lon": 5}]}]}"#
    )
    let list = try changes(
      "<modify><node id='1' version='2' lat='7' lon='7'/>"
        + "<way id='2' version='2'><nd ref='3'/><nd ref='2'/><nd ref='1'/></way></modify>")
    let expected = try answer(
      #"{"type": "node", "id": 1, "version": 2, "lat": 7, "lon": 7},"#
        + #"{"type": "way", "id": 1, "nodes": [1, 2],"#
        + #""geometry": [{"lat": 7, "lon": 7}, {"lat": 2, "lon": 2}]},"#
        + #"{"type": "way", "id": 2, "version": 2, "nodes": [3, 2, 1],"#
        + #""geometry": [null, {"lat": 2, "lon": 2}, {"lat": 7, "lon": 7}]},"#
        + #"{"type": "way", "id": 3, "nodes": [3, 4], "center": {"lat": 3, "lon": 3},"#
        + #""geometry": [{"lat": 3, "lon": 3}, {"lat": 4, "lon": 4}]},"#
        + #"{"type": "relation", "id": 1, "members": ["#
        + #"{"type": "node", "ref": 1, "role": "", "lat": 7, "lon": 7},"#
        + #"{"type": "way", "ref": 1, "role": "r", "geometry": [{"lat": 7, "lon": 7}, {"lat": 2, "lon": 2}]},"#
        + #"{"type": "way", "ref": 9, "role": "", "geometry": [{"lat": 1, "lon": 1}, {"lat": 5, "lon": 5}]}]}"#
    )
    #expect(elementLines(try base.applying([list])) == elementLines(expected))
    let gone = try changes("<delete><way id='1' version='2'/></delete>")
    let data = try base.applying([gone]).dataset
    #expect(data.relations.inlineGeometry(member: 1) == nil)
    #expect(data.relations.inlineGeometry(member: 0)?.count == 1)
    #expect(data.relations.elements.centers[0] == nil)
    // A relation that is told anew keeps what is known of its members.
    let changed = try changes(
      "<modify><relation id='1' version='2'><member type='way' ref='9' role='x'/>"
        + "<member type='way' ref='3' role=''/></relation></modify>")
    let relations = try base.applying([changed]).dataset
    #expect(relations.relations.inlineGeometry(member: 0)?.count == 2)
    #expect(relations.relations.inlineGeometry(member: 1)?.count == 2)
  }

  @Test func headAndRemarks() throws {
    let base = try answer(
      #"{"type": "count", "id": 0, "tags": {"total": "1"}}, {"type": "node", "id": 1}"#,
      timestamp: "2024-01-01T00:00:00Z", remark: "runtime error: x")
    let applied = try base.applying([try changes("")])
    #expect(lines(of: applied) == lines(of: base))
    #expect(applied.completeness == .partial)
    #expect(applied.header == base.header)
  }

  @Test func refusals() throws {
    let base = try answer(#"{"type": "node", "id": 1}"#)
    let list = try changes("<delete><node id='1'/></delete>")
    #expect(throws: ResponseError.hasChanges(0)) { try list.applying([list]) }
    #expect(throws: ResponseError.hasNoChanges(1)) { try base.applying([list, base]) }
    #expect(ResponseError.hasNoChanges(1).message == "change file 2 lists no changes of elements")
    #expect(try base.applying([]).dataset.count == 1)
    #expect(throws: ResponseError.hasChanges(0)) { try list.filtered(by: ElementFilter()) }
  }
}
