// The ellipsoid WGS84 and what single edges measure on it: closed formulas for short ones, Karney's
// series for the rest.

import OSMModel

/// WGS84: lengths in metres, angles in radians.
enum Ellipsoid {
  static let equatorialRadius = 6_378_137.0
  static let polarRadius = 6_356_752.314_245_179
  static let flattening = 1 / 298.257_223_563
  static let oneMinusFlattening = 0.996_647_189_335_252_5
  static let eccentricity2 = 0.006_694_379_990_141_316_5
  static let secondEccentricity2 = 0.006_739_496_742_276_434
  static let thirdFlattening = 0.001_679_220_386_383_704_7
  /// The square of the radius of the sphere with the same area, in m².
  static let authalicRadius2 = 40_589_732_499_314.76
  static let radiansPerE7 = Double.pi / 1_800_000_000

  /// The area in m² between the equator and a parallel, for one radian of longitude.
  ///
  /// `b² Σ (k + 1) / (2k + 1) · e²ᵏ sin²ᵏ⁺¹ φ`: the integral of `M N cos φ` from 0 to φ.
  @inline(__always)
  static func zone(sine: Double) -> Double {
    let x = eccentricity2 * sine * sine
    var sum = 8.0 / 15 + x * (9.0 / 17)
    sum = 7.0 / 13 + x * sum
    sum = 6.0 / 11 + x * sum
    sum = 5.0 / 9 + x * sum
    sum = 4.0 / 7 + x * sum
    sum = 3.0 / 5 + x * sum
    sum = 2.0 / 3 + x * sum
    return polarRadius * polarRadius * sine * (1 + x * sum)
  }
}

/// The sine and cosine of an angle in units of 1e-7 degrees; exact at multiples of 90°.
@inline(__always)
func sineAndCosine(ofE7 angle: Int64) -> (sine: Double, cosine: Double) {
  let quarter: Int64 = 900_000_000
  let turns = ((angle &+ (angle < 0 ? -quarter / 2 : quarter / 2)) / quarter)
  let rest = Double(angle &- turns &* quarter) * Ellipsoid.radiansPerE7
  let (sine, cosine) = (sin(rest), cos(rest))
  switch turns & 3 {
  case 0: return (sine, cosine)
  case 1: return (cosine, 0 - sine)
  case 2: return (0 - sine, 0 - cosine)
  default: return (0 - cosine, sine)
  }
}

/// A position with what every edge at it needs.
struct MeasuredPosition {
  var coordinate: Coordinate
  var sine: Double
  var cosine: Double

  @inline(__always) init(_ coordinate: Coordinate) {
    self.coordinate = coordinate
    (sine, cosine) = sineAndCosine(ofE7: Int64(coordinate.latitudeE7))
  }
}

/// What an edge measures: its length, the area between it and the equator (positive eastward in the
/// north), and how far it goes east.
struct EdgeMeasure {
  var length = 0.0
  var area = 0.0
  var eastE7: Int64 = 0

  /// The edge from one position to another, the short way around the world.
  ///
  /// - Parameter isAreal: whether a step from -180° to 180° goes around the world, as it does in the
  ///   boundary of an area, or stays where it is.
  /// - Complexity: O(1); edges below 0.017° take about a tenth of the time of others.
  @inline(__always)
  init(from a: MeasuredPosition, to b: MeasuredPosition, isAreal: Bool) {
    eastE7 = Int64(b.coordinate.longitudeE7) - Int64(a.coordinate.longitudeE7)
    let north = Int64(b.coordinate.latitudeE7) - Int64(a.coordinate.latitudeE7)
    if abs(eastE7) <= EdgeMeasure.shortE7, abs(north) <= EdgeMeasure.shortE7 {
      measureShort(from: a, to: b, north: Double(north) * Ellipsoid.radiansPerE7)
    } else {
      measureLong(from: a, to: b, isAreal: isAreal)
    }
  }

  private static let shortE7: Int64 = 170_000

  /// Length: the chord `c` in space, plus `c³ / 24 R²`. Area: that below the straight line on the map
  /// by Euler's and Maclaurin's formula, plus that between it and the geodesic, whose leading term is
  /// the line's geodesic curvature times `s³ / 12`. The terms left out are below 1e-6 m and 1e-10 of
  /// the area of a square on the edge.
  @inline(__always)
  private mutating func measureShort(
    from a: MeasuredPosition, to b: MeasuredPosition, north: Double
  ) {
    let e2 = Ellipsoid.eccentricity2
    let east = Double(eastE7) * Ellipsoid.radiansPerE7
    let (wa, wb) = (1 - e2 * a.sine * a.sine, 1 - e2 * b.sine * b.sine)
    let (na, nb) = (
      Ellipsoid.equatorialRadius / wa.squareRoot(), Ellipsoid.equatorialRadius / wb.squareRoot()
    )
    let (ra, rb) = (na * a.cosine, nb * b.cosine)
    let rise = (1 - e2) * (nb * b.sine - na * a.sine)
    let half = east * (1 - east * east / 24)
    let chord2 = (rb - ra) * (rb - ra) + ra * rb * half * half + rise * rise
    length = chord2.squareRoot() * (1 + chord2 / (24 * Ellipsoid.authalicRadius2))

    let b2 = Ellipsoid.polarRadius * Ellipsoid.polarRadius
    let mean = (Ellipsoid.zone(sine: a.sine) + Ellipsoid.zone(sine: b.sine)) / 2
    let slopes = b2 * (b.cosine / (wb * wb) - a.cosine / (wa * wa))
    let sine = (a.sine + b.sine) / 2
    let (radius, w) = ((ra + rb) / 2, (wa + wb) / 2)
    let meridian = (1 - e2) * (na + nb) / (2 * w)
    let meridianSlope = 3 * meridian * e2 * sine * (a.cosine + b.cosine) / (2 * w)
    let bulge =
      sine * (2 * meridian * meridian * north * north + radius * radius * east * east)
      + radius * meridianSlope * north * north
    area = east * (mean - north * slopes / 12 + bulge / 12)
  }

  private mutating func measureLong(
    from a: MeasuredPosition, to b: MeasuredPosition, isAreal: Bool
  ) {
    let turn = 2 * Int64(halfTurnE7)
    if abs(eastE7) == turn, isAreal {
      let mean = (Ellipsoid.zone(sine: a.sine) + Ellipsoid.zone(sine: b.sine)) / 2
      area = (eastE7 > 0 ? 2 : -2) * Double.pi * mean
      let w = (1 - Ellipsoid.eccentricity2 * a.sine * a.sine).squareRoot()
      length = 2 * Double.pi * Ellipsoid.equatorialRadius * a.cosine / w
      return
    }
    if eastE7 > Int64(halfTurnE7) { eastE7 -= turn }
    if eastE7 < -Int64(halfTurnE7) { eastE7 += turn }
    var geodesic = InverseGeodesic(
      latitudesE7: Int64(a.coordinate.latitudeE7), Int64(b.coordinate.latitudeE7),
      eastE7: eastE7, sines: (a.sine, b.sine), cosines: (a.cosine, b.cosine))
    geodesic.solve()
    length = geodesic.length
    area = geodesic.area
  }
}

/// A sum of many numbers whose error does not grow with their count (Neumaier).
struct CompensatedSum {
  private var sum = 0.0
  private var lost = 0.0

  var value: Double { sum + lost }

  @inline(__always)
  static func += (left: inout CompensatedSum, term: Double) {
    let sum = left.sum + term
    left.lost += abs(left.sum) >= abs(term) ? (left.sum - sum) + term : (term - sum) + left.sum
    left.sum = sum
  }
}
