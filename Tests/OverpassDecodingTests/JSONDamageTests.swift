import OSMModel
import OverpassDecoding
import OverpassTestSupport
import Testing

/// Recorded answers, cut and damaged. Tests/CHarness/test_damage.c does the same with the optimised
/// library and goes through every byte of large answers.
@Suite(.enabled(if: hasSharedData, "needs the shared data beside the project"))
struct JSONDamageTests {
  private static let answers = listFolder(sharedRoot + "/cases/oracle").compactMap { folder in
    readFile("\(sharedRoot)/cases/oracle/\(folder)/answer.json")
  }.filter { (try? OverpassJSON.decode($0)) != nil }

  @Test func everyCutIsNoticed() throws {
    var generator = SeededGenerator(seed: 11)
    #expect(Self.answers.count > 100)
    for answer in Self.answers {
      // Without the last line break the answer is whole.
      let end = answer.count - 1
      let cuts =
        answer.count <= 800
        ? Array(1..<end)
        : (0..<(answer.count < 20_000 ? 60 : 4)).map { _ in
          Int.random(in: 1..<end, using: &generator)
        }
          + ((end - (answer.count < 20_000 ? 60 : 4))..<end)
      for cut in cuts {
        let error = try #require(decodeError(Array(answer[..<cut])))
        #expect(error.kind == .truncated)
        #expect(error.offset == cut)
      }
      let half = try OverpassJSON.decode(Array(answer[..<(end / 2)]), options: partial)
      #expect(half.completeness == .partial && half.truncatedAt == end / 2)
    }
  }

  private var partial: DecodeOptions {
    var options = DecodeOptions()
    options.allowTruncated = true
    return options
  }

  @Test func flippedBytesNeverTrap() throws {
    var generator = SeededGenerator(seed: 12)
    let answers = Self.answers.filter { $0.count < 4000 }
    for round in 0..<2000 {
      guard var bytes = answers.randomElement(using: &generator) else { return }
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(
          in: 0...255, using: &generator)
      }
      let options = round % 2 == 0 ? partial : DecodeOptions()
      if let response = try? OverpassJSON.decode(bytes, options: options) {
        _ = lines(of: response)
      }
    }
  }
}
