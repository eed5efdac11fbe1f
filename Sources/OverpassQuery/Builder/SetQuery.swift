// Whole queries from sets: what is printed of which set, and the settings.

import OSMModel

/// A query about element sets: what is printed, in which order, and under which settings.
///
/// Like a builder it is a value; calls return changed copies, and the first fault is kept and thrown
/// by ``build()``.
///
/// ```swift
/// let routes = Query.relations().tag("route", "tram").within(Query.area(named: "Helsinki"))
/// let query = routes.out(.tags).out(routes.members(.node, role: "stop"), .skel).timeout(seconds: 60)
/// ```
public struct SetQuery: Sendable {
  private var outputs: [(set: ElementSet, out: Query.Out)] = []
  public private(set) var settings = Query.Settings(output: .json)
  /// The first fault of the calls so far.
  public private(set) var error: QueryError?

  /// A query that prints nothing yet.
  public init() {}

  private func with(_ change: (inout SetQuery) throws(QueryError) -> Void) -> SetQuery {
    var copy = self
    do throws(QueryError) {
      try change(&copy)
    } catch {
      if copy.error == nil { copy.error = error }
    }
    return copy
  }

  /// Takes settings over from a builder, which checks them.
  private func with(_ change: (QueryBuilder) -> QueryBuilder) -> SetQuery {
    with { query throws(QueryError) in
      let builder = change(QueryBuilder())
      if let error = builder.error { throw error }
      if builder.settings.timeoutSeconds != nil {
        query.settings.timeoutSeconds = builder.settings.timeoutSeconds
      }
      if builder.settings.maxsizeBytes != nil {
        query.settings.maxsizeBytes = builder.settings.maxsizeBytes
      }
      if builder.settings.time != nil { query.settings.time = builder.settings.time }
    }
  }
}

// MARK: Output

extension SetQuery {
  /// Prints a set after what is printed already.
  ///
  /// - Parameters:
  ///   - verbosity: how much of each element; `.count` prints numbers alone.
  ///   - geometry: which geometry of ways and relations.
  ///   - limit: at most so many elements, above 0.
  ///   - boundingBox: only geometry in or near this box.
  public func out(
    _ set: some ElementSetConvertible, _ verbosity: Query.Out.Verbosity = .body,
    _ geometry: Query.Out.Geometry = .none, order: Query.Out.Order = .id, limit: Int? = nil,
    boundingBox: BoundingBox? = nil
  ) -> SetQuery {
    with { query throws(QueryError) in
      if let limit, limit <= 0 || limit > UInt32.max {
        throw QueryError(.invalidLimit, "a limit of \(limit) elements; it has to be positive")
      }
      let set = set.elements
      if let error = set.error { throw error }
      query.outputs.append(
        (
          set,
          Query.Out(
            verbosity, geometry, order: order, limit: limit.map { Int64($0) },
            boundingBox: boundingBox)
        ))
    }
  }

  /// Prints how many elements a set has.
  public func count(_ set: some ElementSetConvertible) -> SetQuery { out(set, .count) }
}

extension ElementSetConvertible {
  /// A query that prints the set; see ``SetQuery/out(_:_:_:order:limit:boundingBox:)``.
  public func out(
    _ verbosity: Query.Out.Verbosity = .body, _ geometry: Query.Out.Geometry = .none,
    order: Query.Out.Order = .id, limit: Int? = nil, boundingBox: BoundingBox? = nil
  ) -> SetQuery {
    SetQuery().out(
      self, verbosity, geometry, order: order, limit: limit, boundingBox: boundingBox)
  }

  /// A query that prints how many elements the set has.
  public func count() -> SetQuery { out(.count) }
}

// MARK: Settings

extension SetQuery {
  /// How long the server may work.
  ///
  /// - Parameter seconds: above 0; a fraction counts as a whole second.
  public func timeout(seconds: Double) -> SetQuery { with { $0.timeout(seconds: seconds) } }
  public func timeout(seconds: Int) -> SetQuery { with { $0.timeout(seconds: seconds) } }

  /// How much memory the server may use.
  public func maxsize(bytes: Int64) -> SetQuery { with { $0.maxsize(bytes: bytes) } }
  /// The same in units of 1 048 576 bytes.
  public func maxsize(mebibytes: Int64) -> SetQuery { with { $0.maxsize(mebibytes: mebibytes) } }

  /// The data as of that moment: `2020-04-27` or `2020-04-27T12:00:00Z`.
  public func date(_ text: String) -> SetQuery { with { $0.date(text) } }

  /// The format of the answer; JSON unless told otherwise.
  public func format(_ format: Query.OutputFormat) -> SetQuery {
    with { query in query.settings.output = format }
  }

  /// The box to which sets without bounds of their own are restricted. It applies to every statement
  /// of the query, also to nodes of ways and the like.
  public func boundingBox(_ box: BoundingBox) -> SetQuery {
    with { query throws(QueryError) in
      try Validator(hasGlobalBoundingBox: false).check(box, of: "the settings")
      query.settings.boundingBox = box
    }
  }

  /// The same from its sides in degrees. `west > east` crosses the antimeridian.
  public func boundingBox(
    south: Double, west: Double, north: Double, east: Double
  ) -> SetQuery {
    with { query throws(QueryError) in
      query.settings.boundingBox =
        try BoundingBox(south: south, west: west, north: north, east: east)
    }
  }
}

// MARK: The query

extension SetQuery {
  /// The query; equal sets give the same statements in the same order.
  ///
  /// - Throws: ``QueryError``: the first fault of the sets and calls,
  ///   ``QueryError/Kind/unrestricted`` if a set would be the whole planet,
  ///   ``QueryError/Kind/invalidOutput`` if nothing is printed.
  public func build() throws(QueryError) -> Query {
    if let error { throw error }
    guard !outputs.isEmpty else {
      throw QueryError(.invalidOutput, "the query prints nothing; say what with out")
    }
    var nodes: [(set: SetNode, out: Query.Out)] = []
    for (set, out) in outputs { nodes.append((try set.result.get(), out)) }
    let query = Query(
      settings: settings,
      statements: SetCompiler.statements(
        printing: nodes, hasGlobalBoundingBox: settings.boundingBox != nil))
    try query.validate()
    return query
  }

  /// The query as Overpass QL.
  public func ql(_ layout: Query.Layout = .compact) throws(QueryError) -> String {
    try build().ql(layout)
  }

  /// The query in the XML form.
  public func xml(_ layout: Query.Layout = .compact) throws(QueryError) -> String {
    try build().xml(layout)
  }
}

extension SetQuery: Hashable {
  public static func == (left: SetQuery, right: SetQuery) -> Bool {
    left.settings == right.settings && left.error == right.error
      && left.outputs.elementsEqual(right.outputs) { $0 == $1 }
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(settings)
    hasher.combine(error)
    for (_, out) in outputs { hasher.combine(out) }
  }
}

extension SetQuery: CustomStringConvertible {
  /// The query as Overpass QL, or what is wrong with it.
  public var description: String {
    do throws(QueryError) { return try ql() } catch { return "(" + error.message + ")" }
  }
}
