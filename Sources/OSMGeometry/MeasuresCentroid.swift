// The centroid of a geometry on the Earth.
//
// Positions are unit vectors on the authalic sphere, which has the areas of the ellipsoid (J. P.
// Snyder, "Map projections: a working manual", USGS 1987, equations 3-11 to 3-18). The centroid is
// the direction of the mean of these vectors over the geometry: no meridian and no pole is special.

import OSMModel

private typealias Vector = SIMD3<Double>

@inline(__always)
private func cross(_ a: Vector, _ b: Vector) -> Vector {
  Vector(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
}

@inline(__always)
private func norm(_ a: Vector) -> Double { (a * a).sum().squareRoot() }

extension MeasuredPosition {
  @inline(__always) fileprivate var authalicSine: Double {
    Swift.min(1, Swift.max(-1, Ellipsoid.zone(sine: sine) / Ellipsoid.authalicRadius2))
  }

  @inline(__always) fileprivate var vector: Vector {
    let z = authalicSine
    let radius = ((1 - z) * (1 + z)).squareRoot()
    let (east, north) = sineAndCosine(ofE7: Int64(coordinate.longitudeE7))
    return Vector(radius * north, radius * east, z)
  }
}

extension Geometry {
  /// The centre of mass on the Earth's surface: of areas weighted by area, of lines by length, of
  /// points by count; `nil` for empty geometries.
  ///
  /// Of a collection, only members of the highest dimension count. Areas without size are measured
  /// as lines, lines without length as points. Geometries cut along the antimeridian have the
  /// centroid they had before, and areas around a pole have one near it. The centroid of an area may
  /// lie outside; see ``pointOnSurface``. It differs from the mean of plane longitudes and latitudes
  /// by about `s² tan φ / 8R` for a size of s: 2 cm for 1 km.
  ///
  /// - Complexity: O(n).
  public var centroid: Coordinate? {
    if let small = smallCentroid() { return small }
    var sums = CentroidSums()
    sums.add(self)
    return sums.centroid
  }

  /// The centroid of areas below 100 m, where the mean over the map is exact to a tenth of a
  /// millimetre and does not suffer from rounding as vectors do.
  private func smallCentroid() -> Coordinate? {
    guard isAreal, let first = coordinates.first, isMeasurable else { return nil }
    let limit: Int64 = 10_000
    guard abs(first.latitudeE7) < 850_000_000 else { return nil }
    for position in coordinates {
      guard abs(Int64(position.longitudeE7) - Int64(first.longitudeE7)) < limit,
        abs(Int64(position.latitudeE7) - Int64(first.latitudeE7)) < limit
      else { return nil }
    }
    // Exact: products of three differences stay below 2^53.
    var (area, east, north) = (0.0, 0.0, 0.0)
    forEachRing { ring, isExterior in
      var (ringArea, ringEast, ringNorth) = (0.0, 0.0, 0.0)
      let range = partRange(ring)
      guard var previous = range.last.map({ coordinates[$0] }) else { return }
      for index in range {
        let position = coordinates[index]
        let ax = Double(previous.longitudeE7 - first.longitudeE7)
        let ay = Double(previous.latitudeE7 - first.latitudeE7)
        let bx = Double(position.longitudeE7 - first.longitudeE7)
        let by = Double(position.latitudeE7 - first.latitudeE7)
        let doubled = ax * by - bx * ay
        ringArea += doubled
        ringEast += doubled * (ax + bx)
        ringNorth += doubled * (ay + by)
        previous = position
      }
      let sign = (ringArea < 0) == isExterior ? -1.0 : 1.0
      area += sign * ringArea
      east += sign * ringEast
      north += sign * ringNorth
    }
    guard area > 0 else { return nil }
    return Coordinate(
      longitude: (Double(first.longitudeE7) + east / (3 * area)) / 1e7,
      latitude: (Double(first.latitudeE7) + north / (3 * area)) / 1e7)
  }
}

/// Sums of vectors over areas, lines and points.
private struct CentroidSums {
  private var areas = Vector()
  private var areaSize = 0.0
  private var lines = Vector()
  private var lineSize = 0.0
  private var points = Vector()
  private var first: Coordinate?
  private var dimension = 0

  mutating func add(_ source: Geometry) {
    guard source.kind != .geometryCollection else {
      for member in source.members { add(member) }
      return
    }
    let geometry = source.measurable
    guard geometry.kind != .none, let position = geometry.coordinates.first else { return }
    let own = geometry.isAreal ? 2 : geometry.isLinear ? 1 : 0
    if own > dimension {
      self = CentroidSums()
      dimension = own
    }
    guard own == dimension else { return }
    if first == nil { first = position }
    if geometry.isAreal { addAreas(geometry) }
    addLines(geometry)
    for position in geometry.coordinates { points += MeasuredPosition(position).vector }
  }

  /// Half the integral of `r × dr` around an area is that of the normal over it.
  private mutating func addAreas(_ geometry: Geometry) {
    guard let first = geometry.coordinates.first else { return }
    let seams = AntimeridianSeams(of: geometry)
    let origin = MeasuredPosition(first).vector
    geometry.forEachRing { ring, isExterior in
      let measure = RingMeasure(of: ring, in: geometry, seams: seams)
      var sum = Vector()
      geometry.forEachEdge(ofRing: ring) { sum += edgeVector($0, $1, origin) }
      for seam in seams.seams where seam.part == ring {
        sum += edgeVector(seam.start, seam.end, origin)
        sum -= edgeVector(seam.start, seam.cut, origin) + edgeVector(seam.cut, seam.end, origin)
      }
      let isPositive =
        measure.enclosesPole ? (sum.z > 0) == measure.isNorthern : measure.signedArea < 0
      let sign = isPositive == isExterior ? 0.5 : -0.5
      areas += sign * sum
      areaSize += isExterior ? measure.area : -measure.area
    }
  }

  private mutating func addLines(_ geometry: Geometry) {
    func add(_ a: MeasuredPosition, _ b: MeasuredPosition) {
      let (u, v) = (a.vector, b.vector)
      let middle = u + v
      let size = norm(middle)
      guard size > 1e-9 else { return }
      let half = atan2(norm(v - u), size)
      let length = EdgeMeasure(from: a, to: b, isAreal: false).length
      lines += middle * (length * (half > 1e-6 ? sin(half) / half : 1) / size)
      lineSize += length
    }
    if geometry.isLinear {
      for line in geometry.partEnds.indices { geometry.forEachEdge(ofLine: line, add) }
    } else if geometry.isAreal {
      for ring in 0..<geometry.ringCount { geometry.forEachEdge(ofRing: ring, add) }
    }
  }

  /// `r × dr` along an edge, with positions relative to `origin`, which adds nothing in sum.
  @inline(__always)
  private func edgeVector(_ a: MeasuredPosition, _ b: MeasuredPosition, _ origin: Vector) -> Vector
  {
    let (u, v) = (a.vector, b.vector)
    let step = Int64(b.coordinate.longitudeE7) - Int64(a.coordinate.longitudeE7)
    if abs(step) == 2 * Int64(halfTurnE7) {
      let turn = 2 * Double.pi * (1 - u.z * u.z)
      return cross(u - origin, v - origin) + Vector(0, 0, step > 0 ? turn : -turn)
    }
    let normal = cross(u, v - u)
    let sine = norm(normal)
    let cosine = (u * v).sum()
    let excess: Double
    if sine < 0.01, cosine > 0 {
      let s2 = sine * sine
      excess = s2 * (1.0 / 6 + s2 * (3.0 / 40 + s2 * (5.0 / 112)))
    } else {
      excess = sine > 1e-12 ? atan2(sine, cosine) / sine - 1 : 0
    }
    return cross(u - origin, v - origin) + excess * normal
  }

  var centroid: Coordinate? {
    guard let first else { return nil }
    let scale = areaSize / Ellipsoid.authalicRadius2
    if dimension == 2, scale > 0, norm(areas) > 1e-6 * scale { return position(areas) }
    if dimension >= 1, lineSize > 0, norm(lines) > 1e-6 * lineSize { return position(lines) }
    return norm(points) > 1e-6 ? position(points) : first
  }

  private func position(_ vector: Vector) -> Coordinate? {
    let radius = hypot(vector.x, vector.y)
    let authalic = atan2(vector.z, radius)
    let e2 = Ellipsoid.eccentricity2
    let (e4, e6) = (e2 * e2, e2 * e2 * e2)
    var latitude =
      authalic + (e2 / 3 + 31 * e4 / 180 + 517 * e6 / 5040) * sin(2 * authalic)
      + (23 * e4 / 360 + 251 * e6 / 3780) * sin(4 * authalic)
      + 761 * e6 / 45360 * sin(6 * authalic)
    let (sine, cosine) = (sin(latitude), cos(latitude))
    if cosine > 0.1 {
      let w = 1 - e2 * sine * sine
      let slope = Ellipsoid.polarRadius * Ellipsoid.polarRadius * cosine / (w * w)
      latitude += (Ellipsoid.authalicRadius2 * sin(authalic) - Ellipsoid.zone(sine: sine)) / slope
    }
    let degrees = 180 / Double.pi
    return Coordinate(
      longitude: Swift.min(180, Swift.max(-180, atan2(vector.y, vector.x) * degrees)),
      latitude: Swift.min(90, Swift.max(-90, latitude * degrees)))
  }
}
