import CBzip2
import CZlib
import OSMModel
import OverpassTestSupport
import Testing

@testable import OverpassDecoding

/// What decoding gives, as something that can be compared.
private enum Outcome: Equatable {
  case response([String], diagnostics: [DecodeDiagnostic], truncatedAt: Int?, distinctTexts: Int)
  case failure(AnswerError)

  init(_ decode: () throws(AnswerError) -> Response) {
    do throws(AnswerError) {
      let response = try decode()
      self = .response(
        lines(of: response), diagnostics: response.diagnostics, truncatedAt: response.truncatedAt,
        distinctTexts: response.dataset.strings.count)
    } catch {
      self = .failure(error)
    }
  }

  init(_ bytes: [UInt8], _ options: DecodeOptions, portions: () -> Int) {
    self.init { () throws(AnswerError) in
      // Every portion is decoded, so that elements are cut everywhere.
      var decoder = AnswerDecoder(expecting: nil, options: options, portion: 1)
      var start = 0
      while start < bytes.count {
        let end = min(bytes.count, start + max(0, portions()))
        try decoder.push(Array(bytes[start..<end]))
        start = end
      }
      return try decoder.finish()
    }
  }
}

/// Decoding in portions gives what decoding at once gives.
@Suite struct AnswerDecoderTests {
  static let answers: [String] = [
    #"{"version":0.6,"generator":"g","osm3s":{"timestamp_osm_base":"t","copyright":"c"},"elements":["#
      + #"{"type":"node","id":123456789012,"lat":51.1234567,"lon":-0.5,"tags":{"name":"Ä\u00e4","x":"y"}},"#
      + #"{"id":2,"type":"way","nodes":[1,2,3],"geometry":[{"lat":1,"lon":2},null,{"lat":3,"lon":4}]},"#
      + #"{"type":"relation","id":3,"version":2,"user":"u","members":[{"type":"way","ref":2,"role":"o","#
      + #""geometry":[{"lat":1,"lon":2},null]}],"bounds":{"minlat":1,"minlon":2,"maxlat":3,"maxlon":4}},"#
      + #"{"type":"count","id":0,"tags":{"total":"3"}},"#
      + #"{"type":"x","id":1,"geometry":{"type":"LineString","coordinates":[[1,2],[3,4]]}}],"#
      + #""remark":"runtime error: a"}"#,
    "\u{FEFF} \n{\n  \"version\": 0.6,\n  \"elements\": [\n\n{\n  \"type\": \"node\",\n  \"id\": 1,\n"
      + "  \"lat\": 95.5,\n  \"lon\": 1e400\n}\n\n  ]\n}\n \t",
    " a.callback( {\"bounds\":{\"minlat\":1,\"minlon\":2,\"maxlat\":3,\"maxlon\":4},\"elements\":["
      + "{\"type\":\"node\",\"id\":1}]} ) ; \n",
    #"cb({"elements":[{"type":"node","id":1}]}"#, "cb({}", "cb(", "cb", "cb(x",
    "cb({\"elements\":[]}) x",
    #"{"elements":[]}"#, "{}", #"{"elements":[],"version":1.25}"#, #"{"version":12}"#, "", " ", "{",
    #"{"elements":[{"type":"node","id":1},{"type":"node","id":2,"lat":1"#,
    #"{"elements":[{"type":"node","id":1},{"type":"node","id":x}]}"#,
    "{\"elements\":[\n{\"type\":\"node\",\"id\":1},\n{\"id\":1}]}", #"{"elements":[]} x"#,
    #"{"elements":[{"type":"way","id":1,"geometry":[{"lat":1,"lon":2}],"nodes":[1],"#
      + #""center":{"lat":1,"lon":1},"user":"u","version":3"#,
    #"<?xml version="1.0"?><osm version="0.6"><note>n</note><node id="1" lat="1" lon="2">"#
      + "<tag k='a' v='ä'/></node><way id='2'><nd ref='1'/></way><remark>r</remark></osm>",
    "<osm>\n<node id='1'/>\n<node id='x'/></osm>", "<osm>\n<node id='1'/><way id='2'>", "<foo/>",
    "\n <osm><node id='1'/>\n</osm>\n",
    "<!DOCTYPE html><html><body><p>Error: runtime error: open64: 0 Success /x</p></body></html>",
    "@id\tname\n1\tA\n", "plain",
  ]

  private static func optionSets() -> [DecodeOptions] {
    var truncated = DecodeOptions()
    truncated.allowTruncated = true
    var small = DecodeOptions()
    small.maximumElements = 2
    small.maximumTextBytes = 60
    return [DecodeOptions(), truncated, small]
  }

  @Test(arguments: answers)
  func portionsOfOneSize(_ text: String) {
    let bytes = Array(text.utf8)
    for options in Self.optionSets() {
      let expected = Outcome { () throws(AnswerError) in
        try OverpassAnswer.decode(bytes, options: options)
      }
      for size in [1, 2, 3, 5, 8, 13, 100, 10_000] {
        #expect(Outcome(bytes, options) { size } == expected, "\(size)")
      }
    }
  }

  @Test(arguments: answers)
  func compressed(_ text: String) {
    let bytes = Array(text.utf8)
    for options in Self.optionSets() {
      let expected = Outcome { () throws(AnswerError) in
        try OverpassAnswer.decode(bytes, options: options)
      }
      for packed in [
        gzip(bytes), bzip2(bytes), gzip(Array(bytes.prefix(9))) + gzip(Array(bytes.dropFirst(9))),
      ] {
        for size in [1, 4, 5, 7, 10_000] {
          #expect(Outcome(packed, options) { size } == expected, "\(size)")
        }
        #expect(
          Outcome { () throws(AnswerError) in
            try OverpassAnswer.decode(packed, options: options)
          } == expected)
        // Zeros behind compressed data are padding.
        #expect(Outcome(packed + [0, 0, 0], options) { 3 } == expected)
      }
    }
  }

  /// Cuts of compressed data: never success, and the same at any portions.
  @Test func cutCompressedData() {
    let bytes = Array(Self.answers[0].utf8)
    for packed in [gzip(bytes), bzip2(bytes)] {
      for end in 5..<packed.count {
        let cut = Array(packed[..<end])
        let expected = Outcome { () throws(AnswerError) in try OverpassAnswer.decode(cut) }
        guard case .failure(.decode(let error)) = expected else {
          Issue.record("cut at \(end), and still an answer")
          continue
        }
        #expect(error.kind == .truncated)
        #expect(Outcome(cut, DecodeOptions()) { 3 } == expected)
      }
    }
  }

  /// What follows compressed data may be a part of it that is damaged: an error, at any portions.
  @Test(arguments: [[1], [0, 0, 1], [0x1F, 0x8C], Array("BZi91".utf8), Array("more text".utf8)])
  func otherBytesBehindCompressedData(_ rest: [UInt8]) {
    for packed in [gzip(Array(Self.answers[0].utf8)), bzip2(Array(Self.answers[0].utf8))] {
      let end = packed.count + rest.prefix { $0 == 0 }.count
      let expected = Outcome.failure(
        .decode(
          DecodeError(
            .compression, "damaged compressed data near byte \(end) of the compressed input")))
      for options in Self.optionSets().prefix(2) {
        #expect(
          Outcome { () throws(AnswerError) in
            try OverpassAnswer.decode(packed + rest, options: options)
          } == expected)
        for size in [1, 2, 3, 5, 10_000] {
          #expect(Outcome(packed + rest, options) { size } == expected, "\(size)")
        }
      }
    }
  }

  /// A second stream that stops anywhere, its head included, or is damaged.
  @Test func secondStreams() {
    let (first, second) = (Array(Self.answers[0].utf8), Array(" \n \t ".utf8))
    for (packed, more) in [(gzip(first), gzip(second)), (bzip2(first), bzip2(second))] {
      let whole = Outcome { () throws(AnswerError) in try OverpassAnswer.decode(first) }
      for padding in [[], [0, 0, 0]] as [[UInt8]] {
        for size in [1, 3, 10_000] {
          #expect(Outcome(packed + padding + more, DecodeOptions()) { size } == whole)
        }
        for end in 1..<more.count {
          let cut = packed + padding + more[..<end]
          let expected = Outcome { () throws(AnswerError) in try OverpassAnswer.decode(cut) }
          guard case .failure(.decode(let error)) = expected, error.kind == .truncated else {
            Issue.record("cut at \(end): \(expected)")
            continue
          }
          for size in [1, 2, 3, 10_000] {
            #expect(Outcome(cut, DecodeOptions()) { size } == expected, "\(size)")
          }
        }
      }
      var damaged = more
      damaged[1] ^= 0x40
      guard
        case .failure(.decode(let error)) = Outcome(
          packed + damaged, DecodeOptions(), portions: { 3 })
      else {
        Issue.record("a damaged head was passed over")
        continue
      }
      #expect(error.kind == .compression)
    }
  }

  /// Large enough that elements are decoded before the end.
  @Test func longAnswers() throws {
    var generator = SeededGenerator(seed: 11)
    var json = #"{"version":0.6,"elements":["#
    var xml = "<osm>"
    for id in 1...20_000 {
      let name = "n\(UInt32.random(in: 0...3000, using: &generator))"
      json +=
        (id > 1 ? ",\n" : "")
        + #"{"type":"node","id":\#(id),"lat":1.5,"lon":2,"tags":{"name":"\#(name)"}}"#
      xml += "<node id='\(id)' lat='1.5' lon='2'><tag k='name' v='\(name)'/></node>\n"
      guard id % 5000 == 0 else { continue }
      // One element that is larger than a portion.
      let refs = (0..<30_000).map { id + $0 }
      json +=
        #",{"type":"way","id":\#(id),"nodes":[\#(refs.map(String.init).joined(separator: ","))]}"#
      xml += "<way id='\(id)'>\(refs.map { "<nd ref='\($0)'/>" }.joined())</way>"
    }
    for text in [
      json + "]}", xml + "</osm>", json, json + "]", json + ",{]", xml + "<node id='y'/>",
    ] {
      let bytes = Array(text.utf8)
      let expected = Outcome { () throws(AnswerError) in try OverpassAnswer.decode(bytes) }
      #expect(Outcome(bytes, DecodeOptions()) { 100_000 } == expected)
      #expect(
        Outcome(bytes, DecodeOptions()) { .random(in: 0...9_000, using: &generator) } == expected)
    }
    var decoder = AnswerDecoder()
    try decoder.push(Array(json.utf8))
    #expect(decoder.elementCount > 19_000)
    #expect(decoder.byteCount == json.utf8.count)
    guard case .json? = decoder.format else {
      Issue.record("the format is known by now")
      return
    }
  }

  @Test func errorsStay() {
    var decoder = AnswerDecoder()
    let page = Array((#"{"elements":[}"# + String(repeating: " ", count: 70_000)).utf8)
    for _ in 0..<2 {
      do throws(AnswerError) {
        try decoder.push(page)
        Issue.record("no error")
      } catch {
        guard case .decode(let error) = error else {
          Issue.record("another error")
          return
        }
        #expect(error.offset == 13)
      }
    }
    do throws(AnswerError) {
      _ = try decoder.finish()
      Issue.record("no error")
    } catch {}
  }

  @Test func largestAnswer() {
    var options = DecodeOptions()
    options.maximumBytes = 1000
    let bytes = Array((#"{"elements":[]}"# + String(repeating: " ", count: 5000)).utf8)
    for input in [bytes, gzip(bytes), bzip2(bytes)] {
      let outcome = Outcome(input, options) { 100 }
      guard case .failure(.decode(let error)) = outcome else {
        Issue.record("accepted")
        return
      }
      #expect(error.kind == .limit && error.message.contains("max_bytes"))
      #expect(
        outcome
          == Outcome { () throws(AnswerError) in try OverpassAnswer.decode(input, options: options)
          })
    }
  }

  // MARK: Recorded answers

  @Test(.enabled(if: !listFolder(sharedRoot + "/cases/oracle").isEmpty, "../shared is not here"))
  func recordedAnswers() throws {
    var generator = SeededGenerator(seed: 5)
    for folder in listFolder(sharedRoot + "/cases/oracle") {
      for name in ["answer.json", "answer.xml"] {
        guard let bytes = readFile("\(sharedRoot)/cases/oracle/\(folder)/\(name)"),
          bytes.count < 300_000
        else { continue }
        let expected = Outcome { () throws(AnswerError) in try OverpassAnswer.decode(bytes) }
        #expect(
          Outcome(bytes, DecodeOptions()) { .random(in: 1...3000, using: &generator) } == expected,
          "\(folder)")
        #expect(Outcome(gzip(bytes), DecodeOptions()) { 512 } == expected, "\(folder)")
      }
    }
  }
}
