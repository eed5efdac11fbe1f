// Public bug reports about texts that other builders got wrong; the numbers are those of the list.

import OSMModel
import OverpassQuery
import Testing

@Suite struct EscapingTests {
  /// The statement between the settings and `out`.
  func statement(_ builder: QueryBuilder) throws -> String {
    let query = try builder.build()
    return try Query(statements: [query.statements[0]]).ql()
  }

  @Test func B002_aTrailingBackslashDoesNotSwallowTheQuote() throws {
    #expect(
      try statement(Query.nodes().tag("note", #"see D:\maps\"#))
        == #"node["note"="see D:\\maps\\"];"#)
    #expect(
      try statement(Query.nodes().tag("note", "a\"b\nc\td'e"))
        == #"node["note"="a\"b\nc\td'e"];"#)
  }

  @Test func B003_literalTextInARegexIsEscapedTwice() throws {
    #expect(
      try statement(Query.ways().tag("turn:lanes", startsWith: "|left"))
        == #"way["turn:lanes"~"^\\|left"];"#)
    // A raw pattern gets the second layer only.
    #expect(
      try statement(Query.ways().tag("turn:lanes", matching: #"^\|left"#))
        == #"way["turn:lanes"~"^\\|left"];"#)
  }

  @Test(
    arguments: [
      (["]", "[", "^", "-"], #"node["ref"~"[][^-]"];"#),
      (["^"], #"node["ref"~"\\^"];"#),
      (["^", "-"], #"node["ref"~"[-^]"];"#),
      (["a", "a", "-"], #"node["ref"~"[a-]"];"#),
    ] as [([Character], String)])
  func B004_characterClasses(_ characters: [Character], _ text: String) throws {
    #expect(try statement(Query.nodes().tag("ref", containsAnyOf: characters)) == text)
  }

  @Test func B005_B006_allOtherCharactersStandForThemselves() throws {
    let text = try statement(Query.nodes().tag("name", "Rue\u{A0}Haute \u{1F355}"))
    #expect(text == "node[\"name\"=\"Rue\u{A0}Haute \u{1F355}\"];")
    #expect(text.utf8.contains(0xC2) && text.utf8.contains(0xF0))
  }

  @Test func B007_coordinatesHaveNoExponent() throws {
    #expect(
      try statement(
        Query.nodes().boundingBox(
          south: 51, west: 0.000001, north: 51.5, east: -0.0000001))
        == "node(51,0.000001,51.5,-0.0000001);")
    #expect(
      try statement(Query.nodes().boundingBox(south: -0.0, west: 0, north: 0, east: 1e-9))
        == "node(0,0,0,0);")
    #expect(
      try statement(Query.nodes().around(latitude: 1, longitude: 2, radius: 1e-7))
        == "node(around:0.0000001,1,2);")
    #expect(
      try statement(Query.nodes().around(latitude: 1, longitude: 2, radius: 1e20))
        == "node(around:100000000000000000000,1,2);")
  }

  @Test func B009_anAreaWithoutTagsIsAQuery() throws {
    #expect(
      try Query.elements().boundingBox(south: 1, west: 2, north: 3, east: 4).ql()
        == "[out:json];nwr(1,2,3,4);out;")
    let global = Query(
      settings: .init(boundingBox: try BoundingBox(south: 1, west: 2, north: 3, east: 4)),
      statements: [.query(.init(.nwr)), .out(.init())])
    #expect(try global.ql() == "[bbox:1,2,3,4];nwr;out;")
  }

  @Test func B011_settingsAreMergedIntoOneBlock() throws {
    var query = try Query.parse("[bbox:1,2,3,4][out:csv(name)];node[amenity];out;")
    query.settings.output = .xml
    #expect(try query.ql() == "[out:xml][bbox:1,2,3,4];node[\"amenity\"];out;")
  }

  @Test func B015_aSecondOutIsNoticed() throws {
    var query = try Query.parse("way(5);out geom;")
    #expect(query.check() == [])
    query.statements.append(.out(.init()))
    #expect(query.check().map(\.code).contains(.repeatedOut))
  }

  @Test func B016_alternativesAreEscaped() throws {
    #expect(
      try statement(Query.nodes().tag("name", oneOf: ["A.B", "C++"]))
        == #"node["name"~"^(A\\.B|C\\+\\+)$"];"#)
    #expect(try statement(Query.nodes().tag("name", oneOf: ["A.B"])) == #"node["name"="A.B"];"#)
  }

  @Test func B017_oneValueCanIgnoreCaseToo() throws {
    #expect(
      try statement(Query.nodes().tag("amenity", oneOf: ["Bar"], ignoringCase: true))
        == #"node["amenity"~"^Bar$",i];"#)
  }

  @Test func B019_maxsizeIsInBytes() throws {
    #expect(try Query.nodes().tag("a").maxsize(mebibytes: 512).ql().contains("[maxsize:536870912]"))
  }

  @Test func B020_outCannotStandInAUnion() throws {
    let query = Query(statements: [
      .union([.query(.init(.node, [.tag(.exists("a"))])), .out(.init())])
    ])
    let error = #expect(throws: QueryError.self) { try query.ql() }
    #expect(error?.kind == .misplacedStatement)
  }

  @Test func B021_polygonsHaveSevenDecimals() throws {
    let corner = try #require(Coordinate(longitude: 1.123456789012345, latitude: 2.2))
    let text = try statement(Query.nodes().polygon([corner, corner, corner]))
    #expect(text == "node(poly:\"2.2 1.1234568 2.2 1.1234568 2.2 1.1234568\");")
  }

  @Test func B023_theXMLFormStartsWithItsRootAndIsEscaped() throws {
    let text = try Query.nodes().tag("a&b", "<\"\n\t'>").xml()
    #expect(
      text == "<osm-script output=\"json\"><query type=\"node\">"
        + "<has-kv k=\"a&amp;b\" v=\"&lt;&quot;&#10;&#9;'&gt;\"/></query><print/></osm-script>")
  }
}
