// Length and area of geometries on the ellipsoid WGS84. Source: C. F. F. Karney, "Algorithms for
// geodesics", J. Geodesy 87, 43–55, 2013, doi 10.1007/s00190-012-0578-z.
//
// Lines between positions are geodesics, as in PROJ, GeographicLib and PostGIS's geography. Edges
// that a cut along the antimeridian has divided are measured as they were before it.

import OSMModel

extension Geometry {
  /// The length in metres: of lines, and of the boundaries of areas, holes included; 0 for points,
  /// the sum for collections, `nil` for empty geometries.
  ///
  /// Lines between positions are geodesics, exact to a micrometre per edge. What a cut along the
  /// antimeridian (RFC 7946 §3.1.9) adds to boundaries does not count. Positions that are not valid
  /// are left out.
  ///
  /// Source: Karney, "Algorithms for geodesics", J. Geodesy 87, 2013, doi 10.1007/s00190-012-0578-z.
  ///
  /// - Complexity: O(n).
  public var length: Double? {
    var sum = CompensatedSum()
    return addLength(to: &sum) ? sum.value : nil
  }

  private func addLength(to sum: inout CompensatedSum) -> Bool {
    if kind == .geometryCollection {
      return members.reduce(false) { $1.addLength(to: &sum) || $0 }
    }
    let geometry = measurable
    guard kind != .none, !geometry.coordinates.isEmpty else { return false }
    if geometry.isLinear {
      for line in geometry.partEnds.indices {
        geometry.forEachEdge(ofLine: line) {
          sum += EdgeMeasure(from: $0, to: $1, isAreal: false).length
        }
      }
    } else if geometry.isAreal {
      guard geometry.ringCount > 0 else { return false }
      for ring in 0..<geometry.ringCount {
        geometry.forEachEdge(ofRing: ring) {
          sum += EdgeMeasure(from: $0, to: $1, isAreal: true).length
        }
      }
    } else {
      return true
    }
    let seams = AntimeridianSeams(of: geometry)
    for seam in seams.seams { sum += seam.change(\.length) }
    for (south, north) in seams.inside {
      let ends = [south, north].map {
        MeasuredPosition(Coordinate(longitudeE7: halfTurnE7, latitudeE7: $0))
      }
      sum += -2 * EdgeMeasure(from: ends[0], to: ends[1], isAreal: true).length
    }
    return true
  }

  /// The area in square metres, holes subtracted: 0 for points and lines, the sum for collections,
  /// `nil` for empty geometries.
  ///
  /// Rings may run either way. One that goes around a pole encloses the nearer pole, and the step
  /// from -180° to 180° in a ring goes around the world. Positions that are not valid are left out.
  /// Relative error below 1e-9 for areas of more than a few square metres, away from the poles; within
  /// a kilometre of one the error is some 0.01 m².
  ///
  /// Source: Karney, "Algorithms for geodesics", J. Geodesy 87, 2013, doi 10.1007/s00190-012-0578-z,
  /// section 6.
  ///
  /// - Complexity: O(n).
  public var area: Double? {
    if kind == .geometryCollection {
      let areas = members.compactMap(\.area)
      return areas.isEmpty ? nil : areas.reduce(0, +)
    }
    let geometry = measurable
    guard kind != .none, !geometry.coordinates.isEmpty else { return nil }
    guard geometry.isAreal else { return 0 }
    guard geometry.ringCount > 0 else { return nil }
    let seams = AntimeridianSeams(of: geometry)
    var sum = CompensatedSum()
    geometry.forEachRing { ring, isExterior in
      let area = RingMeasure(of: ring, in: geometry, seams: seams).area
      sum += isExterior ? area : -area
    }
    return Swift.max(0, sum.value)
  }

  /// The rings of all polygons and whether each is the exterior of one.
  @inline(__always)
  func forEachRing(_ body: (_ ring: Int, _ isExterior: Bool) -> Void) {
    for polygon in polygonEnds.indices {
      let rings = ringRange(polygon)
      for ring in rings { body(ring, ring == rings.lowerBound) }
    }
  }
}

/// The area that a ring encloses.
struct RingMeasure {
  /// The area between the ring and the equator, positive for rings that run eastward in the north.
  let signedArea: Double
  /// How often the ring goes around the world, positive eastward.
  let turns: Int

  init(of ring: Int, in geometry: Geometry, seams: AntimeridianSeams) {
    var sum = CompensatedSum()
    var east: Int64 = 0
    geometry.forEachEdge(ofRing: ring) {
      let edge = EdgeMeasure(from: $0, to: $1, isAreal: true)
      sum += edge.area
      east += edge.eastE7
    }
    for seam in seams.seams where seam.part == ring { sum += seam.change(\.area) }
    signedArea = sum.value
    turns = Int(east / (2 * Int64(halfTurnE7)))
  }

  private static let hemisphere = 2 * Double.pi * Ellipsoid.authalicRadius2

  /// Whether the ring goes around a pole, which then lies inside.
  var enclosesPole: Bool { turns & 1 != 0 }

  /// Whether the pole nearer to a ring that goes around one is the north pole.
  var isNorthern: Bool { (signedArea < 0) == (turns < 0) }

  /// Square metres.
  var area: Double {
    if enclosesPole { return Swift.max(0, RingMeasure.hemisphere - abs(signedArea)) }
    return Swift.min(abs(signedArea), 2 * RingMeasure.hemisphere)
  }
}

extension Seam {
  /// What the edge measures beyond its pieces.
  func change(_ measure: KeyPath<EdgeMeasure, Double>) -> Double {
    var other = cut
    other.coordinate.longitudeE7 = -cut.coordinate.longitudeE7
    let startsEast = (start.coordinate.longitudeE7 > 0) == (cut.coordinate.longitudeE7 > 0)
    return EdgeMeasure(from: start, to: end, isAreal: true)[keyPath: measure]
      - EdgeMeasure(from: start, to: startsEast ? cut : other, isAreal: true)[keyPath: measure]
      - EdgeMeasure(from: startsEast ? other : cut, to: end, isAreal: true)[keyPath: measure]
  }
}
