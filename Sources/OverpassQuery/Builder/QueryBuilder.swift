// The fluent builder: from a question in a program to a query.

import OSMModel

/// Builds the queries most programs need, without knowledge of the language.
///
/// A builder is a value: every call returns a changed copy, so a common part can be kept and continued
/// in several ways. Calls do not throw. The first fault is kept and thrown by ``build()``; it can be
/// read before that from ``error``.
///
/// ```swift
/// let cafes = Query.nodes().tag("amenity", "cafe").around(latitude: 52.5, longitude: 13.4, radius: 300)
/// let text = try cafes.timeout(seconds: 25).output(.center).ql()
/// // [out:json][timeout:25];node["amenity"="cafe"](around:300,52.5,13.4);out center;
/// ```
public struct QueryBuilder: Sendable, Hashable {
  /// The types of elements looked for.
  public var types: ElementTypes
  /// Tag filters and others, in the order of the calls. The area is kept apart.
  public private(set) var filters: [Query.Filter] = []
  /// The one area: a box, a circle, a polygon or a named area. A later call replaces it.
  public private(set) var area: Query.Filter?
  public private(set) var settings = Query.Settings(output: .json)
  /// What is printed about the elements found.
  public var output = OutputMode.standard
  public private(set) var printing = Query.Out()
  /// The first fault of the calls so far.
  public private(set) var error: QueryError?

  /// - Parameter types: the types of elements to look for; they can be chosen later.
  public init(_ types: ElementTypes = []) { self.types = types }

  /// Types of OSM elements.
  public struct ElementTypes: OptionSet, Sendable, Hashable {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let node = ElementTypes(rawValue: 1)
    public static let way = ElementTypes(rawValue: 2)
    public static let relation = ElementTypes(rawValue: 4)
    public static let all: ElementTypes = [.node, .way, .relation]
  }

  /// Which elements are printed, and with which geometry.
  public enum OutputMode: String, Sendable, Hashable, CaseIterable {
    /// The elements found; ways and relations refer to nodes and members by number.
    case standard
    /// With the centre of the bounding box.
    case center
    /// With all coordinates.
    case geometry
    /// And all nodes and members they refer to.
    case recurseDown
    /// And all ways and relations that refer to them.
    case recurseUp
    /// And both.
    case recurseUpAndDown
  }

  /// Keeps the first fault only: later ones are often its consequences.
  mutating func fail(_ fault: QueryError) { if error == nil { error = fault } }

  func with(_ change: (inout QueryBuilder) throws(QueryError) -> Void) -> QueryBuilder {
    var copy = self
    do throws(QueryError) { try change(&copy) } catch { copy.fail(error) }
    return copy
  }

  mutating func append(_ filter: Query.Filter) { filters.append(filter) }

  mutating func setArea(_ filter: Query.Filter) { area = filter }
}

// MARK: Starting points

extension Query {
  /// A builder that looks for nodes.
  public static func nodes() -> QueryBuilder { QueryBuilder(.node) }
  public static func ways() -> QueryBuilder { QueryBuilder(.way) }
  public static func relations() -> QueryBuilder { QueryBuilder(.relation) }
  /// A builder that looks for elements of several types; for all of them by default.
  public static func elements(_ types: QueryBuilder.ElementTypes = .all) -> QueryBuilder {
    QueryBuilder(types)
  }
}

// MARK: Settings and output

extension QueryBuilder {
  /// Adds a filter of the language that has no method of its own here.
  public func filter(_ filter: Query.Filter) -> QueryBuilder {
    with { builder in builder.append(filter) }
  }

  /// How long the server may work.
  ///
  /// - Parameter seconds: above 0; a fraction counts as a whole second.
  public func timeout(seconds: Double) -> QueryBuilder {
    with { builder throws(QueryError) in
      guard seconds > 0, seconds < 4e9 else {
        throw QueryError(
          .invalidTimeout, "a timeout of \(seconds) s; it has to be a positive number of seconds")
      }
      builder.settings.timeoutSeconds = Int64(seconds.rounded(.up))
    }
  }

  public func timeout(seconds: Int) -> QueryBuilder { timeout(seconds: Double(seconds)) }

  /// How much memory the server may use.
  public func maxsize(bytes: Int64) -> QueryBuilder {
    with { builder throws(QueryError) in
      guard bytes > 0 else {
        throw QueryError(.invalidMaxsize, "a memory limit of \(bytes) bytes; it has to be positive")
      }
      builder.settings.maxsizeBytes = bytes
    }
  }

  /// The same in units of 1 048 576 bytes.
  public func maxsize(mebibytes: Int64) -> QueryBuilder {
    with { builder throws(QueryError) in
      let (bytes, overflow) = mebibytes.multipliedReportingOverflow(by: 1 << 20)
      guard bytes > 0, !overflow else {
        throw QueryError(
          .invalidMaxsize, "a memory limit of \(mebibytes) MiB; it has to be positive")
      }
      builder.settings.maxsizeBytes = bytes
    }
  }

  /// The format of the answer; JSON unless told otherwise.
  public func format(_ format: Query.OutputFormat) -> QueryBuilder {
    with { builder in builder.settings.output = format }
  }

  /// The data as of that moment: `2020-04-27` or `2020-04-27T12:00:00Z`.
  public func date(_ text: String) -> QueryBuilder {
    with { builder throws(QueryError) in
      guard let moment = Query.Timestamp(dateOrTime: text), moment.isPlausible else {
        throw QueryError(.invalidTimestamp, "“\(text)” is no date; write 2020-04-27T00:00:00Z")
      }
      builder.settings.time = .date(moment)
    }
  }

  public func output(_ mode: OutputMode) -> QueryBuilder {
    with { builder in builder.output = mode }
  }

  /// How much is printed of each element.
  public func verbosity(_ verbosity: Query.Out.Verbosity) -> QueryBuilder {
    with { builder in builder.printing.verbosity = verbosity }
  }

  public func order(_ order: Query.Out.Order) -> QueryBuilder {
    with { builder in builder.printing.order = order }
  }

  /// Prints at most so many elements.
  public func limit(_ count: Int) -> QueryBuilder {
    with { builder throws(QueryError) in
      guard count > 0, count <= UInt32.max else {
        throw QueryError(.invalidLimit, "a limit of \(count) elements; it has to be positive")
      }
      builder.printing.limit = Int64(count)
    }
  }

  // MARK: The query

  /// The query.
  ///
  /// - Throws: ``QueryError``: the first fault of the calls, ``QueryError/Kind/noElementType``,
  ///   ``QueryError/Kind/unrestricted`` if there is neither a filter nor an area.
  public func build() throws(QueryError) -> Query {
    if let error { throw error }
    guard
      let kind = Query.ElementKind(
        nodes: types.contains(.node), ways: types.contains(.way),
        relations: types.contains(.relation))
    else {
      throw QueryError(
        .noElementType, "no type of element is chosen; choose nodes, ways or relations")
    }
    var query = Query(settings: settings)
    query.statements.append(.query(.init(kind, filters + (area.map { [$0] } ?? []))))
    var out = printing
    switch output {
    case .standard: break
    case .center: out.geometry = .center
    case .geometry: out.geometry = .geom
    case .recurseDown: query.statements.append(.union([.item(), .recurse(.down)]))
    case .recurseUp: query.statements.append(.union([.item(), .recurse(.up)]))
    case .recurseUpAndDown:
      query.statements.append(.union([.item(), .recurse(.up), .recurse(.down)]))
    }
    query.statements.append(.out(out))
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

extension QueryBuilder: CustomStringConvertible {
  /// The query as Overpass QL, or what is wrong with it.
  public var description: String {
    do throws(QueryError) { return try ql() } catch { return "(" + error.message + ")" }
  }
}
