// Sets of elements as values: what a question is made of, without any names.

import OSMModel

/// Some of the elements of OpenStreetMap, described by what is asked for and not yet by a query.
///
/// Sets come from a builder, from numbers, from areas; they are composed with `+`, `-` and `&`, and
/// from one set lead steps to others: to nodes of ways, to what lies around or within. ``SetQuery``
/// says what is printed, and writes the query: it gives names to the sets that need one.
///
/// ```swift
/// let stops = Query.nodes().tag("highway", "bus_stop").within(Query.area(named: "Bonn"))
/// let pubs = Query.nodes().tag("amenity", "pub").around(stops, radius: 100)
/// print(try pubs.out(.body).ql())
/// // [out:json];area["name"="Bonn"];node["highway"="bus_stop"](area);
/// // node["amenity"="pub"](around:100);out;
/// ```
///
/// A set is a value, and nothing is ever changed in place. Operations do not throw: the first fault is
/// kept, goes with all sets made from this one, and is thrown when the query is built. Two sets are
/// equal when they are made in the same way; equal sets are computed once in a query.
public struct ElementSet: Sendable {
  let result: Result<SetNode, QueryError>

  /// The first fault of the operations so far.
  public var error: QueryError? {
    if case .failure(let error) = result { error } else { nil }
  }

  init(_ shape: SetShape<SetNode>, types: QueryBuilder.ElementTypes) {
    let node = SetNode(shape, types: types)
    if types.isEmpty {
      result = .failure(QueryError(.noElementType, "a set cannot have any elements"))
    } else if node.depth > Query.Limits.nesting {
      result = .failure(
        QueryError(
          .tooDeep, "a set is made by more than \(Query.Limits.nesting) steps one after another"))
    } else {
      result = .success(node)
    }
  }

  init(_ node: SetNode) { result = .success(node) }

  init(_ error: QueryError) { result = .failure(error) }

  /// A set made from others, or the first fault of them.
  init(
    _ operands: [ElementSet], _ make: ([SetNode]) throws(QueryError) -> ElementSet
  ) {
    do throws(QueryError) {
      var nodes: [SetNode] = []
      for operand in operands { nodes.append(try operand.result.get()) }
      self = try make(nodes)
    } catch {
      self.init(error)
    }
  }

  /// The elements of some kinds that pass the filters.
  init(_ kinds: [Query.ElementKind], _ filters: [SetFilter<SetNode>]) {
    do throws(QueryError) {
      let validator = Validator(hasGlobalBoundingBox: false)
      var queries: [SetNode] = []
      for kind in kinds {
        for filter in filters { try validator.check(filter.filter { _ in "a" }, on: kind) }
        let query = ElementSet(.query(kind, filters), types: .init(kind))
        queries.append(try query.result.get())
      }
      self = ElementSet.union(queries)
    } catch {
      self.init(error)
    }
  }

  /// Unions of unions are merged where the chain gets long, so that a loop may add set by set.
  static func union(_ nodes: [SetNode]) -> ElementSet {
    guard let first = nodes.first else {
      return ElementSet(QueryError(.emptyList, "a union has no members"))
    }
    guard nodes.count > 1 else { return ElementSet(first) }
    var members = nodes
    while members.contains(where: { $0.isUnion && $0.depth > 60 }) {
      members = members.flatMap { node in
        if case .union(let inner) = node.shape, node.depth > 60 { inner } else { [node] }
      }
    }
    let types = members.reduce(into: QueryBuilder.ElementTypes()) { $0.formUnion($1.types) }
    return ElementSet(.union(members), types: types)
  }
}

extension SetNode {
  fileprivate var isUnion: Bool { if case .union = shape { true } else { false } }
}

extension ElementSet: Hashable {
  public static func == (left: ElementSet, right: ElementSet) -> Bool {
    switch (left.result, right.result) {
    case (.failure(let first), .failure(let second)): return first == second
    case (.success(let first), .success(let second)):
      if first === second { return true }
      var interner = SetInterner()
      return interner.number(of: first) == interner.number(of: second)
    default: return false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch result {
    case .failure(let error): hasher.combine(error)
    // Simplified expressions may be equal to others, so only what survives it is hashed.
    case .success(let node): hasher.combine(node.types.rawValue)
    }
  }
}

extension ElementSet: CustomStringConvertible {
  /// The query that prints the set, or what is wrong with it.
  public var description: String { out().description }
}

// MARK: What stands for a set

/// A value that stands for a set: a set itself, or a builder without settings and output.
public protocol ElementSetConvertible {
  var elements: ElementSet { get }
}

extension ElementSet: ElementSetConvertible {
  public var elements: ElementSet { self }
}

extension QueryBuilder: ElementSetConvertible {
  /// What the builder looks for. Settings and output belong to the whole query, so a builder that has
  /// some is refused instead of losing them.
  public var elements: ElementSet {
    if let error { return ElementSet(error) }
    guard !types.kinds.isEmpty else {
      return ElementSet(
        QueryError(
          .noElementType, "no type of element is chosen; choose nodes, ways or relations"))
    }
    guard settings == Query.Settings(output: .json), printing == .init(), output == .standard else {
      return ElementSet(
        QueryError(
          .misplacedStatement,
          "settings and output belong to the query as a whole, not to one of its sets"))
    }
    var all: [SetFilter<SetNode>] = []
    for filter in filters + (area.map { [$0] } ?? []) {
      if let name = filter.firstSet { return ElementSet(.named(name)) }
      all.append(.plain(filter))
    }
    return ElementSet(types.kinds, all)
  }
}

extension QueryError {
  /// A set that was named by hand.
  static func named(_ name: Query.SetName) -> QueryError {
    QueryError(
      .invalidSetName,
      "a filter refers to the set “\(name)”; here sets are values and have no names")
  }
}

// MARK: Where sets come from

extension ElementSet {
  /// The elements with these numbers.
  ///
  /// - Parameter ids: nodes, ways, relations and areas; at least one.
  public init(ids: [ElementID]) {
    let kinds: [(ElementType, Query.ElementKind)] = [
      (.node, .node), (.way, .way), (.relation, .relation), (.area, .area),
    ]
    if let other = ids.first(where: { id in !kinds.contains { $0.0 == id.type } }) {
      self.init(QueryError(.noElementType, "“\(other)” cannot be asked for by its number"))
      return
    }
    var sets: [ElementSet] = []
    for (type, kind) in kinds {
      let numbers = ids.filter { $0.type == type }.map(\.number)
      if !numbers.isEmpty { sets.append(ElementSet([kind], [.plain(.ids(numbers))])) }
    }
    guard !sets.isEmpty else {
      self.init(QueryError(.emptyList, "a list of ids is empty"))
      return
    }
    self.init(sets) { nodes in .union(nodes) }
  }
}

extension Query {
  /// The areas with that name, and with these tags besides. There are often several: levels of
  /// administration help to find the one that is meant.
  ///
  /// ```swift
  /// Query.area(named: "Berlin", tags: ["admin_level": "4"])
  /// ```
  public static func area(
    named name: String, tags: KeyValuePairs<String, String> = [:]
  ) -> ElementSet {
    areas { area in
      tags.reduce(area.tag("name", name)) { $0.tag($1.key, $1.value) }
    }
  }

  /// The areas that pass filters.
  ///
  /// ```swift
  /// Query.areas { $0.tag("ISO3166-1", "MC") }
  /// ```
  public static func areas(_ filters: (QueryBuilder) -> QueryBuilder) -> ElementSet {
    let builder = filters(Query.ways())
    let elements = builder.elements
    if let error = elements.error { return ElementSet(error) }
    return ElementSet(
      [.area], (builder.filters + (builder.area.map { [$0] } ?? [])).map { .plain($0) })
  }

  /// The area of a relation or closed way.
  ///
  /// The server keeps areas of relations under numbers of their own; closed ways are areas themselves.
  public static func area(of element: ElementID) -> ElementSet {
    switch element.type {
    case .way, .area: return ElementSet(ids: [element])
    case .relation:
      if let number = areaID(of: element) {
        return ElementSet(ids: [ElementID(.area, number)])
      }
      return ElementSet(
        QueryError(.invalidNumber, "\(element.number) is no number of a relation"))
    case .node, .derived:
      return ElementSet(QueryError(.noElementType, "only ways and relations are areas"))
    }
  }

  /// The areas in which a position lies.
  public static func areas(latitude: Double, longitude: Double) -> ElementSet {
    guard let position = Coordinate(longitude: longitude, latitude: latitude) else {
      return ElementSet(
        QueryError(
          .invalidPosition, "areas at latitude \(latitude), longitude \(longitude): out of range"))
    }
    return ElementSet(.isIn(position), types: .area)
  }
}
