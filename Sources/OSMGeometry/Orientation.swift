// Exact plane geometry on whole numbers of 1e-7 degrees.

import OSMModel

/// On which side of the directed line a→b the point c lies: 1 left, -1 right, 0 on the line.
///
/// Exact: within ±180° and ±90° each product stays below 3.6e9 · 1.8e9 < 2^63, and comparing the
/// two products instead of subtracting them avoids the overflow of the determinant.
@inline(__always)
func orientation(_ a: Coordinate, _ b: Coordinate, _ c: Coordinate) -> Int {
  let ax = Int64(a.longitudeE7)
  let ay = Int64(a.latitudeE7)
  let left = (Int64(b.longitudeE7) &- ax) &* (Int64(c.latitudeE7) &- ay)
  let right = (Int64(b.latitudeE7) &- ay) &* (Int64(c.longitudeE7) &- ax)
  return left == right ? 0 : left > right ? 1 : -1
}

extension Coordinate {
  /// A number that orders positions from west to east and, at one longitude, from south to north.
  @inline(__always) var sweepKey: UInt64 {
    let east = UInt64(UInt32(bitPattern: longitudeE7) ^ 0x8000_0000)
    let north = UInt64(UInt32(bitPattern: latitudeE7) ^ 0x8000_0000)
    return east << 32 | north
  }

  @inline(__always) init(sweepKey key: UInt64) {
    self.init(
      longitudeE7: Int32(bitPattern: UInt32(truncatingIfNeeded: key >> 32) ^ 0x8000_0000),
      latitudeE7: Int32(bitPattern: UInt32(truncatingIfNeeded: key) ^ 0x8000_0000))
  }
}

/// Whether two different segments have a point in common other than a shared end.
func segmentsConflict(
  _ a: Coordinate, _ b: Coordinate, _ c: Coordinate, _ d: Coordinate
) -> Bool {
  if a == c { return overlapFrom(a, b, d) }
  if a == d { return overlapFrom(a, b, c) }
  if b == c { return overlapFrom(b, a, d) }
  if b == d { return overlapFrom(b, a, c) }
  guard boxesMeet(a, b, c, d) else { return false }
  return orientation(a, b, c) * orientation(a, b, d) <= 0
    && orientation(c, d, a) * orientation(c, d, b) <= 0
}

/// Whether two segments that start at one point run along each other.
private func overlapFrom(_ origin: Coordinate, _ first: Coordinate, _ second: Coordinate) -> Bool {
  guard orientation(origin, first, second) == 0 else { return false }
  let sameSideX =
    sign(first.longitudeE7, origin.longitudeE7)
    == sign(second.longitudeE7, origin.longitudeE7)
  let sameSideY =
    sign(first.latitudeE7, origin.latitudeE7)
    == sign(second.latitudeE7, origin.latitudeE7)
  return sameSideX && sameSideY
}

private func sign(_ value: Int32, _ origin: Int32) -> Int {
  value == origin ? 0 : value > origin ? 1 : -1
}

@inline(__always)
func boxesMeet(_ a: Coordinate, _ b: Coordinate, _ c: Coordinate, _ d: Coordinate) -> Bool {
  max(a.longitudeE7, b.longitudeE7) >= min(c.longitudeE7, d.longitudeE7)
    && max(c.longitudeE7, d.longitudeE7) >= min(a.longitudeE7, b.longitudeE7)
    && max(a.latitudeE7, b.latitudeE7) >= min(c.latitudeE7, d.latitudeE7)
    && max(c.latitudeE7, d.latitudeE7) >= min(a.latitudeE7, b.latitudeE7)
}

/// Where two segments that conflict meet, rounded: for reports only.
func approximateMeeting(
  _ a: Coordinate, _ b: Coordinate, _ c: Coordinate, _ d: Coordinate
) -> Coordinate {
  let (ux, uy) = difference(a, b)
  let (vx, vy) = difference(c, d)
  let determinant = ux * vy - uy * vx
  guard determinant != 0 else { return max(min(a, b), min(c, d)) }
  let (wx, wy) = difference(a, c)
  let along = (wx * vy - wy * vx) / determinant
  let x = Double(a.longitudeE7) + along * ux
  let y = Double(a.latitudeE7) + along * uy
  guard let longitudeE7 = Int32(exactly: x.rounded()), let latitudeE7 = Int32(exactly: y.rounded())
  else { return a }
  return Coordinate(longitudeE7: longitudeE7, latitudeE7: latitudeE7)
}

private func difference(_ a: Coordinate, _ b: Coordinate) -> (Double, Double) {
  (
    Double(Int64(b.longitudeE7) - Int64(a.longitudeE7)),
    Double(Int64(b.latitudeE7) - Int64(a.latitudeE7))
  )
}

private func min(_ a: Coordinate, _ b: Coordinate) -> Coordinate {
  a.sweepKey < b.sweepKey ? a : b
}

private func max(_ a: Coordinate, _ b: Coordinate) -> Coordinate {
  a.sweepKey < b.sweepKey ? b : a
}
