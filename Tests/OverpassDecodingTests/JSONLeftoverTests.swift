import OSMModel
import OverpassDecoding
import OverpassTestSupport
import Testing

/// What servers other than Overpass print, and what JSON says in more ways than one.
@Suite struct JSONLeftoverTests {
  /// The OSM API names the box that was asked for.
  @Test func boundsOfTheDocument() throws {
    let response = try decode(
      #"{"bounds":{"minlat":1,"minlon":-2,"maxlat":3.5,"maxlon":4},"elements":[]}"#)
    #expect(
      response.header.bounds
        == BoundingBox(
          southE7: 10_000_000, westE7: -20_000_000, northE7: 35_000_000, eastE7: 40_000_000))
    #expect(try decode(#"{"bounds":{"minlat":1},"elements":[]}"#).header.bounds == nil)
    #expect(try decode(#"{"bounds":[1,2],"elements":[]}"#).header.bounds == nil)
  }

  /// XML cannot tell a geometry without any known position from none, so both decode alike.
  @Test func positionsOfWhichNoneIsKnown() throws {
    for text in ["[]", "[null,null]", "[{}]"] {
      let response = try decode(
        #"{"elements":[{"type":"way","id":1,"nodes":[1,2],"geometry":\#(text)}]}"#)
      #expect(response.dataset.ways.inlineGeometry(0) == nil)
    }
    let member = #"{"type":"way","ref":1,"role":"","geometry""#
    let response = try decode(
      #"{"elements":[{"type":"relation","id":1,"members":[\#(member):[]},\#(member):[null]}]}]}"#)
    #expect(response.dataset.relations.inlineGeometry(member: 0) == nil)
    #expect(response.dataset.relations.inlineGeometry(member: 1)?.count == 1)
  }

  @Test func geometriesAreOfOneShape() throws {
    func geometry(_ text: String) throws -> Geometry {
      try decode(#"{"elements":[{"type":"q","geometry":{\#(text)}}]}"#).dataset.derived.geometries[
        0]
    }
    let point = try geometry(#""type":"Point","coordinates":[[1,2],[3,4]]"#)
    #expect(point.coordinates.count == 1)
    let ring = try geometry(#""type":"Polygon","coordinates":[[[1,2],[3,4]],[5,6]]"#)
    #expect(ring.partEnds == [2] && ring.polygonEnds == [1] && ring.coordinates.count == 2)
    let line = try geometry(#""type":"LineString","coordinates":[[[1,2],[3,4]],[[5,6],[7,8]]]"#)
    #expect(line.partEnds == [2] && line.coordinates.count == 2)
    #expect(try geometry(#""type":"LineString","coordinates":[1,2]"#).kind == .none)
    let collection = try geometry(
      #""type":"GeometryCollection","geometries":[{},{"type":"Point","coordinates":[1,2]}]"#)
    #expect(collection.members.map(\.kind) == [.point])
  }

  @Test func geometriesOfAreas() throws {
    let response = try decode(
      #"{"elements":[{"type":"area","id":1,"geometry":{"type":"Point","coordinates":[1,2]}}]}"#)
    #expect(response.dataset.derived.geometries[0].kind == .point)
  }

  // MARK: JSONP

  @Test(arguments: [
    "callback({\"elements\":[{\"type\":\"node\",\"id\":1}]});\n",
    "$.x_1( {\"elements\":[{\"type\":\"node\"}]})",
  ]) func wrappedAnswers(_ text: String) throws {
    let response = try decode(text)
    #expect(response.dataset.count == 1)
    #expect(response.diagnostics.map(\.kind) == [.padding])
    #expect(response.completeness == .complete)
    #expect(try OverpassAnswer.decode(Array(text.utf8)).dataset.count == 1)
  }

  @Test(.enabled(if: hasSharedData, "needs the shared data beside the project"))
  func recordedWrappedAnswer() throws {
    let reply = try #require(readFile("\(sharedRoot)/cases/oracle-http/get-jsonp.txt"))
    let text = String(decoding: reply, as: UTF8.self)
    let body = try #require(text.split(separator: "\n\n", maxSplits: 1).last)
    #expect(body.hasPrefix("cb({"))
    let response = try OverpassAnswer.decode(Array(body.utf8))
    #expect(response.dataset.nodes.elements.ids[0] == 21_911_863)
    #expect(response.header.timestamp == "2016-03-05T00:26:02Z")
    #expect(response.diagnostics.map(\.kind) == [.padding])
  }

  @Test func cutWrappedAnswers() throws {
    let whole = Array("callback({\"elements\":[{\"type\":\"node\",\"id\":1}]});\n".utf8)
    // With the bracket the answer is whole.
    for count in 10..<(whole.count - 2) {
      let error = try #require(decodeError(Array(whole[..<count])))
      #expect(error.kind == .truncated && error.offset == count)
      let response = try decode(String(decoding: whole[..<count], as: UTF8.self)) {
        $0.allowTruncated = true
      }
      #expect(response.completeness == .partial)
    }
    #expect(decodeError(Array("callback".utf8)) != nil)
    #expect(decodeError(Array("callback({\"elements\":[]}) more".utf8)) != nil)
    #expect(decodeError(Array("({\"elements\":[]})".utf8)) != nil)
  }
}
