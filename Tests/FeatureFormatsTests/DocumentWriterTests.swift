import FeatureFormats
import OSMModel
import OverpassDecoding
import OverpassTestSupport
import Testing

private func document(_ text: String) throws -> OSMDocument {
  try OverpassAnswer.decode(Array(text.utf8)).document
}

private func text(
  _ document: OSMDocument, _ format: DocumentFormat,
  _ change: (inout DocumentWriter) -> Void = { _ in }
) throws -> String {
  String(decoding: try written(document, format, change), as: UTF8.self)
}

/// The shape of what is written, and what a format has no words for.
@Suite struct DocumentWriterTests {
  private static let answer = """
    {
      "version": 0.6,
      "generator": "Overpass API",
      "osm3s": {
        "timestamp_osm_base": "2019-04-21T09:50:14Z",
        "copyright": "ODbL"
      },
      "elements": [

    {
      "type": "node",
      "id": 1,
      "lat": 60.1643490,
      "lon": -0.5000000,
      "timestamp": "2014-12-10T20:57:11Z",
      "version": 11,
      "changeset": 0,
      "user": "a \\"b\\"",
      "uid": 0,
      "tags": {
        "a": "b",
        "c": ""
      }
    },
    {
      "type": "way",
      "id": 2,
      "bounds": {
        "minlat": 1.0000000,
        "minlon": 2.0000000,
        "maxlat": 3.0000000,
        "maxlon": 4.0000000
      },
      "nodes": [
        1,
        2
      ],
      "geometry": [
        null,
        { "lat": 1.5000000, "lon": 2.0000000 }
      ]
    },
    {
      "type": "relation",
      "id": 3,
      "center": {
        "lat": 1.0000000,
        "lon": 2.0000000
      },
      "members": [
        {
          "type": "node",
          "ref": 1,
          "role": "",
          "lat": 1.0000000,
          "lon": 2.0000000
        },
        {
          "type": "way",
          "ref": 2,
          "role": "outer",
          "geometry": [
             null,
             { "lat": 1.5000000, "lon": 2.0000000 }
          ]
        }
      ]
    },
    {
      "type": "item",
      "id": 4,
      "geometry": {
        "type": "LineString",
        "coordinates": [
          [24.9435330, 60.1720605],
          [24.9435223, 60.1721649]
        ]
      },
      "tags": {
        "a": "b"
      }
    }

      ],
    "remark": "runtime error: x"
    }

    """

  /// Byte for byte what a server prints.
  @Test func serversJSON() throws {
    #expect(try text(document(Self.answer), .overpassJSON) == Self.answer)
  }

  @Test func compactJSON() throws {
    let text = try text(document(Self.answer), .overpassJSON) { $0.isCompact = true }
    #expect(
      text == """
        {"version":0.6,"generator":"Overpass API","osm3s":{"timestamp_osm_base":\
        "2019-04-21T09:50:14Z","copyright":"ODbL"},"elements":[{"type":"node","id":1,"lat":60.164349,\
        "lon":-0.5,"timestamp":"2014-12-10T20:57:11Z","version":11,"changeset":0,"user":"a \\"b\\"",\
        "uid":0,"tags":{"a":"b","c":""}},{"type":"way","id":2,"bounds":{"minlat":1,"minlon":2,\
        "maxlat":3,"maxlon":4},"nodes":[1,2],"geometry":[null,{"lat":1.5,"lon":2}]},\
        {"type":"relation","id":3,"center":{"lat":1,"lon":2},"members":[{"type":"node","ref":1,\
        "role":"","lat":1,"lon":2},{"type":"way","ref":2,"role":"outer","geometry":[null,\
        {"lat":1.5,"lon":2}]}]},{"type":"item","id":4,"geometry":{"type":"LineString","coordinates":\
        [[24.943533,60.1720605],[24.9435223,60.1721649]]},"tags":{"a":"b"}}],\
        "remark":"runtime error: x"}

        """)
  }

  @Test func serversXML() throws {
    #expect(
      try text(document(Self.answer), .osmXML) == """
        <?xml version="1.0" encoding="UTF-8"?>
        <osm version="0.6" generator="Overpass API">
        <note>ODbL</note>
        <meta osm_base="2019-04-21T09:50:14Z"/>

          <node id="1" lat="60.1643490" lon="-0.5000000" version="11" \
        timestamp="2014-12-10T20:57:11Z" changeset="0" uid="0" user="a &quot;b&quot;">
            <tag k="a" v="b"/>
            <tag k="c" v=""/>
          </node>
          <way id="2">
            <bounds minlat="1.0000000" minlon="2.0000000" maxlat="3.0000000" maxlon="4.0000000"/>
            <nd ref="1"/>
            <nd ref="2" lat="1.5000000" lon="2.0000000"/>
          </way>
          <relation id="3">
            <center lat="1.0000000" lon="2.0000000"/>
            <member type="node" ref="1" role="" lat="1.0000000" lon="2.0000000"/>
            <member type="way" ref="2" role="outer">
              <nd/>
              <nd lat="1.5000000" lon="2.0000000"/>
            </member>
          </relation>
          <item id="4">
            <vertex lat="60.1720605" lon="24.9435330"/>
            <vertex lat="60.1721649" lon="24.9435223"/>
            <tag k="a" v="b"/>
          </item>

        <remark> runtime error: x </remark>
        </osm>

        """)
  }

  @Test(.enabled(if: hasSharedData, "needs the shared data beside the project"))
  func recordedBytes() throws {
    var (equal, count) = (0, 0)
    for folder in listFolder(sharedRoot + "/cases/oracle") {
      for (name, format) in [("json", DocumentFormat.overpassJSON), ("xml", .osmXML)] {
        let path = "\(sharedRoot)/cases/oracle/\(folder)/answer.\(name)"
        guard let bytes = readFile(path), let response = try? OverpassAnswer.decode(bytes) else {
          continue
        }
        count += 1
        if try written(response.document, format) == bytes { equal += 1 }
      }
    }
    // The rest repeats elements or prints empty lists of positions.
    #expect(count > 150 && equal >= count - 8, "\(equal) of \(count)")
  }

  @Test func nodesPrintedTwiceStayFeatures() throws {
    let given = try document(
      #"{"elements":[{"type":"node","id":1,"lat":1,"lon":2},{"type":"way","id":2,"nodes":[1]},{"type":"node","id":1}]}"#
    )
    for format in [DocumentFormat.overpassJSON, .osmXML] {
      let again = try decoded(written(given, format), format)
      let isRepeated = again.dataset.nodes.elements.isRepeated(0)
      #expect(isRepeated)
      #expect(again.dataset.count == 2)
    }
  }

  // MARK: Losses

  private func loss(_ text: String, _ format: DocumentFormat) throws -> FormatLoss.Part? {
    let document = try document(text)
    do throws(FormatLoss) {
      try DocumentWriter(document, format: format).check()
      return nil
    } catch {
      #expect(error.format == format && !error.message.isEmpty)
      #expect(throws: DocumentError.loss(error)) { try written(document, format) }
      // What is allowed to be lost does not keep the rest from being written and read.
      let bytes = try written(document, format) { $0.allowsLoss = true }
      _ = try decoded(bytes, format)
      return error.part
    }
  }

  @Test func whatXMLCannotSay() throws {
    func loss(_ element: String, _ rest: String = "") throws -> FormatLoss.Part? {
      try self.loss(#"{"elements":[{\#(element)}]\#(rest)}"#, .osmXML)
    }
    #expect(try loss(#""type":"node","id":1"#) == nil)
    #expect(try loss(#""type":"node","id":1,"tags":{"a":"\u0001"}"#) == .character)
    #expect(try loss(#""type":"node","id":1,"tags":{"\uffff":""}"#) == .character)
    #expect(try loss(#""type":"node","id":1,"user":"\u001f""#) == .character)
    #expect(
      try loss(
        #""type":"relation","id":1,"members":[{"type":"node","ref":1,"role":"\u0000"}]"#)
        == .character)
    #expect(try loss(#""type":"node","id":1"#, #","generator":"\u0001""#) == .character)
    #expect(
      try loss(#""type":"way","nodes":[1,2],"geometry":[{"lat":1,"lon":2}]"#) == .positions)
    #expect(try loss(#""type":"way","geometry":[{"lat":1,"lon":2}]"#) == nil)
    #expect(
      try loss(#""type":"q","geometry":{"type":"MultiPoint","coordinates":[[1,2],[3,4]]}"#)
        == .geometry)
    #expect(
      try loss(#""type":"q","geometry":{"type":"GeometryCollection","geometries":[]}"#) == .geometry
    )
    #expect(try loss(#""type":"q""#) == .emptyElement)
    #expect(try loss(#""type":"a b","id":1"#) == .typeName)
    #expect(try loss(#""type":"note","id":1"#) == .typeName)
    #expect(try loss(#""type":"q","id":1,"version":3"#) == .metadata)
    #expect(try loss(#""type":"node""#, #","remark":"x ""#) == .remark)
  }

  @Test func whatJSONCannotSay() throws {
    #expect(
      try loss("<osm><remark>a</remark><remark>b</remark></osm>", .overpassJSON) == .severalRemarks)
    #expect(
      try loss("<osmChange><create><node id='1'/></create></osmChange>", .overpassJSON) == .changes)
  }

  @Test func whatChangeFilesCannotSay() throws {
    func loss(_ content: String) throws -> FormatLoss.Part? {
      try self.loss("<osm>\(content)</osm>", .osmChange)
    }
    let new = "<action type='create'><node id='1'/></action>"
    #expect(try loss(new) == nil)
    #expect(try loss("<remark>r</remark>") == .remark)
    #expect(try loss("<meta osm_base='x'/>\(new)") == .timestamp)
    #expect(try loss("<bounds minlat='1' minlon='2' maxlat='3' maxlon='4'/>") == .bounds)
    #expect(try loss("<node id='1'/>") == .unchanged)
    #expect(try loss("<action type='show_final'><node id='1'/></action>") == .changeKind)
    #expect(
      try loss(
        "<action type='modify'><old><node id='1'/></old><new><node id='1'/></new></action>")
        == .earlierState)
  }

  @Test func typeNamesAndMembersOfOtherKinds() throws {
    var builder = DatasetBuilder()
    builder.derived.elements.ids.append(1)
    builder.derived.elements.tagEnds.append(0)
    builder.derived.typeNames.append(builder.strings.intern("way"))
    builder.derived.geometries.append(Geometry())
    builder.endElement(.derived)
    builder.relations.elements.ids.append(2)
    builder.relations.elements.tagEnds.append(0)
    builder.relations.members.append(Member(type: .area, ref: 1, role: .empty))
    builder.relations.memberEnds.append(1)
    builder.endElement(.relation)
    let document = OSMDocument(builder.finish().dataset)
    let loss = FormatLoss(
      format: .overpassJSON, part: .memberType, element: ElementID(.relation, 2))
    #expect(throws: loss) { try DocumentWriter(document, format: .overpassJSON).check() }
    #expect(loss.message == "Overpass JSON has no words for a member of this type (relation/2)")
  }

  // MARK: Files

  @Test func files() throws {
    let path = "/tmp/opk-document-writer-\(getpid()).osm"
    defer { unlink(path) }
    let document = try document(Self.answer)
    try DocumentWriter(document, format: .osmXML).write(toFile: path)
    #expect(readFile(path) == (try written(document, .osmXML)))
    // A loss leaves the file alone.
    #expect(throws: DocumentError.self) {
      try DocumentWriter(document, format: .osmChange).write(toFile: path)
    }
    #expect(readFile(path) != nil)
    #expect(throws: DocumentError.self) {
      try DocumentWriter(document, format: .osmXML).write(toFile: "/does/not/exist")
    }
  }
}
