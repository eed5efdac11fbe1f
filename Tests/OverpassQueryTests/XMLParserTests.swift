// The parser of the XML form.

import OverpassQuery
import Testing

@Suite struct XMLParserTests {
  func ql(_ xml: String) throws -> String { try Query.parse(xml).ql() }

  @Test(arguments: [
    ("<osm-script><print/></osm-script>", "out;"),
    ("<?xml version=\"1.0\"?>\n<!-- c --><osm-script/>", "/**/"),
    ("  <!-- cafes -->\n<osm-script output=\"json\"/>", "[out:json];"),
    ("<print/><print mode='meta'/>", "out;out meta;"),
    ("<osm-script><query type='node'><has-kv k='a' v=''/></query></osm-script>", #"node["a"];"#),
    (
      "<query type='node'><has-kv k='a' regv='b' case='ignore' modv='not'/></query>",
      #"node["a"!~"b",i];"#
    ),
    ("<id-query type='node' ref='1' ref_1='2' into='a'/>", "node(id:1,2)->.a;"),
    ("<id-query type='way' lower='3' upper='5'/>", "way(id:3,4,5);"),
    ("<bbox-query s='1' w='2' n='3' e='4'/>", "node(1,2,3,4);"),
    ("<around radius='5' polyline='1,2,3,4'/>", "node(around:5,1,2,3,4);"),
    ("<item set='a'/>", ".a->.a;"),
    (
      "<query type='node'><item set='a'/><user name='x' name_1='x' name_2='y'/></query>",
      #"node.a(user:"x","y");"#
    ),
    ("<recurse type='node-wr' from='a'/>", "wr(bn.a);"),
    ("<recurse type='relation-way' role=''/>", "way(r);"),
    (
      "<osm-script bbox='1,2,3,4' element-limit='5' augmented='deletions' from='2015-01-01T00:00:00Z'/>",
      #"[maxsize:5][bbox:1,2,3,4][adiff:"2015-01-01T00:00:00Z"];"#
    ),
    (
      "<osm-script output='csv' output-config='(::id,\"name\";false;\",\")'/>",
      #"[out:csv(::id,"name";false;",")];"#
    ),
    ("<query type='node'><has-kv k='&lt;&#10;' v='&amp;'/></query>", #"node["<\n"="&"];"#),
  ])
  func spellings(_ xml: String, _ expected: String) throws {
    #expect(try ql(xml) == expected)
  }

  @Test(arguments: [
    ("<osm-script><query type=\"node\"></osm-script>", Diagnostic.Code.malformedXML, 1),
    ("<osm-script>\n<frobnicate/></osm-script>", .unknownElement, 2),
    ("<osm-script>\n<qurey type='node'/></osm-script>", .unknownElement, 2),
    ("<osm-script><query><has-kv k='a'/></query></osm-script>", .missingAttribute, 1),
    ("<osm-script><print\n mode='all'/></osm-script>", .invalidValue, 2),
    ("<osm-script><print\n colour='red'/></osm-script>", .unknownAttribute, 2),
    ("<osm-script>\ntext</osm-script>", .unexpected, 2),
    ("<osm-script><union><print/></union></osm-script>", .misplacedStatement, 1),
    ("<osm-script><has-kv k='a'/></osm-script>", .misplacedStatement, 1),
    ("<osm-script><make-area/></osm-script>", .misplacedStatement, 1),
    ("<!DOCTYPE a [<!ENTITY b \"c\">]><osm-script/>", .malformedXML, 1),
    ("<osm-script><query type='node'/></osm-script>", .unrestricted, 1),
    ("<osm-script><if><eval-id/></if></osm-script>", .invalidEvaluator, 1),
    ("<osm-script><if><eval-fixd v='1'/></if></osm-script>", .unknownFunction, 1),
    ("<osm-script timeout='x'/>", .invalidValue, 1),
    ("<osm-script output='csv'/>", .invalidValue, 1),
  ])
  func errors(_ xml: String, _ code: Diagnostic.Code, _ line: Int) throws {
    let parsed = Query.parsing(xml)
    #expect(parsed.query == nil)
    let error = try #require(parsed.diagnostics.first { $0.severity == .error })
    #expect(error.code == code, "\(error)")
    #expect(error.position?.line == line, "\(error)")
  }

  @Test func macrosAreNamed() {
    let parsed = Query.parsing("<osm-script>\n<bbox-query {{bbox}}/></osm-script>")
    #expect(parsed.diagnostics.map(\.code) == [.malformedXML, .unexpandedMacro])
  }

  @Test func attributesHaveTheirPlaces() throws {
    let parsed = Query.parsing("<print from='mode=' mode='al'/>")
    let position = try #require(parsed.diagnostics.last?.position)
    #expect(position.column == 21)
  }
}
