// Composing sets, and the steps and filters that lead from one set to another.

import OSMModel

// MARK: Composition

extension ElementSetConvertible {
  /// The elements of both sets.
  public func union(_ other: some ElementSetConvertible) -> ElementSet {
    ElementSet([elements, other.elements]) { nodes in .union(nodes) }
  }

  /// The elements of this set that are not in the other.
  public func subtracting(_ other: some ElementSetConvertible) -> ElementSet {
    ElementSet([elements, other.elements]) { nodes in
      ElementSet(.difference(nodes[0], minus: nodes[1]), types: nodes[0].types)
    }
  }

  /// The elements that are in both sets.
  public func intersection(_ other: some ElementSetConvertible) -> ElementSet {
    ElementSet([elements, other.elements]) { nodes throws(QueryError) in
      let types = nodes[0].types.intersection(nodes[1].types)
      guard !types.isEmpty else {
        throw QueryError(
          .noElementType,
          "\(nodes[0].types.words) and \(nodes[1].types.words) have nothing in common")
      }
      return ElementSet(types.kinds, nodes.map { .member($0) })
    }
  }

  public static func + (left: Self, right: some ElementSetConvertible) -> ElementSet {
    left.union(right)
  }

  public static func - (left: Self, right: some ElementSetConvertible) -> ElementSet {
    left.subtracting(right)
  }

  public static func & (left: Self, right: some ElementSetConvertible) -> ElementSet {
    left.intersection(right)
  }
}

extension ElementSet {
  /// The elements of all these sets.
  ///
  /// - Parameter sets: at least one.
  public static func union(of sets: [ElementSet]) -> ElementSet {
    ElementSet(sets) { nodes in union(nodes) }
  }
}

// MARK: Filters

extension ElementSetConvertible {
  private func filtered(_ filters: SetFilter<SetNode>...) -> ElementSet {
    ElementSet([elements]) { nodes in
      ElementSet(nodes[0].types.kinds, [.member(nodes[0])] + filters)
    }
  }

  private func filtered(
    by other: ElementSet, _ make: (SetNode) throws(QueryError) -> SetFilter<SetNode>
  ) -> ElementSet {
    ElementSet([elements, other]) { nodes throws(QueryError) in
      ElementSet(nodes[0].types.kinds, [.member(nodes[0]), try make(nodes[1])])
    }
  }

  /// The elements of some types.
  public func only(_ types: QueryBuilder.ElementTypes) -> ElementSet {
    ElementSet([elements]) { nodes throws(QueryError) in
      let rest = nodes[0].types.intersection(types)
      guard !rest.isEmpty else {
        throw QueryError(
          .noElementType, "there are no \(types.words) among \(nodes[0].types.words)")
      }
      return ElementSet(rest.kinds, [.member(nodes[0])])
    }
  }

  /// The elements that are in the other set too; another word for ``intersection(_:)``.
  public func restricted(to other: some ElementSetConvertible) -> ElementSet {
    intersection(other)
  }

  /// The elements within a distance of those of another set: of its nodes and of the lines of its
  /// ways.
  ///
  /// - Parameter radius: metres, 0 or more.
  public func around(_ other: some ElementSetConvertible, radius: Double) -> ElementSet {
    filtered(by: other.elements) { center throws(QueryError) in
      guard center.types != .area else {
        throw QueryError(
          .noElementType, "nothing is around areas; take the ways and relations they are made from")
      }
      return .around(center, radiusMeters: radius)
    }
  }

  /// The elements in the areas of another set: areas, closed ways, or relations that are areas.
  public func within(_ areas: some ElementSetConvertible) -> ElementSet {
    filtered(by: areas.elements.usableAsAreas) { .area($0) }
  }

  /// The elements that pass a filter of the language that reads no set.
  public func filter(_ filter: Query.Filter) -> ElementSet {
    if let name = filter.firstSet { return ElementSet(.named(name)) }
    return filtered(.plain(filter))
  }

  /// The elements on which the condition is true.
  public func `where`(_ condition: ElementValue) -> ElementSet {
    if let name = condition.foreignSet { return ElementSet(.named(name)) }
    return ElementSet([elements] + condition.sets) { nodes in
      ElementSet(
        nodes[0].types.kinds,
        [.member(nodes[0]), .evaluator(condition.evaluator, Array(nodes.dropFirst()))])
    }
  }

  /// The elements on which a condition in Overpass QL is true, for example `count_tags()>3` or
  /// `stops.count(nodes)>2`.
  ///
  /// - Parameter sets: what the names of sets in the condition stand for. They are places for values
  ///   and do not show up in the query.
  public func `where`(ql condition: String, sets: [String: ElementSet] = [:]) -> ElementSet {
    do throws(QuerySyntaxError) {
      let query = try Query.parse("nwr(if:" + condition + "\n);")
      guard query.settings.isEmpty, query.statements.count == 1,
        case .query(let statement) = query.statements[0], statement.filters.count == 1,
        statement.into == .default, case .evaluator(let evaluator) = statement.filters[0]
      else {
        return ElementSet(
          QueryError(.invalidEvaluator, "“\(condition)” is more than one condition"))
      }
      return self.where(ElementValue(evaluator, sets: sets))
    } catch {
      let reason = error.diagnostics.first?.message ?? "it cannot be read"
      return ElementSet(
        QueryError(.invalidEvaluator, "“\(condition)” is no condition: \(reason)"))
    }
  }

  /// The elements that were changed at that moment or later: `2020-04-27` or `2020-04-27T12:00:00Z`.
  public func newer(than moment: String) -> ElementSet {
    withMoments([moment]) { .newer($0[0]) }
  }

  /// The elements that were changed after that moment, also those that have changed back since.
  public func changed(since moment: String) -> ElementSet {
    withMoments([moment]) { .changed(.since($0[0])) }
  }

  /// The elements that were changed after the first, up to the second moment.
  public func changed(from first: String, to second: String) -> ElementSet {
    withMoments([first, second]) { .changed(.between($0[0], $0[1])) }
  }

  private func withMoments(
    _ texts: [String], _ make: ([Query.Timestamp]) -> Query.Filter
  ) -> ElementSet {
    var moments: [Query.Timestamp] = []
    for text in texts {
      guard let moment = Query.Timestamp(dateOrTime: text), moment.isPlausible else {
        return ElementSet(
          QueryError(.invalidTimestamp, "“\(text)” is no date; write 2020-04-27T00:00:00Z"))
      }
      moments.append(moment)
    }
    return filtered(.plain(make(moments)))
  }

  /// The elements that one of these users changed last, or, with `ever`, at any time.
  public func edited(byUsers names: [String], ever: Bool = false) -> ElementSet {
    filtered(.plain(.users(names, touched: ever)))
  }

  /// The same by the numbers of users.
  public func edited(byUserIDs numbers: [Int64], ever: Bool = false) -> ElementSet {
    filtered(.plain(.userIDs(numbers, touched: ever)))
  }
}

extension ElementSet {
  /// The elements that have the key, with any value. For other conditions on tags, `&` takes a
  /// builder: `set & Query.nodes().tag("name", contains: "inn")`.
  public func tag(_ key: String) -> ElementSet { tags { $0.tag(key) } }

  /// The elements on which the key has exactly this value.
  public func tag(_ key: String, _ value: String) -> ElementSet { tags { $0.tag(key, value) } }

  /// The elements that do not have the key.
  public func withoutTag(_ key: String) -> ElementSet { tags { $0.withoutTag(key) } }

  /// The elements that pass the filters of a builder, whose types play no part.
  public func tags(_ filters: (QueryBuilder) -> QueryBuilder) -> ElementSet {
    let builder = filters(Query.elements())
    return ElementSet([self, builder.elements]) { nodes in
      let added = builder.filters + (builder.area.map { [$0] } ?? [])
      return ElementSet(nodes[0].types.kinds, [.member(nodes[0])] + added.map { .plain($0) })
    }
  }

  /// The set itself if its elements serve as areas, or else with the areas made from its relations.
  fileprivate var usableAsAreas: ElementSet {
    ElementSet([self]) { nodes in
      let types = nodes[0].types
      guard types.contains(.relation) else {
        return types.isDisjoint(with: [.area, .way]) ? asAreas() : self
      }
      guard types.contains(.area) else { return asAreas() }
      return only([.area, .way]) + only(.relation).asAreas()
    }
  }
}

// MARK: Steps

extension ElementSetConvertible {
  /// What a recursion of the language leads to: down to nodes and members, or up to ways and
  /// relations. The set itself is not part of it; ``with(_:)`` adds it.
  public func recurse(_ recursion: Query.Recursion) -> ElementSet {
    ElementSet([elements]) { nodes throws(QueryError) in
      let from = nodes[0].types
      var types: QueryBuilder.ElementTypes = []
      switch recursion {
      case .down, .downRelations:
        if from.contains(.way) { types.insert(.node) }
        if from.contains(.relation) { types.formUnion([.node, .way]) }
        if from.contains(.relation), recursion == .downRelations { types.insert(.relation) }
      case .up, .upRelations:
        if from.contains(.node) { types.formUnion([.way, .relation]) }
        if from.contains(.way) { types.insert(.relation) }
        if from.contains(.relation), recursion == .upRelations { types.insert(.relation) }
      }
      guard !types.isEmpty else {
        throw QueryError(
          .invalidRecursion, "“\(recursion.rawValue)” leads nowhere from \(from.words)")
      }
      return ElementSet(.recurse(recursion, nodes[0]), types: types)
    }
  }

  /// The set together with what the recursion leads to.
  public func with(_ recursion: Query.Recursion) -> ElementSet { union(recurse(recursion)) }

  /// What one step of the language leads to, for example `way(bn.set)`.
  ///
  /// - Parameters:
  ///   - kind: where the set stands in the step.
  ///   - target: what is looked for.
  public func step(
    _ kind: Query.RecurseFilter.Kind, to target: Query.ElementKind,
    _ restriction: Query.RecurseFilter.Restriction? = nil
  ) -> ElementSet {
    ElementSet([elements]) { nodes throws(QueryError) in
      guard nodes[0].types.contains(kind.origin) else {
        throw QueryError(
          .invalidRecursion,
          "(\(kind.rawValue)) leads nowhere from \(nodes[0].types.words)")
      }
      return ElementSet([target], [.recurse(kind, nodes[0], restriction)])
    }
  }

  /// The nodes of the ways in the set.
  ///
  /// - Parameter positions: which nodes of each way: 1 the first, -1 the last; all by default.
  public func nodesOfWays(at positions: [Int64] = []) -> ElementSet {
    step(.w, to: .node, positions.isEmpty ? nil : .positions(positions))
  }

  /// The nodes that a number of ways of the set share.
  ///
  /// - Parameter ways: how many at least.
  public func nodesShared(byWays ways: Int64) -> ElementSet {
    step(.wayCount, to: .node, .count(ways, nil))
  }

  /// The members of the relations in the set.
  ///
  /// - Parameters:
  ///   - types: of the members.
  ///   - role: only members with that role; the empty role is a role.
  public func members(
    _ types: QueryBuilder.ElementTypes = .all, role: String? = nil
  ) -> ElementSet {
    guard let kind = types.kinds.first, kind != .area else {
      return ElementSet(QueryError(.noElementType, "members of no type are asked for"))
    }
    return step(.r, to: kind, role.map { .role($0) })
  }

  /// The ways that have a node of the set.
  public func waysContaining() -> ElementSet { step(.bn, to: .way) }

  /// The relations that have a member in the set.
  ///
  /// - Parameter role: only as a member with that role.
  public func relationsContaining(role: String? = nil) -> ElementSet {
    ElementSet([elements]) { nodes throws(QueryError) in
      let kinds: [Query.RecurseFilter.Kind] = [.bn, .bw, .br]
      var steps: [SetNode] = []
      for kind in kinds where nodes[0].types.contains(kind.origin) {
        steps.append(
          try step(kind, to: .relation, role.map { .role($0) }).result.get())
      }
      guard !steps.isEmpty else {
        throw QueryError(
          .invalidRecursion, "\(nodes[0].types.words) are no members of relations")
      }
      return .union(steps)
    }
  }

  /// The areas that the ways and relations of the set make.
  public func asAreas() -> ElementSet {
    ElementSet([elements]) { nodes throws(QueryError) in
      guard !nodes[0].types.isDisjoint(with: [.way, .relation]) else {
        throw QueryError(.noElementType, "\(nodes[0].types.words) make no areas")
      }
      return ElementSet(.mapToArea(nodes[0]), types: .area)
    }
  }

  /// The areas in which the nodes of the set lie.
  public func enclosingAreas() -> ElementSet {
    ElementSet([elements]) { nodes throws(QueryError) in
      guard nodes[0].types.contains(.node) else {
        throw QueryError(
          .invalidRecursion, "areas are found around nodes, not around \(nodes[0].types.words)")
      }
      return ElementSet(.areasAt(nodes[0]), types: .area)
    }
  }

  /// The ways and relations from which the areas of the set were made.
  public func pivots(_ types: QueryBuilder.ElementTypes = [.way, .relation]) -> ElementSet {
    ElementSet([elements]) { nodes throws(QueryError) in
      guard nodes[0].types.contains(.area) else {
        throw QueryError(.invalidRecursion, "\(nodes[0].types.words) are made from nothing else")
      }
      guard !types.kinds.isEmpty else {
        throw QueryError(.noElementType, "pivots of no type are asked for")
      }
      return ElementSet(types.kinds, [.pivot(nodes[0])])
    }
  }
}

extension Query.RecurseFilter.Kind {
  /// What has to be in the set from which the step starts.
  fileprivate var origin: QueryBuilder.ElementTypes {
    switch self {
    case .w, .bw, .wayCount, .wayLink: .way
    case .r, .br: .relation
    case .bn: .node
    }
  }
}
