// The filters of a query statement other than those on tags.

import OSMModel

extension Query {
  /// A condition on an element.
  ///
  /// Source: Overpass QL, "The query filters"
  public enum Filter: Sendable, Hashable {
    /// `["key"="value"]` and its sisters.
    case tag(TagFilter)
    /// `(south,west,north,east)`
    case boundingBox(BoundingBox)
    /// `(poly:"lat lon lat lon …")`: at least three positions, the ring closes itself.
    case polygon([Coordinate])
    /// `(1)`, `(id:1,2,3)`: any of these numbers. Zero is no number of an element.
    case ids([Int64])
    /// `(around:radius)`, `(around.set:radius,lat,lon,…)`
    case around(Around)
    /// `(area)`, `(area.set)`, `(area:3600000000)`
    case area(AreaReference)
    /// `(pivot.set)`: the element from which an area was made.
    case pivot(SetName = .default)
    /// `(w)`, `(r:"outer")`, `(bn.set:1,-1)`: related by one step to elements of a set.
    case recurse(RecurseFilter)
    /// `(>)`, `(<<.set)`: related to elements of a set as by the standalone statement.
    case related(Recursion, SetName = .default)
    /// `(newer:"…")`: changed at that moment or later.
    case newer(Timestamp)
    /// `(changed:"…","…")`: changed within a span of time.
    case changed(ChangedFilter)
    /// `(user:"…","…")`: last changed by one of these users; `(user_touched:…)`: changed by one of
    /// them at any time.
    case users([String], touched: Bool = false)
    /// `(uid:1,2)`, `(uid_touched:1,2)`: the same by numbers.
    case userIDs([Int64], touched: Bool = false)
    /// `(if:…)`: the evaluator is true on the element.
    case evaluator(Evaluator)
    /// `.set`: in that set too.
    case set(SetName)
  }

  /// A distance in metres from positions or from the elements of a set.
  public struct Around: Sendable, Hashable {
    public enum Center: Sendable, Hashable {
      /// The elements of a set: nodes and the lines of ways and relations.
      case set(SetName)
      /// One position, or a line through several.
      case line([Coordinate])
    }

    /// At least 0.
    public var radiusMeters: Double
    public var center: Center

    public init(radiusMeters: Double, center: Center = .set(.default)) {
      self.radiusMeters = radiusMeters
      self.center = center
    }
  }

  /// Areas in which an element lies.
  public enum AreaReference: Sendable, Hashable {
    /// The areas and closed ways of a set.
    case set(SetName)
    /// The area with that number: 3600000000 plus the number of a relation.
    case id(Int64)
  }

  /// The span of time of ``Filter/changed(_:)``.
  public enum ChangedFilter: Sendable, Hashable {
    /// `(changed)`: between the two moments of the diff in the settings.
    case automatic
    /// `(changed:"init")`: ever.
    case initial
    /// `(changed:"a","b")`: after the first, up to the second moment. Two equal moments mean
    /// ``since(_:)``, as they do to the server.
    case between(Timestamp, Timestamp)

    /// `(changed:"a")`: after that moment, up to now.
    public static func since(_ moment: Timestamp) -> ChangedFilter { .between(moment, moment) }
  }

  /// A relation of one step between the element and the elements of a set.
  public struct RecurseFilter: Sendable, Hashable {
    /// The raw value is the word in Overpass QL.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
      /// A node of a way in the set.
      case w
      /// A member of a relation in the set.
      case r
      /// A way or relation with a node in the set.
      case bn
      /// A relation with a way in the set.
      case bw
      /// A relation with a relation in the set.
      case br
      /// A node that this many ways of the set use.
      case wayCount = "way_cnt"
      /// A node at which this many segments of the ways of the set end.
      case wayLink = "way_link"
    }

    /// What else has to hold for the step.
    public enum Restriction: Sendable, Hashable {
      /// The role of the member; the empty role is a role.
      case role(String)
      /// The place of the node in the way: 1 the first, -1 the last. Never 0.
      case positions([Int64])
      /// At least the first, at most the second number; the first is at least 1.
      case count(Int64, Int64?)
    }

    public var kind: Kind
    public var from: SetName
    public var restriction: Restriction?

    public init(_ kind: Kind, from: SetName = .default, _ restriction: Restriction? = nil) {
      self.kind = kind
      self.from = from
      self.restriction = restriction
    }
  }
}

extension Query.RecurseFilter {
  /// Whether the server knows this step for that kind of elements.
  func applies(to element: Query.ElementKind) -> Bool {
    switch kind {
    case .w, .wayCount, .wayLink: element == .node
    case .r: element != .area && element != .derived
    case .bn: element == .way || element == .relation || element == .wr
    case .bw, .br: element == .relation
    }
  }

  /// Whether the server knows this restriction for this step and that kind of elements.
  func allowsRestriction(on element: Query.ElementKind) -> Bool {
    switch restriction {
    case nil: true
    case .role: kind == .r || element == .relation
    case .positions: kind == .w || (kind == .bn && element == .way)
    case .count: kind == .wayCount || kind == .wayLink
    }
  }
}
