import OSMModel
import OverpassTestSupport
import Testing

@testable import OverpassDecoding

/// The decoder of XML takes its input in portions of any size.
@Suite struct XMLStreamTests {
  private func decode(_ bytes: [UInt8], _ sizes: () -> Int) throws -> Response {
    guard var parser = XMLPushParser(options: DecodeOptions()) else {
      throw DecodeError(.limit, "no memory")
    }
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + max(1, sizes()))
      try bytes[start..<end].withUnsafeBufferPointer { try parser.push($0) }
      start = end
    }
    try parser.finish()
    return parser.takeResponse(truncatedAt: nil)
  }

  @Test func anyPortions() throws {
    let whole = Array(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <osm version="0.6"><note>é&amp;ü</note><node id="1" lat="1.25" lon="2.0"><tag k="ä" v="😀"/>
      </node><way id="2"><nd ref="1" lat="1" lon="2"/><nd ref="2"/></way><remark>x</remark></osm>
      """.utf8)
    let expected = lines(of: try OverpassXML.decode(whole))
    for size in 1...whole.count { #expect(lines(of: try decode(whole) { size }) == expected) }
    var generator = SeededGenerator(seed: 6)
    for _ in 0..<100 {
      #expect(
        lines(of: try decode(whole) { .random(in: 1...40, using: &generator) }) == expected)
    }
  }

  @Test func otherEncodings() throws {
    let latin =
      Array("<?xml version='1.0' encoding='ISO-8859-1'?><osm><node><tag k='a' v='".utf8) + [0xE9]
      + Array("'/></node></osm>".utf8)
    for size in [1, 7, 50] {
      let response = try decode(latin) { size }
      #expect(response.dataset.tagTexts(ElementIndex(.node, 0)) == ["a": "é"])
    }
  }

  /// Bytes that are no text, wherever portions end.
  @Test func mendedText() throws {
    let bytes =
      Array("<osm><node id='1'><tag k='a' v='".utf8) + [0xE2, 0x82, 0xFF, 0xE2, 0x82, 0xAC, 0xF0]
      + Array("'/></node></osm>".utf8)
    let expected = try OverpassXML.decode(bytes)
    #expect(expected.diagnostics.map(\.offset) == [32, 33, 34, 38])
    for size in 1...bytes.count {
      let response = try decode(bytes) { size }
      #expect(
        response.dataset.tagTexts(ElementIndex(.node, 0))["a"]
          == "\u{FFFD}\u{FFFD}\u{FFFD}€\u{FFFD}")
      #expect(response.diagnostics == expected.diagnostics)
    }
  }

  /// A value of many megabytes in small portions costs time in proportion.
  @Test(.timeLimit(.minutes(1))) func oneHugeTextInSmallPortions() throws {
    let text = String(repeating: "x", count: 8_000_000)
    let bytes = Array("<osm><node id='1'><tag k='a' v='\(text)'/></node></osm>".utf8)
    #expect(try decode(bytes) { 1000 }.dataset.count == 1)
  }
}
