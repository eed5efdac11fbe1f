// Element sets: every operation, names and sharing, faults.

import OSMModel
import OverpassQuery
import Testing

private let box = BoundingBox(
  southE7: 10_000_000, westE7: 20_000_000, northE7: 30_000_000, eastE7: 40_000_000)
private let nodes = Query.nodes().tag("n").boundingBox(box)
private let ways = Query.ways().tag("w").boundingBox(box)
private let relations = Query.relations().tag("r").boundingBox(box)
private let area = Query.area(named: "A")

@Suite struct ElementSetOperationTests {
  @Test func composition() throws {
    try expect((nodes + ways).out(), #"(node["n"](1,2,3,4);way["w"](1,2,3,4););out;"#)
    try expect(
      (nodes - Query.nodes().ids([1])).out(), #"(node["n"](1,2,3,4);-node(1););out;"#)
    try expect((nodes & Query.nodes().tag("m")).out(), #"node["n"](1,2,3,4)["m"];out;"#)
    try expect((nodes & Query.elements().tag("m")).out(), #"node["n"](1,2,3,4)["m"];out;"#)
    try expect(
      ElementSet.union(of: [nodes.elements, ways.elements, relations.elements]).out(),
      #"(node["n"](1,2,3,4);way["w"](1,2,3,4);relation["r"](1,2,3,4););out;"#)
    #expect((nodes & ways).error?.kind == .noElementType)
  }

  @Test func filters() throws {
    try expect(
      nodes.around(ways, radius: 1.5).out(),
      #"way["w"](1,2,3,4);node["n"](1,2,3,4)(around:1.5);out;"#)
    try expect(nodes.within(ways).out(), #"way["w"](1,2,3,4);node["n"](1,2,3,4)(area);out;"#)
    try expect(
      nodes.within(relations).out(),
      #"relation["r"](1,2,3,4);map_to_area;node["n"](1,2,3,4)(area);out;"#)
    try expect(
      nodes.elements.tag("x").tag("y", "z").withoutTag("q").out(),
      #"node["n"](1,2,3,4)["x"]["y"="z"][!"q"];out;"#)
    try expect(
      nodes.elements.tags { $0.tag("x", startsWith: "y") }.out(),
      #"node["n"](1,2,3,4)["x"~"^y"];out;"#)
    try expect(
      nodes.within(area + relations + ways + nodes).out(),
      #"relation["r"](1,2,3,4)->.a;(way["w"](1,2,3,4);area["name"="A"];.a map_to_area;);"#
        + #"node["n"](1,2,3,4)(area);out;"#)
    try expect(
      (nodes + ways).only(.way).out(), #"(node["n"](1,2,3,4);way["w"](1,2,3,4););way._;out;"#)
    try expect(
      nodes.newer(than: "2020-01-01").out(),
      #"node["n"](1,2,3,4)(newer:"2020-01-01T00:00:00Z");out;"#)
    try expect(
      nodes.changed(since: "2020-01-01").out(),
      #"node["n"](1,2,3,4)(changed:"2020-01-01T00:00:00Z");out;"#)
    try expect(
      nodes.changed(from: "2020-01-01", to: "2021-01-01").out(),
      #"node["n"](1,2,3,4)(changed:"2020-01-01T00:00:00Z","2021-01-01T00:00:00Z");out;"#)
    try expect(
      nodes.edited(byUserIDs: [7], ever: true).out(), #"node["n"](1,2,3,4)(uid_touched:7);out;"#)
    try expect(
      nodes.elements.filter(.evaluator(.element(.isClosed))).out(),
      #"node["n"](1,2,3,4)(if:is_closed());out;"#)
  }

  @Test func steps() throws {
    let w = #"way["w"](1,2,3,4);"#
    let r = #"relation["r"](1,2,3,4);"#
    let n = #"node["n"](1,2,3,4);"#
    try expect(ways.recurse(.down).out(), w + ">;out;")
    try expect(relations.recurse(.downRelations).out(), r + ">>;out;")
    try expect(nodes.recurse(.up).out(), n + "<;out;")
    try expect(nodes.recurse(.upRelations).out(), n + "<<;out;")
    try expect(ways.with(.down).out(), w + "(._;>;);out;")
    try expect(ways.nodesOfWays().out(), w + "node(w);out;")
    try expect(ways.nodesOfWays(at: [1]).out(), w + "node(w:1);out;")
    try expect(ways.nodesShared(byWays: 2).out(), w + "node(way_cnt:2-);out;")
    try expect(relations.members().out(), r + "nwr(r);out;")
    try expect(relations.members(.way, role: "outer").out(), r + #"way(r:"outer");out;"#)
    try expect(nodes.waysContaining().out(), n + "way(bn);out;")
    try expect(ways.relationsContaining(role: "").out(), w + #"relation(bw:"");out;"#)
    try expect(
      (nodes + relations).relationsContaining().out(),
      #"(node["n"](1,2,3,4);relation["r"](1,2,3,4);)->.a;"#
        + "(relation(bn.a);relation(br.a););out;")
    try expect(ways.step(.wayLink, to: .node, .count(3, 3)).out(), w + "node(way_link:3);out;")
    try expect(relations.asAreas().out(), r + "map_to_area;out;")
    try expect(nodes.enclosingAreas().out(), n + "is_in;out;")
    try expect(area.pivots().out(), #"area["name"="A"];wr(pivot);out;"#)
  }

  @Test func origins() throws {
    try expect(
      ElementSet(ids: [ElementID(.way, 3), ElementID(.node, 1), ElementID(.node, 2)]).out(),
      "(node(id:1,2);way(3););out;")
    try expect(
      nodes.within(Query.area(of: ElementID(.relation, 5))).out(),
      #"node["n"](1,2,3,4)(area:3600000005);out;"#)
    try expect(
      nodes.within(Query.area(of: ElementID(.way, 5))).out(),
      #"way(5);node["n"](1,2,3,4)(area);out;"#)
    try expect(
      Query.areas { $0.tag("a").tag("b", not: "c") }.out(), #"area["a"]["b"!="c"];out;"#)
    try expect(Query.areas(latitude: 1, longitude: 2).out(), "is_in(1,2);out;")
  }

  @Test func conditions() throws {
    func condition(_ value: ElementValue) throws -> String {
      let text = try nodes.where(value).out().ql()
      return String(text.dropFirst(#"[out:json];node["n"](1,2,3,4)(if:"#.count).dropLast(6))
    }
    #expect(try condition(.tag("a").equals("b")) == #"t["a"]=="b""#)
    #expect(try condition(!.hasTag("a") || .version >= 2) == #"!is_tag("a")||version()>=2"#)
    #expect(try condition(.number(ofTag: "a") * 2 <= 7.5) == #"number(t["a"])*2<=7.5"#)
    #expect(try condition(.memberCount(role: "x", .ways) > 1) == #"count_by_role("x",ways)>1"#)
    #expect(
      try condition(.memberCount(distinct: true) < .memberCount())
        == "count_distinct_members()<count_members()")
    #expect(try condition(.property(.lat) - .property(.lon) / 2 + 1 > 0) == "lat()-lon()/2+1>0")
    #expect(try condition(.isClosed.differs(from: .id)) == "is_closed()!=id()")
    try expect(
      nodes.where(.count(.ways, in: ways) > .count(.relations, in: relations)).out(),
      #"way["w"](1,2,3,4);relation["r"](1,2,3,4)->.a;"#
        + #"node["n"](1,2,3,4)(if:count(ways)>a.count(relations));out;"#)
    try expect(
      nodes.where(ql: #"t["a"] == "b" // or so"#).out(),
      #"node["n"](1,2,3,4)(if:t["a"]=="b");out;"#)
    try expect(
      nodes.where(
        ql: "x.count(ways) > y.count(relations) && x.sum(length()) > 5",
        sets: ["y": relations.elements, "x": ways.elements]
      ).out(),
      #"way["w"](1,2,3,4)->.a;relation["r"](1,2,3,4);node["n"](1,2,3,4)"#
        + "(if:a.count(ways)>count(relations)&&a.sum(length())>5);out;")
    try expect(
      nodes.where(.length > .aggregate(.max, of: .length, in: ways)).out(),
      #"way["w"](1,2,3,4);node["n"](1,2,3,4)(if:length()>max(length()));out;"#)
  }

  @Test func outputAndSettings() throws {
    try expect(
      nodes.out(.meta, .geom, order: .quadtile, limit: 5, boundingBox: box).count(ways)
        .timeout(seconds: 9).maxsize(mebibytes: 1).format(.xml).boundingBox(box),
      #"[out:xml][timeout:9][maxsize:1048576][bbox:1,2,3,4];node["n"](1,2,3,4);"#
        + #"out meta geom(1,2,3,4) qt 5;way["w"](1,2,3,4);out count;"#)
    try expect(
      Query.nodes().out().boundingBox(south: 1, west: 2, north: 3, east: 4),
      "[out:json][bbox:1,2,3,4];node;out;")
  }
}

@Suite struct ElementSetNamingTests {
  @Test func whatIsUsedTwiceIsComputedOnce() throws {
    try expect(
      (nodes + nodes.around(ways, radius: 1)).out(),
      #"node["n"](1,2,3,4);way["w"](1,2,3,4)->.a;(._;node._(around.a:1););out;"#)
    // Made apart, but equal.
    let again = Query.nodes().tag("n").boundingBox(box).elements
    #expect(again == nodes.elements && again.hashValue == nodes.elements.hashValue)
    try expect(nodes.out(.ids).out(again, .count), #"node["n"](1,2,3,4);out ids;out count;"#)
  }

  @Test func namesGoOnAfterTheLetters() throws {
    var query = SetQuery()
    let sets = (1...45).map { Query.nodes().ids([Int64($0)]).elements }
    for set in sets + sets.reversed() { query = query.out(set) }
    let text = try query.ql()
    #expect(text.contains("->.a;") && text.contains("->.s2;") && !text.contains("->.t;"))
    let names = text.split(separator: ";").filter { $0.contains("->") }.map {
      $0.split(separator: "->")[1]
    }
    #expect(Set(names).count == names.count && names.count == 44)
  }

  @Test func simplification() throws {
    let set = nodes.elements
    #expect(set + set == set)
    #expect((set & set) == set)
    #expect(set.only(.node) == set)
    #expect(set != ways.elements)
    try expect(
      ((set - ways) - relations).out(),
      #"(node["n"](1,2,3,4);-(way["w"](1,2,3,4);relation["r"](1,2,3,4);););out;"#)
    try expect(
      (set + (ways + relations)).out(),
      #"(node["n"](1,2,3,4);way["w"](1,2,3,4);relation["r"](1,2,3,4););out;"#)
  }

  /// Nothing is searched for on the whole planet that can be searched for in less.
  @Test func filtersReachIntoCompositions() throws {
    let a = Query.nodes().tag("a")
    let b = Query.ways().tag("b")
    try expect(
      (a + b).within(area).out(),
      #"area["name"="A"]->.a;(node["a"](area.a);way["b"](area.a););out;"#)
    try expect(
      (a - Query.nodes().tag("c")).within(area).out(),
      #"area["name"="A"];node["a"](area);(._;-node._["c"];);out;"#)
    try expect((a + b).only(.way).out(), #"way["b"];out;"#)
    try expect(
      a.within(area).out().out(a.around(ways, radius: 2)),
      #"area["name"="A"];node["a"](area);out;way["w"](1,2,3,4);node["a"](around:2);out;"#)
    // Under a global box the common part is bounded, so it is computed once.
    try expect(
      a.around(ways, radius: 1).out().out(a.around(ways, radius: 2)).boundingBox(box),
      #"[out:json][bbox:1,2,3,4];node["a"]->.a;way["w"](1,2,3,4)->.b;"#
        + "node.a(around.b:1);out;node.a(around.b:2);out;")
  }

  /// Filters of which the server takes one in a statement get a statement each.
  @Test func filtersThatExcludeEachOther() throws {
    try expect(
      (Query.nodes().ids([1, 2]) & Query.nodes().ids([2, 3])).out(),
      "node(id:2,3);node._(id:1,2);out;")
  }

  @Test func nothingLeaksFromOneQueryToTheNext() throws {
    let common = nodes.around(ways, radius: 1)
    let text = try common.out().ql()
    _ = try (common + common.around(relations, radius: 2)).out().timeout(seconds: 1).ql()
    #expect(try common.out().ql() == text)
    let query = common.out()
    let longer = query.timeout(seconds: 5).count(ways)
    #expect(try query.ql() == text && longer != query)
  }

  @Test func manyMembersInALoop() throws {
    var all = Query.nodes().ids([1]).elements
    for id in 2...500 as ClosedRange<Int64> { all = all + Query.nodes().ids([id]) }
    let built = try all.out().build()
    guard case .union(let members, _) = built.statements.first else {
      Issue.record("no union")
      return
    }
    #expect(members.count == 500)
    // Each step uses the one before twice: as a tree this would be endless.
    var set = nodes.elements
    for _ in 0..<60 { set = set.around(set, radius: 1) }
    #expect(try set.out().build().statements.count == 62)
    var other = nodes.elements
    for _ in 0..<60 { other = other.around(other, radius: 1) }
    #expect(set == other)
    var open = Query.nodes().tag("a").elements
    for index in 0..<60 { open = open.tag("x\(index)") + open.tag("y\(index)") }
    #expect(open.error == nil)
    #expect((try? open.out().build()) != nil)
  }
}

@Suite struct ElementSetFaultTests {
  @Test(arguments: [
    (Query.nodes().elements, QueryError.Kind.unrestricted),
    (QueryBuilder().tag("a").elements, .noElementType),
    (nodes.timeout(seconds: 3).elements, .misplacedStatement),
    (nodes.limit(3).around(ways, radius: 3), .misplacedStatement),
    (Query.nodes().tag("").elements + ways, .emptyKey),
    (nodes.around(ways, radius: -1), .invalidDistance),
    (nodes.around(ways, radius: .nan), .invalidDistance),
    (nodes.within(nodes), .noElementType),
    (nodes.recurse(.down), .invalidRecursion),
    (nodes.members(), .invalidRecursion),
    (relations.members([]), .noElementType),
    (ways.waysContaining(), .invalidRecursion),
    (area.relationsContaining(), .invalidRecursion),
    (ways.enclosingAreas(), .invalidRecursion),
    (nodes.asAreas(), .noElementType),
    (ways.pivots(), .invalidRecursion),
    (ways.nodesOfWays(at: [0]), .invalidNumber),
    (ways.nodesShared(byWays: 0), .invalidNumber),
    (ways.step(.w, to: .way), .invalidRecursion),
    (nodes.only(.way), .noElementType),
    (nodes.elements.filter(.set("a")), .invalidSetName),
    (nodes.filter(.pivot("x")).elements, .invalidSetName),
    (nodes.where(.init(.count("0", .nodes)) > .count(in: ways)), .invalidSetName),
    (nodes.where(.init(.element(.keys))), .invalidEvaluator),
    (nodes.newer(than: "now"), .invalidTimestamp),
    (nodes.edited(byUsers: []), .emptyList),
    (ElementSet(ids: []), .emptyList),
    (ElementSet(ids: [ElementID(.node, 0)]), .invalidNumber),
    (ElementSet(ids: [ElementID(.derived, 1)]), .noElementType),
    (ElementSet.union(of: []), .emptyList),
    (Query.area(of: ElementID(.node, 1)), .noElementType),
    (Query.area(of: ElementID(.relation, 0)), .invalidNumber),
    (Query.area(named: ""), .emptyList),
    (Query.areas { $0 }, .unrestricted),
    (nodes.around(area, radius: 1), .noElementType),
    (nodes.where(ql: ""), .invalidEvaluator),
    (nodes.where(ql: "id()==1);node(1"), .invalidEvaluator),
    (nodes.where(ql: "1)[a](if:2"), .invalidEvaluator),
    (nodes.where(ql: "a.count(nodes)>1"), .invalidSetName),
    (nodes.where(ql: "count(nodes)>1", sets: ["a": nodes.elements]), .invalidSetName),
    (nodes.where(ql: "a.count(nodes)>1", sets: ["a": Query.area(named: "")]), .emptyList),
    (Query.areas(latitude: 91, longitude: 0), .invalidPosition),
  ])
  func faults(_ set: ElementSet, _ kind: QueryError.Kind) {
    let error = #expect(throws: QueryError.self) { try set.out().build() }
    #expect(error?.kind == kind && error?.message.isEmpty == false)
    // Whatever is made of it keeps the fault.
    let later = #expect(throws: QueryError.self) { try (ways + set).with(.down).out().build() }
    #expect(later?.kind == kind)
  }

  @Test func faultsOfQueries() {
    let queries: [(SetQuery, QueryError.Kind)] = [
      (SetQuery(), .invalidOutput), (nodes.out(limit: 0), .invalidLimit),
      (nodes.out().timeout(seconds: 0), .invalidTimeout),
      (nodes.out().maxsize(bytes: -1), .invalidMaxsize), (nodes.out().date("x"), .invalidTimestamp),
      (nodes.out().boundingBox(south: 3, west: 0, north: 2, east: 0), .invalidBoundingBox),
    ]
    for (query, kind) in queries {
      let error = #expect(throws: QueryError.self) { try query.ql() }
      #expect(error?.kind == kind)
      #expect(query.description == "(" + (error?.message ?? "") + ")")
    }
  }

  @Test func endlessChainsAreRefused() {
    var set = nodes.elements
    for _ in 0..<5_000 { set = set.around(ways, radius: 1) }
    #expect(set.error?.kind == .tooDeep)
    var value: ElementValue = .id > 1
    for _ in 0..<5_000 { value = value && .count(in: ways) > 1 }
    #expect(nodes.where(value).error?.kind == .tooDeep)
    var inverted: ElementValue = .id
    for _ in 0..<900 { inverted = !inverted }
    #expect(nodes.where(inverted).error?.kind == .tooDeep)
    var sum: ElementValue = .id
    for _ in 0..<900 { sum = sum + 1 }
    #expect(nodes.where(sum).error == nil)
  }
}
