// What an element set consists of: a graph of operations, and its normal form without duplicates.

import OSMModel

extension QueryBuilder.ElementTypes {
  /// Areas, which builders do not look for.
  static let area = QueryBuilder.ElementTypes(rawValue: 8)

  init(_ kind: Query.ElementKind) {
    self = []
    if kind.includesNodes { insert(.node) }
    if kind.includesWays { insert(.way) }
    if kind.includesRelations { insert(.relation) }
    if kind == .area { insert(.area) }
  }

  /// The kinds of query statements that together find all these types.
  var kinds: [Query.ElementKind] {
    let kind = Query.ElementKind(
      nodes: contains(.node), ways: contains(.way), relations: contains(.relation))
    return (kind.map { [$0] } ?? []) + (contains(.area) ? [.area] : [])
  }

  var words: String {
    let names: [(QueryBuilder.ElementTypes, String)] = [
      (.node, "nodes"), (.way, "ways"), (.relation, "relations"), (.area, "areas"),
    ]
    return names.filter { contains($0.0) }.map(\.1).joined(separator: ", ")
  }
}

/// A filter of a query statement in which other sets stand as values instead of names.
enum SetFilter<Reference> {
  /// A filter that reads no set.
  case plain(Query.Filter)
  /// `.set`
  case member(Reference)
  case around(Reference, radiusMeters: Double)
  case area(Reference)
  case pivot(Reference)
  case recurse(Query.RecurseFilter.Kind, Reference, Query.RecurseFilter.Restriction?)
  /// The names of sets in the evaluator are places in the list: `0`, `1` and so on.
  case evaluator(Query.Evaluator, [Reference])
}

extension SetFilter: Equatable where Reference: Equatable {}
extension SetFilter: Hashable where Reference: Hashable {}
extension SetFilter: Sendable where Reference: Sendable {}

extension SetFilter {
  func map<Other>(_ transform: (Reference) -> Other) -> SetFilter<Other> {
    switch self {
    case .plain(let filter): .plain(filter)
    case .member(let set): .member(transform(set))
    case .around(let set, let radius): .around(transform(set), radiusMeters: radius)
    case .area(let set): .area(transform(set))
    case .pivot(let set): .pivot(transform(set))
    case .recurse(let kind, let set, let restriction):
      .recurse(kind, transform(set), restriction)
    case .evaluator(let evaluator, let sets): .evaluator(evaluator, sets.map(transform))
    }
  }

  /// The filter of the language, given the names of the sets.
  func filter(_ name: (Reference) -> Query.SetName) -> Query.Filter {
    switch self {
    case .plain(let filter): filter
    case .member(let set): .set(name(set))
    case .around(let set, let radius): .around(.init(radiusMeters: radius, center: .set(name(set))))
    case .area(let set): .area(.set(name(set)))
    case .pivot(let set): .pivot(name(set))
    case .recurse(let kind, let set, let restriction):
      .recurse(.init(kind, from: name(set), restriction))
    case .evaluator(let evaluator, let sets):
      .evaluator(
        evaluator.mapSets { place in
          guard let index = Int(place.name), sets.indices.contains(index) else { return place }
          return name(sets[index])
        })
    }
  }
}

/// One operation that gives a set.
enum SetShape<Reference> {
  case query(Query.ElementKind, [SetFilter<Reference>])
  case union([Reference])
  case difference(Reference, minus: Reference)
  case recurse(Query.Recursion, Reference)
  case isIn(Coordinate)
  case areasAt(Reference)
  case mapToArea(Reference)
}

extension SetShape: Equatable where Reference: Equatable {}
extension SetShape: Hashable where Reference: Hashable {}
extension SetShape: Sendable where Reference: Sendable {}

extension SetShape {
  func map<Other>(_ transform: (Reference) -> Other) -> SetShape<Other> {
    switch self {
    case .query(let kind, let filters): .query(kind, filters.map { $0.map(transform) })
    case .union(let members): .union(members.map(transform))
    case .difference(let left, let right): .difference(transform(left), minus: transform(right))
    case .recurse(let recursion, let set): .recurse(recursion, transform(set))
    case .isIn(let position): .isIn(position)
    case .areasAt(let set): .areasAt(transform(set))
    case .mapToArea(let set): .mapToArea(transform(set))
    }
  }
}

/// One operation with its operands. Nodes are shared by all sets that are made from them.
final class SetNode: Sendable {
  let shape: SetShape<SetNode>
  /// The types of elements that can be in the set.
  let types: QueryBuilder.ElementTypes
  /// The longest chain of operands.
  let depth: Int

  init(_ shape: SetShape<SetNode>, types: QueryBuilder.ElementTypes) {
    self.shape = shape
    self.types = types
    var deepest = 0
    _ = shape.map { operand in deepest = max(deepest, operand.depth) }
    depth = deepest + 1
  }
}

extension Array where Element: Hashable {
  /// The first of each of the equal elements, in their order.
  func withoutDuplicates() -> [Element] {
    var known: Set<Element> = []
    return filter { known.insert($0).inserted }
  }
}
