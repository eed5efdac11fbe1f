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
