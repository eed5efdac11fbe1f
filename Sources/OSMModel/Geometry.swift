// Geometries as flat runs of positions, in the shapes of OGC Simple Features and RFC 7946.

/// The shape of a ``Geometry``.
@frozen public enum GeometryKind: UInt8, Sendable, CaseIterable {
  case none = 0
  case point = 1
  case lineString = 2
  case polygon = 3
  case multiPoint = 4
  case multiLineString = 5
  case multiPolygon = 6
  case geometryCollection = 7
}

/// A geometry whose positions lie in one array.
///
/// - `point`, `multiPoint`: the positions.
/// - `lineString`, `multiLineString`: `partEnds[i]` is the end of line `i` in `coordinates`.
/// - `polygon`, `multiPolygon`: `partEnds[i]` is the end of ring `i` (closed: its last position
///   repeats its first), `polygonEnds[i]` the end of polygon `i` in `partEnds`; the first ring of a
///   polygon is its exterior. Exteriors run counter-clockwise, holes clockwise (RFC 7946 §3.1.6).
/// - `geometryCollection`: `members`.
public struct Geometry: Sendable, Equatable {
  public var kind: GeometryKind = .none
  public var coordinates: [Coordinate] = []
  public var partEnds: [Int] = []
  public var polygonEnds: [Int] = []
  public var members: [Geometry] = []

  public init() {}

  public init(point: Coordinate) {
    kind = .point
    coordinates = [point]
  }

  /// Empties the geometry and keeps its storage, for use in loops.
  public mutating func removeAll() {
    kind = .none
    coordinates.removeAll(keepingCapacity: true)
    partEnds.removeAll(keepingCapacity: true)
    polygonEnds.removeAll(keepingCapacity: true)
    if !members.isEmpty { members.removeAll() }
  }

  /// The positions of line or ring `index`.
  public func part(_ index: Int) -> ArraySlice<Coordinate> {
    coordinates[partRange(index)]
  }

  public func partRange(_ index: Int) -> Range<Int> {
    (index == 0 ? 0 : partEnds[index - 1])..<partEnds[index]
  }

  /// The numbers of the rings of polygon `index`.
  public func ringRange(_ index: Int) -> Range<Int> {
    (index == 0 ? 0 : polygonEnds[index - 1])..<polygonEnds[index]
  }
}
