// The bounding box of a geometry. Source: RFC 7946 §5.

import OSMModel

extension Geometry {
  /// The smallest box around the geometry, `nil` for empty geometries.
  ///
  /// Where that box crosses the antimeridian, its west is greater than its east (RFC 7946 §5.2). An
  /// area around a pole reaches the pole and spans all longitudes (§5.3). Lines between positions are
  /// straight on the map, as RFC 7946 §3.1.1 has it, and go the short way around the world.
  /// Positions that are not valid are left out.
  ///
  /// - Complexity: O(n + p log p) for p lines, rings or points; O(n) when they span at most 180°.
  public var boundingBox: BoundingBox? {
    var extent = Extent()
    extent.add(self)
    return extent.box
  }
}

/// Latitudes, and intervals of longitude, that a geometry covers.
private struct Extent {
  private var south: Int32 = .max
  private var north: Int32 = .min
  private var west: Int32 = .max
  private var east: Int32 = .min
  private var isWide = false
  /// From west to east; the east end may lie beyond 180°.
  private var intervals: [(west: Int64, east: Int64)] = []
  private static let turn = 2 * Int64(halfTurnE7)

  mutating func add(_ geometry: Geometry) {
    addNarrow(geometry)
    if isWide || (east >= west && Int64(east) - Int64(west) > Int64(halfTurnE7)) {
      isWide = true
      intervals.removeAll()
      addWide(geometry)
    }
  }

  private mutating func addNarrow(_ geometry: Geometry) {
    for member in geometry.members where geometry.kind == .geometryCollection {
      addNarrow(member)
    }
    guard geometry.kind != .none else { return }
    for position in geometry.coordinates where position.isValid {
      south = Swift.min(south, position.latitudeE7)
      north = Swift.max(north, position.latitudeE7)
      west = Swift.min(west, position.longitudeE7)
      east = Swift.max(east, position.longitudeE7)
    }
  }

  private mutating func addWide(_ source: Geometry) {
    if source.kind == .geometryCollection {
      for member in source.members { addWide(member) }
      return
    }
    let geometry = source.measurable
    switch geometry.kind {
    case .point, .multiPoint:
      for position in geometry.coordinates {
        append(Int64(position.longitudeE7), Int64(position.longitudeE7))
      }
    case .lineString, .multiLineString:
      for line in geometry.partEnds.indices { addRun(geometry, line, isAreal: false) }
    case .polygon, .multiPolygon:
      for ring in 0..<geometry.ringCount { addRun(geometry, ring, isAreal: true) }
    case .none, .geometryCollection: break
    }
  }

  private mutating func append(_ west: Int64, _ east: Int64) {
    // 180° itself is -180°, so that what ends at one and what begins at the other meet.
    let shift: Int64 =
      west >= Int64(halfTurnE7) ? -Extent.turn : west < -Int64(halfTurnE7) ? Extent.turn : 0
    intervals.append((west + shift, east + shift))
  }

  /// The longitudes along a line or ring, without a jump at the antimeridian.
  private mutating func addRun(_ geometry: Geometry, _ part: Int, isAreal: Bool) {
    let range = geometry.partRange(part)
    guard let first = range.first else { return }
    var position = Int64(geometry.coordinates[first].longitudeE7)
    var (low, high) = (position, position)
    for index in range.dropFirst() {
      var step =
        Int64(geometry.coordinates[index].longitudeE7)
        - Int64(geometry.coordinates[index - 1].longitudeE7)
      if isAreal, abs(step) == Extent.turn {
        low = Swift.min(low, position + step)
        high = Swift.max(high, position + step)
      }
      if step > Int64(halfTurnE7) { step -= Extent.turn }
      if step < -Int64(halfTurnE7) { step += Extent.turn }
      position += step
      low = Swift.min(low, position)
      high = Swift.max(high, position)
    }
    if isAreal, abs(position - Int64(geometry.coordinates[first].longitudeE7)) == Extent.turn {
      let measure = RingMeasure(
        of: part, in: geometry, seams: AntimeridianSeams(of: Geometry()))
      if measure.enclosesPole {
        if measure.isNorthern { north = 900_000_000 } else { south = -900_000_000 }
      }
    }
    if high - low >= Extent.turn {
      append(-Int64(halfTurnE7), Int64(halfTurnE7))
    } else {
      // Keep the start within ±180°.
      let shift =
        low < -Int64(halfTurnE7)
        ? (-Int64(halfTurnE7) - low + Extent.turn - 1) / Extent.turn * Extent.turn
        : low > Int64(halfTurnE7)
          ? -((low - Int64(halfTurnE7) + Extent.turn - 1) / Extent.turn * Extent.turn) : 0
      append(low + shift, high + shift)
    }
  }

  var box: BoundingBox? {
    guard south <= north else { return nil }
    let (west, east) = isWide ? widest() : (west, east)
    return BoundingBox(southE7: south, westE7: west, northE7: north, eastE7: east)
  }

  /// Both ends of what the largest gap between the intervals leaves.
  private func widest() -> (Int32, Int32) {
    let sorted = intervals.sorted { $0.west < $1.west }
    guard let first = sorted.first else { return (west, east) }
    var reach = first.east
    var gap: Int64 = 0
    var result = (west: -Int64(halfTurnE7), east: Int64(halfTurnE7))
    for interval in sorted.dropFirst() {
      if interval.west - reach > gap {
        gap = interval.west - reach
        result = (interval.west, reach)
      }
      reach = Swift.max(reach, interval.east)
    }
    // What reaches beyond 180° covers the beginning as well; the gap there is the last.
    if reach > first.west + Extent.turn {
      return covered(sorted, beyond: reach - Extent.turn)
    }
    let last = first.west + Extent.turn - reach
    if last > 0, last >= gap { result = (first.west, reach) }
    return normalized(result)
  }

  /// The same when the last interval comes around to the first ones.
  private func covered(_ sorted: [(west: Int64, east: Int64)], beyond start: Int64) -> (
    Int32, Int32
  ) {
    var reach = start
    var gap: Int64 = 0
    var result = (west: -Int64(halfTurnE7), east: Int64(halfTurnE7))
    for interval in sorted {
      if interval.west - reach > gap {
        gap = interval.west - reach
        result = (interval.west, reach)
      }
      reach = Swift.max(reach, interval.east)
    }
    return normalized(result)
  }

  private func normalized(_ box: (west: Int64, east: Int64)) -> (Int32, Int32) {
    var (west, east) = box
    if east > Int64(halfTurnE7) { east -= Extent.turn }
    if east == -Int64(halfTurnE7) { east = Int64(halfTurnE7) }
    if west == -Int64(halfTurnE7), east == Int64(halfTurnE7), box.east - box.west == 0 {
      west = east
    }
    return (Int32(clamping: west), Int32(clamping: east))
  }
}
