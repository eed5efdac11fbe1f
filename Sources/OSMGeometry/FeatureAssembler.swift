// Builds the geometry of features, one at a time, in reused memory.

import OSMModel

/// Why a feature's geometry only stands in for the real one.
@frozen public enum Placeholder: UInt8, Sendable, CaseIterable {
  case none = 0
  /// The middle of the bounding box, from `out center`.
  case center = 1
  /// The bounding box, from `out bb`.
  case bounds = 2
}

/// What there is to know about a geometry besides its positions.
public struct GeometryInfo: Sendable, Equatable {
  public var kind: GeometryKind = .none
  /// Whether parts are missing: from the answer, or because they fit into no valid geometry.
  public var isTainted = false
  public var placeholder: Placeholder = .none
  /// False for raw rings that cross themselves (see ``FeatureOptions/keepsInvalidRings``); everything
  /// else is valid by OGC Simple Features §6.1.11.
  public var isValid = true

  public init() {}
}

/// Builds geometries of the features of one set. Not to be shared between threads.
public struct FeatureAssembler {
  let features: FeatureSet
  let dataset: Dataset
  let isCompatible: Bool
  let drawsBounds: Bool
  let cutsAntimeridian: Bool
  var rings = RingAssembler()
  var joiner = LineJoiner()
  var routeJoiner = RouteJoiner()
  /// The way or member at hand: positions with gaps as ``Coordinate/undefined``, and node ids.
  var line = LineBuffer()
  var members: [UInt32] = []
  var seenWays = SeenWays()
  /// Whether relations that cover ways have an area, as far as that was asked.
  var hasArea: [UInt32: Bool] = [:]
  var found: [Problem] = []

  /// Whether ``problems`` are collected. Off by default, as it costs time.
  public var collectsProblems = false {
    didSet { rings.collectsProblems = collectsProblems }
  }

  /// What was wrong with the geometries built so far.
  public var problems: [Problem] { found }

  init(_ features: FeatureSet) {
    self.features = features
    dataset = features.dataset
    isCompatible = features.options.profile == .osmtogeojson
    drawsBounds = features.options.drawsBounds ?? isCompatible
    cutsAntimeridian = features.options.cutsAntimeridian ?? !isCompatible
    routeJoiner.followsRings = features.options.followsRoundabouts
    rings.cutsAntimeridian = cutsAntimeridian
    rings.rolesDecideStrayRings = features.options.rolesDecideStrayRings
  }

  /// Forgets the problems collected so far.
  public mutating func removeProblems() { found.removeAll() }

  /// Builds the geometry of a feature into `geometry`, whose storage is reused.
  ///
  /// Exteriors run counter-clockwise and holes clockwise (RFC 7946 §3.1.6).
  public mutating func geometry(of index: Int, into geometry: inout Geometry) -> GeometryInfo {
    geometry.removeAll()
    let entry = features.entries[index]
    let row = Int(entry.row)
    var info = GeometryInfo()
    switch entry.source {
    case .node: buildNode(row, &geometry, &info)
    case .way: buildWay(row, &geometry, &info)
    case .coveredWay:
      if isCovered(entry.row, &geometry) { return info }
      // It stands for a relation whose holes and other parts are lost.
      buildWay(row, &geometry, &info)
      info.isTainted = true
    case .relation:
      let element = ElementID(.relation, dataset.relations.elements.ids[row])
      buildRelation(row, element, &geometry, &info)
    case .outerWay:
      buildRelation(row, features.feature(index).id, &geometry, &info)
    case .derived: buildDerived(row, &geometry, &info)
    case .memberStub: buildStub(row, &geometry, &info)
    }
    if geometry.kind == .none { usePlaceholder(entry, &geometry, &info) }
    if cutsAntimeridian, info.isValid { geometry.cutLinesAtAntimeridian() }
    info.kind = geometry.kind
    if !rings.problems.isEmpty {
      found += rings.problems
      rings.problems.removeAll(keepingCapacity: true)
    }
    return info
  }

  private mutating func buildNode(
    _ row: Int, _ geometry: inout Geometry, _ info: inout GeometryInfo
  ) {
    let position = position(ofNode: row)
    guard position.isValid else { return }
    geometry.kind = .point
    geometry.coordinates.append(position)
  }

  /// The position of a node; members of relations may carry it when the node itself does not.
  func position(ofNode row: Int) -> Coordinate {
    let position = dataset.nodes.positions[row]
    if position.isValid { return position }
    for membership in features.index.memberships(ElementIndex(.node, row)) {
      let inline = dataset.relations.inlineGeometry(member: Int(membership.member))
      if let first = inline?.first, first.isValid { return first }
    }
    return .undefined
  }

  private mutating func buildStub(
    _ place: Int, _ geometry: inout Geometry, _ info: inout GeometryInfo
  ) {
    let member = dataset.relations.members[place]
    guard let inline = dataset.relations.inlineGeometry(member: place) else { return }
    if member.type == .node {
      guard let position = inline.first, position.isValid else { return }
      geometry.kind = .point
      geometry.coordinates.append(position)
      return
    }
    line.load(inline)
    let id = ElementID(.way, member.ref)
    drawLine(id, isArea: false, &geometry, &info)
  }

  private func usePlaceholder(
    _ entry: FeatureEntry, _ geometry: inout Geometry, _ info: inout GeometryInfo
  ) {
    let element: ElementIndex
    switch entry.source {
    case .way, .coveredWay: element = ElementIndex(.way, Int(entry.row))
    case .relation: element = ElementIndex(.relation, Int(entry.row))
    default: return
    }
    let (center, box) = dataset.withElements(element.type) {
      ($0.centers[element.row], $0.bounds[element.row])
    }
    if let center, center.isValid {
      geometry.kind = .point
      geometry.coordinates.append(center)
      info.placeholder = .center
    } else if drawsBounds, let box, box.isValid {
      // Also in profile osmtogeojson: otherwise the box would go around the rest of the world.
      geometry.append(box, cutsAntimeridian: features.options.cutsAntimeridian ?? true)
      info.placeholder = .bounds
    } else {
      return
    }
    info.isTainted = false
  }

  mutating func report(
    _ kind: ProblemKind, _ element: ElementID, ways: [Int64] = [], nodes: [Int64] = [],
    position: Coordinate = .undefined
  ) {
    guard collectsProblems else { return }
    found.append(Problem(kind, element, ways: ways, nodes: nodes, position: position))
  }
}
