import MapStyling
import OSMGeometry
import OverpassTestSupport
import Testing

@Suite struct TagColorsTests {
  @Test func frequentValuesComeFirst() throws {
    let values = ["b", "a", "c", "c", "b", "c", "d"]
    let set = try features(
      values.enumerated().map { node($0 + 1, "\"k\":\"\($1)\"") }.joined(separator: ",") + ","
        + node(99, "\"other\":\"x\""))
    #expect(TagColors("k", of: set).entries.map(\.value) == ["c", "b", "a", "d"])
    #expect(TagColors("k", of: set, limit: 2).entries.map(\.value) == ["c", "b"])
    #expect(TagColors("k", of: set, limit: -1).entries.isEmpty)
    #expect(TagColors("missing", of: set).entries.isEmpty)
  }

  @Test func bytesDecideWhichValuesAreEqual() throws {
    let values = ["e\u{301}", "é", "é"]
    let set = try features(
      values.enumerated().map { node($0 + 1, "\"k\":\"\($1)\"") }.joined(separator: ","))
    let entries = TagColors("k", of: set).entries
    #expect(entries.map { Array($0.value.utf8) } == [Array("é".utf8), Array("e\u{301}".utf8)])
    #expect(Set(entries.map(\.color)).count == 2)
  }

  @Test func atMostTwelveValuesHaveColoursAndAllOfThemDiffer() throws {
    let set = try features(
      (1...30).map { node($0, "\"k\":\"v\($0)\"") }.joined(separator: ","))
    let colors = TagColors("k", of: set, limit: 100).entries.map(\.color)
    #expect(colors.count == 12 && Set(colors).count == 12)
  }

  @Test func theExpressionNamesEachValueOnce() throws {
    var appearance = FeatureAppearance()
    appearance.colors = TagColors("fee", ["yes": .ink, "no": .white])
    var style = try MapStyle()
    try style.add(geoJSON: "a", named: "a", appearance: appearance)
    #expect(
      json(style).contains(
        ##""circle-color":["match",["get","fee"],"yes","#1f2933","no","#ffffff","#8a8f98"]"##))
  }

  @Test func aTagThatNoFeatureHasIsNoExpression() throws {
    var appearance = FeatureAppearance()
    appearance.colors = TagColors("fee", [])
    var style = try MapStyle()
    try style.add(geoJSON: "a", named: "a", appearance: appearance)
    #expect(json(style).contains(##""circle-color":"#8a8f98""##))
  }

  @Test func aValueWithTwoColoursIsAFault() throws {
    var appearance = FeatureAppearance()
    appearance.colors = TagColors("fee", ["yes": .ink, "yes": .white])
    var style = try MapStyle()
    #expect(
      fault { () throws(MapStyleError) in
        try style.add(geoJSON: "a", named: "a", appearance: appearance)
      } == .duplicateName)
    // Texts that only look alike are two values.
    appearance.colors = TagColors("fee", ["é": .ink, "e\u{301}": .white])
    try style.add(geoJSON: "a", named: "a", appearance: appearance)
  }
}
