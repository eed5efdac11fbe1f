// What a map shows of one element: an annotation, lines or areas. Map kits want these five shapes and
// nothing of rings, parts and collections.

import OSMModel

/// A polygon: an exterior ring, and holes in it. Rings are closed, their last position repeats their
/// first; exteriors run counter-clockwise, holes clockwise (RFC 7946 §3.1.6).
public struct VisiblePolygon: Sendable, Equatable {
  public var exterior: [Coordinate]
  public var holes: [[Coordinate]]

  public init(exterior: [Coordinate], holes: [[Coordinate]] = []) {
    self.exterior = exterior
    self.holes = holes
  }
}

/// An element as a map shows it.
public struct Visualization: Sendable, Equatable {
  /// The element. What a query made may have no number (``ElementID/unknownNumber``).
  public let element: ElementID
  /// `node`, `way`, `relation`, or what a query named it.
  public let typeName: String
  /// The element's name in a language asked for, otherwise its `name`; `nil` when it has none.
  public let title: String?
  /// All positions as one geometry; ``shape`` takes it apart.
  public let geometry: Geometry
  /// Whether parts are missing.
  public let isTainted: Bool
  /// Whether this only stands in for the real geometry.
  public let placeholder: Placeholder

  /// What is drawn.
  public enum Shape: Sendable, Equatable {
    /// A pin.
    case annotation(Coordinate)
    case polyline([Coordinate])
    /// Several lines of one element, such as a route with gaps.
    case polylines([[Coordinate]])
    case polygon(VisiblePolygon)
    case polygons([VisiblePolygon])
    /// Several pins of one element; only of what a query made.
    case annotations([Coordinate])
    /// Shapes of several kinds; only of what a query made, and of relations that were asked for as
    /// collections.
    case collection([Shape])
  }

  /// What is drawn.
  ///
  /// - Complexity: O(n) for n positions, which are copied.
  public var shape: Shape { Shape(geometry) }

  /// Where the pin stands, of a shape that is a single pin; `nil` for others.
  public var coordinate: Coordinate? { geometry.kind == .point ? geometry.coordinates.first : nil }
}

extension Visualization.Shape {
  /// - Parameter geometry: ends and positions that do not fit together are left out.
  init(_ geometry: Geometry) {
    let geometry = geometry.measurable
    switch geometry.kind {
    case .point where geometry.coordinates.count == 1: self = .annotation(geometry.coordinates[0])
    case .none: self = .collection([])
    case .point, .multiPoint: self = .annotations(geometry.coordinates)
    case .lineString where geometry.partEnds.count == 1: self = .polyline(geometry.lines[0])
    case .lineString, .multiLineString: self = .polylines(geometry.lines)
    case .polygon where geometry.polygonEnds.count == 1 && geometry.ringCount > 0:
      self = .polygon(geometry.polygons[0])
    case .polygon, .multiPolygon: self = .polygons(geometry.polygons)
    case .geometryCollection: self = .collection(geometry.members.map(Visualization.Shape.init))
    }
  }
}

extension Geometry {
  /// The lines or rings; the geometry has to be ``measurable``.
  fileprivate var lines: [[Coordinate]] { partEnds.indices.map { Array(part($0)) } }

  fileprivate var polygons: [VisiblePolygon] {
    polygonEnds.indices.compactMap { polygon in
      let rings = ringRange(polygon)
      guard let exterior = rings.first else { return nil }
      return VisiblePolygon(
        exterior: Array(part(exterior)), holes: rings.dropFirst().map { Array(part($0)) })
    }
  }
}
