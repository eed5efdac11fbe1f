// The normal form of sets: equal expressions as one, and filters where they limit a search.

/// Numbers the operations so that equal expressions have one number, whoever made them.
struct SetInterner {
  private(set) var shapes: [SetShape<Int>] = []
  private(set) var types: [QueryBuilder.ElementTypes] = []
  /// Whether the set as it stands would be searched for on the whole planet.
  private(set) var isUnbounded: [Bool] = []
  private let hasGlobalBoundingBox: Bool
  private var numbers: [SetShape<Int>: Int] = [:]
  private var visited: [ObjectIdentifier: Int] = [:]
  /// How many more filters may be moved into compositions. Nested compositions could grow without
  /// end.
  private var budget = 1000

  init(hasGlobalBoundingBox: Bool = false) { self.hasGlobalBoundingBox = hasGlobalBoundingBox }

  /// The number of the expression. Operands have lower numbers.
  mutating func number(of node: SetNode) -> Int {
    if let known = visited[ObjectIdentifier(node)] { return known }
    let shape: SetShape<Int> = node.shape.map { operand in self.number(of: operand) }
    let new = self.number(ofShape: shape, types: node.types)
    visited[ObjectIdentifier(node)] = new
    return new
  }

  private mutating func number(
    ofShape original: SetShape<Int>, types: QueryBuilder.ElementTypes
  ) -> Int {
    var shape = original
    switch original {
    case .union(let members):
      let distinct = members.withoutDuplicates()
      if distinct.count == 1 { return distinct[0] }
      shape = .union(distinct)
    case .query(let kind, let filters):
      let distinct = filters.withoutDuplicates()
      if distinct.count == 1, case .member(let set) = distinct[0], self.types[set] == types {
        return set
      }
      if let moved = moveIntoComposition(kind, distinct) { return moved }
      shape = .query(kind, distinct)
    default: break
    }
    if let number = numbers[shape] { return number }
    shapes.append(shape)
    self.types.append(types)
    isUnbounded.append(isUnbounded(shape))
    numbers[shape] = shapes.count - 1
    return shapes.count - 1
  }

  /// `(a + b)` with a filter is the filtered `a` and the filtered `b`; the same for `a` in `a - b`.
  /// That is done if the composition alone would be searched for on the whole planet.
  private mutating func moveIntoComposition(
    _ kind: Query.ElementKind, _ filters: [SetFilter<Int>]
  ) -> Int? {
    guard
      let place = filters.firstIndex(where: { filter in
        guard case .member(let set) = filter, isUnbounded[set] else { return false }
        if case .query = shapes[set] { return false }
        return true
      }), case .member(let set) = filters[place], budget > 0
    else { return nil }
    budget -= 1
    let wanted = QueryBuilder.ElementTypes(kind)
    switch shapes[set] {
    case .union(let members):
      var parts: [Int] = []
      for member in members {
        if let part = filtered(member, wanted, filters, place) { parts.append(part) }
      }
      return number(ofUnion: parts)
    case .difference(let left, let right):
      guard let part = filtered(left, wanted, filters, place) else { return nil }
      return number(ofShape: .difference(part, minus: right), types: types[part])
    default: return nil
    }
  }

  /// The member of the composition with the filters of the whole; `nil` if it has none of the types.
  private mutating func filtered(
    _ member: Int, _ wanted: QueryBuilder.ElementTypes, _ filters: [SetFilter<Int>], _ place: Int
  ) -> Int? {
    var filters = filters
    filters[place] = .member(member)
    var parts: [Int] = []
    for kind in types[member].intersection(wanted).kinds {
      parts.append(number(ofShape: .query(kind, filters), types: .init(kind)))
    }
    return number(ofUnion: parts)
  }

  private mutating func number(ofUnion parts: [Int]) -> Int? {
    guard !parts.isEmpty else { return nil }
    var all: QueryBuilder.ElementTypes = []
    for part in parts { all.formUnion(types[part]) }
    return number(ofShape: .union(parts), types: all)
  }

  private func isUnbounded(_ shape: SetShape<Int>) -> Bool {
    switch shape {
    case .query(_, let filters):
      if hasGlobalBoundingBox, !filters.isEmpty { return false }
      return filters.allSatisfy { filter in
        switch filter {
        case .plain(.ids), .plain(.boundingBox), .plain(.polygon), .plain(.around), .plain(.area),
          .around, .area, .pivot, .recurse:
          false
        case .plain, .evaluator: true
        case .member(let set): isUnbounded[set]
        }
      }
    case .union(let members): return members.contains { isUnbounded[$0] }
    case .difference(let left, _): return isUnbounded[left]
    case .recurse, .isIn, .areasAt, .mapToArea: return false
    }
  }
}
