// The parser of Overpass QL: spellings, escapes, and the quality of its diagnostics.

import Foundation
import OSMModel
import OverpassQuery
import Testing

@Suite struct ParserTests {
  /// What a text is printed as.
  func printed(_ text: String) throws -> String { try Query.parse(text).ql() }

  @Test(
    arguments: [
      ("node [ amenity = 'cafe' ] ; out ;", #"node["amenity"="cafe"];out;"#),
      ("rel[a];out;", #"relation["a"];out;"#),
      ("node[!a][a!~'b'][~'a'~'b',i];", #"node[!"a"]["a"!~"b"][~"a"~"b",i];"#),
      ("node[a!~'.*'];", #"node[!"a"];"#),
      ("node[a=][b];", #"node["a"=""]["b"];"#),
      ("node(1);node(id:1);node(id:1,2);", "node(1);node(1);node(id:1,2);"),
      ("node(1,2,3,4);node(1.50,-2.0,3,4e0);", "node(1,2,3,4);node(1.5,-2,3,4);"),
      ("node.a.b(around:10);", "node.a.b(around:10);"),
      ("node(around.a:'10');", "node(around.a:10);"),
      ("node(w.a:1,-1);way(bn);", "node(w.a:1,-1);way(bn);"),
      ("way(r:outer);", #"way(r:"outer");"#),
      ("node(way_cnt:2-)(way_link:2-5)(way_cnt:3);", "node(way_cnt:2-)(way_link:2-5)(way_cnt:3);"),
      ("node(user:a,'b')(uid:1);", #"node(user:"a","b")(uid:1);"#),
      (
        "node(changed:'2015-01-01T00:00:00Z','2015-01-01T00:00:00Z');",
        #"node(changed:"2015-01-01T00:00:00Z");"#
      ),
      ("node(>>.a)(<);", "node(>>.a)(<);"),
      (".a;._->.b;.a->.b;", ".a;._->.b;.a->.b;"),
      ("(.a;-.b;);", nil), ("(.a; - .b;);", "(.a;- .b;);"), ("();", "();"),
      ("foreach.a(out;);", "foreach.a{out;}"),
      ("foreach->.b{out;};out;", "foreach->.b{out;}out;"),
      ("complete(3){<;};", "complete(3){<;}"),
      ("if(1){out;}else{out ids;};", "if(1){out;}else{out ids;}"),
      ("[timeout:1ki][maxsize:2Gi];", "[timeout:1024][maxsize:2147483648];"),
      ("[maxsize:'0x10'];", "[maxsize:16];"),
      ("[bbox:'1,2,3,4'];", "[bbox:1,2,3,4];"),
      ("[out:csv(name;false)];", #"[out:csv("name";false)];"#),
      ("[out:csv(::id)][out:json];", "[out:json];"),
      ("[diff:'2015-01-01 00:00:00'];", #"[diff:"2015-01-01T00:00:00Z"];"#),
      ("out 5 qt geom(1,2,3,4) noids ids;", "out ids noids geom(1,2,3,4) qt 5;"),
      ("is_in;.a is_in(1,2)->.b;", "is_in;.a is_in(1,2)->.b;"),
      ("timeline(rel,5);", "timeline(relation,5);"),
      ("local;local ll;", "local;local ll;"),
      ("compare();compare(delta:t['a'])(out;);", #"compare;compare(delta:t["a"]){out;}"#),
      ("make a;make a x=1,'y z'=2,!w;", #"make a;make a x=1,"y z"=2,!w;"#),
      ("/* a */ // b\nout; // c", "out;"),
      ("// nothing", "/**/"),
      ("\u{FEFF}out;", "out;"),
    ] as [(String, String?)])
  func spellings(_ text: String, _ expected: String?) throws {
    #expect((try? printed(text)) == expected)
  }

  @Test(arguments: [
    (#""a\"b\\c\n\td\ze""#, "a\"b\\c\n\tdze"),
    (#"'a"b\'c'"#, "a\"b'c"),
    (#""\u00e4\u65e5""#, "ä日"),
    (#""\u41b""#, "\u{41B}"),
    ("\"a\nb\"", "a\nb"),
  ])
  func strings(_ literal: String, _ value: String) throws {
    let query = try Query.parse("node[a=\(literal)];")
    #expect(query.statements == [.query(.init(.node, [.tag(.equals("a", value))]))])
  }

  @Test(arguments: [
    ("1-2-3", "1-2-3"), ("1-(2-3)", "1-(2-3)"), ("1+2*3", "1+2*3"), ("(1+2)*3", "(1+2)*3"),
    ("1 -2", "1-2"), ("-2*3", "-2*3"), ("-id()*3", "-(id()*3)"), ("!1==2", "!1==2"),
    ("!(1==2)", "!(1==2)"), ("1?2:3?4:5", "(1?2:3)?4:5"), ("1||2&&3==4<5", "1||2&&3==4<5"),
    ("((((id()))))", "id()"), ("a.count(nodes)", "a.count(nodes)"),
    ("_.count(nodes)", "count(nodes)"),
    ("u(t['a'])", #"u(t["a"])"#), ("INF", "\"INF\""), ("1.", "\"1.\""),
  ])
  func expressions(_ text: String, _ expected: String) throws {
    #expect(try printed("node(1)(if:\(text));") == "node(1)(if:\(expected));")
  }

  // MARK: Diagnostics

  struct Expectation: Sendable {
    var text: String
    var code: Diagnostic.Code
    var line: Int
    var column: Int
    var suggestion: String?

    init(_ text: String, _ code: Diagnostic.Code, _ line: Int, _ column: Int, _ hint: String? = nil)
    {
      (self.text, self.code, self.line, self.column) = (text, code, line, column)
      suggestion = hint
    }
  }

  @Test(arguments: [
    Expectation("", .emptyText, 1, 1),
    Expectation("nodes[a];", .unknownStatement, 1, 1, "node"),
    Expectation("out;\nout boddy;", .unknownOption, 2, 5, "body"),
    Expectation("[outt:json];out;", .unknownSetting, 1, 2, "out"),
    Expectation("[out:jsn];out;", .invalidValue, 1, 6, "json"),
    Expectation("[timeout:0];out;", .invalidValue, 1, 10),
    Expectation("node[a]\nout;", .unexpected, 2, 1),
    Expectation("node[a];out", .unexpectedEnd, 1, 12),
    Expectation("node[\"ä\"=\"b];out;", .unterminated, 1, 10),
    Expectation("node[a=\"\\ud83c\"];", .invalidEscape, 1, 9),
    Expectation("node[a=\"\\u0\"];", .invalidEscape, 1, 9),
    Expectation("node[a~\"(\"];", .invalidRegex, 1, 8),
    Expectation("node(aruond:1,2,3);", .unknownFilter, 1, 6, "around"),
    Expectation("node(around:1,2);", .unexpected, 1, 6),
    Expectation("node(3,2,1,4);", .invalidValue, 1, 6),
    Expectation("way(w);", .invalidRecursion, 1, 5),
    Expectation("node(newer:\"now\");", .invalidTimestamp, 1, 12),
    Expectation("node;", .unrestricted, 1, 1),
    Expectation("node(1)(if:lenght()>1);", .unknownFunction, 1, 12, "length"),
    Expectation("node(1)(if:name==1);", .unexpected, 1, 12, "t[\"name\"]"),
    Expectation("node(1)(if:1=1);", .unexpected, 1, 13, "=="),
    Expectation("node(1)(if:1==);", .unexpected, 1, 13),
    Expectation("node(1)(if:geom());", .invalidEvaluator, 1, 16),
    Expectation("if(id()){}", .invalidEvaluator, 1, 4),
    Expectation("make x a=1,a=2;", .duplicateProperty, 1, 8),
    Expectation("(node(1);out;);", .misplacedStatement, 1, 10),
    Expectation("(node(1);-node(2);node(3););", .unexpected, 1, 19),
    Expectation("out;[out:json];", .misplacedSettings, 1, 5),
    Expectation("node({{bbox}});", .unexpandedMacro, 1, 6),
    Expectation("node(around:{{radius}},1,2);", .unexpandedMacro, 1, 13),
    Expectation("node[a={{value}}];", .unexpandedMacro, 1, 8),
    Expectation("{{geocodeArea:Berlin}}->.a;", .unexpandedMacro, 1, 1),
    Expectation("node[addr:city=Berlin];", .unexpected, 1, 10),
    Expectation("[bbox];node(bbox);", .unexpandedMacro, 1, 2),
    Expectation("out;;out;", .unexpected, 1, 5),
    Expectation(".a[b];", .unexpected, 1, 3, "nwr.a"),
    Expectation("foreach{out;", .unexpectedEnd, 1, 13),
    Expectation("node(1);}", .unexpected, 1, 9),
    Expectation("/*\n*/ node[日本];", .unexpected, 2, 9),
  ])
  func errors(_ expectation: Expectation) throws {
    let parsed = Query.parsing(expectation.text)
    #expect(parsed.query == nil)
    let error = try #require(parsed.diagnostics.first { $0.severity == .error })
    #expect(error.code == expectation.code, "\(error)")
    #expect(error.position?.line == expectation.line, "\(error)")
    #expect(error.position?.column == expectation.column, "\(error)")
    #expect(error.suggestion == expectation.suggestion, "\(error)")
  }

  @Test func severalErrorsAreReportedAtOnce() throws {
    let text = """
      [out:jso];
      nodes[amenity=pub];
      way[b](if:foo());
      foreach { out bodi; relation[; }
      out foo;
      """
    let parsed = Query.parsing(text)
    let lines = parsed.diagnostics.map { $0.position?.line }
    #expect(lines == [1, 2, 3, 4, 4, 5], "\(parsed.diagnostics)")
    let error = QuerySyntaxError(diagnostics: parsed.diagnostics)
    #expect(
      error.description.hasPrefix("1:6: error: there is no output format “jso”; did you mean"))
  }

  @Test func warningsDoNotHinder() throws {
    let parsed = Query.parsing("node(60.17,24.9411,60.1705,abc);out ids tags; /* open")
    #expect(parsed.query != nil)
    #expect(parsed.diagnostics.map(\.code) == [.inexactNumber, .overridden, .unterminated])
  }

  @Test func manyErrorsAreCutOff() {
    let parsed = Query.parsing(String(repeating: "foo;", count: 10_000))
    #expect(parsed.diagnostics.last?.code == .tooManyErrors)
    #expect(parsed.diagnostics.count == 50)
  }

  @Test func otherEncodingsAreRefused() {
    let parsed = Query.parsing(utf8: Array("node[a=\"".utf8) + [0xE4, 0x22] + Array("];".utf8))
    #expect(parsed.diagnostics.first?.code == .invalidEncoding)
    #expect(parsed.diagnostics.first?.position?.offset == 8)
  }

  // MARK: Limits

  /// Frames of debug builds are several times as large as those of release builds.
  #if DEBUG
    let stackBytes = 4 << 20
  #else
    let stackBytes = 512 << 10
  #endif

  /// Runs on a thread with a stack as small as those of other systems' threads are.
  func onSmallStack(_ body: @escaping @Sendable () -> Void) {
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
      body()
      done.signal()
    }
    thread.stackSize = stackBytes
    thread.start()
    done.wait()
  }

  @Test func deepTextsAreRefusedWithoutHarm() {
    let count = 100_000
    let texts = [
      String(repeating: "(", count: count), String(repeating: "foreach{", count: count),
      "node(1)(if:" + String(repeating: "(", count: count),
      "node(1)(if:" + String(repeating: "abs(", count: count),
      "node(1)(if:" + String(repeating: "!", count: count) + "1);",
      "node(1)(if:1" + String(repeating: "+1", count: count) + ");",
      String(repeating: "<union>", count: count),
      "node(1)(if:" + String(repeating: "1+2*(", count: 190) + "1"
        + String(repeating: ")", count: 190) + ");",
    ]
    onSmallStack {
      for text in texts { #expect(Query.parsing(text).query == nil || text.utf8.count < 3000) }
    }
  }

  @Test func theDeepestTextsAllowedAreFine() {
    let statements =
      String(repeating: "foreach{", count: Query.Limits.nesting - 1) + "out;"
      + String(repeating: "}", count: Query.Limits.nesting - 1)
    let chain = "node(1)(if:1" + String(repeating: "+1", count: Query.Limits.operators) + ");"
    let nest =
      "node(1)(if:" + String(repeating: "abs(", count: Query.Limits.nesting - 1) + "1"
      + String(repeating: ")", count: Query.Limits.nesting - 1) + ");"
    onSmallStack {
      for text in [statements, chain, nest] {
        let query = Query.parsing(text).query
        #expect(query != nil)
        #expect((try? query?.ql()) == text)
        #expect((try? query?.xml()).flatMap { Query.parsing($0).query } == query)
        #expect(query.hashValue == query.hashValue)
      }
    }
  }
}
