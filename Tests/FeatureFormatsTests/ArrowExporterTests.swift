import CArrow
import OSMGeometry
import OSMModel
import OverpassDecoding
import OverpassTestSupport
import Testing

@testable import FeatureFormats

/// What a consumer does with a stream.
private final class Reader {
  let stream = UnsafeMutablePointer<ArrowArrayStream>.allocate(capacity: 1)

  init(_ exporter: ArrowExporter, keeping owner: AnyObject? = nil) throws {
    stream.initialize(to: ArrowArrayStream())
    try exporter.export(to: stream, keeping: owner)
  }

  deinit {
    if let release = stream.pointee.release { release(stream) }
    stream.deallocate()
  }

  /// The next batch, to be released by the caller; `nil` at the end.
  func next() throws -> Batch? {
    let batch = Batch()
    guard let status = stream.pointee.get_next?(stream, batch.array), status == 0 else {
      let message = stream.pointee.get_last_error?(stream)
      throw ArrowError(message.map { String(cString: $0) } ?? "no message")
    }
    return batch.array.pointee.release == nil ? nil : batch
  }

  func rest() throws -> [Batch] {
    var batches: [Batch] = []
    while let batch = try next() { batches.append(batch) }
    return batches
  }

  /// Format and name of each column.
  func columns() -> [String] {
    let schema = UnsafeMutablePointer<ArrowSchema>.allocate(capacity: 1)
    defer { schema.deallocate() }
    #expect(stream.pointee.get_schema?(stream, schema) == 0)
    defer { schema.pointee.release?(schema) }
    return (0..<Int(schema.pointee.n_children)).compactMap { place in
      guard let child = schema.pointee.children[place]?.pointee else { return nil }
      return String(cString: child.format) + " " + String(cString: child.name)
    }
  }
}

/// A batch that is released once.
private final class Batch {
  let array = UnsafeMutablePointer<ArrowArray>.allocate(capacity: 1)

  deinit {
    if let release = array.pointee.release { release(array) }
    array.deallocate()
  }

  var count: Int { Int(array.pointee.length) }

  func child(_ place: Int) -> ArrowArray {
    array.pointee.children[place]?.pointee ?? ArrowArray()
  }

  func numbers<Number>(_ place: Int, of _: Number.Type) -> [Number] {
    let column = child(place)
    let start = column.buffers[1]?.assumingMemoryBound(to: Number.self)
    return Array(UnsafeBufferPointer(start: start, count: Int(column.length)))
  }

  var ids: [Int64] { numbers(0, of: Int64.self) }
}

private func texts(_ column: ArrowArray) -> [String] {
  let offsets = column.buffers[1]?.assumingMemoryBound(to: Int32.self)
  let bytes = column.buffers[2]?.assumingMemoryBound(to: UInt8.self)
  guard let offsets, let bytes else { return [] }
  return (0..<Int(column.length)).map { row in
    let range = Int(offsets[row])..<Int(offsets[row + 1])
    return String(
      decoding: UnsafeBufferPointer(start: bytes + range.lowerBound, count: range.count),
      as: UTF8.self)
  }
}

private func features(_ json: String) throws -> FeatureSet {
  FeatureSet(try OverpassJSON.decode(Array(json.utf8)).dataset)
}

private func nodes(_ count: Int, tags: String = #"{"k":"v"}"#) throws -> FeatureSet {
  let elements = (1...count).map {
    #"{"type":"node","id":\#($0),"lat":1,"lon":2,"tags":\#(tags)}"#
  }
  return try features(#"{"elements":[\#(elements.joined(separator: ","))]}"#)
}

private final class Token {
  let died: () -> Void
  init(_ died: @escaping () -> Void) { self.died = died }
  deinit { died() }
}

@Suite struct ArrowExporterTests {
  @Test func columnsAreThoseAskedFor() throws {
    var exporter = ArrowExporter(try nodes(1))
    #expect(try Reader(exporter).columns() == ["l id", "c type", "+m tags", "z geometry"])
    exporter.options.hasTags = false
    exporter.options.hasMetadata = true
    exporter.options.tagColumns = ["name", "type", "tags", "version"]
    #expect(
      try Reader(exporter).columns() == [
        "l id", "c type", "u name", "u tag:type", "u tags", "u tag:version", "i version",
        "tsm:UTC timestamp", "l changeset", "l uid", "i user", "z geometry",
      ])
    exporter.options.tagColumns = ["a", "b", "a"]
    #expect(throws: ArrowError.self) { try Reader(exporter) }
    exporter.options.tagColumns = ["a\0b"]
    #expect(throws: ArrowError.self) { try Reader(exporter) }
  }

  @Test(arguments: [1, 2, 3, 7, 10, 11, Int.max])
  func batchesHaveAtMostSoManyRows(_ size: Int) throws {
    var exporter = ArrowExporter(try nodes(10))
    exporter.options.batchSize = size
    let reader = try Reader(exporter)
    let batches = try reader.rest()
    #expect(batches.flatMap(\.ids) == Array(1...10))
    #expect(batches.allSatisfy { $0.count <= size && $0.count > 0 })
    #expect(batches.count == (size > 10 ? 1 : (10 + size - 1) / size))
    // The end stays the end.
    #expect(try reader.next() === nil)
  }

  @Test func manyBlocksKeepTheirOrder() throws {
    var exporter = ArrowExporter(try nodes(30_000))
    exporter.options.batchSize = 64
    #expect(try Reader(exporter).rest().flatMap(\.ids) == Array(1...30_000))
  }

  /// The least sizes at which rows still fit; each column is the narrow one once.
  @Test(arguments: [21, 22, 41, 42, 43, 64, 1000])
  func columnsAreCutWhereOffsetsEnd(_ limit: Int) throws {
    var exporter = ArrowExporter(try nodes(7))
    exporter.maximumBytes = limit
    let batches = try Reader(exporter).rest()
    #expect(batches.flatMap(\.ids) == Array(1...7))
    #expect(batches.count == (7 + limit / 21 - 1) / (limit / 21))
    for batch in batches {
      let geometry = batch.child(batch.array.pointee.n_children > 3 ? 3 : 2)
      let ends = geometry.buffers[1]?.assumingMemoryBound(to: Int32.self)
      #expect(ends?[batch.count] == Int32(21 * batch.count))
    }
  }

  @Test func longTextsCutBatches() throws {
    var exporter = ArrowExporter(
      try nodes(5, tags: #"{"name":"\#(String(repeating: "x", count: 30))"}"#))
    exporter.maximumBytes = 61
    #expect(try Reader(exporter).rest().map(\.count) == [2, 2, 1])
    exporter.options.hasTags = false
    #expect(try Reader(exporter).rest().map(\.count) == [2, 2, 1])
    exporter.options.tagColumns = ["name"]
    exporter.maximumBytes = 32
    #expect(try Reader(exporter).rest().map(\.count) == [1, 1, 1, 1, 1])
  }

  @Test func whatFitsNoRowIsAnErrorAfterTheRowsBefore() throws {
    let line = #"{"type":"way","id":9,"geometry":[{"lat":0,"lon":0},{"lat":1,"lon":1}]}"#
    let set = try features(#"{"elements":[{"type":"node","id":1,"lat":0,"lon":0},\#(line)]}"#)
    var exporter = ArrowExporter(set)
    exporter.maximumBytes = 40
    let reader = try Reader(exporter)
    #expect(try reader.next()?.ids == [1])
    for _ in 0..<2 {
      #expect(throws: ArrowError("way/9 is too large for a row of a table")) {
        try reader.next()
      }
    }
  }

  @Test func idsOfOneTableAreNotCopied() throws {
    let set = try nodes(100)
    var exporter = ArrowExporter(set)
    exporter.options.batchSize = 40
    let own = UnsafeRawPointer(set.dataset.nodes.elements.ids.buffer.baseAddress)
    let starts = try Reader(exporter).rest().map { $0.child(0).buffers[1] }
    #expect(starts == [0, 40, 80].map { own?.advanced(by: 8 * $0) })
  }

  @Test func idsOfMixedTablesAreRight() throws {
    let way = #"{"type":"way","id":5,"geometry":[{"lat":0,"lon":0},{"lat":1,"lon":1}]}"#
    func node(_ id: Int) -> String { #"{"type":"node","id":\#(id),"lat":1,"lon":2}"# }
    let set = try features(
      #"{"elements":[\#(node(1)),\#(node(2)),\#(way),\#(node(3))]}"#)
    let batch = try #require(try Reader(ArrowExporter(set)).next())
    #expect(batch.ids == [1, 2, 5, 3])
    #expect(batch.numbers(1, of: Int8.self) == [0, 0, 1, 0])
    #expect(
      texts(batch.child(1).dictionary?.pointee ?? ArrowArray()) == ["node", "way", "relation"])
  }

  /// After `out noids` an element has no number.
  @Test func unknownIdsAreNull() throws {
    let set = try features(
      #"{"elements":[{"type":"node","lat":1,"lon":2},{"type":"node","lat":1,"lon":3}]}"#)
    let batch = try #require(try Reader(ArrowExporter(set)).next())
    #expect(batch.count == 2)
    #expect(batch.child(0).null_count == 2)
    #expect(batch.child(0).buffers[0]?.load(as: UInt8.self) == 0)
  }

  @Test func moreTypesThanABytesNumbersNeedMore() throws {
    for (count, format) in [(125, "c type"), (126, "s type")] {
      let elements = (0..<count).map {
        #"{"type":"made\#($0)","geometry":{"type":"Point","coordinates":[1,2]}}"#
      }
      let set = try features(#"{"elements":[\#(elements.joined(separator: ","))]}"#)
      let reader = try Reader(ArrowExporter(set))
      #expect(reader.columns()[1] == format)
      let batch = try #require(try reader.next())
      let names = texts(batch.child(1).dictionary?.pointee ?? ArrowArray())
      #expect(names.count == count + 3)
      let last =
        format == "c type"
        ? Int(batch.numbers(1, of: Int8.self).last ?? 0)
        : Int(batch.numbers(1, of: Int16.self).last ?? 0)
      #expect(names[last] == "made\(count - 1)")
    }
  }

  @Test func anEmptySetHasColumnsAndNoRows() throws {
    let reader = try Reader(ArrowExporter(try features(#"{"elements":[]}"#)))
    #expect(try reader.next() === nil)
    #expect(reader.columns().count == 4)
    #expect(reader.columns().count == 4)
  }

  @Test func theOwnerLivesAsLongAsAnythingOfTheStream() throws {
    var isDead = false
    var exporter = ArrowExporter(try nodes(10))
    exporter.options.batchSize = 4
    var reader: Reader? = try Reader(exporter, keeping: Token { isDead = true })
    var batches: [Batch] = [try #require(try reader?.next()), try #require(try reader?.next())]
    reader = nil
    #expect(!isDead)
    #expect(batches[1].ids == [5, 6, 7, 8])
    batches.removeFirst()
    #expect(!isDead)
    batches.removeAll()
    #expect(isDead)
  }

  @Test func aChildThatIsMovedOutOutlivesItsParent() throws {
    var batch = try Reader(ArrowExporter(try nodes(3))).next()
    let moved = UnsafeMutablePointer<ArrowArray>.allocate(capacity: 1)
    defer { moved.deallocate() }
    let child = try #require(batch?.array.pointee.children[2])
    moved.pointee = child.pointee
    child.pointee.release = nil
    batch = nil
    let pairs = try #require(moved.pointee.children[0]).pointee
    #expect(texts(try #require(pairs.children[0]).pointee) == ["k", "k", "k"])
    #expect(texts(try #require(pairs.children[1]).pointee) == ["v", "v", "v"])
    moved.pointee.release?(moved)
    #expect(moved.pointee.release == nil)
  }

  /// Over all recorded answers: the rows are the features, and their geometry is the WKB writer's.
  @Test func recordedAnswers() throws {
    let fixtures = projectRoot + "/Tests/Fixtures/overpass-json"
    let oracle = listFolder(sharedRoot + "/cases/oracle").map {
      "\(sharedRoot)/cases/oracle/\($0)/answer.json"
    }
    for path in listFolder(fixtures).map({ "\(fixtures)/\($0)" }) + oracle {
      guard let bytes = readFile(path), let response = try? OverpassJSON.decode(bytes) else {
        continue
      }
      let set = FeatureSet(response.dataset)
      var expected = Column<UInt8>()
      var ids: [Int64?] = []
      var geometry = Geometry()
      for index in 0..<set.count where set.geometry(of: index, into: &geometry).kind != .none {
        let before = expected.count
        WKBWriter.append(geometry, to: &expected)
        #expect(WKBWriter.byteCount(of: geometry) == expected.count - before, "\(path)")
        let number = set.feature(index).id.number
        ids.append(number == ElementID.unknownNumber ? nil : number)
      }
      var exporter = ArrowExporter(set)
      exporter.options.batchSize = 5
      var wkb: [UInt8] = []
      var found: [Int64?] = []
      for batch in try Reader(exporter).rest() {
        let ends = batch.child(3).buffers[1]?.assumingMemoryBound(to: Int32.self)
        let start = batch.child(3).buffers[2]?.assumingMemoryBound(to: UInt8.self)
        wkb += UnsafeBufferPointer(start: start, count: Int(ends?[batch.count] ?? 0))
        let bits = batch.child(0).buffers[0]?.assumingMemoryBound(to: UInt8.self)
        for (row, id) in batch.ids.enumerated() {
          let isThere = bits.map { $0[row >> 3] >> UInt8(row & 7) & 1 == 1 } ?? true
          found.append(isThere ? id : nil)
        }
      }
      #expect(wkb == Array(expected.buffer), "\(path)")
      #expect(found == ids, "\(path)")
    }
  }
}
