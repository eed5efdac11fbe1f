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

  /// Appends a box as an area: a polygon, or one on each side of the antimeridian where the box goes
  /// over it and is to be cut. Without width or height it is a line, without both a point.
  mutating func append(_ box: BoundingBox, cutsAntimeridian: Bool) {
    guard box.crossesAntimeridian, cutsAntimeridian else {
      appendUncut(box)
      return
    }
    var halves: [BoundingBox] = []
    for (west, east) in [(box.westE7, halfTurnE7), (-halfTurnE7, box.eastE7)] where west < east {
      halves.append(
        BoundingBox(southE7: box.southE7, westE7: west, northE7: box.northE7, eastE7: east))
    }
    // From 180° to -180° there is no width.
    if halves.isEmpty {
      halves.append(
        BoundingBox(
          southE7: box.southE7, westE7: halfTurnE7, northE7: box.northE7, eastE7: halfTurnE7))
    }
    for half in halves { appendUncut(half) }
    guard halves.count > 1 else { return }
    kind = kind == .polygon ? .multiPolygon : .multiLineString
  }

  private mutating func appendUncut(_ box: BoundingBox) {
    let (west, east, south, north) = (box.westE7, box.eastE7, box.southE7, box.northE7)
    coordinates.append(box.southWest)
    switch (west == east, south == north) {
    case (true, true): kind = .point
    case (true, false), (false, true):
      // A line between positions more than half of the world apart would go the short way.
      let width = Int64(east) - Int64(west)
      if width > Int64(halfTurnE7) {
        let middle = Int32(clamping: Int64(west) + width / 2)
        coordinates.append(Coordinate(longitudeE7: middle, latitudeE7: south))
      }
      coordinates.append(box.northEast)
      partEnds.append(coordinates.count)
      kind = .lineString
    case (false, false):
      coordinates.append(Coordinate(longitudeE7: east, latitudeE7: south))
      coordinates.append(box.northEast)
      coordinates.append(Coordinate(longitudeE7: west, latitudeE7: north))
      coordinates.append(box.southWest)
      partEnds.append(coordinates.count)
      polygonEnds.append(partEnds.count)
      kind = .polygon
    }
  }
}
