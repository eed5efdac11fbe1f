// Builds polygons from the segments of ways, whatever the ways' order, direction and roles.

import OSMModel

/// What becomes of data from which no sound area follows directly.
@frozen public enum Repair: UInt8, Sendable, CaseIterable {
  /// Any fault in the rings leaves the element without an area.
  case none = 0
  /// Rings that are valid on their own are kept; what is open, crosses or cancels is left out.
  case largest = 1
  /// Beyond `largest`: segments are split where others touch them, repeated lines count once, and
  /// a gap between two lone ends is closed.
  case full = 2
}

/// The role of a way in an area.
@frozen public enum RingRole: UInt8, Sendable {
  case outer = 0
  case inner = 1
  /// No role at all.
  case empty = 2
  case other = 3
}

/// What ``RingAssembler/assemble(into:repair:)`` found.
public struct AssemblyResult: Sendable, Equatable {
  /// Whether an area was built.
  public var hasArea = false
  /// Whether parts of the input were left out because they form no valid ring.
  public var isPartial = false

  public init() {}

  init(isPartial: Bool) { self.isPartial = isPartial }
}

/// Assembles areas from loose segments.
///
/// The even-odd rule decides what is inside: a point is, when a line from it to the outside crosses
/// an odd number of segments. So roles and the order and direction of ways do not matter, and two
/// rings that share an edge merge. The steps:
///
/// 1. sort the segments, cancel equal ones pairwise;
/// 2. drop what does not close;
/// 3. sweep from west to east: find crossings, and for every segment whether the area lies above it;
/// 4. walk around each face with the area on the left, and split walks where they touch themselves;
/// 5. hand each hole to the ring around it.
///
/// The result is valid by OGC Simple Features §6.1.11: rings are simple and touch in points only,
/// and the interior of each polygon is connected. It does not depend on the order of the input.
///
/// One assembler is used for many areas: it keeps its memory.
///
/// - Complexity: O(n log n) for n segments without crossings.
public struct RingAssembler {
  /// One straight piece of a way, from west to east.
  struct RawSegment {
    var low: UInt64
    var high: UInt64
    var lowNode: Int64
    var highNode: Int64
    var way: UInt32
  }

  struct Segment {
    /// Vertices, numbered from west to east: `low < high`.
    var low: UInt32
    var high: UInt32
    var way: UInt32
    var lowNode: Int64
    var highNode: Int64
  }

  struct Way {
    var id: Int64
    var role: RingRole
  }

  /// Stands for "no segment", "no ring".
  static let none = UInt32.max

  /// The element that problems are reported for.
  var element = ElementID(.way, 0)
  var ways: [Way] = []
  var raw: [RawSegment] = []
  var segments: [Segment] = []
  var vertices: [Coordinate] = []
  var degrees: [UInt32] = []
  var ends: [VertexEnd] = []

  // The sweep.
  var status: [UInt32] = []
  var starting: [UInt32] = []
  var isForward: [Bool] = []
  var below: [UInt32] = []

  // The walks.
  var incidenceStarts: [UInt32] = []
  var incidences: [UInt32] = []
  /// For both ends of each segment, its place in `incidences`.
  var placesAtLow: [UInt32] = []
  var placesAtHigh: [UInt32] = []
  var stackPlace: [Int32] = []
  var stack: [UInt32] = []
  var walk: [UInt32] = []
  var isVisited: [Bool] = []
  var rings: [Ring] = []
  var ringSegments: [UInt32] = []
  var ringOfSegment: [UInt32] = []
  var order: [RingPlace] = []
  var reportedWays: [Bool] = []

  /// What went wrong, in the order it was found. The caller empties it.
  public internal(set) var problems: [Problem] = []
  /// Whether problems are collected at all.
  public var collectsProblems = false
  /// Whether a ring of members with role `inner` outside of all others is left out. Otherwise it
  /// becomes an area, as in libosmium.
  public var rolesDecideStrayRings = true
  /// Whether areas over the antimeridian are cut at ±180°, as RFC 7946 §3.1.9 asks.
  public var cutsAntimeridian = true
  /// Whether the segments at hand lie on a map with the antimeridian in its middle.
  var isTurned = false

  public init() {}

  /// Starts a new area.
  public mutating func begin(_ element: ElementID) {
    self.element = element
    ways.removeAll(keepingCapacity: true)
    raw.removeAll(keepingCapacity: true)
  }

  /// Whether no segment was added.
  public var isEmpty: Bool { raw.isEmpty }

  /// Starts a way; ``addSegment(from:node:to:node:)`` adds to it. Ways listed twice are left to
  /// the caller.
  public mutating func addWay(id: Int64, role: RingRole) {
    ways.append(Way(id: id, role: role))
  }

  /// Adds a piece of the current way between two valid positions. Nodes are given where known, for
  /// reports; otherwise as ``ElementID/unknownNumber``.
  @inline(__always)
  mutating func addSegment(
    from start: Coordinate, node startNode: Int64, to end: Coordinate, node endNode: Int64
  ) {
    let way = UInt32(truncatingIfNeeded: ways.count &- 1)
    let startKey = start.sweepKey
    let endKey = end.sweepKey
    if startKey < endKey {
      raw.append(
        RawSegment(low: startKey, high: endKey, lowNode: startNode, highNode: endNode, way: way))
    } else if startKey > endKey {
      raw.append(
        RawSegment(low: endKey, high: startKey, lowNode: endNode, highNode: startNode, way: way))
    }
  }

  /// Adds a line of positions to the current way. A position that is undefined or not on earth is a
  /// gap: nothing is drawn across it.
  public mutating func addLine(
    _ positions: UnsafeBufferPointer<Coordinate>, nodes: UnsafeBufferPointer<Int64>? = nil
  ) {
    guard positions.count > 1, nodes == nil || nodes?.count == positions.count else { return }
    for index in 1..<positions.count {
      let (start, end) = (positions[index - 1], positions[index])
      guard start.isValid, end.isValid else { continue }
      addSegment(
        from: start, node: nodes?[index - 1] ?? ElementID.unknownNumber,
        to: end, node: nodes?[index] ?? ElementID.unknownNumber)
    }
  }

  /// Builds the area of the ways added since ``begin(_:)`` into `geometry`: a polygon or
  /// multipolygon in canonical order, or kind `none`.
  ///
  /// Areas over the antimeridian are cut there (``cutsAntimeridian``); one that goes around a pole
  /// reaches it.
  public mutating func assemble(into geometry: inout Geometry, repair: Repair) -> AssemblyResult {
    if needsCut {
      isTurned = turn()
      if !isTurned { splitAtAntimeridian() }
    }
    let result = assembleSegments(into: &geometry, repair: repair)
    if isTurned, result.hasArea { cutAtAntimeridian(&geometry) }
    isTurned = false
    return result
  }

  mutating func assembleSegments(
    into geometry: inout Geometry, repair: Repair
  ) -> AssemblyResult {
    geometry.removeAll()
    var result = AssemblyResult()
    guard !raw.isEmpty else { return result }
    sortSegments()
    let original = repair == .full ? raw : []
    let repeats = cancelRepeatedSegments()
    numberVertices()
    if repair == .none || collectsProblems {
      let areFaults = [repeats.areFaults, findSharedPositions(), findSpikes(repeats)].contains(true)
      if repair == .none, areFaults || hasLooseEnds {
        reportLooseEnds()
        return AssemblyResult(isPartial: true)
      }
    }
    if repair == .full, hasLooseEnds || segments.isEmpty {
      result.isPartial = completeRings(from: original)
    }
    if hasLooseEnds {
      reportLooseEnds()
      dropOpenParts()
      result.isPartial = true
    }
    if !sweep() {
      result.isPartial = true
      if repair == .none || !resolveConflicts(repair) {
        if repair == .none { dropConflictingParts() }
        return result
      }
    }
    traceRings()
    nestRings()
    dropStrayRings()
    if collectsProblems { checkRoles() }
    result.hasArea = write(into: &geometry)
    return result
  }

  /// Makes the segments free of conflicts and sweeps them again.
  private mutating func resolveConflicts(_ repair: Repair) -> Bool {
    if repair == .full, splitAtTouchingPoints() {
      if hasLooseEnds { dropOpenParts() }
      if sweep() { return true }
    }
    dropConflictingParts()
    return sweep()
  }

  mutating func report(
    _ kind: ProblemKind, ways: [Int64] = [], nodes: [Int64] = [],
    position: Coordinate = .undefined
  ) {
    guard collectsProblems, problems.count < RingAssembler.problemLimit else { return }
    problems.append(
      Problem(
        kind, element, ways: ways, nodes: nodes.filter { $0 != ElementID.unknownNumber },
        position: isTurned && position.isValid ? position.turned : position))
  }

  /// A broken element can have a problem at every vertex; nobody reads more than this many.
  static let problemLimit = 100_000
}
