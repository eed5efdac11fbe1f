// The box around all that is written. Source: RFC 7946 §5.

import OSMModel

/// The least and greatest longitude and latitude of geometries, and what of that lies on each side of
/// Greenwich.
struct Extent {
  private var west = Int32.max
  private var south = Int32.max
  private var east = Int32.min
  private var north = Int32.min
  /// The western end of what lies east of Greenwich.
  private var westOfEastern = Int32.max
  /// The eastern end of what lies west of Greenwich.
  private var eastOfWestern = Int32.min
  /// Whether a line or the edge of an area goes over Greenwich.
  private var spansGreenwich = false

  private static let halfTurn: Int64 = 1_800_000_000

  /// The box, `nil` when nothing was included. Its west is greater than its east where the way over
  /// the antimeridian is the shorter one (RFC 7946 §5.2): where the data leaves more than half of the
  /// world free on both sides of Greenwich.
  var box: BoundingBox? {
    guard west <= east else { return nil }
    let free = Int64(westOfEastern) - Int64(eastOfWestern)
    let isOverAntimeridian = west < 0 && east >= 0 && !spansGreenwich && free > Extent.halfTurn
    return BoundingBox(
      southE7: south, westE7: isOverAntimeridian ? westOfEastern : west, northE7: north,
      eastE7: isOverAntimeridian ? eastOfWestern : east)
  }

  mutating func include(_ geometry: Geometry) {
    for member in geometry.members { include(member) }
    guard !geometry.coordinates.isEmpty else { return }
    var own = Extent()
    for position in geometry.coordinates {
      own.west = min(own.west, position.longitudeE7)
      own.south = min(own.south, position.latitudeE7)
      own.east = max(own.east, position.longitudeE7)
      own.north = max(own.north, position.latitudeE7)
    }
    if own.west >= 0 {
      own.westOfEastern = own.west
    } else if own.east < 0 {
      own.eastOfWestern = own.east
    } else if !spansGreenwich {
      own.includeSides(geometry)
    }
    include(own)
  }

  /// Looks at both sides of a geometry that has positions on both.
  private mutating func includeSides(_ geometry: Geometry) {
    for position in geometry.coordinates {
      if position.longitudeE7 < 0 {
        eastOfWestern = max(eastOfWestern, position.longitudeE7)
      } else {
        westOfEastern = min(westOfEastern, position.longitudeE7)
      }
    }
    for part in geometry.partEnds.indices {
      for index in geometry.partRange(part).dropFirst() {
        let (a, b) = (geometry.coordinates[index - 1], geometry.coordinates[index])
        guard (a.longitudeE7 < 0) != (b.longitudeE7 < 0) else { continue }
        let width = abs(Int64(a.longitudeE7) - Int64(b.longitudeE7))
        // The edge of an area from -180° to 180° goes around the world.
        let isAround = width == 2 * Extent.halfTurn && !geometry.polygonEnds.isEmpty
        if width <= Extent.halfTurn || isAround {
          spansGreenwich = true
          return
        }
      }
    }
  }

  mutating func include(_ other: Extent) {
    west = min(west, other.west)
    south = min(south, other.south)
    east = max(east, other.east)
    north = max(north, other.north)
    westOfEastern = min(westOfEastern, other.westOfEastern)
    eastOfWestern = max(eastOfWestern, other.eastOfWestern)
    spansGreenwich = spansGreenwich || other.spansGreenwich
  }
}
