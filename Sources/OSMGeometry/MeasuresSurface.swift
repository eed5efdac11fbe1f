// A position on a geometry, for labels and for joins by position. Exact on whole numbers.

import OSMModel

extension Geometry {
  /// A position on the geometry: strictly inside an area, on a line near its middle, or that of a
  /// point; `nil` for empty geometries.
  ///
  /// - Areas: the middle of the widest piece that an area has on a parallel halfway between its south
  ///   and its north, in the polygon where that is widest. An area too thin to have a position strictly
  ///   inside at OSM's resolution, or without any size, gives a position of its boundary.
  /// - Lines: half the length along the longest line, rounded to OSM's resolution.
  /// - Points: the one nearest to the centroid.
  /// - Collections: of the members of the highest dimension, the one with the largest measure.
  ///
  /// Edges are straight on the map and go the short way around the world, as in RFC 7946; the inside
  /// follows the even-odd rule. The result never lies on the antimeridian in an area that crosses it.
  ///
  /// - Complexity: O(n + k log k) for k edges that cross the parallel; O(65 n) for areas thinner than
  ///   the resolution.
  public var pointOnSurface: Coordinate? {
    if kind == .geometryCollection { return pointOnMembers() }
    let geometry = measurable
    guard kind != .none, let first = geometry.coordinates.first else { return nil }
    if geometry.isAreal { return geometry.pointInPolygons() ?? first }
    if geometry.isLinear { return geometry.middleOfLine() ?? first }
    return geometry.pointNearCentroid() ?? first
  }

  private func pointOnMembers() -> Coordinate? {
    var best: (dimension: Int, size: Double, point: Coordinate)?
    for member in members {
      guard let point = member.pointOnSurface else { continue }
      let area = member.area ?? 0
      let length = member.length ?? 0
      let dimension = area > 0 ? 2 : length > 0 ? 1 : 0
      let size = area > 0 ? area : length
      if let best, (best.dimension, best.size) >= (dimension, size) { continue }
      best = (dimension, size, point)
    }
    return best?.point
  }

  private func pointNearCentroid() -> Coordinate? {
    guard coordinates.count > 1, let centre = centroid.map(MeasuredPosition.init) else {
      return nil
    }
    var best: (distance: Double, point: Coordinate)?
    for position in coordinates {
      let distance = EdgeMeasure(from: centre, to: MeasuredPosition(position), isAreal: false)
        .length
      if let best, best.distance <= distance { continue }
      best = (distance, position)
    }
    return best?.point
  }

  private func middleOfLine() -> Coordinate? {
    var longest = (line: 0, length: 0.0)
    for line in partEnds.indices {
      var sum = 0.0
      forEachEdge(ofLine: line) { sum += EdgeMeasure(from: $0, to: $1, isAreal: false).length }
      if sum > longest.length { longest = (line, sum) }
    }
    guard longest.length > 0 else { return nil }
    var rest = longest.length / 2
    var result: Coordinate?
    forEachEdge(ofLine: longest.line) {
      guard result == nil else { return }
      let edge = EdgeMeasure(from: $0, to: $1, isAreal: false)
      if edge.length >= rest, edge.length > 0 {
        result = $0.coordinate.moved(
          by: edge.eastE7, towards: $1.coordinate, part: rest / edge.length)
      }
      rest -= edge.length
    }
    return result
  }

  private func pointInPolygons() -> Coordinate? {
    var best: (width: Double, point: Coordinate)?
    var row = PolygonRow()
    for polygon in polygonEnds.indices {
      guard let found = row.widest(in: self, rings: ringRange(polygon)) else { continue }
      if let best, best.width >= found.width { continue }
      best = found
    }
    return best?.point
  }
}

extension Coordinate {
  fileprivate func moved(by eastE7: Int64, towards other: Coordinate, part: Double) -> Coordinate {
    let part = Swift.min(1, Swift.max(0, part))
    var east = Int64(longitudeE7) + Int64((Double(eastE7) * part).rounded())
    if east > Int64(halfTurnE7) { east -= 2 * Int64(halfTurnE7) }
    if east < -Int64(halfTurnE7) { east += 2 * Int64(halfTurnE7) }
    let rise = Double(Int64(other.latitudeE7) - Int64(latitudeE7))
    return Coordinate(
      longitudeE7: Int32(clamping: east),
      latitudeE7: Int32(clamping: Int64(latitudeE7) + Int64((rise * part).rounded())))
  }
}

/// The pieces of a polygon on parallels of whole units, from exact crossings.
///
/// A crossing at longitude x has the key `2⌊x⌋`, plus one when x is no whole number: between two keys
/// in order, the whole longitudes n with `2n` strictly between them lie strictly between the crossings.
private struct PolygonRow {
  private var above: [Int64] = []
  private var below: [Int64] = []
  /// Whether the row is inside at -180°, just above and just below it.
  private var startsInsideAbove = false
  private var startsInsideBelow = false
  private var hasVertex = false
  private var isUsable = true

  /// The middle of the widest piece, and its width in equatorial units.
  mutating func widest(in geometry: Geometry, rings: Range<Int>) -> (
    width: Double, point: Coordinate
  )? {
    var (south, north) = (Int64.max, Int64.min)
    var isNorthInside = false
    for ring in rings {
      var east: Int64 = 0
      let range = geometry.partRange(ring)
      guard var previous = range.last.map({ geometry.coordinates[$0] }) else { continue }
      for index in range {
        let position = geometry.coordinates[index]
        south = Swift.min(south, Int64(position.latitudeE7))
        north = Swift.max(north, Int64(position.latitudeE7))
        if edgeCrossesAntimeridian(previous, position) {
          east += previous.longitudeE7 > 0 ? 1 : -1
        }
        previous = position
      }
      guard east & 1 != 0 else { continue }
      let measure = RingMeasure(
        of: ring, in: geometry, seams: AntimeridianSeams(of: Geometry()))
      if measure.isNorthern {
        isNorthInside.toggle()
        if ring == rings.lowerBound { north = 900_000_000 }
      } else if ring == rings.lowerBound {
        south = -900_000_000
      }
    }
    guard north > south else { return nil }
    // Halfway, then quarters, eighths and so on; all rows of areas less than 64 units high.
    var parts: Int64 = 2
    while parts <= 64 {
      for part in stride(from: Int64(1), to: parts, by: 2) {
        let row = south + (north - south) * part / parts
        guard row > south, row < north else { continue }
        collect(geometry, rings: rings, row: row, isNorthInside: isNorthInside)
        guard isUsable, let piece = widestPiece(geometry, rings: rings, row: row) else { continue }
        let (_, cosine) = sineAndCosine(ofE7: row)
        return (
          Double(piece.width) * cosine,
          Coordinate(longitudeE7: Int32(clamping: piece.middle), latitudeE7: Int32(clamping: row))
        )
      }
      parts *= 2
    }
    return nil
  }

  private mutating func collect(
    _ geometry: Geometry, rings: Range<Int>, row: Int64, isNorthInside: Bool
  ) {
    above.removeAll(keepingCapacity: true)
    below.removeAll(keepingCapacity: true)
    startsInsideAbove = isNorthInside
    hasVertex = false
    isUsable = true
    for ring in rings {
      let range = geometry.partRange(ring)
      guard var previous = range.last.map({ geometry.coordinates[$0] }) else { continue }
      for index in range {
        let position = geometry.coordinates[index]
        add(previous, position, row: row)
        previous = position
      }
    }
    startsInsideBelow = startsInsideAbove
    if hasVertex { below.sort() }
    above.sort()
  }

  @inline(__always)
  private mutating func add(_ a: Coordinate, _ b: Coordinate, row: Int64) {
    let (ay, by) = (Int64(a.latitudeE7), Int64(b.latitudeE7))
    if ay == row { hasVertex = true }
    if edgeCrossesAntimeridian(a, b) {
      addCrossing(a, b, row: row)
      return
    }
    let isAbove = (ay > row) != (by > row)
    let isBelow = (ay >= row) != (by >= row)
    guard isAbove || isBelow else { return }
    let crossing = key(Int64(a.longitudeE7), ay, Int64(b.longitudeE7), by, row)
    if isAbove { above.append(crossing) }
    if isBelow { below.append(crossing) }
  }

  /// An edge over the antimeridian: two pieces, each on its side, and a change of what is inside at
  /// -180° south of it.
  private mutating func addCrossing(_ a: Coordinate, _ b: Coordinate, row: Int64) {
    let turn = 2 * Int64(halfTurnE7)
    let (east, west) = a.longitudeE7 > b.longitudeE7 ? (a, b) : (b, a)
    let (ex, ey) = (Int64(east.longitudeE7), Int64(east.latitudeE7))
    let (wx, wy) = (Int64(west.longitudeE7) + turn, Int64(west.latitudeE7))
    // Where it is at 180°, against the row: below 2^63, as the edge spans less than 180°.
    let height = (ey - row) * (wx - ex) + (wy - ey) * (Int64(halfTurnE7) - ex)
    if height == 0 {
      isUsable = false
      return
    }
    if height > 0 { startsInsideAbove.toggle() }
    let isAbove = (ey > row) != (wy > row)
    let isBelow = (ey >= row) != (wy >= row)
    guard isAbove || isBelow else { return }
    var crossing = key(ex, ey, wx, wy, row)
    if crossing >= turn { crossing -= 2 * turn }
    if isAbove { above.append(crossing) }
    if isBelow { below.append(crossing) }
  }

  @inline(__always)
  private func key(_ ax: Int64, _ ay: Int64, _ bx: Int64, _ by: Int64, _ row: Int64) -> Int64 {
    var (numerator, divisor) = ((bx - ax) * (row - ay), by - ay)
    if divisor < 0 { (numerator, divisor) = (-numerator, -divisor) }
    var whole = numerator / divisor
    var rest = numerator % divisor
    if rest < 0 {
      rest += divisor
      whole -= 1
    }
    return 2 * (ax + whole) + (rest > 0 ? 1 : 0)
  }

  /// Of the pieces that are inside both just above and just below the row, the widest that no level
  /// edge covers.
  private func widestPiece(
    _ geometry: Geometry, rings: Range<Int>, row: Int64
  ) -> (width: Int64, middle: Int64)? {
    var best: (width: Int64, middle: Int64)?
    var (isInAbove, isInBelow) = (startsInsideAbove, startsInsideBelow)
    var (i, j) = (0, 0)
    var last = -2 * Int64(halfTurnE7)
    while true {
      let up = i < above.count ? above[i] : Int64.max
      let down = hasVertex && j < below.count ? below[j] : Int64.max
      let next = Swift.min(up, down, 2 * Int64(halfTurnE7))
      if isInAbove, isInBelow || !hasVertex {
        // Whole longitudes strictly between the keys.
        let low = (last >> 1) + 1
        let high = ((next + 1) >> 1) - 1
        if low <= high, high - low + 1 > best?.width ?? 0 {
          let middle = low + (high - low) / 2
          if !hasVertex || !liesOnBoundary(middle, geometry, rings: rings, row: row) {
            best = (high - low + 1, middle)
          }
        }
      }
      if up == Int64.max, down == Int64.max { return best }
      if up == next {
        isInAbove.toggle()
        i += 1
      }
      if down == next {
        isInBelow.toggle()
        j += 1
      }
      if up != next, down != next { return best }
      last = next
    }
  }

  /// Whether a vertex or a level edge of the row holds the position.
  private func liesOnBoundary(
    _ x: Int64, _ geometry: Geometry, rings: Range<Int>, row: Int64
  ) -> Bool {
    for ring in rings {
      let range = geometry.partRange(ring)
      guard var previous = range.last.map({ geometry.coordinates[$0] }) else { continue }
      for index in range {
        let position = geometry.coordinates[index]
        defer { previous = position }
        guard Int64(position.latitudeE7) == row else { continue }
        if Int64(position.longitudeE7) == x { return true }
        guard Int64(previous.latitudeE7) == row else { continue }
        let low = Int64(Swift.min(previous.longitudeE7, position.longitudeE7))
        let high = Int64(Swift.max(previous.longitudeE7, position.longitudeE7))
        if edgeCrossesAntimeridian(previous, position) {
          if x >= high || x <= low { return true }
        } else if x >= low, x <= high {
          return true
        }
      }
    }
    return false
  }
}
