// What is wrong or missing in the data of a feature: reported as data, never as an error.

import OSMModel

/// The kinds of problems that reconstruction meets. Numbers are stable; the list only grows.
@frozen public enum ProblemKind: UInt8, Sendable, CaseIterable {
  /// A way refers to nodes whose position the answer does not give.
  case missingNodes = 1
  /// A relation has members that the answer does not hold.
  case missingMembers = 2
  /// Nothing of the element's geometry can be built.
  case noGeometry = 3
  /// A ring does not close: the end of a chain of ways.
  case openRing = 4
  /// Two segments cross, touch within one of them, or run along each other.
  case intersection = 5
  /// A segment occurs more than once; pairs of it cancel.
  case duplicateSegment = 6
  /// A relation lists a way more than once.
  case duplicateMember = 7
  /// The member's role says outer, the geometry says inner.
  case roleShouldBeInner = 8
  /// The member's role says inner, the geometry says outer.
  case roleShouldBeOuter = 9
  /// A member that forms a ring has no role.
  case missingRole = 10
  /// A ring of inner members lies outside of every outer ring; it is left out.
  case strayInnerRing = 11
  /// Ends of ways lie at one position but are different nodes.
  case sharedPosition = 12
  /// A chain of segments leads nowhere and was left out.
  case spike = 13
  /// There is no area in what should be a ring.
  case degenerateRing = 14
  /// The search for crossings was given up.
  case tooComplex = 15
  /// Another relation already stands for the same way.
  case repeatedFeature = 16
  /// A relation is, over some of its members, a member of itself.
  case relationCycle = 17

  /// The name used in reports and bindings.
  public var name: StaticString {
    switch self {
    case .missingNodes: "missing-nodes"
    case .missingMembers: "missing-members"
    case .noGeometry: "no-geometry"
    case .openRing: "open-ring"
    case .intersection: "intersection"
    case .duplicateSegment: "duplicate-segment"
    case .duplicateMember: "duplicate-member"
    case .roleShouldBeInner: "role-should-be-inner"
    case .roleShouldBeOuter: "role-should-be-outer"
    case .missingRole: "missing-role"
    case .strayInnerRing: "stray-inner-ring"
    case .sharedPosition: "shared-position"
    case .spike: "spike"
    case .degenerateRing: "degenerate-ring"
    case .tooComplex: "too-complex"
    case .repeatedFeature: "repeated-feature"
    case .relationCycle: "relation-cycle"
    }
  }
}

/// One thing that is wrong or missing, and where.
public struct Problem: Sendable, Hashable {
  public var kind: ProblemKind
  /// The element whose geometry suffers.
  public var element: ElementID
  /// Ids of the ways concerned, at most a few.
  public var ways: [Int64]
  /// Ids of the nodes concerned, at most a few.
  public var nodes: [Int64]
  /// Where it is; ``Coordinate/undefined`` when that is not known.
  public var position: Coordinate

  public init(
    _ kind: ProblemKind, _ element: ElementID, ways: [Int64] = [], nodes: [Int64] = [],
    position: Coordinate = .undefined
  ) {
    self.kind = kind
    self.element = element
    self.ways = ways
    self.nodes = nodes
    self.position = position
  }
}
