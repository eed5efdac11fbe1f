import OSMModel
import OverpassDecoding
import OverpassTestSupport
import Testing

/// An answer with the elements given as JSON.
func answer(_ elements: String, timestamp: String? = nil, remark: String? = nil) throws -> Response
{
  let head = timestamp.map { #""osm3s": {"timestamp_osm_base": "\#($0)"}, "# } ?? ""
  let tail = remark.map { #", "remark": "\#($0)""# } ?? ""
  return try decode("{\(head)\"elements\": [\(elements)]\(tail)}")
}

/// The elements of a response in words, without its head.
func elementLines(_ response: Response) -> [String] {
  Array(lines(of: OSMDocument(response.dataset)).dropFirst())
}

/// How many elements were printed more than once.
func repeatedCount(_ response: Response) -> Int {
  let data = response.dataset
  return [ElementType.node, .way, .relation].reduce(0) { count, type in
    count + data.withElements(type) { $0.repeatedRows.count }
  }
}

@Suite struct MergingTests {
  @Test func unitesByTypeAndID() throws {
    let left = try answer(
      #"{"type": "node", "id": 1, "lat": 1, "lon": 1}, {"type": "node", "id": 3, "lat": 3, "lon": 3},"#
        + #"{"type": "way", "id": 1, "nodes": [1, 3]}"#)
    let right = try answer(
      #"{"type": "node", "id": 2, "lat": 2, "lon": 2}, {"type": "node", "id": 3, "lat": 3, "lon": 3},"#
        + #"{"type": "way", "id": 1, "nodes": [1, 3], "tags": {"highway": "path"}},"#
        + #"{"type": "relation", "id": 1, "members": [{"type": "way", "ref": 1, "role": "x"}]}"#)
    let merged = try Response.merging([left, right])
    let expected = try answer(
      #"{"type": "node", "id": 1, "lat": 1, "lon": 1}, {"type": "node", "id": 2, "lat": 2, "lon": 2},"#
        + #"{"type": "node", "id": 3, "lat": 3, "lon": 3},"#
        + #"{"type": "way", "id": 1, "nodes": [1, 3], "tags": {"highway": "path"}},"#
        + #"{"type": "relation", "id": 1, "members": [{"type": "way", "ref": 1, "role": "x"}]}"#)
    #expect(elementLines(merged) == elementLines(expected))
    #expect(elementLines(try .merging([right, left])) == elementLines(expected))
    #expect(merged.diagnostics.isEmpty)
    // What stands in two answers was not printed twice.
    #expect(repeatedCount(merged) == 0)
    for (row, id) in merged.dataset.nodes.elements.ids.buffer.enumerated() {
      #expect(merged.dataset.find(ElementID(.node, id)) == ElementIndex(.node, row))
    }
  }

  @Test func keepsWhatOneAnswerPrintedTwice() throws {
    let once = try answer(#"{"type": "node", "id": 1, "lat": 1, "lon": 1}"#)
    let twice = try answer(
      #"{"type": "node", "id": 1, "lat": 1, "lon": 1}, {"type": "node", "id": 1, "lat": 1, "lon": 1}"#
    )
    #expect(repeatedCount(try .merging([once, once])) == 0)
    #expect(repeatedCount(try .merging([once, twice])) == 1)
  }

  /// Whichever answer comes first, the highest version is taken as a whole.
  @Test func highestVersionWins() throws {
    let old = try answer(
      #"{"type": "node", "id": 1, "lat": 1, "lon": 1, "version": 2, "user": "a", "tags": {"a": "b"}}"#
    )
    let new = try answer(
      #"{"type": "node", "id": 1, "lat": 2, "lon": 2, "version": 3, "tags": {"c": "d"}}"#)
    for merged in [try Response.merging([old, new]), try Response.merging([new, old])] {
      #expect(elementLines(merged) == elementLines(new))
      #expect(merged.diagnostics.isEmpty)
    }
  }

  @Test func fillsPartsFromOtherCopies() throws {
    let ids = try answer(#"{"type": "way", "id": 1, "version": 2}"#)
    let tags = try answer(
      #"{"type": "way", "id": 1, "tags": {"a": "b"}, "center": {"lat": 1, "lon": 2}}"#)
    let body = try answer(
      #"{"type": "way", "id": 1, "timestamp": "2020-01-01T00:00:00Z", "nodes": [1, 2]}"#)
    let whole = try answer(
      #"{"type": "way", "id": 1, "version": 2, "timestamp": "2020-01-01T00:00:00Z","#
        + #""center": {"lat": 1, "lon": 2}, "nodes": [1, 2], "tags": {"a": "b"}}"#)
    for parts in [[ids, tags, body], [body, tags, ids], [tags, ids, body]] {
      #expect(elementLines(try .merging(parts)) == elementLines(whole))
    }
  }

  /// `out geom` with the boxes of two tiles: each has other gaps.
  @Test func unitesClippedGeometries() throws {
    let west = try answer(
      #"{"type": "way", "id": 1, "nodes": [1, 2, 3],"#
        + #""bounds": {"minlat": 0, "minlon": 0, "maxlat": 1, "maxlon": 1},"#
        + #""geometry": [{"lat": 0, "lon": 0}, {"lat": 1, "lon": 1}, null]},"#
        + #"{"type": "relation", "id": 1, "members": ["#
        + #"{"type": "node", "ref": 1, "role": "", "lat": 0, "lon": 0},"#
        + #"{"type": "node", "ref": 3, "role": ""},"#
        + #"{"type": "way", "ref": 1, "role": "", "geometry": [{"lat": 0, "lon": 0}, null, null]}]}"#
    )
    let east = try answer(
      #"{"type": "way", "id": 1, "nodes": [1, 2, 3],"#
        + #""bounds": {"minlat": 1, "minlon": 1, "maxlat": 2, "maxlon": 2},"#
        + #""geometry": [null, {"lat": 1, "lon": 1}, {"lat": 2, "lon": 2}]},"#
        + #"{"type": "relation", "id": 1, "members": ["#
        + #"{"type": "node", "ref": 1, "role": ""},"#
        + #"{"type": "node", "ref": 3, "role": "", "lat": 2, "lon": 2},"#
        + #"{"type": "way", "ref": 1, "role": "", "geometry": [null, null, {"lat": 2, "lon": 2}]}]}"#
    )
    let whole = try answer(
      #"{"type": "way", "id": 1, "nodes": [1, 2, 3],"#
        + #""bounds": {"minlat": 0, "minlon": 0, "maxlat": 2, "maxlon": 2},"#
        + #""geometry": [{"lat": 0, "lon": 0}, {"lat": 1, "lon": 1}, {"lat": 2, "lon": 2}]},"#
        + #"{"type": "relation", "id": 1, "members": ["#
        + #"{"type": "node", "ref": 1, "role": "", "lat": 0, "lon": 0},"#
        + #"{"type": "node", "ref": 3, "role": "", "lat": 2, "lon": 2},"#
        + #"{"type": "way", "ref": 1, "role": "","#
        + #" "geometry": [{"lat": 0, "lon": 0}, null, {"lat": 2, "lon": 2}]}]}"#)
    #expect(elementLines(try .merging([west, east])) == elementLines(whole))
    #expect(elementLines(try .merging([east, west])) == elementLines(whole))
  }

  @Test func contradictionsAreTold() throws {
    let left = try answer(
      #"{"type": "node", "id": 1, "lat": 1, "lon": 1}, {"type": "way", "id": 1, "nodes": [1, 2]},"#
        + #"{"type": "relation", "id": 1, "members": [{"type": "way", "ref": 1, "role": "x"}]}"#)
    let right = try answer(
      #"{"type": "node", "id": 1, "lat": 2, "lon": 1}, {"type": "way", "id": 1, "nodes": [1, 2, 3],"#
        + #""geometry": [{"lat": 0, "lon": 0}, {"lat": 1, "lon": 1}, {"lat": 2, "lon": 2}]},"#
        + #"{"type": "relation", "id": 1, "members": [{"type": "way", "ref": 1, "role": "y"}]}"#)
    let merged = try Response.merging([left, right])
    #expect(
      merged.diagnostics.map(\.kind) == [
        .conflictingPositions, .conflictingCopies, .conflictingCopies,
      ])
    #expect(
      merged.diagnostics.last?.text
        == "relation/1: copies with different nodes or members; those of one were taken")
    // Merging again tells nothing twice.
    #expect(try Response.merging([merged, merged]).diagnostics == merged.diagnostics)
    // Nodes and positions are of one copy.
    #expect(Array(merged.dataset.ways.refs(0)) == [1, 2, 3])
    #expect(merged.dataset.ways.inlineGeometry(0)?.count == 3)
  }

  @Test func headTellsTheOldestState() throws {
    let new = try answer("", timestamp: "2024-05-01T00:00:00Z")
    let old = try answer("", timestamp: "2024-04-30T23:59:59Z", remark: "runtime remark: a")
    let none = try answer("", remark: "runtime remark: a")
    let merged = try Response.merging([new, old, none])
    #expect(merged.header.timestamp == "2024-04-30T23:59:59Z")
    #expect(merged.remarks == ["runtime remark: a"])
    #expect(merged.completeness == .complete)
    #expect(
      merged.diagnostics.map(\.text) == [
        "merged answers show different states; the oldest is told "
          + "(2024-04-30T23:59:59Z to 2024-05-01T00:00:00Z)"
      ])
    #expect(try Response.merging([new, none, new]).diagnostics.isEmpty)
  }

  @Test func isPartialWhereOneIs() throws {
    let whole = try answer(#"{"type": "node", "id": 1}"#)
    let stopped = try answer("", remark: "runtime error: Query timed out in \\\"query\\\"")
    #expect(try Response.merging([whole, stopped, stopped]).completeness == .partial)
    #expect(try Response.merging([whole, stopped, stopped]).remarks.count == 1)
    let cut = try decode(#"{"elements": [{"type": "node", "id": 2}, {"type"#) {
      $0.allowTruncated = true
    }
    let merged = try Response.merging([whole, cut])
    #expect(merged.completeness == .partial)
    #expect(merged.truncatedAt == cut.truncatedAt)
    #expect(merged.dataset.count == 2)
    let odd = try answer("", remark: "who knows")
    #expect(try Response.merging([whole, odd]).completeness == .unknown)
  }

  @Test func derivedElements() throws {
    let left = try answer(
      #"{"type": "area", "id": 7, "tags": {"a": "b"}}, {"type": "count", "id": 0, "tags": {"total": "1"}}"#
    )
    let right = try answer(
      #"{"type": "area", "id": 7}, {"type": "area", "id": 8}, {"type": "count", "id": 0, "tags": {"total": "1"}}"#
    )
    let merged = try Response.merging([left, right])
    let data = merged.dataset
    #expect(data.derived.count == 4)
    #expect(
      (0..<data.count).compactMap { data.element(at: $0) }.map { data.typeName($0) } == [
        "area", "count", "area", "count",
      ])
    #expect(data.find(ElementID(.area, 8)) != nil)
    #expect(data.find(ElementID(.area, 7)).map { data.tagTexts($0) } == ["a": "b"])
  }

  @Test func orderOfFirstAppearance() throws {
    let left = try answer(#"{"type": "way", "id": 9}, {"type": "node", "id": 5}"#)
    let right = try answer(
      #"{"type": "node", "id": 2}, {"type": "node", "id": 5}, {"type": "way", "id": 1}"#)
    let data = try Response.merging([left, right]).dataset
    let names = (0..<data.count).compactMap { data.element(at: $0) }.map {
      "\(data.typeName($0))/\(data.number($0) ?? 0)"
    }
    #expect(names == ["way/9", "node/5", "node/2", "way/1"])
    for (position, name) in names.enumerated() {
      let element = try #require(data.element(at: position))
      #expect(data.position(of: element) == position, "\(name)")
      let id = ElementID(element.type, try #require(data.number(element)))
      #expect(data.find(id) == element, "\(name)")
    }
  }

  @Test func noneOneAndChanges() throws {
    #expect(try Response.merging([]).dataset.count == 0)
    let one = try answer(#"{"type": "node"}, {"type": "node"}"#)
    #expect(try Response.merging([one]) === one)
    // Without ids there are no copies.
    #expect(try Response.merging([one, one]).dataset.count == 4)
    let changes = try OverpassXML.decode(
      Array("<osmChange><create><node id='1' lat='1' lon='1'/></create></osmChange>".utf8))
    #expect(throws: ResponseError.hasChanges(1)) { try Response.merging([one, changes]) }
    #expect(ResponseError.hasChanges(1).message.contains("response 2"))
  }

  @Test func boxesAreUnitedTheShorterWay() {
    func box(_ west: Int32, _ east: Int32) -> BoundingBox {
      BoundingBox(
        southE7: 0, westE7: west * 10_000_000, northE7: 1, eastE7: east * 10_000_000)
    }
    let cases: [(BoundingBox, BoundingBox, BoundingBox)] = [
      (box(0, 10), box(5, 15), box(0, 15)), (box(0, 10), box(2, 3), box(0, 10)),
      (box(0, 10), box(20, 30), box(0, 30)), (box(170, 180), box(-180, -170), box(170, -170)),
      (box(170, 175), box(-175, -170), box(170, -170)),
      (box(170, -170), box(175, 178), box(170, -170)),
      (box(170, -170), box(-175, -160), box(170, -160)),
      (box(-180, 180), box(3, 4), box(-180, 180)),
      (box(-100, 100), box(90, -90), box(-180, 180)), (box(170, -170), box(0, 1), box(0, -170)),
      (box(5, 5), box(5, 5), box(5, 5)), (box(-180, -170), box(170, 180), box(170, -170)),
    ]
    for (left, right, expected) in cases {
      #expect(left.union(right) == expected, "\(left) \(right)")
      #expect(right.union(left) == expected, "\(right) \(left)")
      #expect(expected.intersects(left) && expected.intersects(right))
    }
    #expect(box(0, 10).union(.undefined) == box(0, 10))
    #expect(BoundingBox.undefined.union(box(0, 10)) == box(0, 10))
    #expect(!box(0, 10).intersects(box(11, 12)))
    #expect(box(170, -170).contains(Coordinate(longitudeE7: -1_800_000_000, latitudeE7: 1)))
    #expect(box(170, 180).contains(Coordinate(longitudeE7: -1_800_000_000, latitudeE7: 1)))
    #expect(!box(170, -170).contains(Coordinate(longitudeE7: 0, latitudeE7: 1)))
  }
}
