// Whether the answers for the tiles, united, are the answer for the box: how sets depend on the box.

import OSMModel
import OverpassQuery

/// Follows the sets of a query from statement to statement.
///
/// A statement that looks at one set which depends on the box can be asked tile by tile: what it finds
/// for the parts of the set is what it finds for the whole set. With two of them it can only where what
/// they have in common lies in the tile. `node[a](box)->.a; node[b](around.a:500)(box);`, for example,
/// misses what is near an element beyond the border of its tile.
struct TileDependence {
  /// How the elements of a set depend on the tile.
  private enum Kind: Int, Comparable {
    /// Not at all.
    case fixed
    /// They are those elements of the set for the box that meet the tile.
    case inside
    /// Each element of the set for the box is there for one tile at least.
    case covered

    static func < (a: Kind, b: Kind) -> Bool { a.rawValue < b.rawValue }
  }

  let box: BoundingBox
  /// Whether the statements without a box of their own are restricted too.
  let isGlobal: Bool
  private(set) var obstacle: String?
  private var kinds: [Query.SetName: Kind] = [:]

  init(box: BoundingBox, isGlobal: Bool) {
    self.box = box
    self.isGlobal = isGlobal
  }

  mutating func visit(_ statements: [Query.Statement]) {
    for statement in statements { visit(statement) }
  }

  private mutating func visit(_ statement: Query.Statement) {
    switch statement {
    case .query(let query): kinds[query.into] = kind(of: query)
    case .item(let from, let into): kinds[into] = kind(from)
    case .union(let members, let into):
      var all: Set<Kind> = []
      for member in members {
        visit(member)
        if let set = member.into { all.insert(kind(set)) }
      }
      // Elements that are there for all tiles do not meet each of them.
      kinds[into] = all.count == 1 ? all.first : all.isEmpty ? .fixed : .covered
    case .recurse(_, let from, let into), .isIn(nil, let from, let into),
      .mapToArea(let from, let into):
      kinds[into] = kind(from) == .fixed ? .fixed : .covered
    case .isIn(.some, _, let into): kinds[into] = .fixed
    case .foreach(let from, let into, let body):
      // Sets of one round are seen by the next one.
      for _ in 0..<3 {
        kinds[into] = kind(from)
        visit(body)
      }
    case .retro(_, let body): visit(body)
    case .out: break
    // These are refused for what they are.
    case .difference, .for, .complete, .if, .compare, .timeline, .local, .make, .convert: break
    }
  }

  private func kind(_ set: Query.SetName) -> Kind { kinds[set] ?? .fixed }

  private mutating func kind(of query: Query.QueryStatement) -> Kind {
    // What the statement looks at, and whether that meets the tile wherever a found element does.
    var found: [(kind: Kind, isShared: Bool)] = []
    var isInTile = false
    var hasOwnBox = false
    for filter in query.filters {
      switch filter {
      case .boundingBox(let own):
        hasOwnBox = true
        isInTile = isInTile || own == box
      case .set(let set):
        if kind(set) == .inside { isInTile = true } else { found.append((kind(set), false)) }
      case .recurse(let step):
        found.append((kind(step.from), step.isShared(by: query.kind)))
        if step.dependsOnSeveral, kind(step.from) == .covered { refuse() }
      case .around(let around):
        if case .set(let set) = around.center { found.append((kind(set), false)) }
      case .area(.set(let set)), .pivot(let set), .related(_, let set):
        found.append((kind(set), false))
      case .evaluator(let evaluator):
        if evaluator.sets.contains(where: { kind($0) != .fixed }) {
          obstacle = "what it finds depends on all elements of a set together"
        }
      case .tag, .polygon, .ids, .area(.id), .newer, .changed, .users, .userIDs: break
      }
    }
    // Areas are not restricted by the settings.
    if isGlobal, !hasOwnBox, query.kind != .area { isInTile = true }
    found.removeAll { $0.kind == .fixed }
    guard isInTile else {
      if found.count > 1 { refuse() }
      return found.isEmpty ? .fixed : .covered
    }
    if found.allSatisfy({ $0.kind == .inside && $0.isShared }) { return .inside }
    // Whoever holds an element that meets the tile meets it, too.
    if found.count > 1 || !query.filters.contains(where: isUpwards) { refuse() }
    return .covered
  }

  private func isUpwards(_ filter: Query.Filter) -> Bool {
    guard case .recurse(let step) = filter else { return false }
    return (step.kind == .bn || step.kind == .bw) && kind(step.from) == .inside
  }

  private mutating func refuse() {
    obstacle = "it relates elements that may lie in different tiles"
  }
}

extension Query.RecurseFilter {
  /// Whether the elements of the set meet each place that the elements found by them meet.
  fileprivate func isShared(by element: Query.ElementKind) -> Bool {
    switch kind {
    case .w, .wayCount, .wayLink: true
    // A relation need not be where the members of its members are.
    case .r: !element.includesRelations
    case .bn, .bw, .br: false
    }
  }

  /// Whether several elements of the set decide together.
  fileprivate var dependsOnSeveral: Bool { kind == .wayCount || kind == .wayLink }
}

extension Query.Evaluator {
  /// The sets that its value depends on as a whole.
  fileprivate var sets: [Query.SetName] {
    switch self {
    case .setKey(let set, _), .count(let set, _): [set]
    case .aggregate(_, let set, let argument): [set] + argument.sets
    case .tag(let inner), .function(_, let inner), .perMember(_, let inner), .not(let inner),
      .negate(let inner):
      inner.sets
    case .listFunction(_, let first, let second), .point(let first, let second),
      .binary(_, let first, let second):
      first.sets + second.sets
    case .linestring(let parts), .polygon(let parts): parts.flatMap(\.sets)
    case .conditional(let condition, let then, let otherwise):
      condition.sets + then.sets + otherwise.sets
    case .isTag, .fixed, .element, .generic, .countTags, .countMembers, .countByRole, .member: []
    }
  }
}
