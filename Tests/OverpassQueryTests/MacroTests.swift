// Macros of overpass turbo.

import OSMModel
import OverpassQuery
import Testing

@Suite struct MacroTests {
  typealias Place = MacroExpander.Place

  let expander: MacroExpander = {
    var expander = MacroExpander()
    expander.boundingBox = BoundingBox(
      southE7: 10_000_000, westE7: 20_000_000, northE7: 30_000_000, eastE7: 40_000_000)
    expander.now = Query.Timestamp(year: 2024, month: 3, day: 1, hour: 12)
    return expander
  }()

  func geocode(_ name: String) -> [Place] {
    switch name {
    case "Berlin":
      [
        Place(
          element: ElementID(.node, 5), name: "Berlin", importance: 0.1,
          position: Coordinate(longitudeE7: 1, latitudeE7: -20_000_000)),
        Place(
          element: ElementID(.relation, 62422), name: "Berlin", importance: 0.9,
          position: Coordinate(longitudeE7: 134_000_000, latitudeE7: 525_000_000),
          boundingBox: BoundingBox(southE7: 1, westE7: 2, northE7: 3, eastE7: 4)),
      ]
    case "Neustadt":
      [10, 11].map { Place(element: ElementID(.relation, $0), name: name, importance: 0.4) }
    case "Yard": [Place(element: ElementID(.way, 7), name: name)]
    default: []
    }
  }

  @Test(arguments: [
    ("node({{bbox}});", "node(1.0000000,2.0000000,3.0000000,4.0000000);"),
    (
      "<bbox-query {{bbox}}/>",
      "<bbox-query s=\"1.0000000\" w=\"2.0000000\" n=\"3.0000000\" e=\"4.0000000\"/>"
    ),
    (
      "<osm-script bbox=\"{{bbox}}\"/>",
      "<osm-script bbox=\"1.0000000,2.0000000,3.0000000,4.0000000\"/>"
    ),
    ("({{wsen}})", "(2.0000000,1.0000000,4.0000000,3.0000000)"),
    ("({{center}})", "(2.0000000,3.0000000)"),
    ("<around {{center}}/>", "<around lat=\"2.0000000\" lon=\"3.0000000\"/>"),
    ("{{date}}", "2024-03-01T12:00:00Z"),
    ("{{date:1 day}}", "2024-02-29T12:00:00Z"),
    ("{{date:2weeks}}", "2024-02-16T12:00:00Z"),
    ("{{date:1}}", "2024-02-29T12:00:00Z"),
    ("{{date:-1 hour}}", "2024-03-01T13:00:00Z"),
    ("{{date:1 year}}", "2023-03-02T12:00:00Z"),
    ("{{r=5}}around:{{r}},{{r}}", "around:5,5"),
    ("{{geocodeId:Berlin}}", "relation(62422)"),
    ("{{geocodeArea:Berlin}}->.a;", "area(id:3600062422)->.a;"),
    ("{{geocodeArea:Yard}}", "area(id:2400000007,7)"),
    (
      "<id-query {{geocodeArea:Yard}}/>", "<id-query type=\"area\" ref=\"2400000007\" ref_1=\"7\"/>"
    ),
    ("{{geocodeBbox:Berlin}}", "0.0000001,0.0000002,0.0000003,0.0000004"),
    ("{{geocodeCoords:Berlin}}", "52.5000000,13.4000000"),
    ("{{nominatimArea:Berlin}}", "area(id:3600062422);"),
    ("a{{style:\nnode { x: y; }\n}}b", "a\n\nb"),
    ("// {{nothing}} \n/* {{geocodeId:x}} */ out;", "//  \n/*  */ out;"),
    ("[\"a\"=\"//{{r=1}}{{r}}\"]", "[\"a\"=\"//1\"]"),
    ("{{p=foo}}<xml>{{p}}{{p}}</xml>", "<xml>foofoo</xml>"),
    ("no macros", "no macros"),
  ])
  func expansions(_ text: String, _ expected: String) throws {
    #expect(try expander.expand(text, geocode: geocode).text == expected)
  }

  @Test(
    arguments: [
      ("node({{bobx}});", 6, "bbox"),
      ("out;\nnode({{geocodeId:Nowhere}});", 6, nil),
      ("{{date:soon}}", 1, nil),
      ("{{ bbox }}", 1, nil),
    ] as [(String, Int, String?)])
  func faults(_ text: String, _ column: Int, _ suggestion: String?) throws {
    let error = #expect(throws: QuerySyntaxError.self) {
      try expander.expand(text, geocode: geocode)
    }
    #expect(error?.first?.position?.column == column)
    #expect(error?.first?.suggestion == suggestion)
  }

  @Test func whatIsMissingIsNamed() {
    let empty = MacroExpander()
    for text in ["{{bbox}}", "{{center}}", "{{date}}", "{{geocodeId:x}}"] {
      #expect(throws: QuerySyntaxError.self) { try empty.expand(text) }
    }
  }

  @Test func B014_theChoiceAmongPlacesIsKnown() throws {
    let expansion = try expander.expand("{{geocodeArea:Neustadt}}", geocode: geocode)
    #expect(expansion.text == "area(id:3600000010)")
    #expect(expansion.choices.first?.chosen.element == ElementID(.relation, 10))
    #expect(expansion.choices.first?.others.map(\.element) == [ElementID(.relation, 11)])
    var strict = expander
    strict.refusesAmbiguity = true
    #expect(throws: QuerySyntaxError.self) {
      try strict.expand("{{geocodeArea:Neustadt}}", geocode: geocode)
    }
  }

  @Test func stylesAndDataAreHandedBack() throws {
    let expansion = try expander.expand("out;{{style:a{b:c;} }}{{data:overpass}}")
    #expect(expansion.text == "out;")
    #expect(expansion.style == "a{b:c;} ")
    #expect(expansion.data == "overpass")
  }

  @Test func expandedTextsAreParsed() throws {
    let query = try expander.query("node[a=b]({{bbox}});out;")
    #expect(try query.ql() == "node[\"a\"=\"b\"](1,2,3,4);out;")
    let warnings = Query.checkText("node[a='{{value}}'](1,2,3,4);out;")
    #expect(warnings.map(\.code) == [.unexpandedMacro])
  }
}
