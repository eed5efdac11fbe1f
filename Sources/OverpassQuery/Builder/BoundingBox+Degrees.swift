// Bounding boxes from what people have at hand: corners in degrees, or a centre and a size in metres.

import OSMModel

extension BoundingBox {
  /// A box from its sides in degrees. `west > east` crosses the antimeridian.
  ///
  /// - Throws: ``QueryError/Kind/invalidBoundingBox`` for values that are not finite or out of range,
  ///   and if south lies above north.
  public init(south: Double, west: Double, north: Double, east: Double) throws(QueryError) {
    guard let southWest = Coordinate(longitude: west, latitude: south),
      let northEast = Coordinate(longitude: east, latitude: north)
    else {
      throw QueryError(
        .invalidBoundingBox,
        "a bounding box of \(south), \(west), \(north), \(east) (south, west, north, east) is out of"
          + " range: latitudes reach from -90 to 90, longitudes from -180 to 180")
    }
    guard south <= north else {
      throw QueryError(
        .invalidBoundingBox, "the south of a bounding box, \(south), lies above its north, \(north)"
      )
    }
    self.init(
      southE7: southWest.latitudeE7, westE7: southWest.longitudeE7, northE7: northEast.latitudeE7,
      eastE7: northEast.longitudeE7)
  }

  /// The box that reaches half the width and half the height to each side of a centre.
  ///
  /// The earth is the server's sphere, on which 90 degrees are 10 000 km. Across the antimeridian the
  /// box gets `west > east`; at a pole, or when it is wide enough, it covers all longitudes.
  ///
  /// - Parameters:
  ///   - latitude, longitude: the centre in degrees.
  ///   - width, height: in metres, greater than 0.
  /// - Throws: ``QueryError/Kind/invalidPosition``, ``QueryError/Kind/invalidDistance``.
  public init(
    centerLatitude latitude: Double, longitude: Double, widthMeters width: Double,
    heightMeters height: Double
  ) throws(QueryError) {
    guard Coordinate(longitude: longitude, latitude: latitude) != nil else {
      throw QueryError(
        .invalidPosition, "a bounding box around latitude \(latitude), longitude \(longitude)")
    }
    guard width > 0, height > 0, width.isFinite, height.isFinite else {
      throw QueryError(
        .invalidDistance, "a bounding box of \(width) m by \(height) m; both have to be above 0 m")
    }
    let metersPerDegree = 10_000_000.0 / 90
    let south = max(-90, latitude - height / 2 / metersPerDegree)
    let north = min(90, latitude + height / 2 / metersPerDegree)
    // The parallel nearest to a pole is the shortest: there the width needs the most degrees.
    let shortest = cos(max(abs(south), abs(north)) * .pi / 180)
    let halfWidth =
      shortest > 1e-9 ? width / 2 / metersPerDegree / shortest : Double.infinity
    if halfWidth >= 180 || south == -90 || north == 90 {
      try self.init(south: south, west: -180, north: north, east: 180)
      return
    }
    let west = longitude - halfWidth
    let east = longitude + halfWidth
    try self.init(
      south: south, west: west < -180 ? west + 360 : west, north: north,
      east: east > 180 ? east - 360 : east)
  }
}
