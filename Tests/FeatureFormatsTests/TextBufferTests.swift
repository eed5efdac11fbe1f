import OSMModel
import OverpassTestSupport
import Testing

@testable import FeatureFormats

private func printed(_ body: (inout TextBuffer) -> Void) -> String {
  var buffer = TextBuffer()
  body(&buffer)
  return String(decoding: buffer.bytes.buffer, as: UTF8.self)
}

@Suite struct TextBufferTests {
  /// The fast printing agrees with the plain one for all shapes of numbers.
  @Test func degreesAgreeWithThePlainPrinting() {
    var values: [Int32] = [0, 1, -1, 10, 249_441_380, 240_944_138, .max, .min, 1_800_000_000]
    var place: Int32 = 1
    for _ in 0..<9 {
      values += [place, -place, place - 1, place + 1, place * 7 / 3]
      place *= 10
    }
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<20_000 {
      let value = Int32.random(in: -1_800_000_000...1_800_000_000, using: &generator)
      values.append(value)
      values.append(value / 1000 * 1000)
    }
    for value in values { #expect(printed { $0.append(degreesE7: value) } == degreesText(value)) }
  }

  @Test func integers() {
    for value in [0, 9, 10, -10, 99, 100, 12_345_678_901, Int64.max, Int64.min, 999_999_999_999] {
      #expect(printed { $0.append(integer: value) } == String(value))
    }
    var place: Int64 = 1
    for _ in 0..<18 {
      place *= 10
      for value in [place - 1, place, place + 1] {
        #expect(printed { $0.append(integer: value) } == String(value))
      }
    }
  }

  @Test(arguments: [
    ("", "\"\""), ("a\"b\\c", #""a\"b\\c""#),
    ("\n\t\r\u{0}\u{1f}\u{7f}", "\"\\n\\t\\r\\u0000\\u001f\u{7f}\""),
    ("é🍕\u{202b}", "\"é🍕\u{202b}\""), ("</script>", "\"</script>\""),
  ]) func jsonStrings(_ text: String, _ expected: String) {
    #expect(printed { $0.append(jsonString: text) } == expected)
  }
}
