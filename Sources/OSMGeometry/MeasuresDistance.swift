// Distance and direction from one position to another on the ellipsoid WGS84. Source: C. F. F. Karney,
// "Algorithms for geodesics", J. Geodesy 87, 43–55, 2013, doi 10.1007/s00190-012-0578-z.

import OSMModel

/// The shortest line from one position to another.
public struct Geodesic: Sendable, Hashable {
  /// Metres.
  public let distance: Double
  /// The direction in which the line leaves the first position, in degrees clockwise from north, at
  /// least 0 and below 360; `nil` when both positions are the same.
  ///
  /// At a pole, north is the direction of the position's own meridian, as in PROJ and GeographicLib.
  public let bearing: Double?

  /// - Returns: `nil` when one of the positions is not valid.
  /// - Complexity: O(1).
  public init?(from start: Coordinate, to end: Coordinate) {
    guard start.isValid, end.isValid else { return nil }
    var eastE7 = Int64(end.longitudeE7) - Int64(start.longitudeE7)
    let turn = 2 * Int64(halfTurnE7)
    if eastE7 > Int64(halfTurnE7) { eastE7 -= turn }
    if eastE7 < -Int64(halfTurnE7) { eastE7 += turn }
    let (a, b) = (MeasuredPosition(start), MeasuredPosition(end))
    let isPole = abs(start.latitudeE7) == 900_000_000
    let isSame = start.latitudeE7 == end.latitudeE7 && (eastE7 == 0 || isPole)
    guard !isSame else {
      (distance, bearing) = (0, nil)
      return
    }
    var line = InverseGeodesic(
      latitudesE7: Int64(start.latitudeE7), Int64(end.latitudeE7), eastE7: eastE7,
      sines: (a.sine, b.sine), cosines: (a.cosine, b.cosine))
    line.solve()
    distance = line.length
    bearing = line.azimuth
  }
}
