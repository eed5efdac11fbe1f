// Small steps of building geometries.

import OSMModel

extension Geometry {
  /// Sets the kind of a geometry made of lines.
  mutating func settleLines() {
    switch partEnds.count {
    case 0: kind = .none
    case 1: kind = .lineString
    default: kind = .multiLineString
    }
  }

  /// Appends a box as a polygon.
  mutating func appendRectangle(_ box: BoundingBox) {
    let (west, east, south, north) = (box.westE7, box.eastE7, box.southE7, box.northE7)
    for (longitudeE7, latitudeE7) in [
      (west, south), (east, south), (east, north), (west, north), (west, south),
    ] {
      coordinates.append(Coordinate(longitudeE7: longitudeE7, latitudeE7: latitudeE7))
    }
    partEnds.append(coordinates.count)
    polygonEnds.append(partEnds.count)
    kind = .polygon
  }

  /// Turns rings so that exteriors run counter-clockwise and holes clockwise.
  mutating func rewind() {
    for index in members.indices { members[index].rewind() }
    guard kind == .polygon || kind == .multiPolygon else { return }
    var firstRing = 0
    for end in polygonEnds {
      for ring in firstRing..<end {
        let range = partRange(ring)
        let isCounterClockwise = doubledArea(range) >= 0
        if isCounterClockwise != (ring == firstRing) { coordinates[range].reverse() }
      }
      firstRing = end
    }
  }

  private func doubledArea(_ range: Range<Int>) -> Double {
    guard let origin = coordinates[range].first else { return 0 }
    var sum = 0.0
    for index in range.dropLast() {
      let a = coordinates[index]
      let b = coordinates[index + 1]
      sum +=
        (a.longitude - origin.longitude) * (b.latitude - origin.latitude)
        - (b.longitude - origin.longitude) * (a.latitude - origin.latitude)
    }
    return sum
  }
}
