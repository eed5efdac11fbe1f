// The `out` statement.

import OSMModel

extension Query {
  /// `.from out body geom(…) qt 100;`
  ///
  /// Source: Overpass QL, "The print action"
  public struct Out: Sendable, Hashable {
    public var from: SetName
    public var verbosity: Verbosity
    public var geometry: Geometry
    public var order: Order
    /// At most so many elements.
    public var limit: Int64?
    /// `noids`
    public var omitsIDs: Bool
    /// `(south,west,north,east)`: only geometry in or near this box is printed.
    public var boundingBox: BoundingBox?

    public init(
      _ verbosity: Verbosity = .body, _ geometry: Geometry = .none, order: Order = .id,
      limit: Int64? = nil, omitsIDs: Bool = false, boundingBox: BoundingBox? = nil,
      from: SetName = .default
    ) {
      self.from = from
      self.verbosity = verbosity
      self.geometry = geometry
      self.order = order
      self.limit = limit
      self.omitsIDs = omitsIDs
      self.boundingBox = boundingBox
    }
  }
}

extension Query.Out {
  /// How much is printed of an element.
  public enum Verbosity: String, Sendable, Hashable, CaseIterable {
    /// Numbers alone.
    case ids
    /// Without tags.
    case skel
    /// All but metadata.
    case body
    /// Tags without coordinates, nodes or members.
    case tags
    /// With version, time, changeset and user.
    case meta
    /// How many elements there are.
    case count

    /// The value of `mode` in the XML form.
    var xmlName: StaticString {
      switch self {
      case .ids: "ids_only"
      case .skel: "skeleton"
      case .body: "body"
      case .tags: "tags"
      case .meta: "meta"
      case .count: "count"
      }
    }
  }

  /// Which geometry is printed with ways and relations.
  public enum Geometry: String, Sendable, Hashable, CaseIterable {
    case none = ""
    /// All coordinates, and the bounding box.
    case geom
    /// The bounding box.
    case bb
    /// The centre of the bounding box.
    case center

    /// The value of `geometry` in the XML form.
    var xmlName: StaticString {
      switch self {
      case .none: "skeleton"
      case .geom: "full"
      case .bb: "bounds"
      case .center: "center"
      }
    }
  }

  public enum Order: String, Sendable, Hashable, CaseIterable {
    /// By type and number.
    case id = "asc"
    /// By location; quicker for the server.
    case quadtile = "qt"
  }
}
