// Boxes in longitude and latitude, which may cross the antimeridian.

/// A box of longitudes and latitudes in units of 1e-7 degrees.
///
/// `west > east` means that the box crosses the antimeridian, as in Overpass QL and RFC 7946 §5.2.
@frozen public struct BoundingBox: Sendable, Hashable, BitwiseCopyable {
  public var southE7: Int32
  public var westE7: Int32
  public var northE7: Int32
  public var eastE7: Int32

  @inlinable public init(southE7: Int32, westE7: Int32, northE7: Int32, eastE7: Int32) {
    self.southE7 = southE7
    self.westE7 = westE7
    self.northE7 = northE7
    self.eastE7 = eastE7
  }

  /// A box that is not known.
  @inlinable public static var undefined: BoundingBox {
    BoundingBox(southE7: .max, westE7: .max, northE7: .max, eastE7: .max)
  }

  @inlinable public var isUndefined: Bool { self == .undefined }

  /// Whether all four sides lie within ±180° and ±90° and south is not above north.
  @inlinable public var isValid: Bool {
    Coordinate(longitudeE7: westE7, latitudeE7: southE7).isValid
      && Coordinate(longitudeE7: eastE7, latitudeE7: northE7).isValid && southE7 <= northE7
  }

  @inlinable public var crossesAntimeridian: Bool { westE7 > eastE7 }

  @inlinable public var southWest: Coordinate {
    Coordinate(longitudeE7: westE7, latitudeE7: southE7)
  }
  @inlinable public var northEast: Coordinate {
    Coordinate(longitudeE7: eastE7, latitudeE7: northE7)
  }
}

extension BoundingBox {
  /// The smallest box around both, over the antimeridian where that is the shorter way. One that is
  /// not valid counts for nothing.
  public func union(_ other: BoundingBox) -> BoundingBox {
    guard isValid else { return other }
    guard other.isValid else { return self }
    var result = BoundingBox(
      southE7: min(southE7, other.southE7), westE7: westE7, northE7: max(northE7, other.northE7),
      eastE7: eastE7)
    // All counted eastward from this box's west side.
    let turn: Int64 = 3_600_000_000
    let end = width
    let otherStart = (Int64(other.westE7) - Int64(westE7) + turn) % turn
    let otherEnd = otherStart + other.width
    if otherStart <= end {
      if otherEnd <= end { return result }
      guard otherEnd < turn else {
        (result.westE7, result.eastE7) = (-1_800_000_000, 1_800_000_000)
        return result
      }
      result.eastE7 = other.eastE7
    } else if otherEnd >= turn {
      result.westE7 = other.westE7
      if otherEnd - turn > end { result.eastE7 = other.eastE7 }
    } else if otherStart - end <= turn - otherEnd {
      // The gap between this box's east and the other's west is the smaller one.
      result.eastE7 = other.eastE7
    } else {
      result.westE7 = other.westE7
    }
    return result
  }

  /// From west to east, in units of 1e-7 degrees; 360° for a box around the world.
  private var width: Int64 {
    let width = Int64(eastE7) - Int64(westE7)
    return width < 0 ? width + 3_600_000_000 : width
  }

  /// Whether a position lies in the box or on its edge; ±180° is one meridian.
  @inlinable public func contains(_ position: Coordinate) -> Bool {
    guard position.latitudeE7 >= southE7, position.latitudeE7 <= northE7 else { return false }
    let longitude = position.longitudeE7
    if containsLongitude(longitude) { return true }
    return (longitude == 1_800_000_000 || longitude == -1_800_000_000)
      && containsLongitude(-longitude)
  }

  @usableFromInline func containsLongitude(_ longitude: Int32) -> Bool {
    crossesAntimeridian
      ? longitude >= westE7 || longitude <= eastE7 : longitude >= westE7 && longitude <= eastE7
  }

  /// Whether the boxes have a position in common.
  public func intersects(_ other: BoundingBox) -> Bool {
    guard isValid, other.isValid, southE7 <= other.northE7, other.southE7 <= northE7 else {
      return false
    }
    let turn: Int64 = 3_600_000_000
    let start = (Int64(other.westE7) - Int64(westE7) + turn) % turn
    return start <= width || start + other.width >= turn
  }
}
