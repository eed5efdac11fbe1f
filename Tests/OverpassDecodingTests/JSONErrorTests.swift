import OSMModel
import OverpassDecoding
import OverpassTestSupport
import Testing

@Suite struct JSONErrorTests {
  @Test func errorsTellWhere() throws {
    let error = try #require(
      decodeError(Array("{\"elements\":[\n {\"type\":\"node\",\n  \"id\": x}]}".utf8)))
    #expect(error.kind == .syntax)
    #expect(error.line == 3)
    #expect(error.column == 9)
    #expect(error.offset == 39)
  }

  @Test(arguments: [
    "{\"elements\":[\n,{\"type\":\"node\",\"id\":1}]}", "{\"elements\":[{\"type\":\"node\",}]}",
    "{\"elements\":[{\"type\":\"node\"},]}", "{\"elements\":[{\"type\":\"node\" \"id\":1}]}",
    "{\"elements\":[{\"type\":\"node\",\"id\" 1}]}", "{\"elements\":{}}", "{\"elements\":[1]}",
    "{\"elements\":[]} x", "{\"elements\":[]}}", "{elements:[]}", "{'elements':[]}",
    "{\"elements\":[{\"type\":\"node\",\"tags\":{\"a\":1}}]}",
    "{\"elements\":[{\"type\":\"node\",\"tags\":[]}]}",
    "{\"elements\":[{\"type\":\"way\",\"nodes\":[1,]}]}",
    "{\"elements\":[{\"type\":\"node\",\"tags\":{\"a\":\"\\x\"}}]}",
    "{\"elements\":[{\"type\":\"node\",\"tags\":{\"a\":\"\\u12g4\"}}]}",
    "{\"elements\":[{\"type\":\"node\",\"tags\":{\"a\":\"line\nbreak\"}}]}",
    "{\"elements\":[],\"x\":tru}", "{\"elements\":[],\"x\":01}", "{\"elements\":[],\"x\":1.}",
    "{\"elements\":[],\"x\":1e}", "{\"elements\":[],\"x\":.5}", "{\"elements\":[],\"x\":\"\\q\"}",
    "{\"elements\":[],\"x\":[1 2]}", "{\"elements\":[],\"x\":[1}}", "{\"elements\":[] \"x\":1}",
  ]) func brokenStructure(_ text: String) {
    let error = decodeError(Array(text.utf8))
    #expect(error?.kind == .syntax)
    #expect(error?.offset != nil && error?.line != nil && error?.column != nil)
  }

  @Test(arguments: [
    ("[]", DecodeError.Kind.notOverpass), ("1", .notOverpass), ("{}", .notOverpass),
    ("{\"a\":1}", .notOverpass), ("", .truncated), ("  \n", .truncated),
    ("<?xml version=\"1.0\"?><osm/>", .format), ("\u{FEFF} <html>", .format),
    ("{\"elements\":[{\"id\":1}]}", .value),
    (
      "{\"elements\":[{\"type\":\"relation\",\"members\":[{\"type\":\"area\",\"ref\":1}]}]}", .value
    ),
    ("{\"elements\":[{\"type\":\"relation\",\"members\":[{\"type\":\"way\"}]}]}", .value),
  ]) func notAnAnswer(_ text: String, _ kind: DecodeError.Kind) {
    #expect(decodeError(Array(text.utf8))?.kind == kind)
  }

  @Test func aByteOrderMarkAndBlanksAreAccepted() throws {
    #expect(try decode("\u{FEFF} \r\n\t{\"elements\":[]}\n ").dataset.count == 0)
    #expect(decodeError(Array("\u{FEFF}{\"elements\":x".utf8))?.offset == 15)
  }

  @Test func nestingIsBounded() {
    let deep = String(repeating: "[", count: 100_000)
    #expect(decodeError(Array("{\"x\":\(deep)".utf8))?.kind == .limit)
    #expect(
      decodeError(
        Array("{\"elements\":[{\"type\":\"q\",\"geometry\":{\"coordinates\":\(deep)".utf8))?.kind
        == .limit)
    let objects = String(repeating: "{\"a\":", count: 100_000)
    #expect(decodeError(Array("{\"x\":\(objects)".utf8)) { $0.maximumDepth = .max }?.kind == .limit)
    let collections = String(
      repeating: "{\"type\":\"GeometryCollection\",\"geometries\":[", count: 50_000)
    #expect(
      decodeError(Array("{\"elements\":[{\"type\":\"q\",\"geometry\":\(collections)".utf8)) {
        $0.maximumDepth = .max
      }?.kind == .limit)
  }

  @Test func sizeIsBounded() {
    #expect(decodeError(Array("{\"elements\":[]}".utf8)) { $0.maximumBytes = 10 }?.kind == .limit)
  }

  /// B041: an answer cut anywhere is never taken for a whole one; what was whole is reachable.
  @Test func everyCutIsNoticed() throws {
    let whole = Array(
      #"""
      {"version":0.6,"elements":[{"type":"node","id":1,"lat":1.25,"lon":2.0,"tags":{"a":"\u00e9x"}},
      {"type":"way","id":2,"nodes":[1,2],"geometry":[null,{"lat":1,"lon":2}],"tags":{"b":"c"}},
      {"type":"relation","id":3,"members":[{"type":"node","ref":1,"role":"r","lat":1,"lon":2}]},
      {"type":"q","id":4,"geometry":{"type":"Point","coordinates":[1,2]}}],"remark":"x"}
      """#.utf8)
    var most = 0
    for count in 1..<whole.count {
      let cut = Array(whole[0..<count])
      let error = try #require(decodeError(cut))
      #expect(error.kind == .truncated)
      #expect(error.offset == count)
      var options = DecodeOptions()
      options.allowTruncated = true
      let response = try OverpassJSON.decode(cut, options: options)
      #expect(response.completeness == .partial)
      #expect(response.truncatedAt == count)
      #expect(response.dataset.count >= most)
      most = response.dataset.count
      for position in 0..<most {
        let element = try #require(response.dataset.element(at: position))
        _ = response.dataset.tagTexts(element)
      }
    }
    #expect(most == 4)
  }

  /// No change of a byte makes the decoder stop the program.
  @Test func flippedBytesNeverTrap() throws {
    let whole = Array(
      #"{"osm3s":{"copyright":"é"},"elements":[{"type":"node","id":12345678901,"lat":51.1234567,"lon":-0.5,"version":3,"timestamp":"2024-03-31T02:30:00Z","tags":{"a\n":"b","a":"\ud83c\udf55"}},{"type":"relation","id":3,"bounds":{"minlat":1,"minlon":2,"maxlat":3,"maxlon":4},"members":[{"type":"way","ref":1,"role":"r","geometry":[{"lat":1,"lon":2},null]}]}]}"#
        .utf8)
    var generator = SeededGenerator(seed: 3)
    var succeeded = 0
    for _ in 0..<20_000 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        bytes[place] = UInt8.random(in: 0...255, using: &generator)
      }
      if decodeError(bytes) == nil { succeeded += 1 }
    }
    // Changes inside of texts and numbers are still answers.
    #expect(succeeded > 0 && succeeded < 20_000)
  }
}
