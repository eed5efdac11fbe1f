// What the statements of a query read, write and print.

extension QueryChecker {
  mutating func walk(_ statements: [Query.Statement]) {
    for statement in statements { walk(statement) }
  }

  mutating func walk(_ statement: Query.Statement) {
    let index = entered
    entered += 1
    switch statement {
    case .query(let query):
      checkQuery(query, at: index)
      write(query.into, contents(of: query), at: index)
    case .item(let from, let into):
      read(from, at: index)
      if from != into { write(into, contents[from] ?? [], at: index) }
    case .union(let members, let into):
      var held: Contents = []
      for member in members {
        // Within a union every member sees the default set as it was before.
        let before = contents[.default]
        walk(member)
        held.formUnion(member.into.flatMap { contents[$0] } ?? [])
        if member.into == .default { contents[.default] = before }
      }
      write(into, held, at: index)
    case .difference(let left, let right, let into):
      let before = contents[.default]
      walk(left)
      let held = left.into.flatMap { contents[$0] } ?? []
      contents[.default] = before
      walk(right)
      write(into, held, at: index)
    case .recurse(let recursion, let from, let into):
      read(from, at: index)
      let isDown = recursion == .down || recursion == .downRelations
      if isDown { hasDescent = true }
      write(into, isDown ? [.ways, .nodesOfWays] : [.ways, .relations], at: index)
    case .foreach(let from, let into, let body):
      read(from, at: index)
      write(into, contents[from] ?? [], at: index)
      walk(body)
    case .for(let evaluator, let from, let into, let body):
      read(from, at: index)
      check(evaluator, at: index)
      write(into, contents[from] ?? [], at: index)
      walk(body)
    case .complete(_, let from, let into, let body):
      read(from, at: index)
      write(into, contents[from] ?? [], at: index)
      walk(body)
    case .if(let condition, let then, let otherwise):
      check(condition, at: index)
      walk(then)
      walk(otherwise)
    case .retro(let moment, let body):
      check(moment, at: index)
      walk(body)
    case .compare(let delta, let from, let into, let body):
      read(from, at: index)
      if let delta { check(delta, at: index) }
      write(into, contents[from] ?? [], at: index)
      walk(body)
    case .timeline(_, _, let into): write(into, [], at: index)
    case .local(_, _, let from, let into):
      read(from, at: index)
      write(into, [], at: index)
    case .make(_, let properties, let into):
      checkProperties(properties, at: index)
      write(into, [], at: index)
    case .convert(_, let properties, let from, let into):
      read(from, at: index)
      checkProperties(properties, at: index)
      write(into, [], at: index)
    case .isIn(let position, let from, let into):
      if position == nil { read(from, at: index) }
      write(into, [], at: index)
    case .mapToArea(let from, let into):
      read(from, at: index)
      write(into, [], at: index)
    case .out(let out): checkOut(out, at: index)
    }
  }

  private mutating func checkOut(_ out: Query.Out, at index: Int) {
    hasOut = true
    read(out.from, at: index)
    if let before = printed[out.from], before.boundingBox == out.boundingBox {
      warn(.repeatedOut, "the set “\(out.from)” has been printed already", at: index)
    }
    printed[out.from] = out
    let held = contents[out.from] ?? []
    let showsReferences =
      out.verbosity == .body || out.verbosity == .skel || out.verbosity == .meta
    if showsReferences, out.geometry == .none, !held.contains(.nodesOfWays),
      !held.isDisjoint(with: [.ways, .relations])
    {
      bareOuts.append((index, held))
    }
  }

  private func contents(of query: Query.QueryStatement) -> Contents {
    var held: Contents = []
    if query.kind.includesWays { held.insert(.ways) }
    if query.kind.includesRelations { held.insert(.relations) }
    for case .set(let name) in query.filters {
      if let known = contents[name] { held.formIntersection(known.union(.nodesOfWays)) }
      if query.kind.includesNodes, contents[name]?.contains(.nodesOfWays) == true {
        held.insert(.nodesOfWays)
      }
    }
    return held
  }

  private mutating func checkProperties(_ properties: [Query.Property], at index: Int) {
    for property in properties {
      switch property {
      case .tag(let key, let value):
        check(blanks: key, "the key", at: index)
        check(value, at: index)
      case .omit(let key): check(blanks: key, "the key", at: index)
      case .id(let value), .geometry(let value): check(value, at: index)
      case .generic(let from, let value):
        if let from { read(from, at: index) }
        check(value, at: index)
      }
    }
  }

  // MARK: Queries

  private mutating func checkQuery(_ query: Query.QueryStatement, at index: Int) {
    for filter in query.filters { check(filter, at: index) }
    guard !hasGlobalBox else { return }
    if !query.filters.contains(where: { $0.limitsSearch }) {
      // The server lets relations pass.
      guard query.kind != .relation else { return }
      warn(
        .wideQuery,
        "the server finds these filters too weak for “\(query.kind.rawValue)”; add an area, a tag or the like",
        at: index)
    } else if query.kind != .area, query.kind != .derived,
      !query.filters.contains(where: { $0.limitsPlace || $0.isSelective })
    {
      warn(
        .wideQuery,
        "“\(query.kind.rawValue)” is looked for on the whole planet; limit the place or ask for a value",
        at: index)
    }
  }

  private mutating func check(_ filter: Query.Filter, at index: Int) {
    switch filter {
    case .tag(let tag): check(tag, at: index)
    case .around(let around): if case .set(let name) = around.center { read(name, at: index) }
    case .area(.set(let name)), .pivot(let name), .set(let name), .related(_, let name):
      read(name, at: index)
      if case .related(let recursion, _) = filter, recursion == .down || recursion == .downRelations
      {
        hasDescent = true
      }
    case .recurse(let step):
      read(step.from, at: index)
      if step.kind == .w || step.kind == .r { hasDescent = true }
    case .newer(let moment): check(moment, at: index)
    case .changed(.between(let since, let until)):
      check(since, at: index)
      check(until, at: index)
    case .evaluator(let evaluator): check(evaluator, at: index)
    case .boundingBox, .polygon, .ids, .area(.id), .changed, .users, .userIDs: break
    }
  }

  private mutating func check(_ tag: Query.TagFilter, at index: Int) {
    let key: String
    switch tag {
    case .exists(let name): key = name
    case .equals(let name, let value), .notEquals(let name, let value):
      key = name
      if value.isEmpty {
        warn(
          .ignored, "the server drops the comparison of “\(name)” with an empty value", at: index)
      }
      check(blanks: value, "the value", at: index)
      check(macros: value, at: index)
    case .matches(let name, let pattern), .notMatches(let name, let pattern):
      key = name
      if pattern.text.isEmpty {
        warn(
          .ignored, "with an empty pattern the server only asks whether “\(name)” exists", at: index
        )
      }
      check(macros: pattern.text, at: index)
    case .keyMatches(let name, let pattern):
      key = name
      check(macros: pattern.text, at: index)
    }
    check(blanks: key, "the key", at: index)
    check(macros: key, at: index)
  }

  /// In a string the server takes a macro for ordinary text.
  private mutating func check(macros text: String, at index: Int) {
    guard let macro = Query.firstMacro(in: text) else { return }
    warn(
      .unexpandedMacro, "“\(macro)” looks like a macro of overpass turbo that was not expanded",
      at: index)
  }

  // MARK: Evaluators

  private mutating func check(_ evaluator: Query.Evaluator, at index: Int) {
    var evaluator = evaluator
    while case .binary(_, let left, let right) = evaluator {
      check(right, at: index)
      evaluator = left
    }
    switch evaluator {
    case .setKey(let name, _), .count(let name, _): read(name, at: index)
    case .aggregate(_, let name, let argument):
      read(name, at: index)
      check(argument, at: index)
    case .tag(let inner), .function(_, let inner), .perMember(_, let inner), .not(let inner),
      .negate(let inner):
      check(inner, at: index)
    case .listFunction(_, let first, let second), .point(let first, let second),
      .binary(_, let first, let second):
      check(first, at: index)
      check(second, at: index)
    case .linestring(let parts), .polygon(let parts):
      for part in parts { check(part, at: index) }
    case .conditional(let condition, let then, let otherwise):
      check(condition, at: index)
      check(then, at: index)
      check(otherwise, at: index)
    case .isTag(let key): check(blanks: key, "the key", at: index)
    case .fixed, .element, .generic, .countTags, .countMembers, .countByRole, .member: break
    }
  }
}

extension Query.Filter {
  /// Whether the server can use the filter to find elements; others only test what was found.
  var limitsSearch: Bool {
    switch self {
    case .tag(.exists), .tag(.matches), .tag(.keyMatches): true
    case .tag(.equals(_, let value)): !value.isEmpty
    case .tag(.notEquals), .tag(.notMatches), .newer, .evaluator: false
    case .boundingBox, .polygon, .ids, .around, .area, .pivot, .recurse, .related, .changed, .users,
      .userIDs, .set:
      true
    }
  }

  /// Whether the filter asks for a place or for elements already at hand.
  var limitsPlace: Bool {
    switch self {
    case .boundingBox, .polygon, .ids, .around, .area, .pivot, .recurse, .related, .set: true
    case .tag, .newer, .changed, .users, .userIDs, .evaluator: false
    }
  }

  /// Whether the filter picks few elements even without a place.
  var isSelective: Bool {
    switch self {
    case .tag(.equals(_, let value)): !value.isEmpty
    case .users, .userIDs, .changed: true
    default: false
    }
  }
}
