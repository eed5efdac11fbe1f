import OSMModel
import OverpassTestSupport
import Testing

/// Builds rows the way a decoder does.
private struct Rows: ~Copyable {
  var builder = DatasetBuilder()

  mutating func node(
    _ id: Int64, _ position: Coordinate = .undefined, tags: [(String, String)] = [],
    version: Int32? = nil
  ) {
    builder.nodes.elements.ids.append(id)
    for (key, value) in tags {
      builder.nodes.elements.tags.append(
        Tag(key: builder.strings.intern(key), value: builder.strings.intern(value)))
    }
    builder.nodes.elements.tagEnds.append(UInt32(builder.nodes.elements.tags.count))
    if let version {
      builder.nodes.elements.metadata.versions.set(version, at: builder.nodes.count - 1)
    }
    builder.nodes.positions.append(position)
    builder.endElement(.node)
  }

  mutating func way(_ id: Int64, _ refs: [Int64], geometry: [Coordinate]? = nil) {
    builder.ways.elements.ids.append(id)
    builder.ways.elements.tagEnds.append(UInt32(builder.ways.elements.tags.count))
    refs.withUnsafeBufferPointer { builder.ways.refs.append(contentsOf: $0) }
    builder.ways.refEnds.append(UInt32(builder.ways.refs.count))
    if let geometry {
      let start = UInt32(builder.ways.inlinePositions.count)
      geometry.withUnsafeBufferPointer { builder.ways.inlinePositions.append(contentsOf: $0) }
      builder.ways.geometries.set(
        PositionRange(start: start, count: UInt32(geometry.count)), at: builder.ways.count - 1)
    }
    builder.endElement(.way)
  }

  consuming func finish() -> FinishedDataset { builder.finish() }
}

private func at(_ longitudeE7: Int32, _ latitudeE7: Int32) -> Coordinate {
  Coordinate(longitudeE7: longitudeE7, latitudeE7: latitudeE7)
}

@Suite struct DatasetTests {
  @Test func keepsTheOrderOfTheAnswer() {
    var rows = Rows()
    rows.way(5, [1, 2])
    rows.node(2, at(0, 0))
    rows.node(1, at(1, 1))
    rows.way(4, [])
    let dataset = rows.finish().dataset
    #expect(dataset.count == 4)
    let order = (0..<4).compactMap { dataset.element(at: $0) }
    #expect(order.map(\.type) == [.way, .node, .node, .way])
    #expect(order.map { dataset.number($0) } == [5, 2, 1, 4])
    #expect(order.indices.allSatisfy { dataset.position(of: order[$0]) == $0 })
    #expect(dataset.element(at: 4) == nil)
    #expect(dataset.element(at: -1) == nil)
  }

  @Test(arguments: [true, false]) func findsByTypeAndNumber(ascending: Bool) {
    var generator = SeededGenerator(seed: 7)
    var ids = Array(
      Set((0..<2000).map { _ in Int64.random(in: -500...1 << 40, using: &generator) }))
    ids.sort()
    if !ascending { ids.shuffle(using: &generator) }
    var rows = Rows()
    for id in ids { rows.node(id, at(Int32(truncatingIfNeeded: id), 0)) }
    let dataset = rows.finish().dataset
    for (row, id) in ids.enumerated() {
      #expect(dataset.find(ElementID(.node, id)) == ElementIndex(.node, row))
      let hint = Int.random(in: -5...3000, using: &generator)
      #expect(dataset.nodes.elements.row(ofID: id, near: hint) == row)
      #expect(dataset.find(ElementID(.way, id)) == nil)
    }
    let known = Set(ids)
    for id in Int64(-510)...(-490) where !known.contains(id) {
      #expect(dataset.find(ElementID(.node, id)) == nil)
    }
    #expect(dataset.find(ElementID(.node, .max)) == nil)
  }

  /// B072: `out; >; out skel;` prints an element twice with different detail.
  @Test func mergesCopies() throws {
    var rows = Rows()
    rows.way(1, [1, 2])
    rows.node(1, at(0, 0))
    rows.node(2, at(1, 0))
    rows.node(2, at(1, 0), tags: [("barrier", "gate")], version: 3)
    rows.way(1, [])
    rows.node(3, at(9, 9))
    let finished = rows.finish()
    let dataset = finished.dataset
    #expect(finished.conflicts.isEmpty)
    #expect(dataset.nodes.count == 3)
    #expect(dataset.ways.count == 1)
    #expect(Array(dataset.ways.refs(0)) == [1, 2])
    let found = dataset.nodes.elements.row(ofID: 2)
    let row = try #require(found)
    #expect(dataset.nodes.elements.tags(row).count == 1)
    #expect(dataset.nodes.elements.metadata[row].version == 3)
    #expect(dataset.nodes.elements.isRepeated(row) == true)
    #expect(dataset.nodes.elements.isRepeated(0) == false)
    #expect(
      (0..<dataset.count).compactMap { dataset.element(at: $0)?.type } == [
        .way, .node, .node, .node,
      ])
    #expect(dataset.number(ElementIndex(.node, 2)) == 3)
  }

  @Test func tagsOfCopiesAreJoined() {
    var rows = Rows()
    rows.node(1, at(0, 0), tags: [("foo", "bar"), ("both", "x")])
    rows.node(1, at(0, 0), tags: [("both", "y"), ("new", "z")])
    let dataset = rows.finish().dataset
    let tags = dataset.nodes.elements.tags(0).map {
      dataset.strings.string($0.key) + "=" + dataset.strings.string($0.value)
    }
    #expect(tags == ["foo=bar", "both=x", "new=z"])
  }

  @Test func theHighestVersionWins() {
    var rows = Rows()
    rows.node(1, at(0, 0), tags: [("a", "old")], version: 2)
    rows.node(1, at(5, 5), version: 3)
    rows.node(1, at(7, 7), tags: [("a", "older")], version: 1)
    let finished = rows.finish()
    #expect(finished.dataset.nodes.positions[0] == at(5, 5))
    #expect(finished.dataset.nodes.elements.tags(0).isEmpty)
    #expect(finished.conflicts.isEmpty)
  }

  @Test func contradictingPositionsAreReported() {
    var rows = Rows()
    rows.node(1, at(0, 0))
    rows.node(1, at(5, 5))
    let finished = rows.finish()
    #expect(finished.dataset.nodes.positions[0] == at(0, 0))
    #expect(finished.conflicts == [ElementID(.node, 1)])
  }

  @Test func aCompleteLineOutranksAClippedOne() {
    var rows = Rows()
    rows.way(1, [1, 2], geometry: [.undefined, at(1, 1)])
    rows.way(1, [1, 2], geometry: [at(0, 0), at(1, 1)])
    let dataset = rows.finish().dataset
    #expect(dataset.ways.inlineGeometry(0).map { Array($0) } == [at(0, 0), at(1, 1)])
  }

  @Test func elementsWithoutIDsAreNotCopies() {
    var rows = Rows()
    rows.node(ElementID.unknownNumber, at(0, 0))
    rows.node(ElementID.unknownNumber, at(1, 1))
    let dataset = rows.finish().dataset
    #expect(dataset.nodes.count == 2)
    #expect(dataset.number(ElementIndex(.node, 0)) == nil)
  }
}
