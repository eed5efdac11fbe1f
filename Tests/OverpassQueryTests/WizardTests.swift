// Searches in the wizard's language.

import OverpassQuery
import Testing

@Suite struct WizardTests {
  static let presets: [Query.WizardPreset] = [
    .init(name: "Hospital", types: .all, tags: [("amenity", "hospital")]),
    .init(name: "Highway", terms: ["street"], types: .way, tags: [("highway", "*")]),
  ]

  /// The statements of the text, on one line.
  func statements(_ search: String) throws -> String {
    let text = try Query.wizard(search, presets: WizardTests.presets)
    let lines = text.split(separator: "\n").map { $0.drop { $0 == " " } }
    #expect(lines.first?.hasPrefix("[out:json][timeout:25]") == true)
    #expect(lines.last == "out geom;")
    return lines.dropFirst().dropLast().joined()
  }

  @Test(arguments: [
    ("foo=*", #"nwr["foo"]({{bbox}});"#),
    ("foo!=*", #"nwr["foo"!~".*"]({{bbox}});"#),
    ("foo is null", #"nwr["foo"!~".*"]({{bbox}});"#),
    ("foo IS NOT NULL", #"nwr["foo"]({{bbox}});"#),
    ("a:b=c global", #"nwr["a:b"="c"];"#),
    ("foo!=bar", #"nwr["foo"!="bar"]({{bbox}});"#),
    ("foo~/b\\/r/i", #"nwr["foo"~"b/r",i]({{bbox}});"#),
    ("foo =~ bar", #"nwr["foo"~"bar"]({{bbox}});"#),
    ("foo like bar", #"nwr["foo"~"bar"]({{bbox}});"#),
    ("foo not like /b.r/", #"nwr["foo"!~"b.r"]({{bbox}});"#),
    ("~foo~bar", #"nwr[~"foo"~"bar"]({{bbox}});"#),
    ("foo:'*'", #"nwr["foo"~"\\*"]({{bbox}});"#),
    ("foo=''", #"nwr["foo"~"^$"]({{bbox}});"#),
    ("''='*'", #"nwr[~"^$"~"^\\*$"]({{bbox}});"#),
    ("'a \"b\\n'=\"{{c}}\"", #"nwr["a \"b\n"="{\{c}}"]({{bbox}});"#),
    ("type:node and type:way", "();"),
    (
      "(a=* or b=*) & (c=* | type:rel)",
      #"(nwr["a"]["c"]({{bbox}});relation["a"]({{bbox}});nwr["b"]["c"]({{bbox}});relation["b"]({{bbox}}););"#
    ),
    ("newer:1day and type:node", #"node(newer:"{{date:1day}}")({{bbox}});"#),
    ("older:\"3 days\" and id:5", #"nwr(if: timestamp() <= "{{date:3 days}}")(5)({{bbox}});"#),
    ("user:foo and uid:12", #"nwr(user:"foo")(uid:12)({{bbox}});"#),
    ("a=b in Berlin", #"{{geocodeArea:Berlin}}->.searchArea;nwr["a"="b"](area.searchArea);"#),
    ("a=b IN bbox", #"nwr["a"="b"]({{bbox}});"#),
    (
      "a=b around \"New York\"",
      #"{{radius=1000}}nwr["a"="b"](around:{{radius}},{{geocodeCoords:New York}});"#
    ),
    ("hospital", #"nwr["amenity"="hospital"]({{bbox}});"#),
    ("Street", #"way["highway"]({{bbox}});"#),
    ("  a=b  ", #"nwr["a"="b"]({{bbox}});"#),
  ])
  func texts(_ search: String, _ expected: String) throws {
    #expect(try statements(search) == expected)
  }

  @Test func datesGoIntoTheSettings() throws {
    #expect(
      try Query.wizard("date:2016 and a=b").hasPrefix(
        "[out:json][timeout:25][date:\"2016-01-01T00:00:00Z\"];\n"))
    #expect(try Query.wizard("date:\"1 week\" and a=b").contains("[date:\"{{date:1 week}}\"]"))
  }

  @Test(arguments: [
    ("", 1), ("foo", 1), ("hopsital", 1), ("a=", 3), ("a=b and", 5), ("a=b c", 5), ("(a=b", 5),
    ("type:nodes", 6), ("a='b", 3), ("a~/b", 3), ("a~/(/", 1), ("id:x", 1), ("a=b in '}}'", 8),
    ("a=b and c='\0'", 9), ("a=b and '\u{1}'=b", 9), ("a~/\r/", 1), ("newer:soon", 1),
    ("a=b and date:someday", 9), ("newer:'99999999999999 years'", 1),
    ("date:2016 and date:2017", 15), (String(repeating: "(", count: 10_000), 201),
  ])
  func faults(_ search: String, _ column: Int) throws {
    let error = #expect(throws: QuerySyntaxError.self) {
      try Query.wizard(search, presets: WizardTests.presets)
    }
    #expect(error?.first?.position?.column == column, "\(error?.description ?? "")")
  }

  @Test func tooManyAlternativesAreRefused() {
    let search = Array(repeating: "(a=* or b=*)", count: 30).joined(separator: " and ")
    #expect(throws: QuerySyntaxError.self) { try Query.wizard(search) }
  }

  @Test func textsBecomeQueries() throws {
    var expander = MacroExpander()
    expander.boundingBox = .init(southE7: 0, westE7: 0, northE7: 10_000_000, eastE7: 10_000_000)
    expander.now = .init(year: 2024, month: 1, day: 2)
    let text = try Query.wizard("amenity=cafe and newer:1day and name~/x|y/i")
    #expect(
      try expander.query(text).ql()
        == #"[out:json][timeout:25];nwr["amenity"="cafe"](newer:"2024-01-01T00:00:00Z")["name"~"x|y",i](0,0,1,1);out geom;"#
    )
  }
}
