// Wizard and macro cases taken from overpass turbo's own tests.

import Foundation
import OSMModel
import OverpassQuery
import Testing

@Suite(.enabled(if: sharedFolder != nil, "the shared cases are not here"))
struct ConformanceTests {
  struct Case: CustomTestStringConvertible, @unchecked Sendable {
    var name: String
    var kind: String
    var input: [String: Any]
    var expected: String

    var testDescription: String { name }

    static let all: [Case] = {
      guard
        let folder = sharedFolder?.appendingPathComponent("cases/conformance/cases/overpass-turbo")
      else { return [] }
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
      return names.sorted().compactMap { name in
        guard let data = try? Data(contentsOf: folder.appendingPathComponent(name)),
          let json = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
          let kind = json["kind"] as? String, let input = json["input"] as? [String: Any],
          let expected = (json["expected"] as? [[String: Any]])?.first?["value"] as? String
        else { return nil }
        return Case(name: name, kind: kind, input: input, expected: expected)
      }
    }()
  }

  /// The form in which the expectations are written.
  func compact(_ text: String) -> String {
    var text = text.replacing("({{bbox}})", with: "(bbox)")
    text = text.replacing(/\[out:json\]\[timeout:\d+\](.*?);/) { $0.1.isEmpty ? "" : $0.1 + ";" }
    text = text.replacing(/\{\{geocodeArea:([^}]*)\}\}/) { "area(\($0.1))" }
    text = text.replacing(/\{\{geocodeCoords:([^}]*)\}\}/) { "coords:\($0.1)" }
    text = text.replacing(/\{\{date:([^}]*)\}\}/) { "date:\($0.1)" }
    text = text.replacing(/\{\{.*?\}\}/, with: "")
    return text.replacing(/[ ]*\n[ ]*/, with: "")
  }

  @Test(arguments: Case.all.filter { $0.kind == "wizard" })
  func wizard(_ test: Case) throws {
    let search = try #require(test.input["search"] as? String)
    var presets: [Query.WizardPreset] = []
    for (_, value) in test.input["presets"] as? [String: [String: Any]] ?? [:] {
      var types: QueryBuilder.ElementTypes = []
      for geometry in value["geometry"] as? [String] ?? [] {
        switch geometry {
        case "point", "vertex": types.insert(.node)
        case "line": types.insert(.way)
        case "area": types.formUnion([.way, .relation])
        default: types.insert(.relation)
        }
      }
      let tags = value["tags"] as? [String: String] ?? [:]
      presets.append(
        .init(
          name: value["name"] as? String ?? "", types: types,
          tags: tags.map { (key: $0.key, value: $0.value) }))
    }
    #expect(compact(try Query.wizard(search, presets: presets)) == test.expected)
  }

  @Test(arguments: Case.all.filter { $0.kind == "shortcuts" })
  func macros(_ test: Case) throws {
    let text = try #require(test.input["query"] as? String)
    var expander = MacroExpander()
    expander.removesUnknown = true
    if let box = test.input["bbox_swne"] as? [Double] {
      expander.boundingBox = try BoundingBox(
        south: box[0], west: box[1], north: box[2], east: box[3])
    }
    if let center = test.input["center_latlon"] as? [Double] {
      expander.center = Coordinate(longitude: center[1], latitude: center[0])
    }
    #expect(try expander.expand(text).text == test.expected)
  }
}
