// Recorded answers, split at random and merged again.

import Foundation
import OSMModel
import OverpassDecoding
import OverpassTestSupport
import Testing

/// A recorded answer in JSON whose parts can be put together anew.
struct RecordedAnswer {
  var name: String
  var head: [String: Any]
  var elements: [[String: Any]]

  /// The answers recorded from a server, as far as they have elements.
  static func all() -> [RecordedAnswer] {
    var result: [RecordedAnswer] = []
    let root = sharedRoot + "/cases/oracle"
    for name in listFolder(root) {
      for file in listFolder("\(root)/\(name)") where file.hasSuffix(".json") {
        guard let bytes = readFile("\(root)/\(name)/\(file)"),
          let parsed = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any],
          let elements = parsed["elements"] as? [[String: Any]], !elements.isEmpty
        else { continue }
        result.append(RecordedAnswer(name: "\(name)/\(file)", head: parsed, elements: elements))
      }
    }
    return result
  }

  func response(_ elements: [[String: Any]]) throws -> Response {
    var document = head
    document["elements"] = elements
    return try OverpassJSON.decode(
      Array(JSONSerialization.data(withJSONObject: document, options: .sortedKeys)))
  }

  /// Whether elements have an identity, so that merging can tell them apart.
  var hasIdentities: Bool {
    elements.allSatisfy {
      $0["id"] != nil
        && ["node", "way", "relation", "area"].contains($0["type"] as? String ?? "")
    }
  }
}

/// The first lines that differ: the whole of a recorded answer is too much for a report.
private func difference(_ got: [String], _ expected: [String]) -> String? {
  for (left, right) in zip(got, expected) where left != right { return "\(left)\n\(right)" }
  return got.count == expected.count ? nil : "\(got.count) and \(expected.count) elements"
}

@Suite(.enabled(if: hasSharedData, "needs the shared data beside the project"))
struct MergingPropertyTests {
  /// Random subsets that together hold everything, with overlaps.
  @Test func splitAnswersBecomeWhole() throws {
    var random = SeededGenerator(seed: 1)
    var count = 0
    for recorded in RecordedAnswer.all() where recorded.hasIdentities {
      let whole = try recorded.response(recorded.elements)
      // Repeated elements may be torn apart, and are then not repeated in any part.
      guard repeatedCount(whole) == 0 else { continue }
      for _ in 0..<2 {
        let parts = Int.random(in: 2...5, using: &random)
        var subsets = [[[String: Any]]](repeating: [], count: parts)
        for element in recorded.elements {
          let home = Int.random(in: 0..<parts, using: &random)
          for part in 0..<parts where part == home || Int.random(in: 0..<3, using: &random) == 0 {
            subsets[part].append(element)
          }
        }
        let merged = try Response.merging(subsets.map { try recorded.response($0) })
        let expected = isInOrder(whole) ? elementLines(whole) : elementLines(whole).sorted()
        let got = isInOrder(whole) ? elementLines(merged) : elementLines(merged).sorted()
        #expect(difference(got, expected) == nil, "\(recorded.name)")
        #expect(merged.header == whole.header, "\(recorded.name)")
        #expect(merged.diagnostics.isEmpty, "\(recorded.name)")
      }
      // The same again adds nothing.
      let twice = try Response.merging([whole, whole])
      #expect(
        difference(elementLines(twice), elementLines(whole)) == nil, "\(recorded.name)")
      count += 1
    }
    #expect(count > 50)
  }

  /// Whether the servers' order says where each element stands; areas have none.
  private func isInOrder(_ response: Response) -> Bool {
    let data = response.dataset
    guard data.derived.count == 0 else { return false }
    let elements = (0..<data.count).compactMap { data.element(at: $0) }
    return zip(elements, elements.dropFirst()).allSatisfy { left, right in
      (left.type.rawValue, data.number(left) ?? 0) < (right.type.rawValue, data.number(right) ?? 0)
    }
  }

  /// Where versions decide, the order of the responses does not matter.
  @Test func versionsDecide() throws {
    var random = SeededGenerator(seed: 2)
    for _ in 0..<200 {
      let responses = try (0..<4).map { _ in
        let ids = Set((0..<6).map { _ in Int.random(in: 1...8, using: &random) }).sorted()
        return try answer(
          ids.map { id in
            let version = Int.random(in: 1...9, using: &random)
            // What a version says is always the same.
            return #"{"type": "node", "id": \#(id), "version": \#(version), "lat": \#(version),"#
              + #""lon": \#(id), "tags": {"v": "\#(version)"}}"#
          }.joined(separator: ","))
      }
      let expected = elementLines(try .merging(responses))
      #expect(elementLines(try .merging(responses.shuffled(using: &random))) == expected)
      let left = try Response.merging(Array(responses[..<2]))
      let right = try Response.merging(Array(responses[2...]))
      #expect(elementLines(try .merging([right, left])) == expected)
    }
  }

  /// Ways printed by `out geom` with the boxes of tiles are whole again.
  @Test func clippedTilesBecomeWhole() throws {
    var random = SeededGenerator(seed: 3)
    var count = 0
    for recorded in RecordedAnswer.all() {
      let ways = recorded.elements.filter {
        ($0["geometry"] as? [Any])?.allSatisfy { $0 is [String: Any] } == true
          && $0["nodes"] != nil && $0["id"] != nil
      }
      guard !ways.isEmpty else { continue }
      let whole = try recorded.response(ways)
      let homes = ways.map { way in
        ((way["geometry"] as? [Any]) ?? []).map { _ in Int.random(in: 0..<3, using: &random) }
      }
      let tiles = try (0..<3).map { tile in
        try recorded.response(
          zip(ways, homes).map { way, homes in
            var way = way
            let line = (way["geometry"] as? [Any]) ?? []
            way["geometry"] = zip(line, homes).map { $1 == tile ? $0 : NSNull() }
            return way
          })
      }
      let merged = try Response.merging(tiles)
      #expect(
        difference(elementLines(merged).sorted(), elementLines(whole).sorted()) == nil,
        "\(recorded.name)")
      count += ways.count
    }
    #expect(count > 10)
  }
}
