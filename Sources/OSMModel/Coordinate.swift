// Positions in OSM's own resolution: whole numbers of 1e-7 degrees, WGS84.

/// A position on the ellipsoid WGS84 in units of 1e-7 degrees, the resolution of OSM itself, so that
/// decimal text round-trips exactly.
@frozen public struct Coordinate: Sendable, Hashable, BitwiseCopyable {
  public var longitudeE7: Int32
  public var latitudeE7: Int32

  @inlinable public init(longitudeE7: Int32, latitudeE7: Int32) {
    self.longitudeE7 = longitudeE7
    self.latitudeE7 = latitudeE7
  }

  /// A position that is not known: absent from the answer, or clipped away by `out geom(bbox)`.
  @inlinable public static var undefined: Coordinate {
    Coordinate(longitudeE7: .max, latitudeE7: .max)
  }

  @inlinable public var isUndefined: Bool { latitudeE7 == .max && longitudeE7 == .max }

  /// Whether the position lies within ±180° and ±90°. The server prints others for things it knows
  /// nothing about; they are kept as read and never used as geometry.
  @inlinable public var isValid: Bool {
    latitudeE7 >= -900_000_000 && latitudeE7 <= 900_000_000
      && longitudeE7 >= -1_800_000_000 && longitudeE7 <= 1_800_000_000
  }

  /// Degrees east of Greenwich.
  @inlinable public var longitude: Double { Double(longitudeE7) / 1e7 }
  /// Degrees north of the equator.
  @inlinable public var latitude: Double { Double(latitudeE7) / 1e7 }

  /// The nearest position to degrees given as numbers; `nil` when they are not finite or lie
  /// outside ±180° and ±90°.
  @inlinable public init?(longitude: Double, latitude: Double) {
    guard longitude >= -180, longitude <= 180, latitude >= -90, latitude <= 90 else { return nil }
    self.init(
      longitudeE7: Int32((longitude * 1e7).rounded()), latitudeE7: Int32((latitude * 1e7).rounded())
    )
  }
}

/// Prints units of 1e-7 degrees as decimal degrees: exact, no exponent, no trailing zeros after the
/// first decimal's place, `-0` as `0`.
public func degreesText(_ valueE7: Int32) -> String {
  var buffer: [UInt8] = []
  buffer.reserveCapacity(12)
  appendDegrees(valueE7, to: &buffer)
  return String(decoding: buffer, as: UTF8.self)
}

/// Appends what ``degreesText(_:)`` prints to `bytes`.
public func appendDegrees(_ valueE7: Int32, to bytes: inout [UInt8]) {
  if valueE7 < 0 { bytes.append(UInt8(ascii: "-")) }
  let magnitude = valueE7.magnitude
  let whole = magnitude / 10_000_000
  var fraction = magnitude % 10_000_000
  appendDecimal(whole, to: &bytes)
  guard fraction > 0 else { return }
  bytes.append(UInt8(ascii: "."))
  var place: UInt32 = 1_000_000
  while fraction > 0 {
    bytes.append(UInt8(ascii: "0") + UInt8(fraction / place))
    fraction %= place
    place /= 10
  }
}

private func appendDecimal(_ value: UInt32, to bytes: inout [UInt8]) {
  if value >= 10 { appendDecimal(value / 10, to: &bytes) }
  bytes.append(UInt8(ascii: "0") + UInt8(value % 10))
}
