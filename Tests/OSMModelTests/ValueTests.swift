import OSMModel
import Testing

@Suite struct ValueTests {
  @Test(arguments: [
    (0, "0"), (1, "0.0000001"), (-1, "-0.0000001"), (511_234_567, "51.1234567"),
    (-899_999_999, "-89.9999999"), (1_799_999_999, "179.9999999"), (10_000_000, "1"),
    (15_000_000, "1.5"), (Int(Int32.min), "-214.7483648"), (74_220_280, "7.422028"),
  ]) func degreesAreExact(_ value: Int, _ text: String) {
    #expect(degreesText(Int32(value)) == text)
  }

  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0), ("2024-03-31T02:30:00Z", 1_711_852_200),
    ("2016-02-29T23:59:59Z", 1_456_790_399), ("1969-12-31T23:59:59Z", -1),
    ("2000-12-31T00:00:00Z", 978_220_800), ("9999-12-31T23:59:59Z", 253_402_300_799),
  ]) func timesAreUTC(_ text: String, _ seconds: Int) {
    let parsed = Array(text.utf8).withUnsafeBufferPointer { parseTimestamp($0) }
    #expect(parsed == Int64(seconds))
    var printed: [UInt8] = []
    appendTimestamp(Int64(seconds), to: &printed)
    #expect(String(decoding: printed, as: UTF8.self) == text)
  }

  @Test(arguments: [
    "", "2024", "2024-13-01T00:00:00Z", "2023-02-29T00:00:00Z", "2024-01-01T24:00:00Z",
    "2024-01-01T00:00:00", "2024-01-01 00:00:00Z", "2024-01-0xT00:00:00Z",
    "2024-01-01T00:00:00+01:00", "2024-00-10T00:00:00Z",
  ]) func otherTextIsNoTime(_ text: String) {
    #expect(Array(text.utf8).withUnsafeBufferPointer { parseTimestamp($0) } == nil)
  }

  /// Every day of the first and last years, and back.
  @Test func daysOfFarYears() {
    for year in [0, 1, 4, 1899, 1900, 1969, 1970, 2000, 2100, 9999] {
      for month in 1...12 {
        for day in 1...28 {
          func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
          let text =
            String(repeating: "0", count: 4 - "\(year)".count)
            + "\(year)-\(two(month))-\(two(day))T23:59:58Z"
          let seconds = Array(text.utf8).withUnsafeBufferPointer { parseTimestamp($0) }
          var printed: [UInt8] = []
          appendTimestamp(seconds ?? 0, to: &printed)
          #expect(String(decoding: printed, as: UTF8.self) == text)
        }
      }
    }
    for seconds in [Int64.min, -62_167_219_201, Int64.max] {
      var printed: [UInt8] = []
      appendTimestamp(seconds, to: &printed)
      #expect(printed.count == 20)
    }
  }

  @Test func coordinatesFromNumbersRoundToTheNearest() {
    #expect(Coordinate(longitude: 0.00000006, latitude: 1)?.longitudeE7 == 1)
    #expect(Coordinate(longitude: .nan, latitude: 1) == nil)
    #expect(Coordinate(longitude: 180.1, latitude: 1) == nil)
    #expect(Coordinate(longitude: 1, latitude: -.infinity) == nil)
  }
}
