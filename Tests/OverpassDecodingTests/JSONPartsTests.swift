import OSMModel
import OverpassTestSupport
import Testing

@testable import OverpassDecoding

/// What decoding gives, as something that can be compared.
private struct Outcome: Equatable {
  var lines: [String] = []
  /// All distinct texts in the order of their numbers.
  var texts: [String] = []
  var diagnostics: [DecodeDiagnostic] = []
  var truncatedAt: Int?
  var error: DecodeError?

  init(
    _ bytes: [UInt8], _ options: DecodeOptions, threads: Int, smallestPart: Int = 1,
    step: Int = DecodeProgress.step
  ) {
    var options = options
    options.maximumThreads = threads
    do throws(DecodeError) {
      let response = try bytes.withUnsafeBufferPointer { input throws(DecodeError) in
        try OverpassJSON.decode(
          try PlainAnswer(input, options: options), options, .silent, smallestPart: smallestPart,
          step: step)
      }
      lines = OverpassDecodingTests.lines(of: response)
      let dataset = response.dataset
      texts = (0..<dataset.strings.count).map { dataset.strings.string(StringID(UInt32($0))) }
      diagnostics = response.diagnostics
      truncatedAt = response.truncatedAt
    } catch {
      self.error = error
    }
  }
}

/// Several threads give what one gives.
@Suite struct JSONPartsTests {
  /// Checks any number of threads; gives how many of the attempts were really made in parts.
  @discardableResult
  private func check(_ text: String, _ options: DecodeOptions = DecodeOptions()) -> Int {
    let bytes = Array(text.utf8)
    let expected = Outcome(bytes, options, threads: 1)
    var count = 0
    for threads in 2...6 {
      // Small steps leave something for threads that are done.
      for step in [30, DecodeProgress.step] {
        let outcome = Outcome(bytes, options, threads: threads, step: step)
        #expect(outcome == expected, "\(threads) threads, \(step) bytes a step")
      }
      count += isDecodedInParts(bytes, threads) ? 1 : 0
    }
    return count
  }

  private func isDecodedInParts(_ bytes: [UInt8], _ threads: Int) -> Bool {
    bytes.withUnsafeBufferPointer { input in
      guard let start = input.baseAddress else { return false }
      var options = DecodeOptions()
      options.maximumThreads = threads
      let parts = JSONParts(input, at: start, offset: 0, smallestPart: 1, options: options)
      guard let parts else { return false }
      do throws(Fault) {
        return try parts.decode(.silent) != nil
      } catch {
        return false
      }
    }
  }

  /// An answer with elements of all kinds, some of them more than once.
  private static func random(_ seed: UInt64, count: Int, compact: Bool) -> String {
    var generator = SeededGenerator(seed: seed)
    func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &generator) }
    let gap = compact ? "" : "\n    "
    var elements: [String] = []
    for _ in 0..<count {
      let id = number(1...400)
      let words = [
        "a", "b", "k\(number(0...9))", #"{\"type\":\"node\",\"id\":1}"#, "ä\\u00e4", "},{",
      ]
      let tags = (0..<number(0...3)).map { #""t\#($0)":"\#(words[number(0...5)])""# }
      let meta =
        number(0...3) == 0
        ? #","user":"u\#(number(0...5))","version":\#(number(1...3)),"action":"modify""# : ""
      let tail = "\(meta)\(tags.isEmpty ? "" : ",\(gap)\"tags\":{\(tags.joined(separator: ","))}")}"
      switch number(0...7) {
      case 0...3:
        elements.append(
          #"{"type":"node","id":\#(id),"lat":\#(number(-90...95)).5,"lon":1.25\#(tail)"#)
      case 4, 5:
        let refs = (0..<number(0...5)).map { "\(id + $0)" }.joined(separator: ",\(gap)")
        let geometry = number(0...1) == 0 ? #","geometry":[{"lat":1,"lon":2},null]"# : ""
        elements.append(#"{"type":"way","id":\#(id),"nodes":[\#(refs)]\#(geometry)\#(tail)"#)
      case 6:
        let members = (0..<number(0...6)).map {
          let geometry = number(0...2) == 0 ? #","geometry":[{"lat":\#($0),"lon":2}]"# : ""
          return #"{"type":"way","ref":\#(id + $0),"role":"r\#(number(0...3))"\#(geometry)}"#
        }
        elements.append(
          #"{"type":"relation","id":\#(id),"members":[\#(members.joined(separator: ","))]\#(tail)"#)
      default:
        elements.append(
          #"{"type":"\#(number(0...1) == 0 ? "area" : "made")","id":\#(id),"geometry":"#
            + #"{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[1,2]},"#
            + #"{"type":"Point","id":7,"coordinates":[3,4]}]}\#(tail)"#)
      }
    }
    return #"{"version":0.6,"generator":"g","elements":["# + elements.joined(separator: ",\(gap)")
      + #"],"remark":"runtime remark: x","generator":5,"osm3s":{"copyright":"c"}}"#
  }

  /// In one piece, because the bracket of the call stands in another part than its name.
  @Test func wrappedAnswers() {
    check("cb(" + Self.random(3, count: 40, compact: true) + ");\n")
  }

  @Test func randomAnswers() {
    var count = 0
    for seed in 0..<UInt64(40) {
      count += check(Self.random(seed, count: 40, compact: seed % 2 == 0))
    }
    // Most are cut where a geometry looks like an element, sooner or later.
    #expect(count > 20, "of 200 attempts")
  }

  /// Where no element can be told from what it holds, one thread does it all.
  @Test func answersThatCannotBeCut() {
    let noIDs = (0..<50).map { #"{"type":"node","lat":\#($0),"lon":1}"# }.joined(separator: ",")
    #expect(check(#"{"elements":[\#(noIDs)]}"#) == 0)
    let one = (0..<50).map { #"{"type":"node","ref":\#($0),"role":""}"# }.joined(separator: ",")
    #expect(
      check(#"{"elements":[{"type":"relation","id":1,"members":[\#(one)]}]}"#) == 0)
    check("{}")
    check(#"{"elements":[]}"#)
  }

  /// What looks like an element is none: the guess is wrong, and the result right all the same.
  @Test func misleadingContent() {
    let inner = (0..<30).map { #"{"type":"Point","id":\#($0),"coordinates":[1,2]}"# }
      .joined(separator: ",")
    let made =
      #"{"type":"made","id":1,"geometry":{"type":"GeometryCollection","geometries":[\#(inner)]}}"#
    #expect(check(#"{"elements":[\#(made)]}"#) == 0)
    check(#"{"elements":[\#(made),\#(made)],"more":[\#(inner)]}"#)
    check(#"{"x":[\#(inner)],"elements":[\#(made),\#(made)]}"#)
    check(#"{"elements":[{"type":"node","id":1}],"elements":[{"type":"node","id":2}]}"#)
  }

  @Test func errorsInEachPart() {
    let text = Self.random(3, count: 30, compact: false)
    let bytes = Array(text.utf8)
    var truncated = DecodeOptions()
    truncated.allowTruncated = true
    for end in stride(from: 1, to: bytes.count, by: 37) {
      let cut = String(decoding: bytes[..<end], as: UTF8.self)
      check(cut)
      check(cut, truncated)
      var broken = bytes
      broken[end] = UInt8(ascii: "}")
      check(String(decoding: broken, as: UTF8.self))
    }
  }

  @Test func limitsCountAllParts() {
    let text = Self.random(4, count: 60, compact: true)
    for most in [1, 20, 59, 60, 61] {
      var options = DecodeOptions()
      options.maximumElements = most
      check(text, options)
      options = DecodeOptions()
      options.maximumTextBytes = most
      check(text, options)
    }
  }

  @Test(.enabled(if: !listFolder(sharedRoot + "/cases/oracle").isEmpty, "../shared is not here"))
  func recordedAnswers() {
    var count = 0
    for folder in listFolder(sharedRoot + "/cases/oracle") {
      guard let bytes = readFile("\(sharedRoot)/cases/oracle/\(folder)/answer.json"),
        bytes.count < 200_000
      else { continue }
      count += check(String(decoding: bytes, as: UTF8.self))
    }
    #expect(count > 100)
  }

  /// Through the front door, with an answer that is large enough.
  @Test func largeAnswer() throws {
    let nodes = (1...150_000).map {
      #"{"type":"node","id":\#($0),"lat":1.5,"lon":2,"tags":{"a":"\#($0 % 999)"}}"#
    }
    let bytes = Array(
      (#"{"elements":["# + nodes.joined(separator: ",\n") + #"],"remark":"r"}"#).utf8)
    #expect(bytes.count > 2 * JSONParts.smallestPart)
    var reports: [DecodeProgress] = []
    let response = try bytes.withUnsafeBufferPointer { input in
      var options = DecodeOptions()
      options.maximumThreads = 2
      return try OverpassAnswer.decode(input, options: options) { progress in
        reports.append(progress)
        return true
      }
    }
    #expect(response.dataset.nodes.count == 150_000)
    #expect(response.dataset.find(ElementID(.node, 150_000)) != nil)
    #expect(response.remarks == ["r"])
    for (earlier, later) in zip(reports, reports.dropFirst()) {
      #expect(earlier.bytes <= later.bytes && earlier.elements <= later.elements)
    }
    for stop in [1, 3] {
      var calls = 0
      #expect(throws: AnswerError.self) {
        try bytes.withUnsafeBufferPointer { input in
          try OverpassAnswer.decode(input) { _ in
            calls += 1
            return calls < stop
          }
        }
      }
      #expect(calls == stop)
    }
  }
}
