// Evaluators in Overpass QL: parentheses wherever the server's reading needs them.

import OverpassQuery
import Testing

@Suite struct EvaluatorPrinterTests {
  typealias Evaluator = Query.Evaluator

  static let a = Evaluator.tag(.fixed("a"))
  static let one = Evaluator.fixed("1")

  func ql(_ evaluator: Evaluator, _ layout: Query.Layout = .compact) throws -> String {
    let query = Query(statements: [.convert(type: "x", [.tag("k", evaluator)])])
    let text = try query.ql(layout)
    return String(text.dropFirst("convert x k=".count).prefix { $0 != ";" })
  }

  @Test(
    arguments: [
      (.fixed("12.50"), "12.50"),
      (.fixed("-3"), "-3"),
      (.fixed("1e5"), "\"1e5\""),
      (.fixed("a\"b"), "\"a\\\"b\""),
      (.element(.isClosed), "is_closed()"),
      (.isTag("a"), "is_tag(\"a\")"),
      (.setKey(.default, "val"), "_.val"),
      (.count("a", .deriveds), "a.count(deriveds)"),
      (.countTags, "count_tags()"),
      (.countMembers(), "count_members()"),
      (.countMembers(.ways, distinct: true), "count_distinct_members(ways)"),
      (.countByRole("outer"), "count_by_role(\"outer\")"),
      (.countByRole("", .nodes, distinct: true), "count_distinct_by_role(\"\",nodes)"),
      (.aggregate(.sum, "a", .element(.length)), "a.sum(length())"),
      (.listFunction(.lrsIn, one, a), "lrs_in(1,t[\"a\"])"),
      (.perMember(.vertex, .member(.angle)), "per_vertex(angle())"),
      (.binary(.times, .binary(.plus, a, one), one), "(t[\"a\"]+1)*1"),
      (.binary(.plus, .binary(.times, a, one), one), "t[\"a\"]*1+1"),
      (.binary(.minus, one, .binary(.minus, one, one)), "1-(1-1)"),
      (.binary(.minus, .binary(.minus, one, one), one), "1-1-1"),
      (.binary(.plus, one, .binary(.times, one, one)), "1+1*1"),
      (.binary(.or, .binary(.and, one, one), .binary(.or, one, one)), "1&&1||(1||1)"),
      (.binary(.minus, one, .fixed("-1")), "1--1"),
      (.binary(.minus, .generic, one), "::- 1"),
      (.binary(.times, one, .negate(a)), "1*(-t[\"a\"])"),
      (.negate(one), "-(1)"),
      (.negate(.negate(a)), "-(-t[\"a\"])"),
      (.not(a), "!t[\"a\"]"),
      (.not(.not(a)), "!(!t[\"a\"])"),
      (.not(.setKey("b", "val")), "!(b.val)"),
      (.not(.binary(.equal, a, one)), "!(t[\"a\"]==1)"),
      (.binary(.equal, .not(a), .not(one)), "!t[\"a\"]==!1"),
      (.conditional(a, then: one, else: .generic), "t[\"a\"]?1: ::"),
      (.conditional(a, then: .generic, else: one), "t[\"a\"]?:::1"),
      (
        .conditional(a, then: one, else: .conditional(a, then: one, else: one)),
        "t[\"a\"]?1:(t[\"a\"]?1:1)"
      ),
      (.binary(.plus, .conditional(a, then: one, else: one), one), "(t[\"a\"]?1:1)+1"),
    ] as [(Evaluator, String)])
  func text(_ evaluator: Evaluator, _ text: String) throws {
    #expect(try ql(evaluator) == text)
  }

  @Test func geometries() throws {
    let line = Evaluator.linestring([
      .point(Self.one, Self.one), .function(.center, .element(.geom)),
    ])
    let query = Query(statements: [.convert(type: "x", [.geometry(.polygon([line]))])])
    #expect(try query.ql() == "convert x ::geom=poly(lstr(pt(1,1),center(geom())));")
  }

  @Test func aGenericFilterKeepsItsColonsApart() throws {
    let query = Query(statements: [
      .query(.init(.node, [.evaluator(.binary(.equal, .generic, Self.one)), .ids([1])]))
    ])
    #expect(try query.ql() == "node(if: ::==1)(1);")
  }

  @Test(arguments: [
    Query.Statement.if(.element(.id), then: []),
    .make(type: "x", [.tag("k", .element(.id))]),
    .convert(type: "x", [.tag("k", .element(.geom))]),
    .convert(type: "x", [.geometry(.element(.id))]),
    .convert(type: "x", [.tag("k", .element(.keys))]),
    .convert(type: "x", [.tag("k", .member(.role))]),
    .convert(type: "x", [.tag("k", .conditional(a, then: .element(.geom), else: one))]),
    .convert(type: "x", [.tag("k", .binary(.plus, .element(.geom), one))]),
    .convert(type: "x", [.tag("k", .setKey(.default, "a b"))]),
    .make(type: "x", [.generic(one)]),
  ])
  func typeAndContextFaults(_ statement: Query.Statement) throws {
    let query = Query(statements: [statement])
    #expect(throws: QueryError.self) { try query.ql() }
    #expect(throws: QueryError.self) { try query.xml() }
  }

  @Test func longChainsAreFineDeepNestsAreNot() throws {
    var chain = Self.one
    for _ in 0..<Query.Limits.operators { chain = .binary(.or, chain, Self.one) }
    #expect(try ql(chain).utf8.count == 3 * Query.Limits.operators + 1)
    let query = Query(statements: [.convert(type: "x", [.tag("k", chain)])])
    #expect(try query.xml().isEmpty == false)
    #expect(throws: QueryError.self) { try ql(.binary(.or, chain, Self.one)) }
    var nest = Self.one
    for _ in 0...Query.Limits.nesting { nest = .not(nest) }
    #expect(throws: QueryError.self) { try ql(nest) }
  }
}
