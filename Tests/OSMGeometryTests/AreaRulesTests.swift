// Line or area: both tables, line by line, and the rules around them.

@testable import OSMGeometry
import OSMModel
import Testing

@Suite struct AreaRulesTests {
  @Test(arguments: [
    ("barrier=wall", false, true), ("barrier=wall area=yes", true, true),
    ("highway=service", false, false), ("highway=services", true, true),
    ("highway=pedestrian area=yes", true, true), ("highway=residential", false, false),
    ("highway=residential junction=roundabout", false, false),
    ("natural=tree_row leisure=park", true, true), ("leisure=park natural=tree_row", true, true),
    ("natural=coastline", false, false), ("leisure=track area=no", false, false),
    ("highway=footway area=yes", true, true), ("highway=footway area=maybe", false, true),
    ("man_made=pipeline", false, false), ("man_made=water_tower", true, true),
    ("man_made=embankment", false, false), ("building=no", false, false),
    ("building=yes area=no", false, false), ("name=x", false, false), ("", false, false),
    ("area=yes name=x", true, true), ("barrier=hedge landuse=meadow area=no", false, false),
    ("indoor=yes highway=steps", false, true), ("highway=platform", true, false),
    ("type=multipolygon highway=steps", true, false),
  ])
  func examples(tags: String, isCurrent: Bool, isInList: Bool) {
    #expect(AreaRules.current.isArea(parse(tags)) == isCurrent)
    #expect(AreaRules.osmPolygonFeatures.isArea(parse(tags)) == isInList)
  }

  @Test func tablesAreWhole() {
    #expect(AreaRules.osmPolygonFeatures.keys.count == 27)
    #expect(
      AreaRules.osmPolygonFeatures.keys["natural"]
        == .except(["coastline", "cliff", "ridge", "arete", "tree_row"]))
    #expect(AreaRules.current.keys.count > 40)
    #expect(AreaRules.current.decisions.count == 3)
  }

  @Test(arguments: [AreaRules.current, AreaRules.osmPolygonFeatures])
  func everyEntryWorksInADataset(rules: AreaRules) throws {
    var options = FeatureOptions()
    options.areaRules = rules
    var ways: [String] = []
    var expected: [Bool] = []
    for (key, values) in rules.keys.sorted(by: { $0.key < $1.key }) {
      var samples = ["yes", "no", "some_thing"]
      if case .only(let list) = values { samples += list.sorted() }
      if case .except(let list) = values { samples += list.sorted() }
      for value in samples {
        ways.append(
          "{\"type\":\"way\",\"id\":\(ways.count),\"nodes\":[1,2,3,4,1],\"tags\":{\"\(key)\":\"\(value)\"}}"
        )
        expected.append(rules.isArea([(key, value)]))
      }
    }
    let built = try features(corners + "," + ways.joined(separator: ","), options)
    for (index, isArea) in expected.enumerated() {
      #expect(built.geometries["way/\(index)"]?.kind == (isArea ? .polygon : .lineString))
    }
  }

  @Test func brokenTables() {
    #expect(throws: TagRulesError(line: 2)) { try AreaRules(parsing: "a *\nb") }
    #expect(throws: TagRulesError(line: 1)) { try AreaRules(parsing: "a ? b") }
    #expect(throws: TagRulesError(line: 1)) { try AreaRules(parsing: "decide area area") }
  }

  private func parse(_ tags: String) -> [(key: String, value: String)] {
    tags.split(separator: " ").map { tag in
      let parts = tag.split(separator: "=")
      return (String(parts[0]), String(parts[1]))
    }
  }
}
