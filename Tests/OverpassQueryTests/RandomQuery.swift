// Random valid queries that use every construct of the language, from a seed.

import OSMModel
import OverpassQuery

/// A small generator of random numbers (SplitMix64), so that a failing case can be repeated.
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64
  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}

struct RandomQuery {
  typealias Evaluator = Query.Evaluator

  var random: SeededGenerator
  /// The form the query has to be expressible in.
  var language: Query.Language

  init(seed: UInt64, for language: Query.Language) {
    random = SeededGenerator(seed: seed)
    self.language = language
  }

  // MARK: Pieces

  mutating func chance(_ oneIn: Int) -> Bool { Int.random(in: 0..<oneIn, using: &random) == 0 }
  mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
  mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: 0..<values.count, using: &random)]
  }
  mutating func list<Value>(
    _ range: ClosedRange<Int>, _ make: (inout RandomQuery) -> Value
  ) -> [Value] {
    var result: [Value] = []
    for _ in 0..<number(range) { result.append(make(&self)) }
    return result
  }

  mutating func text(canBeEmpty: Bool = false) -> String {
    let parts = [
      "a", "name", "addr:street", " ", "\"", "'", "\\", "\n", "\t", "ä", "日本", "\u{1F355}", "n",
      "u0041",
      "&", "<", ">", "]", "[", "{{", "}}", "//", "/*", "*/", ";", "->", ",", "(", ")", "-", "0",
      "1.5",
      "\u{7F}", "\u{A0}", "i", "=", "!", "~", "::", "_",
    ]
    var result = ""
    for _ in 0..<number(canBeEmpty ? 0...4 : 1...4) { result += pick(parts) }
    return result
  }

  mutating func name() -> String { pick(["a", "b", "_x1", "Cafes", "node", "if", "t", "count"]) }
  mutating func set() -> Query.SetName { chance(2) ? .default : Query.SetName(name()) }
  mutating func pattern() -> Query.Pattern {
    Query.Pattern(
      pick([".*", "^a$", "a|b", "\\.x", "[][^-]", "x{2,3}", "(a(b)?)+", "ä\"", "\\\\", "a b"]),
      ignoresCase: chance(3))
  }
  mutating func moment() -> Query.Timestamp {
    .init(
      year: UInt16(number(1...9999)), month: UInt8(number(1...12)), day: UInt8(number(1...31)),
      hour: UInt8(number(0...23)), minute: UInt8(number(0...59)), second: UInt8(number(0...59)))
  }
  mutating func position() -> Coordinate {
    Coordinate(
      longitudeE7: Int32(number(-1_800_000_000...1_800_000_000)),
      latitudeE7: Int32(number(-900_000_000...900_000_000)))
  }
  mutating func box() -> BoundingBox {
    let first = position()
    let second = position()
    return BoundingBox(
      southE7: min(first.latitudeE7, second.latitudeE7), westE7: first.longitudeE7,
      northE7: max(first.latitudeE7, second.latitudeE7), eastE7: second.longitudeE7)
  }
  mutating func id() -> Int64 { Int64(pick([1, 7, 123, 3_600_000_001, Int.max, -5])) }
  mutating func positive() -> Int64 { Int64(number(1...1_000_000)) }

  // MARK: Query

  mutating func query() -> Query {
    var query = Query(settings: settings())
    query.statements = statements(depth: 0, count: 1...5)
    return query
  }

  mutating func settings() -> Query.Settings {
    var settings = Query.Settings()
    if chance(2) {
      settings.output = pick([
        .xml, .json, .custom,
        .popup(
          list(1...2) { random in
            .init(
              title: random.text(),
              alternatives: random.list(0...2) { random in
                random.list(1...2) { random in
                  .init(key: random.text(), pattern: random.text(), isNegated: random.chance(2))
                }
              }, titleKey: random.chance(2) ? nil : random.text())
          }),
        .csv(
          .init(
            columns: list(1...4) { random in
              random.chance(2)
                ? .tag(random.text()) : .special(random.pick(["id", "lat", "count:nodes", "x y"]))
            }, hasHeader: chance(2), separator: pick(["\t", ",", ";", "a\"b"]))),
      ])
    }
    if chance(3) { settings.timeoutSeconds = positive() }
    if chance(3) { settings.maxsizeBytes = positive() }
    if chance(3) { settings.boundingBox = box() }
    if chance(3) {
      settings.time = pick([
        .date(moment()), .diff(from: moment(), to: chance(2) ? nil : moment()),
        .adiff(from: moment(), to: chance(2) ? nil : moment()),
      ])
      if case .csv = settings.output, settings.time != nil { settings.output = .json }
    }
    return settings
  }

  mutating func statements(depth: Int, count: ClosedRange<Int>) -> [Query.Statement] {
    list(count) { random in random.statement(depth: depth) }
  }

  mutating func statement(depth: Int, hasResult: Bool = false) -> Query.Statement {
    let kind = number(0...(depth > 3 ? 9 : 17))
    if hasResult, [8, 15, 16].contains(kind) { return .item(from: set(), into: set()) }
    switch kind {
    case 0...2: return .query(queryStatement())
    case 3: return .item(from: set(), into: set())
    case 4: return .recurse(pick(Query.Recursion.allCases), from: set(), into: set())
    case 5: return .isIn(chance(2) ? position() : nil, from: set(), into: set())
    case 6: return .mapToArea(from: set(), into: set())
    case 7:
      return .timeline(
        ElementID(pick([.node, .way, .relation]), positive()),
        version: chance(2) ? positive() : nil, into: set())
    case 8:
      return .out(
        .init(
          pick(Query.Out.Verbosity.allCases), pick(Query.Out.Geometry.allCases),
          order: pick(Query.Out.Order.allCases), limit: chance(2) ? positive() : nil,
          omitsIDs: chance(3), boundingBox: chance(3) ? box() : nil, from: set()))
    case 9:
      return chance(2)
        ? .local(
          pick(Query.LocalDetail.allCases), chance(2) ? box() : nil, from: set(), into: set())
        : makeOrConvert()
    case 10:
      return .union(list(0...3) { $0.statement(depth: depth + 1, hasResult: true) }, into: set())
    case 11:
      return .difference(
        statement(depth: depth + 1, hasResult: true),
        minus: statement(depth: depth + 1, hasResult: true), into: set())
    case 12: return .foreach(from: set(), into: set(), statements(depth: depth + 1, count: 0...2))
    case 13:
      return .for(
        chance(4) ? .element(.keys) : string(.element, depth: 0), from: set(), into: set(),
        statements(depth: depth + 1, count: 0...2))
    case 14:
      return .complete(
        limit: chance(2) ? number(1...1_048_576) : nil, from: set(), into: set(),
        statements(depth: depth + 1, count: 0...2))
    case 15:
      return .if(
        string(.none, depth: 0), then: statements(depth: depth + 1, count: 0...2),
        else: statements(depth: depth + 1, count: 0...2))
    case 16: return .retro(string(.none, depth: 0), statements(depth: depth + 1, count: 0...2))
    default:
      return .compare(
        delta: chance(2) ? string(.element, depth: 0) : nil, from: set(), into: set(),
        statements(depth: depth + 1, count: 0...2))
    }
  }

  mutating func makeOrConvert() -> Query.Statement {
    let isConvert = chance(2)
    let context: Context = isConvert ? .element : .none
    var properties: [Query.Property] = []
    var keys: Set<String> = []
    for _ in 0..<number(0...3) {
      let key = chance(2) ? name() : text()
      guard keys.insert(key).inserted else { continue }
      properties.append(chance(4) ? .omit(key) : .tag(key, string(context, depth: 0)))
    }
    if chance(3) { properties.append(.id(string(context, depth: 0))) }
    if chance(3) { properties.append(.geometry(geometry(context, depth: 0))) }
    if chance(3) {
      properties.append(
        .generic(
          from: isConvert && chance(2) ? nil : Query.SetName(name()), string(context, depth: 0)))
    }
    return isConvert
      ? .convert(type: name(), properties, from: set(), into: set())
      : .make(type: name(), properties, into: set())
  }

  // MARK: Filters

  mutating func queryStatement() -> Query.QueryStatement {
    let kind = pick(Query.ElementKind.allCases)
    var filters = list(1...3) { $0.filter(kind) }
    // A comparison with an empty value alone is no filter to the server.
    filters.append(.set(set()))
    if chance(2), let first = filters.first, !"\(first)".contains("quals") { filters.removeLast() }
    return .init(kind, filters, into: set())
  }

  mutating func filter(_ kind: Query.ElementKind) -> Query.Filter {
    switch number(0...15) {
    case 0...4: return .tag(tagFilter())
    case 5: return .boundingBox(box())
    case 6: return .polygon(list(3...5) { $0.position() })
    case 7:
      let limit = language == .xml ? 3 : 4
      return kind == .derived ? .set(set()) : .ids(list(1...limit) { $0.id() })
    case 8:
      return .around(
        .init(
          radiusMeters: pick([0, 0.5, 100, 1e-9, 123_456.789, 1e21]),
          center: chance(2) ? .set(set()) : .line(list(1...3) { $0.position() })))
    case 9: return chance(2) ? .area(.set(set())) : .area(.id(positive()))
    case 10: return .pivot(set())
    case 11: return recurseFilter(kind)
    case 12:
      let recursion = pick(Query.Recursion.allCases)
      let isLost = language == .ql && (recursion == .up || recursion == .down)
      return .related(recursion, isLost ? .default : set())
    case 13:
      return pick([
        .newer(moment()), .changed(.automatic), .changed(.initial), .changed(.since(moment())),
        .changed(.between(moment(), moment())),
      ])
    case 14:
      // Few different values, so that lists repeat themselves.
      let names = [text(), text()]
      return chance(2)
        ? .users(list(1...4) { $0.pick(names) }, touched: chance(2))
        : .userIDs(list(1...4) { Int64($0.number(1...2)) }, touched: chance(2))
    default: return chance(2) ? .set(set()) : .evaluator(string(.element, depth: 0))
    }
  }

  mutating func tagFilter() -> Query.TagFilter {
    let value = text(canBeEmpty: language == .ql && chance(10))
    switch number(0...6) {
    case 0: return .exists(text())
    case 1: return .equals(text(), value)
    case 2: return .notEquals(text(), value)
    case 3: return .matches(text(), chance(10) ? Query.Pattern("") : pattern())
    case 4: return .notMatches(text(), pattern())
    case 5: return .absent(text())
    default: return .keyMatches(pattern().text, pattern())
    }
  }

  mutating func recurseFilter(_ element: Query.ElementKind) -> Query.Filter {
    typealias Step = Query.RecurseFilter
    let role = Step.Restriction.role(text(canBeEmpty: true))
    let positions = Step.Restriction.positions(list(1...3) { Int64($0.pick([1, 2, -1, -7])) })
    let least = positive()
    let count = Step.Restriction.count(least, pick([nil, least, least + 5]))
    switch element {
    case .node:
      let step = pick([
        Step(.w, from: set(), positions), Step(.r, from: set(), role), Step(.w, from: set()),
        Step(.wayCount, from: set(), count), Step(.wayLink, from: set(), count),
      ])
      return .recurse(step)
    case .way:
      return .recurse(pick([Step(.bn, from: set(), positions), Step(.r, from: set(), role)]))
    case .relation:
      let kind = pick([Step.Kind.bn, .bw, .br, .r])
      return .recurse(Step(kind, from: set(), chance(2) ? nil : role))
    case .wr: return .recurse(Step(pick([.bn, .r]), from: set()))
    case .nwr, .nw, .nr: return .recurse(Step(.r, from: set(), chance(2) ? nil : role))
    case .area, .derived: return .set(set())
    }
  }

  // MARK: Evaluators

  enum Context { case none, element, member }

  mutating func string(_ context: Context, depth: Int) -> Evaluator {
    if depth > 4 { return leaf(context) }
    switch number(0...(context == .none ? 9 : 11)) {
    case 0...3: return leaf(context)
    case 4, 5:
      return .binary(
        pick(Evaluator.Operator.allCases), string(context, depth: depth + 1),
        string(context, depth: depth + 1))
    case 6: return .not(string(context, depth: depth + 1))
    case 7: return .negate(string(context, depth: depth + 1))
    case 8:
      return .conditional(
        string(context, depth: depth + 1), then: string(context, depth: depth + 1),
        else: string(context, depth: depth + 1))
    case 9:
      let function = pick(Evaluator.Function.allCases.filter { !$0.isGeometric })
      return pick([
        .function(function, string(context, depth: depth + 1)),
        .listFunction(
          pick(Evaluator.ListFunction.allCases), string(context, depth: depth + 1),
          string(context, depth: depth + 1)),
        .aggregate(
          pick([.u, .set, .min, .max, .sum]), set(), string(.element, depth: depth + 1)),
      ])
    case 10: return .tag(string(context, depth: depth + 1))
    default:
      return .perMember(
        pick(Evaluator.MemberAggregator.allCases), string(.member, depth: depth + 1))
    }
  }

  mutating func leaf(_ context: Context) -> Evaluator {
    var leaves: [Evaluator] = [
      .fixed(pick(["0", "-1", "1.50", "", "-", "1e5", "a\"b", "nan", "::", "-.5"])), .fixed(text()),
      .generic, .setKey(set(), name()), .count(set(), pick(Evaluator.CountedElements.allCases)),
    ]
    if context != .none {
      let functions = Evaluator.ElementFunction.allCases.filter { $0 != .keys && $0 != .geom }
      leaves += [
        .element(pick(functions)), .tag(.fixed(text())), .isTag(text(canBeEmpty: true)), .countTags,
        .countMembers(pick(Evaluator.MemberKind.allCases), distinct: chance(2)),
        .countByRole(
          text(canBeEmpty: true), pick(Evaluator.MemberKind.allCases), distinct: chance(2)),
      ]
    }
    if context == .member { leaves.append(.member(pick(Evaluator.MemberFunction.allCases))) }
    return pick(leaves)
  }

  mutating func geometry(_ context: Context, depth: Int) -> Evaluator {
    if depth > 3 {
      return .point(string(context, depth: depth + 1), string(context, depth: depth + 1))
    }
    switch number(0...(context == .none ? 5 : 6)) {
    case 0: return .point(string(context, depth: depth + 1), string(context, depth: depth + 1))
    case 1: return .linestring(list(1...3) { $0.geometry(context, depth: depth + 1) })
    case 2: return .polygon(list(1...2) { $0.geometry(context, depth: depth + 1) })
    case 3: return .function(pick([.center, .trace, .hull]), geometry(context, depth: depth + 1))
    case 4: return .aggregate(.gcat, set(), geometry(.element, depth: depth + 1))
    case 5:
      return .conditional(
        string(context, depth: depth + 1), then: geometry(context, depth: depth + 1),
        else: geometry(context, depth: depth + 1))
    default: return .element(.geom)
    }
  }
}
