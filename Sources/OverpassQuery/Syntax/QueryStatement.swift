// The query statement, the heart of the language: a kind of elements and filters on them.

extension Query {
  /// `node["amenity"="cafe"](51,0,52,1)->.into;`
  ///
  /// An element is found if it passes all filters. Their order carries no meaning to the server, but
  /// it is kept. Without any filter the statement is valid only under a global bounding box.
  ///
  /// Source: Overpass QL, "The query statement"
  public struct QueryStatement: Sendable, Hashable {
    public var kind: ElementKind
    public var filters: [Filter]
    public var into: SetName

    public init(_ kind: ElementKind, _ filters: [Filter] = [], into: SetName = .default) {
      self.kind = kind
      self.filters = filters
      self.into = into
    }
  }

  /// What a query statement looks for. The raw value is the word in both languages; Overpass QL
  /// knows `rel` for ``relation`` besides.
  public enum ElementKind: String, Sendable, Hashable, CaseIterable {
    case node, way, relation
    /// Nodes, ways and relations.
    case nwr
    /// Nodes and ways.
    case nw
    /// Nodes and relations.
    case nr
    /// Ways and relations.
    case wr
    /// Areas and closed ways, which serve as areas.
    case area
    /// Elements that `make` and `convert` have made.
    case derived
  }
}

extension Query.ElementKind {
  /// Whether nodes, ways or relations respectively belong to the kind.
  public var includesNodes: Bool {
    switch self {
    case .node, .nwr, .nw, .nr: true
    case .way, .relation, .wr, .area, .derived: false
    }
  }

  public var includesWays: Bool {
    switch self {
    case .way, .nwr, .nw, .wr: true
    case .node, .relation, .nr, .area, .derived: false
    }
  }

  public var includesRelations: Bool {
    switch self {
    case .relation, .nwr, .nr, .wr: true
    case .node, .way, .nw, .area, .derived: false
    }
  }

  /// The kind that covers exactly the types wanted; `nil` for none.
  public init?(nodes: Bool, ways: Bool, relations: Bool) {
    switch (nodes, ways, relations) {
    case (true, true, true): self = .nwr
    case (true, true, false): self = .nw
    case (true, false, true): self = .nr
    case (false, true, true): self = .wr
    case (true, false, false): self = .node
    case (false, true, false): self = .way
    case (false, false, true): self = .relation
    case (false, false, false): return nil
    }
  }
}
