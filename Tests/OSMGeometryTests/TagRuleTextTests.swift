// Area rules and lists of uninteresting tags as text: tables and JSON in all layouts.

import OSMGeometry
import OSMModel
import Testing

@Suite struct TagRuleTextTests {
  @Test(arguments: [AreaRules.current, AreaRules.osmPolygonFeatures])
  func builtInRulesAsJSON(rules: AreaRules) throws {
    #expect(rules.version != nil)
    #expect(try AreaRules(parsing: rules.json) == rules)
  }

  @Test(arguments: [UninterestingTags.current, .osmtogeojson])
  func builtInListsAsJSON(list: UninterestingTags) throws {
    #expect(list.version != nil)
    #expect(list.tags.count >= 9)
    #expect(try UninterestingTags(parsing: list.json) == list)
  }

  /// The same rules in every layout.
  @Test(arguments: [
    """
    # version 7
    landuse *
    highway + services rest_area

    natural - cliff "q
    """,
    #"""
    {"version": "7", "keys": {"landuse": true, "highway": {"only": ["services", "rest_area"]},
     "natural": {"except": ["cliff", "\"q"]}, "gone": false}, "unknown": [1.5e3, null]}
    """#,
    #"""
    {"landuse": true, "highway": {"included_values": {"services": true, "rest_area": true, "x": false}},
     "natural": {"excluded_values": ["cliff", "\u0022q"]}}
    """#,
    #"""
    [{"key": "landuse", "polygon": "all"},
     {"key": "highway", "polygon": "whitelist", "values": ["services", "rest_area"]},
     {"key": "natural", "polygon": "blacklist", "values": ["cliff", "\"q"]}]
    """#,
  ])
  func layouts(text: String) throws {
    let rules = try AreaRules(parsing: text)
    #expect(
      rules.keys == [
        "landuse": .all, "highway": .only(["services", "rest_area"]),
        "natural": .except(["cliff", "\"q"]),
      ])
    #expect(rules.version == (text.contains("version") ? "7" : nil))
  }

  @Test func decisions() throws {
    let rules = try AreaRules(
      parsing: #"{"keys": {}, "decide": [{"key": "area", "value": "yes", "area": true}]}"#)
    #expect(rules.isArea([("area", "yes")]))
    #expect(!rules.isArea([("landuse", "forest")]))
  }

  @Test(arguments: [
    ("{", 1), ("{\n\"a\":", 2), ("{\"a\": 1}", 1), ("[\n\n{\"key\": \"a\"}]", 3),
    ("{\"a\": true} x", 1),
    ("[{\"key\": \"a\", \"polygon\": \"some\"}]", 1), ("{\"a\": {\"only\": [\n1]}}", 2),
    ("{\"a\" true}", 1),
    ("{\"a\": tru}", 1), ("{\"a\": \"\\x\"}", 1), ("{\"a\": \"\\ud800\"}", 1),
    ("{\"keys\": {}, \"decide\": 1}", 1),
    ("{\"keys\": {}, \"decide\": [\n{\"key\": \"a\"}]}", 2), ("[[[[[[[[[[[[[[[[[[[[[[[[[[", 1),
  ])
  func brokenJSON(text: String, line: Int) {
    #expect(throws: TagRulesError(line: line)) { try AreaRules(parsing: text) }
  }

  @Test func uninterestingTagsInEveryLayout() throws {
    let expected = [UninterestingTag("note", values: ["a", "b"]), UninterestingTag("source")]
    for text in [
      "# version 2\nnote + a b\nsource *", "note + a b\n\nsource",
      #"{"version": "2", "tags": {"note": ["a", "b"], "source": true, "other": false}}"#,
      #"{"note": {"a": true, "b": true}, "source": true}"#,
    ] {
      let list = try UninterestingTags(parsing: text)
      #expect(list.tags == expected)
      #expect(list.version == (text.contains("version") ? "2" : nil))
    }
    #expect(
      try UninterestingTags(parsing: #"["note", "source"]"#).tags.map(\.key) == ["note", "source"])
    #expect(throws: TagRulesError(line: 2)) { try UninterestingTags(parsing: "a\nb ? c") }
    #expect(throws: TagRulesError(line: 1)) { try UninterestingTags(parsing: "{\"a\": 1}") }
  }

  @Test func replacedListsDecide() throws {
    let json =
      corners + "," + nodes([5: (1, 1)]) + ",{\"type\":\"node\",\"id\":6,\"lon\":1,\"lat\":2,"
      + "\"tags\":{\"source\":\"survey\"}},"
      + way(1, [1, 2, 6, 3, 4, 1], ["a": "b"])
    var options = FeatureOptions()
    #expect(try features(json, options)["node/6"] == nil)
    options.uninteresting = UninterestingTags()
    #expect(try features(json, options)["node/6"] != nil)
    options.uninteresting = try UninterestingTags(parsing: #"{"source": "survey"}"#)
    #expect(try features(json, options)["node/6"] == nil)
    options.uninteresting = try UninterestingTags(parsing: #"{"source": ["bing"]}"#)
    #expect(try features(json, options)["node/6"] != nil)
    options.areaRules = try AreaRules(parsing: #"{"a": {"only": ["b"]}}"#)
    #expect(try features(json, options).geometries["way/1"]?.kind == .polygon)
  }
}
