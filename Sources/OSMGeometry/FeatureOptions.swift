// How features are made of elements: the profiles and what the caller may choose.

/// A set of conventions for features.
@frozen public enum FeatureProfile: UInt8, Sendable, CaseIterable {
  /// Our own: present tagging practice, one feature per element, nothing drawn across gaps.
  case `default` = 0
  /// The conventions of osmtogeojson, for those who rely on its output: its area list, its
  /// identities (a simple multipolygon is its outer way), its lines across missing nodes.
  case osmtogeojson = 1
}

/// Which nodes are features.
@frozen public enum NodeSelection: UInt8, Sendable, CaseIterable {
  /// Nodes with interesting tags, nodes that no way uses, and what the profile adds to that:
  /// `default` nodes that the query printed on their own, `osmtogeojson` members of relations.
  case auto = 0
  /// Nodes with interesting tags only.
  case tagged = 1
  /// Every node that has a position.
  case all = 2
}

/// What a caller may choose about features.
public struct FeatureOptions: Sendable {
  public var profile: FeatureProfile = .default
  public var nodes: NodeSelection = .auto
  public var repair: Repair = .largest
  /// Added to ``uninteresting`` or the profile's own list.
  public var uninterestingTags: [UninterestingTag] = []
  /// Replaces the profile's list of tags that say nothing.
  public var uninteresting: UninterestingTags?
  /// Replaces the profile's rules for closed ways.
  public var areaRules: AreaRules?
  /// Whether an element of which the answer gives no more than its bounding box becomes a
  /// rectangle, marked as such: one on each side of the antimeridian where the box goes over it, a
  /// line or point where the box has no width or height. `nil` leaves it to the profile:
  /// osmtogeojson does, `default` does not.
  public var drawsBounds: Bool?
  /// Whether geometries over the antimeridian are cut at ±180° (RFC 7946 §3.1.9). `nil` leaves it to
  /// the profile: `default` cuts, osmtogeojson does not, except for boxes (``drawsBounds``).
  public var cutsAntimeridian: Bool?
  /// Leaves out elements, tagged or not, that help to draw another one: nodes of ways, ways and
  /// relations of which a relation's area or line is made.
  public var omitsParts = false
  /// Makes a geometry collection of the members of every relation that stands for no area and no
  /// line of its own: relations of types not known here, and those of which
  /// ``FeatureProfile/looseRelationTypes`` tells. Relations among the members give their areas and
  /// lines, or their members in turn.
  public var collectsOtherRelations = false
  /// Draws routes over roundabouts and other closed ways from where they come in to where they go out;
  /// without this each is a line of its own.
  public var followsRoundabouts = false
  /// Gives a closed way that should be an area but crosses itself as a polygon with its raw ring,
  /// marked by ``GeometryInfo/isValid``; without this it is a line.
  public var keepsInvalidRings = false
  /// Whether a ring of inner members outside of every outer ring is left out (see
  /// ``RingAssembler/rolesDecideStrayRings``).
  public var rolesDecideStrayRings = true

  public init() {}

  public init(profile: FeatureProfile, nodes: NodeSelection = .auto) {
    self.profile = profile
    self.nodes = nodes
  }
}

extension FeatureProfile {
  /// The profile's rules for closed ways.
  public var areaRules: AreaRules {
    switch self {
    case .default: .current
    case .osmtogeojson: .osmPolygonFeatures
    }
  }

  /// The profile's list of tags that say nothing.
  public var uninterestingTags: UninterestingTags {
    switch self {
    case .default: .current
    case .osmtogeojson: .osmtogeojson
    }
  }

  /// Relations that stand for an area.
  var areaRelationTypes: [String] { ["multipolygon", "boundary"] }

  /// Relations that stand for lines.
  var lineRelationTypes: [String] {
    switch self {
    case .osmtogeojson: ["route", "waterway"]
    case .default:
      [
        "route", "waterway", "route_master", "superroute", "associatedStreet", "street", "railway",
        "restriction",
      ]
    }
  }

  /// Relations that tie things together rather than draw one. Where ways mark their perimeter, that
  /// is their area; otherwise their ways are their lines, as far as they have any.
  var looseRelationTypes: [String] {
    switch self {
    case .osmtogeojson: []
    case .default: ["site", "public_transport"]
    }
  }

  /// Roles of ways that do not belong to the line of a relation.
  var excludedLineRoles: [String] {
    switch self {
    case .osmtogeojson: []
    case .default:
      [
        "platform", "platform_entry_only", "platform_exit_only", "stop", "stop_entry_only",
        "stop_exit_only", "house", "address", "addr:houselink", "station",
      ]
    }
  }
}
