// Advice on valid queries.

import OverpassQuery
import Testing

@Suite struct CheckTests {
  @Test(
    arguments: [
      ("node[a=b](1,2,3,4);out;", []),
      ("node[a=b](1,2,3,4);", [.missingOut]),
      ("out;", [.unwrittenSet]),
      ("node[a=b](1,2,3,4);.cafes out;", [.unwrittenSet]),
      ("node[a=b](1,2,3,4)->.cafes;out;", [.unreadSet, .unwrittenSet]),
      ("node[a=b](1,2,3,4)->.a;.a out;", []),
      ("way[a=b](1,2,3,4);out;", [.missingRecursion]),
      ("relation[a=b](1,2,3,4);out meta;", [.missingRecursion]),
      ("way[a=b](1,2,3,4);out geom;", []),
      ("way[a=b](1,2,3,4);out tags;", []),
      ("way[a=b](1,2,3,4);(._;>;);out;", []),
      ("way[a=b](1,2,3,4);out;>;out skel;", []),
      ("way[a=b](1,2,3,4);node(w);out;", []),
      ("[out:csv(::id)];way[a=b](1,2,3,4);out;", []),
      ("node['a '=b](1,2,3,4);out;", [.surroundingBlanks]),
      ("node[a=' b'](1,2,3,4);out;", [.surroundingBlanks]),
      ("node[a=''](1,2,3,4);out;", [.ignored]),
      ("node[a~''](1,2,3,4);out;", [.ignored]),
      ("node(if:count_tags()>1);out;", [.wideQuery]),
      ("node[!a];out;", [.wideQuery]),
      ("node[a];out;", [.wideQuery]),
      ("[bbox:1,2,3,4];node[a];out;", []),
      ("area[name=b];out;", []),
      ("node[a=b](newer:'2015-13-01T00:00:00Z');out;", [.implausibleTimestamp]),
      (
        "[diff:'2016-01-01T00:00:00Z','2015-01-01T00:00:00Z'];node[a=b](1,2,3,4);out;",
        [.implausibleTimestamp]
      ),
      ("node[a=b](1,2,3,4);out;out meta;", [.repeatedOut]),
      ("node[a=b](1,2,3,4);out;node[c=d](1,2,3,4);out;", []),
      ("node[a=b](1,2,3,4);foreach->.x{.x out;}", []),
      ("node[a=b](1,2,3,4);for(t['a']){make x y=_.val;out;}", []),
      ("node[a=b](1,2,3,4)->.a;make x n=a.count(nodes);out;", []),
    ] as [(String, [Diagnostic.Code])])
  func advice(_ text: String, _ codes: [Diagnostic.Code]) throws {
    let advice = try Query.parse(text).check()
    #expect(
      advice.map(\.code).sorted { $0.rawValue < $1.rawValue }
        == codes.sorted { $0.rawValue < $1.rawValue }, "\(advice)")
    #expect(
      Query.checkText(text).filter { $0.code.rawValue >= 60 && $0.code != .overridden }.count
        >= codes.count)
  }

  @Test func positionsAreThoseOfTheStatements() throws {
    let text = "node[a=b](1,2,3,4)->.x;\n(\n  node.x;\n  way['c '=d](1,2,3,4);\n);\nout;\n.y out;"
    let advice = Query.checkText(text)
    #expect(
      advice.map(\.description) == [
        "4:3: warning: the key “c ” begins or ends with white space, which tags never do",
        "6:1: warning: ways are printed without nodes and without geometry; use “out geom”, or “(._;>;);” before it",
        "7:1: warning: the set “y” is read but never written",
      ])
    let xml = try #require(Query.parsing(text).query).xml(.pretty)
    let lines = Query.checkText(xml).compactMap { $0.position?.line }
    #expect(lines == [10, 15, 16])
  }

  @Test func invalidQueriesGiveErrors() {
    let query = Query(statements: [.query(.init(.node))])
    #expect(query.check().map(\.severity) == [.error])
    #expect(query.check().map(\.code) == [.unrestricted])
  }

  /// Every statement has its place, in both forms.
  @Test(arguments: Query.Language.allCases)
  func everyStatementHasAPosition(_ language: Query.Language) throws {
    func count(_ statements: [Query.Statement]) -> Int {
      statements.reduce(0) { sum, statement in
        switch statement {
        case .union(let inner, _), .foreach(_, _, let inner), .for(_, _, _, let inner),
          .complete(_, _, _, let inner), .retro(_, let inner), .compare(_, _, _, let inner):
          sum + 1 + count(inner)
        case .difference(let left, let right, _): sum + 1 + count([left, right])
        case .if(_, let then, let otherwise): sum + 1 + count(then) + count(otherwise)
        default: sum + 1
        }
      }
    }
    for seed in 0..<200 as Range<UInt64> {
      var random = RandomQuery(seed: seed, for: language)
      let query = random.query()
      let text = try language == .ql ? query.ql(.pretty) : query.xml(.pretty)
      let parsed = Query.parsing(text)
      #expect(parsed.statementPositions.count == count(query.statements))
      _ = query.check()
    }
  }
}
