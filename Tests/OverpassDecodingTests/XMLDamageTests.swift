import OSMModel
import OverpassDecoding
import OverpassTestSupport
import Testing

/// Recorded answers, cut and damaged.
@Suite(.enabled(if: hasSharedData, "needs the shared data beside the project"))
struct XMLDamageTests {
  private static let answers = listFolder(sharedRoot + "/cases/oracle").compactMap { folder in
    readFile("\(sharedRoot)/cases/oracle/\(folder)/answer.xml")
  }

  @Test func everyCutIsNoticed() throws {
    var generator = SeededGenerator(seed: 7)
    var options = DecodeOptions()
    options.allowTruncated = true
    for answer in Self.answers {
      // The last line break may be missing.
      let end = answer.count - 1
      let cuts =
        answer.count <= 2000
        ? Array(1..<end)
        : (0..<200).map { _ in Int.random(in: 1..<end, using: &generator) }
          + ((end - 100)..<end)
      for cut in cuts where answer.count < 100_000 || cut % 8 == 0 {
        let error = try #require(xmlError(Array(answer[..<cut])))
        #expect(error.kind == .truncated)
        #expect(error.offset == cut)
      }
      let half = try OverpassXML.decode(Array(answer[..<(end / 2)]), options: options)
      #expect(half.completeness == .partial)
    }
  }

  @Test func flippedBytesNeverTrap() throws {
    var generator = SeededGenerator(seed: 8)
    let answers = Self.answers.filter { $0.count < 8000 }
    for _ in 0..<2000 {
      guard var bytes = answers.randomElement(using: &generator) else { return }
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(
          in: 0...255, using: &generator)
      }
      var options = DecodeOptions()
      options.allowTruncated = Bool.random(using: &generator)
      if let response = try? OverpassXML.decode(bytes, options: options) {
        _ = lines(of: response)
      }
    }
  }
}
