// Random set expressions: their queries find what the expressions mean.

import OSMModel
import OverpassQuery
import Testing

/// A set beside the elements of a small world that it means.
private struct Meant {
  var set: ElementSet
  var found: SmallWorld.Found
}

private struct RandomSets {
  var random: SeededGenerator
  let world: SmallWorld
  /// What was made so far; operands are taken from here, so that many are shared.
  var made: [Meant] = []

  mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
  mutating func any() -> Meant? { made.randomElement(using: &random) }

  mutating func leaf() -> Meant {
    let kinds: [(QueryBuilder.ElementTypes, Query.ElementKind)] = [
      (.node, .node), (.way, .way), (.relation, .relation), (.all, .nwr), ([.node, .way], .nw),
    ]
    let (types, kind) = kinds[number(0...kinds.count - 1)]
    let filters: [Query.Filter] = [
      .tag(.equals("a", "1")), .tag(.equals("a", "2")), .tag(.exists("b")), .ids([1, 2, 3, 5]),
      .ids([2, 4]),
    ]
    let filter = filters[number(0...filters.count - 1)]
    if number(0...5) == 0 {
      let ids = [Int64(number(1...4))]
      return Meant(
        set: ElementSet(ids: ids.map { ElementID(.area, $0) }),
        found: world.items.keys.reduce(into: []) {
          if $1.type == .area, ids.contains($1.id) { $0.insert($1) }
        })
    }
    return Meant(
      set: Query.elements(types).filter(filter).elements,
      found: Set(
        world.items.keys.filter { world.hasKind($0, kind) && world.passes($0, filter, [:]) }))
  }

  mutating func next() -> Meant? {
    guard let left = any(), let right = any() else { return leaf() }
    func filtered(_ set: ElementSet, _ condition: (SmallWorld.Item) -> Bool) -> Meant {
      Meant(set: set, found: left.found.filter(condition))
    }
    let all = world.items.keys
    switch number(0...15) {
    case 0, 1: return leaf()
    case 2, 3: return Meant(set: left.set + right.set, found: left.found.union(right.found))
    case 4, 5: return Meant(set: left.set - right.set, found: left.found.subtracting(right.found))
    case 6, 7:
      return Meant(set: left.set & right.set, found: left.found.intersection(right.found))
    case 8:
      let radius = Double(number(0...2))
      return filtered(left.set.around(right.set, radius: radius)) {
        world.near($0, right.found, radius)
      }
    case 9:
      // Without areas or ways alone, areas are made first.
      let isArea = right.found.allSatisfy { $0.type == .area || $0.type == .way }
      guard isArea, right.set.asAreas().error != nil || !right.found.isEmpty else { return nil }
      guard !right.found.contains(where: { $0.type == .way }) else { return nil }
      guard right.set.only(.node).error != nil, right.set.only(.relation).error != nil else {
        return nil
      }
      return filtered(left.set.within(right.set)) { world.inside($0, right.found) }
    case 10:
      return filtered(left.set.tag("b", "2")) { world.items[$0]?["b"] == "2" }
    case 11:
      let limit = Int64(number(0...6))
      return filtered(left.set.where(.count(in: right.set) > .number(Double(limit)))) { _ in
        right.found.count { $0.type != .area } > limit
      }
    case 12:
      let recursion = Query.Recursion.allCases[number(0...3)]
      return Meant(
        set: left.set.recurse(recursion), found: world.recursed(recursion, left.found))
    case 13:
      return Meant(
        set: left.set.with(.down), found: left.found.union(world.recursed(.down, left.found)))
    case 14:
      return Meant(
        set: left.set.waysContaining(),
        found: Set(all.filter { $0.type == .way && world.stepLeads(left.found, .bn, to: $0) }))
    default:
      return Meant(
        set: left.set.members(),
        found: Set(all.filter { $0.type != .area && world.stepLeads(left.found, .r, to: $0) }))
    }
  }
}

@Suite struct SetPropertyTests {
  @Test func queriesFindWhatTheSetsMean() throws {
    var checked = 0
    for seed in 0..<1500 as Range<UInt64> {
      let world = SmallWorld(seed: seed % 10)
      var sets = RandomSets(random: SeededGenerator(seed: seed), world: world)
      for _ in 0..<Int(3 + seed % 20) {
        if let next = sets.next(), next.set.error == nil { sets.made.append(next) }
      }
      var query = SetQuery()
      let printed = sets.made.suffix(1 + Int(seed % 3))
      for one in printed { query = query.out(one.set) }
      let built = try query.build()
      let text = try built.ql()
      let found = world.outputs(of: built.statements)
      guard found == printed.map(\.found) else {
        Issue.record("seed \(seed): \(try built.ql(.pretty))")
        return
      }
      #expect(try Query.parse(text) == built, "seed \(seed): \(text)")
      #expect(try query.ql() == text)
      checked += 1
    }
    #expect(checked == 1500)
  }
}
