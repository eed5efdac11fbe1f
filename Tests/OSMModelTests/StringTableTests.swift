import OSMModel
import OverpassTestSupport
import Testing

@Suite struct StringTableTests {
  @Test func equalTextsHaveOneNumber() {
    var table = StringTable()
    let first = table.intern("highway")
    #expect(table.intern("highway") == first)
    #expect(table.intern("") == .empty)
    #expect(table.string(first) == "highway")
    #expect(table.find("highway") == first)
    #expect(table.find("Highway") == nil)
  }

  /// Texts of all lengths around the sizes that the hash treats differently, differing in one byte.
  @Test func similarTextsStayApart() {
    var table = StringTable()
    var numbers: [StringID: String] = [:]
    for length in 1...70 {
      for place in 0..<length {
        var bytes = [UInt8](repeating: UInt8(ascii: "a"), count: length)
        bytes[place] = UInt8(ascii: "b")
        let text = String(decoding: bytes, as: UTF8.self)
        let number = table.intern(text)
        #expect(numbers.updateValue(text, forKey: number) == nil)
      }
    }
    for (number, text) in numbers { #expect(table.string(number) == text) }
  }

  @Test func survivesGrowth() {
    var table = StringTable()
    var generator = SeededGenerator(seed: 1)
    let texts = (0..<20_000).map { _ in String(UInt64.random(in: 0...50_000, using: &generator)) }
    let numbers = texts.map { table.intern($0) }
    for (text, number) in zip(texts, numbers) {
      #expect(table.find(text) == number)
      #expect(table.string(number) == text)
    }
    #expect(table.count == Set(texts).count + 1)
  }

  @Test func refusesWhatIsNotAccepted() {
    var table = StringTable()
    let bytes = Array("no".utf8)
    let refused = bytes.withUnsafeBufferPointer { table.intern($0) { _ in false } }
    #expect(refused == nil)
    #expect(table.find("no") == nil)
  }
}
