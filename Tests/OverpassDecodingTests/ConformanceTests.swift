import Foundation
import OSMModel
import OverpassDecoding
import OverpassTestSupport
import Testing

/// One case of another project's test suite. Source: cases/conformance/README.md.
struct ConformanceCase {
  var name: String
  var kind: String
  var format: String
  var input: [UInt8]
  var status: Int?
  var contentType: String?
  var expected: [String: Any]

  /// The cases of the kinds given.
  static func all(_ kinds: Set<String>) -> [ConformanceCase] {
    var result: [ConformanceCase] = []
    let root = sharedRoot + "/cases/conformance/cases"
    for suite in listFolder(root) {
      for file in listFolder("\(root)/\(suite)") where file.hasSuffix(".json") {
        guard let bytes = readFile("\(root)/\(suite)/\(file)"),
          let parsed = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any],
          let kind = parsed["kind"] as? String, kinds.contains(kind),
          let expected = parsed["expected"] as? [String: Any]
        else { continue }
        result.append(
          ConformanceCase(
            name: "\(suite)/\(file)", kind: kind, format: parsed["input_format"] as? String ?? "",
            input: input(of: parsed), status: parsed["http_status"] as? Int,
            contentType: parsed["content_type"] as? String, expected: expected))
      }
    }
    return result
  }

  private static func input(of parsed: [String: Any]) -> [UInt8] {
    if let text = parsed["input"] as? String { return Array(text.utf8) }
    if let value = parsed["input"], let data = try? JSONSerialization.data(withJSONObject: value) {
      return Array(data)
    }
    let text = parsed["input_base64"] as? String
    return text.flatMap { Data(base64Encoded: $0) }.map { Array($0) } ?? []
  }
}

@Suite(.enabled(if: hasSharedData, "needs the shared data beside the project"))
struct ConformanceTests {
  /// XML of other projects decodes to the elements they expect.
  @Test func parse() throws {
    var count = 0
    for test in ConformanceCase.all(["parse"]) where test.format.hasPrefix("xml") {
      let expected = try OverpassJSON.decode(
        Array(JSONSerialization.data(withJSONObject: test.expected)))
      let response = try OverpassXML.decode(test.input)
      let left = lines(of: expected, isExact: false).dropFirst()
      let right = lines(of: response, isExact: false).dropFirst()
      #expect(Array(left) == Array(right), "\(test.name)")
      count += 1
    }
    #expect(count >= 17)
  }

  @Test func rejected() {
    var count = 0
    for test in ConformanceCase.all(["parse-reject", "no-crash"])
    where test.format.hasPrefix("xml") {
      let error = xmlError(test.input)
      if test.expected["reject"] as? String == "always" {
        #expect(error != nil, "\(test.name)")
        count += 1
      }
    }
    #expect(count >= 2)
  }

  /// Every XML input of the other kinds decodes.
  @Test func otherInputs() throws {
    var count = 0
    for test in ConformanceCase.all(["geojson", "geojson-shape", "layers", "no-crash"])
    where test.format.hasPrefix("xml") && !test.input.isEmpty {
      let response = try OverpassAnswer.decode(test.input)
      #expect(response.dataset.count > 0, "\(test.name)")
      count += 1
    }
    #expect(count >= 19)
  }

  /// The categories another one may stand for. Source: compare.py, `ACCEPT`.
  private static let accepted: [String: Set<String>] = [
    "runtime_error": [
      "query_timeout", "out_of_memory", "rate_limited", "too_busy", "server_error",
    ],
    "server_error": ["runtime_error", "too_busy", "rate_limited"],
    "unexpected_status": ["server_error", "bad_response"],
    "unknown_remark": ["runtime_remark", "runtime_error"],
    "runtime_remark": ["unknown_remark"],
    "bad_response": ["server_error"],
  ]

  @Test func serverErrors() throws {
    var count = 0
    for test in ConformanceCase.all(["server-error"]) {
      let error = try #require(
        ServerError.classify(
          status: test.status, contentType: test.contentType, body: test.input), "\(test.name)")
      let wanted = try #require(test.expected["category"] as? String)
      let given = "\(error.category.name)"
      #expect(
        given == wanted || Self.accepted[wanted]?.contains(given) == true,
        "\(test.name): \(given) for \(wanted)")
      if let messages = test.expected["messages"] as? [String] {
        #expect(error.messages.map { words($0.text) } == messages.map(words), "\(test.name)")
      }
      for part in test.expected["messages_contain"] as? [String] ?? [] {
        #expect(words(error.text).contains(words(part)), "\(test.name)")
      }
      #expect(error.message?.megabytes == test.expected["memory_mb"] as? Int)
      #expect(error.message?.seconds == test.expected["timed_out_after_s"] as? Int)
      count += 1
    }
    #expect(count >= 17)
  }

  private func words(_ text: String) -> String {
    text.split { $0.isWhitespace }.joined(separator: " ")
  }
}
