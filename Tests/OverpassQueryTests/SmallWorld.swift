// A made-up world of a few elements, and an interpreter for the statements that element sets become.

import OSMModel
import OverpassQuery

/// Elements with tags, nodes and members. Distances are differences between ids, and what lies in an
/// area is decided by its id: only the flow of sets matters here.
struct SmallWorld {
  struct Item: Hashable {
    var type: ElementType
    var id: Int64
  }

  var items: [Item: [String: String]] = [:]
  var members: [Item: [Item]] = [:]

  init(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    func add(_ type: ElementType, _ id: Int64, _ parts: [Item]) {
      let item = Item(type: type, id: id)
      var tags: [String: String] = [:]
      for key in ["a", "b"] where Bool.random(using: &random) {
        tags[key] = Bool.random(using: &random) ? "1" : "2"
      }
      items[item] = tags
      members[item] = parts.filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
    }
    for id in 1...9 as ClosedRange<Int64> { add(.node, id, []) }
    let nodes = items.keys.sorted { $0.id < $1.id }
    for id in 1...6 as ClosedRange<Int64> { add(.way, id, nodes) }
    let parts = items.keys.sorted {
      ($0.type == .way ? 1 : 0, $0.id) < ($1.type == .way ? 1 : 0, $1.id)
    }
    for id in 1...4 as ClosedRange<Int64> {
      add(.relation, id, parts + (1..<id).map { Item(type: .relation, id: $0) })
    }
    for id in 1...4 as ClosedRange<Int64> { add(.area, id, []) }
  }

  typealias Found = Set<Item>

  func near(_ item: Item, _ set: Found, _ radius: Double) -> Bool {
    set.contains { $0.type != .area && abs(Double($0.id - item.id)) <= radius }
  }
  func inside(_ item: Item, _ set: Found) -> Bool {
    set.contains { ($0.type == .area || $0.type == .way) && ($0.id + item.id) % 3 == 0 }
  }

  func hasKind(_ item: Item, _ kind: Query.ElementKind) -> Bool {
    switch item.type {
    case .node: kind.includesNodes
    case .way: kind.includesWays
    case .relation: kind.includesRelations
    case .area: kind == .area
    case .derived: false
    }
  }

  func recursed(_ recursion: Query.Recursion, _ set: Found) -> Found {
    var result: Found = []
    switch recursion {
    case .down, .downRelations:
      var pending = set.filter { $0.type != .area }
      while let item = pending.popFirst() {
        for part in members[item] ?? [] where part.type != .relation || recursion == .downRelations
        {
          if result.insert(part).inserted { pending.insert(part) }
        }
      }
    case .up, .upRelations:
      var pending = set.filter { $0.type != .relation || recursion == .upRelations }
      while let part = pending.popFirst() {
        for (whole, parts) in members where parts.contains(part) {
          let isNew = result.insert(whole).inserted
          if isNew, whole.type != .relation || recursion == .upRelations { pending.insert(whole) }
        }
      }
    }
    return result
  }

  // MARK: Statements

  /// What each `out` prints.
  func outputs(of statements: [Query.Statement]) -> [Found] {
    var sets: [Query.SetName: Found] = [:]
    var outputs: [Found] = []
    for statement in statements { run(statement, &sets, &outputs) }
    return outputs
  }

  private func run(
    _ statement: Query.Statement, _ sets: inout [Query.SetName: Found], _ outputs: inout [Found]
  ) {
    func result(_ member: Query.Statement) -> Found {
      run(member, &sets, &outputs)
      return member.into.flatMap { sets[$0] } ?? []
    }
    switch statement {
    case .query(let query):
      let found = items.keys.filter { item in
        hasKind(item, query.kind) && query.filters.allSatisfy { passes(item, $0, sets) }
      }
      sets[query.into] = Set(found)
    case .item(let from, let into): sets[into] = sets[from] ?? []
    case .union(let members, let into):
      var all: Found = []
      for member in members { all.formUnion(result(member)) }
      sets[into] = all
    case .difference(let left, let right, let into):
      let first = result(left)
      sets[into] = first.subtracting(result(right))
    case .recurse(let recursion, let from, let into):
      sets[into] = recursed(recursion, sets[from] ?? [])
    case .mapToArea(let from, let into): sets[into] = areas(of: sets[from] ?? [])
    case .out(let out): outputs.append(sets[out.from] ?? [])
    default: break
    }
  }

  func areas(of set: Found) -> Found {
    Set(set.filter { $0.type == .relation }.map { Item(type: .area, id: $0.id) })
  }

  func passes(
    _ item: Item, _ filter: Query.Filter, _ sets: [Query.SetName: Found]
  ) -> Bool {
    switch filter {
    case .tag(.equals(let key, let value)): return items[item]?[key] == value
    case .tag(.exists(let key)): return items[item]?[key] != nil
    case .ids(let ids): return ids.contains(item.id)
    case .set(let name): return sets[name]?.contains(item) ?? false
    case .around(let around):
      guard case .set(let name) = around.center else { return false }
      return near(item, sets[name] ?? [], around.radiusMeters)
    case .area(.set(let name)): return inside(item, sets[name] ?? [])
    case .area(.id(let id)): return inside(item, [Item(type: .area, id: id)])
    case .recurse(let step):
      let from = sets[step.from] ?? []
      return stepLeads(from, step.kind, to: item)
    case .evaluator(.binary(.greater, .count(let name, _), .fixed(let number))):
      return (sets[name] ?? []).count { $0.type != .area } > Int(number) ?? 0
    default: return false
    }
  }

  func stepLeads(_ from: Found, _ kind: Query.RecurseFilter.Kind, to item: Item) -> Bool {
    func isMember(of type: ElementType) -> Bool {
      from.contains { $0.type == type && members[$0]?.contains(item) == true }
    }
    func has(_ type: ElementType) -> Bool {
      members[item]?.contains { $0.type == type && from.contains($0) } == true
    }
    return switch kind {
    case .w: isMember(of: .way)
    case .r: isMember(of: .relation)
    case .bn: has(.node)
    case .bw: has(.way)
    case .br: has(.relation)
    case .wayCount, .wayLink: false
    }
  }
}
