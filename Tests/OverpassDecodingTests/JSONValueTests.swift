import OSMModel
import OverpassDecoding
import OverpassTestSupport
import Testing

@Suite struct JSONValueTests {
  /// B117, B118: decimal text to units of 1e-7 degrees, exactly.
  @Test(arguments: [
    ("51.1234567", 511_234_567), ("-1e-07", -1), ("-2E-7", -2), ("179.9999999", 1_799_999_999),
    ("-89.9999999", -899_999_999), ("0", 0), ("-0", 0), ("-0.0", 0), ("7", 70_000_000),
    ("7.5", 75_000_000), ("0.00000005", 1), ("0.00000004", 0), ("0.000000049999999", 0),
    ("-0.00000015", -2), ("51.12345674999", 511_234_567), ("51.12345675", 511_234_568),
    ("1e2", 1_000_000_000), ("0.1e1", 10_000_000), ("1.5E+1", 150_000_000),
    ("12.3456789e0", 123_456_789), ("0.0000000000000000000000000001", 0),
    ("10.00000000000000000000000000000000001", 100_000_000), ("1e-400", 0),
    ("-214.7483648", -2_147_483_648),
  ]) func coordinates(_ text: String, _ value: Int) throws {
    let data = try decode("{\"elements\":[{\"type\":\"node\",\"id\":1,\"lat\":\(text),\"lon\":1}]}")
    #expect(data.dataset.nodes.positions[0].latitudeE7 == Int32(value))
    // At the very end of the input as well, where no eight bytes are left to look at.
    #expect(
      decodeError(Array("{\"elements\":[{\"type\":\"node\",\"lat\":\(text)".utf8))?.kind
        == .truncated)
  }

  @Test(arguments: ["1e3", "300", "99999999999999999999", "1e400"])
  func tooLargeCoordinatesAreUnknown(_ text: String) throws {
    let data = try decode("{\"elements\":[{\"type\":\"node\",\"id\":1,\"lat\":\(text),\"lon\":1}]}")
    #expect(data.dataset.nodes.positions[0].isUndefined)
    #expect(data.diagnostics.map(\.kind) == [.coordinateOutOfRange])
  }

  /// B063
  @Test(arguments: [
    "0", "1", "-1", "12345678", "123456789", "2147483648", "4294967296", "12345678901",
    "9223372036854775807", "-9223372036854775807",
  ]) func ids(_ text: String) throws {
    let data = try decode("{\"elements\":[{\"type\":\"way\",\"id\":\(text),\"nodes\":[\(text)]}]}")
    #expect(data.dataset.ways.elements.ids[0] == Int64(text))
    #expect(data.dataset.ways.refs(0).first == Int64(text))
  }

  /// Some programs write ids as text.
  @Test func quotedIDs() throws {
    let data = try decode(
      #"{"elements":[{"type":"way","id":"12345678901","nodes":["-7",8]},{"type":"relation","id":"1","members":[{"type":"way","ref":"12345678901"}]}]}"#
    ).dataset
    #expect(data.ways.elements.ids[0] == 12_345_678_901)
    #expect(Array(data.ways.refs(0)) == [-7, 8])
    #expect(data.relations.members(0).first?.ref == 12_345_678_901)
  }

  @Test(arguments: [
    ("9223372036854775808", DecodeError.Kind.value), ("99999999999999999999", .value),
    ("-9223372036854775808", .value),
    ("1.5", .value), ("1e3", .value), ("01", .syntax), ("-", .syntax), ("+1", .syntax),
    ("0x1", .syntax), ("\"x\"", .syntax), ("\"1x\"", .value), ("\"1", .value), ("true", .syntax),
  ]) func notAnID(_ text: String, _ kind: DecodeError.Kind) {
    let error = decodeError(Array("{\"elements\":[{\"type\":\"node\",\"id\":\(text)}]}".utf8))
    #expect(error?.kind == kind)
  }

  /// B055
  @Test func textsSurviveByteForByte() throws {
    let name = "‫شارع‬ 😀"
    let data = try decode(
      #"{"elements":[{"type":"node","id":1,"tags":{"note":"line1\nline2\tend \u00e9\ud83c\udf55\/\b\f\r\"\\","name":"\#(name)","d":"\u007f"}}]}"#
    )
    let tags = data.dataset.tagTexts(ElementIndex(.node, 0))
    #expect(tags["note"] == "line1\nline2\tend é🍕/\u{8}\u{c}\r\"\\")
    #expect(tags["name"] == name)
    #expect(tags["d"] == "\u{7f}")
    #expect(data.diagnostics.isEmpty)
  }

  /// B056, and other text that is not UTF-8.
  @Test(
    arguments: [
      [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xE2, 0x82], [0x80],
      [0xF0, 0x80, 0x80, 0x80],
    ] as [[UInt8]]) func invalidTextIsReplaced(_ bad: [UInt8]) throws
  {
    let bytes =
      Array("{\"elements\":[{\"type\":\"way\",\"id\":1,\"tags\":{\"tunnel\":\"a".utf8) + bad
      + Array("z\"}}]}".utf8)
    let data = try OverpassJSON.decode(bytes)
    let value = try #require(data.dataset.tagTexts(ElementIndex(.way, 0))["tunnel"])
    #expect(value.hasPrefix("a\u{FFFD}") && value.hasSuffix("z"))
    #expect(data.diagnostics.map(\.kind) == [.invalidText])
    #expect(decodeError(bytes) { $0.strictText = true }?.kind == .text)
  }

  @Test(arguments: [#"\ud83c"#, #"\udf55"#, #"\ud83c\n"#, #"\ud83c\ud83c"#])
  func halfASurrogatePairIsReplaced(_ escape: String) throws {
    let data = try decode(
      "{\"elements\":[{\"type\":\"node\",\"id\":1,\"tags\":{\"a\":\"\(escape)\"}}]}")
    #expect(data.dataset.tagTexts(ElementIndex(.node, 0))["a"]?.unicodeScalars.first == "\u{FFFD}")
    #expect(data.diagnostics.map(\.kind) == [.invalidText])
  }

  /// Strings of every length, at every distance from the end of the input.
  @Test func stringsOfEveryLength() throws {
    for length in 0...40 {
      let text = String(repeating: "x", count: length)
      let data = try decode(
        "{\"elements\":[{\"type\":\"\(text)q\",\"id\":1,\"tags\":{\"\(text)\":\"\(text)é\"}}]}")
      #expect(data.dataset.tagTexts(ElementIndex(.derived, 0)) == [text: text + "é"])
      #expect(data.dataset.typeName(ElementIndex(.derived, 0)) == text + "q")
    }
  }
}
