// Geometries as the measures read them: positions and ends that hold, and the places where a cut
// along the antimeridian (RFC 7946 §3.1.9) is undone.

import OSMModel

extension Geometry {
  /// Whether every position is valid and every end lies where it can.
  var isMeasurable: Bool {
    var last = 0
    for end in partEnds {
      if end < last || end > coordinates.count { return false }
      last = end
    }
    last = 0
    for end in polygonEnds {
      if end < last || end > partEnds.count { return false }
      last = end
    }
    return coordinates.allSatisfy(\.isValid)
  }

  /// The geometry without positions that are not valid and with ends cut to what there is.
  ///
  /// - Complexity: O(1) memory when nothing is wrong.
  var measurable: Geometry {
    if isMeasurable { return self }
    var result = Geometry()
    result.kind = kind
    result.members = members
    guard !partEnds.isEmpty else {
      result.coordinates = coordinates.filter(\.isValid)
      return result
    }
    var start = 0
    for end in partEnds {
      let end = Swift.min(Swift.max(end, start), coordinates.count)
      for position in coordinates[start..<end] where position.isValid {
        result.coordinates.append(position)
      }
      result.partEnds.append(result.coordinates.count)
      start = end
    }
    var ring = 0
    for end in polygonEnds {
      ring = Swift.min(Swift.max(end, ring), partEnds.count)
      result.polygonEnds.append(ring)
    }
    return result
  }

  var isAreal: Bool { kind == .polygon || kind == .multiPolygon }
  var isLinear: Bool { kind == .lineString || kind == .multiLineString }

  /// The rings that belong to polygons.
  var ringCount: Int { Swift.min(polygonEnds.last ?? 0, partEnds.count) }

  /// The edges of a ring; one that is not closed is closed by its last.
  @inline(__always)
  func forEachEdge(ofRing ring: Int, _ body: (MeasuredPosition, MeasuredPosition) -> Void) {
    let range = partRange(ring)
    guard let first = range.first else { return }
    let origin = MeasuredPosition(coordinates[first])
    var previous = origin
    for index in range.dropFirst() where coordinates[index] != previous.coordinate {
      let position = MeasuredPosition(coordinates[index])
      body(previous, position)
      previous = position
    }
    if previous.coordinate != origin.coordinate { body(previous, origin) }
  }

  @inline(__always)
  func forEachEdge(ofLine line: Int, _ body: (MeasuredPosition, MeasuredPosition) -> Void) {
    let range = partRange(line)
    guard let first = range.first else { return }
    var previous = MeasuredPosition(coordinates[first])
    for index in range.dropFirst() where coordinates[index] != previous.coordinate {
      let position = MeasuredPosition(coordinates[index])
      body(previous, position)
      previous = position
    }
  }
}

/// An edge that was cut at the antimeridian: it ran from `start` to `end` and is measured so, instead
/// of by its pieces up to `cut` and from the same position on the other side.
struct Seam {
  var part: Int
  var start: MeasuredPosition
  var cut: MeasuredPosition
  var end: MeasuredPosition
}

/// What a cut along the antimeridian has changed.
///
/// A vertex on the antimeridian that lies within a unit of the straight line between its neighbours is
/// taken for one of the cut. Edges along the antimeridian with area on both sides are no boundary.
struct AntimeridianSeams {
  private(set) var seams: [Seam] = []
  /// Intervals of latitude in which both sides of the antimeridian carry an edge.
  private(set) var inside: [(Int32, Int32)] = []

  private struct End {
    var part: Int
    var cut: Coordinate
    var neighbour: Coordinate
    /// Whether its ring runs towards the cut.
    var arrives: Bool
    var isUsed = false
  }

  /// - Complexity: O(n), and O(c log c) for c positions on the antimeridian.
  init(of geometry: Geometry) {
    if geometry.isAreal {
      guard AntimeridianSeams.touchesBothSides(geometry.coordinates) else { return }
      collectRings(geometry)
    } else if geometry.kind == .multiLineString {
      collectLines(geometry)
    }
  }

  private static func touchesBothSides(_ coordinates: [Coordinate]) -> Bool {
    var (east, west) = (false, false)
    for position in coordinates {
      if position.longitudeE7 == halfTurnE7 { east = true }
      if position.longitudeE7 == -halfTurnE7 { west = true }
    }
    return east && west
  }

  private mutating func collectLines(_ geometry: Geometry) {
    for part in geometry.partEnds.indices.dropFirst() {
      let (before, after) = (geometry.partRange(part - 1), geometry.partRange(part))
      guard before.count > 1, after.count > 1 else { continue }
      let end = geometry.coordinates[before.upperBound - 1]
      let start = geometry.coordinates[after.lowerBound]
      guard abs(end.longitudeE7) == halfTurnE7, start.longitudeE7 == -end.longitudeE7,
        start.latitudeE7 == end.latitudeE7
      else { continue }
      join(
        End(
          part: part, cut: end, neighbour: geometry.coordinates[before.upperBound - 2],
          arrives: true), geometry.coordinates[after.lowerBound + 1])
    }
  }

  @discardableResult
  private mutating func join(_ end: End, _ other: Coordinate) -> Bool {
    let near = end.neighbour
    guard (near.longitudeE7 > 0) == (end.cut.longitudeE7 > 0), near.longitudeE7 != 0,
      other.longitudeE7 != 0, (other.longitudeE7 > 0) != (near.longitudeE7 > 0)
    else { return false }
    let part = Double(halfTurnE7) - abs(Double(near.longitudeE7))
    let whole = part + Double(halfTurnE7) - abs(Double(other.longitudeE7))
    guard part > 0, whole > part, whole < Double(halfTurnE7) else { return false }
    let rise = Double(other.latitudeE7) - Double(near.latitudeE7)
    let latitude = Double(near.latitudeE7) + rise * part / whole
    guard abs(latitude - Double(end.cut.latitudeE7)) <= 1 else { return false }
    seams.append(
      Seam(
        part: end.part, start: MeasuredPosition(end.arrives ? near : other),
        cut: MeasuredPosition(end.cut), end: MeasuredPosition(end.arrives ? other : near)))
    return true
  }

  private mutating func collectRings(_ geometry: Geometry) {
    var east: [End] = []
    var west: [End] = []
    var eastEdges: [(Int32, Int32)] = []
    var westEdges: [(Int32, Int32)] = []
    for ring in 0..<geometry.ringCount {
      let range = geometry.partRange(ring)
      guard var previous = range.last.map({ geometry.coordinates[$0] }) else { continue }
      for index in range {
        let position = geometry.coordinates[index]
        defer { previous = position }
        guard position != previous else { continue }
        let isCutBefore = abs(previous.longitudeE7) == halfTurnE7
        let isCut = abs(position.longitudeE7) == halfTurnE7
        if isCut, isCutBefore {
          guard previous.longitudeE7 == position.longitudeE7 else { continue }
          let edge = (
            Swift.min(previous.latitudeE7, position.latitudeE7),
            Swift.max(previous.latitudeE7, position.latitudeE7)
          )
          if position.longitudeE7 > 0 { eastEdges.append(edge) } else { westEdges.append(edge) }
        } else if isCut != isCutBefore {
          let end = End(
            part: ring, cut: isCut ? position : previous, neighbour: isCut ? previous : position,
            arrives: isCut)
          if end.cut.longitudeE7 > 0 { east.append(end) } else { west.append(end) }
        }
      }
    }
    match(&east, &west)
    meet(&eastEdges, &westEdges)
  }

  private mutating func match(_ east: inout [End], _ west: inout [End]) {
    east.sort { $0.cut.latitudeE7 < $1.cut.latitudeE7 }
    west.sort { $0.cut.latitudeE7 < $1.cut.latitudeE7 }
    var next = 0
    for end in east {
      while next < west.count, west[next].cut.latitudeE7 < end.cut.latitudeE7 { next += 1 }
      // More than a few edges cut in one position are not looked at.
      for other in next..<Swift.min(next + 8, west.count)
      where !west[other].isUsed && west[other].cut.latitudeE7 == end.cut.latitudeE7 {
        if join(end, west[other].neighbour) {
          west[other].isUsed = true
          break
        }
      }
    }
  }

  private mutating func meet(_ east: inout [(Int32, Int32)], _ west: inout [(Int32, Int32)]) {
    east.sort { $0 < $1 }
    west.sort { $0 < $1 }
    var (e, w) = (0, 0)
    while e < east.count, w < west.count {
      let low = Swift.max(east[e].0, west[w].0)
      let high = Swift.min(east[e].1, west[w].1)
      if low < high { inside.append((low, high)) }
      if east[e].1 < west[w].1 { e += 1 } else { w += 1 }
    }
  }
}
