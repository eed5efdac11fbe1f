// From sets as values to the statements that compute them.

/// Writes the statements for sets: each set once, inside of the statement that uses it where that is
/// its only use, and filters of filters as one query statement.
struct SetCompiler {
  private let sets: SetInterner
  private var shapes: [SetShape<Int>] { sets.shapes }
  /// How often a set is what a query statement starts from, and how often it is used otherwise.
  private var startingUses: [Int]
  private var otherUses: [Int]

  private var statements: [Query.Statement] = []
  private var written: Set<Int> = []
  private var flattened: [Int: (kind: Query.ElementKind, filters: [SetFilter<Int>])] = [:]

  /// Deeper than this, sets get names: nobody wants to read more brackets inside each other.
  private static let inlineDepth = 4

  /// The statements that print sets.
  static func statements(
    printing outputs: [(set: SetNode, out: Query.Out)], hasGlobalBoundingBox: Bool
  ) -> [Query.Statement] {
    var sets = SetInterner(hasGlobalBoundingBox: hasGlobalBoundingBox)
    let numbered = outputs.map { (sets.number(of: $0.set), $0.out) }
    var compiler = SetCompiler(sets, roots: numbered.map(\.0))
    for (number, out) in numbered {
      var out = out
      out.from = compiler.name(of: number)
      compiler.statements.append(.out(out))
    }
    return SetNaming.apply(to: compiler.statements)
  }

  private init(_ sets: SetInterner, roots: [Int]) {
    self.sets = sets
    let shapes = sets.shapes
    var starting = Array(repeating: 0, count: shapes.count)
    var other = starting
    for root in roots { other[root] += 1 }
    // Simplification may have left operations behind that nothing uses.
    var isUsed = other.map { $0 > 0 }
    for number in shapes.indices.reversed() where isUsed[number] {
      if case .query(_, let filters) = shapes[number] {
        for case .member(let set) in filters {
          starting[set] += 1
          other[set] -= 1
        }
      }
      _ = shapes[number].map { operand in
        other[operand] += 1
        isUsed[operand] = true
      }
    }
    startingUses = starting
    otherUses = other
  }

  // MARK: Statements

  /// The provisional name of the set, after its statement has been written.
  private mutating func name(of number: Int) -> Query.SetName {
    let name = Query.SetName(String(number))
    if written.insert(number).inserted {
      statements.append(statement(for: number, into: name, depth: 0))
    }
    return name
  }

  /// The set as part of another statement.
  private mutating func operand(_ number: Int, depth: Int) -> Query.Statement {
    if isUsedOnce(number), depth < Self.inlineDepth {
      statement(for: number, into: .default, depth: depth + 1)
    } else {
      .item(from: name(of: number))
    }
  }

  private func isUsedOnce(_ number: Int) -> Bool {
    startingUses[number] + otherUses[number] == 1
  }

  private mutating func statement(
    for number: Int, into: Query.SetName, depth: Int
  ) -> Query.Statement {
    switch shapes[number] {
    case .query:
      let (kind, filters) = flatten(number)
      return .query(.init(kind, filters.map { filter($0) }, into: into))
    case .union(let members): return union(of: members, into: into, depth: depth)
    case .difference: return difference(number, into: into, depth: depth)
    case .recurse(let recursion, let set):
      return .recurse(recursion, from: name(of: set), into: into)
    case .isIn(let position): return .isIn(position, into: into)
    case .areasAt(let set): return .isIn(from: name(of: set), into: into)
    case .mapToArea(let set): return .mapToArea(from: name(of: set), into: into)
    }
  }

  private mutating func union(
    of sets: [Int], into: Query.SetName, depth: Int
  ) -> Query.Statement {
    let members = parts(of: sets).map { operand($0, depth: depth) }
    return .union(Self.inOrder(members), into: into)
  }

  /// The members of unions that are used by nothing but the union around them, which may be several.
  private func parts(of sets: [Int]) -> [Int] {
    var result: [Int] = []
    var pending = Array(sets.reversed())
    while let next = pending.popLast() {
      if case .union(let members) = shapes[next], isUsedOnce(next) {
        pending.append(contentsOf: members.reversed())
      } else {
        result.append(next)
      }
    }
    return result.withoutDuplicates()
  }

  /// Sets with names come first, where the default set still holds what it held before.
  private static func inOrder(_ members: [Query.Statement]) -> [Query.Statement] {
    func isItem(_ member: Query.Statement) -> Bool {
      if case .item = member { true } else { false }
    }
    return members.filter { isItem($0) } + members.filter { !isItem($0) }
  }

  /// `a - b - c` as `a - (b + c)`. What is removed from a bounded set is searched for in that set
  /// alone instead of on the whole planet.
  private mutating func difference(
    _ number: Int, into: Query.SetName, depth: Int
  ) -> Query.Statement {
    var first = number
    var removed: [Int] = []
    while case .difference(let left, let right) = shapes[first],
      first == number || isUsedOnce(first)
    {
      first = left
      removed.append(right)
    }
    removed = parts(of: removed.reversed())
    func isSearchedForInFirst(_ set: Int) -> Bool {
      guard case .query = shapes[set], isUsedOnce(set), sets.isUnbounded[set] else { return false }
      return !sets.isUnbounded[first] && !sets.types[set].isDisjoint(with: sets.types[first])
    }
    let left: Query.Statement
    var right: [Query.Statement] = []
    if removed.contains(where: isSearchedForInFirst) {
      let name = name(of: first)
      left = .item(from: name)
      for set in removed {
        if isSearchedForInFirst(set) {
          let (kind, filters) = flatten(set)
          right.append(.query(.init(kind, [.set(name)] + filters.map { filter($0) })))
        } else {
          right.append(operand(set, depth: depth + 1))
        }
      }
    } else {
      left = operand(first, depth: depth)
      let isUnion = removed.count > 1
      for set in removed { right.append(operand(set, depth: isUnion ? depth + 1 : depth)) }
    }
    return .difference(
      left, minus: right.count == 1 ? right[0] : .union(Self.inOrder(right)), into: into)
  }

  // MARK: Filters

  private mutating func filter(_ filter: SetFilter<Int>) -> Query.Filter {
    if case .area(let set) = filter, case .query(.area, let filters) = shapes[set],
      filters.count == 1, case .plain(.ids(let numbers)) = filters[0], numbers.count == 1
    {
      return .area(.id(numbers[0]))
    }
    var names: [Int: Query.SetName] = [:]
    _ = filter.map { set in names[set] = name(of: set) }
    return filter.filter { set in names[set] ?? .default }
  }

  /// The query statement for a query, with the filters of the queries from which it starts where one
  /// statement can do all the work. Names of sets come first.
  private mutating func flatten(
    _ number: Int
  ) -> (kind: Query.ElementKind, filters: [SetFilter<Int>]) {
    if let known = flattened[number] { return known }
    guard case .query(let kind, let filters) = shapes[number] else {
      return (.nwr, [.member(number)])
    }
    var members: [SetFilter<Int>] = []
    var joined: [SetFilter<Int>] = []
    let own = filters.filter { !$0.isMember }
    for case .member(let set) in filters {
      if canJoin(set) {
        let more = flatten(set).filters
        if !excludes(own + joined, more.filter { !$0.isMember }) {
          members += more.filter(\.isMember)
          joined += more.filter { !$0.isMember }
          continue
        }
      }
      members.append(.member(set))
    }
    let result = (kind, (members + joined + own).withoutDuplicates())
    flattened[number] = result
    return result
  }

  /// Whether a query is better repeated within those that start from it than computed by itself: if
  /// nothing else needs its result, and it has one use or would have to look at the whole planet.
  private func canJoin(_ number: Int) -> Bool {
    guard case .query = shapes[number], otherUses[number] == 0 else { return false }
    return startingUses[number] == 1 || sets.isUnbounded[number]
  }

  /// Whether both lists have a filter of a kind that is safe only once in a statement.
  private func excludes(_ left: [SetFilter<Int>], _ right: [SetFilter<Int>]) -> Bool {
    let kinds = Set(left.compactMap(\.exclusiveKind))
    return right.contains { filter in
      filter.exclusiveKind.map { kinds.contains($0) && !left.contains(filter) } ?? false
    }
  }
}

/// Kinds of filters that stand at most once in a statement. The server intersects tags, areas and
/// circles; of other filters it is not documented.
private enum ExclusiveKind: Hashable {
  case ids, outline, newer, changed, users, pivot
  case recurse
}

extension SetFilter {
  fileprivate var isMember: Bool { if case .member = self { true } else { false } }

  fileprivate var exclusiveKind: ExclusiveKind? {
    switch self {
    case .plain(.ids): .ids
    case .plain(.boundingBox), .plain(.polygon): .outline
    case .plain(.newer): .newer
    case .plain(.changed): .changed
    case .plain(.users), .plain(.userIDs): .users
    case .pivot: .pivot
    case .recurse: .recurse
    case .plain, .member, .around, .area, .evaluator: nil
    }
  }
}
