// Cutting geometries that cross the antimeridian. Source: RFC 7946 §3.1.9.

import OSMModel

/// 180 degrees.
let halfTurnE7: Int32 = 1_800_000_000

/// Whether a straight piece between two longitudes goes the short way over the antimeridian: it
/// spans more than half of the world otherwise.
@inline(__always)
func crossesAntimeridian(_ a: Coordinate, _ b: Coordinate) -> Bool {
  abs(Int64(a.longitudeE7) - Int64(b.longitudeE7)) > Int64(halfTurnE7)
}

/// The same for the edge of an area: between -180° and 180° itself, it goes around the world.
@inline(__always)
func edgeCrossesAntimeridian(_ a: Coordinate, _ b: Coordinate) -> Bool {
  let span = abs(Int64(a.longitudeE7) - Int64(b.longitudeE7))
  return span > Int64(halfTurnE7) && span < 2 * Int64(halfTurnE7)
}

extension Coordinate {
  /// The same position on a map that has the antimeridian in its middle; twice gives it back, except
  /// that the antimeridian itself comes back as 180°.
  var turned: Coordinate {
    let longitude = longitudeE7 >= 0 ? longitudeE7 - halfTurnE7 : longitudeE7 + halfTurnE7
    return Coordinate(longitudeE7: longitude, latitudeE7: latitudeE7)
  }
}

/// `a + (b - a) * part / whole`, rounded, for 0 ≤ part ≤ whole; otherwise `a`. Exact within ±180°
/// and ±90°, where nothing overflows.
func interpolate(_ a: Int32, _ b: Int32, _ part: Int64, _ whole: Int64) -> Int32 {
  guard part >= 0, part <= whole, whole > 0, whole <= Int64(UInt32.max) else { return a }
  let difference = Int64(b) - Int64(a)
  let (doubled, overflows) = difference.multipliedReportingOverflow(by: part * 2)
  let (numerator, overflowsToo) = doubled.addingReportingOverflow(whole)
  if overflows || overflowsToo {
    let share = Double(part) / Double(whole)
    return Int32(clamping: Int64(a) + Int64((Double(difference) * share).rounded()))
  }
  let divisor = whole * 2
  var quotient = numerator / divisor
  if numerator < 0, numerator % divisor != 0 { quotient -= 1 }
  return Int32(clamping: Int64(a) + quotient)
}

extension Geometry {
  /// Cuts lines where they cross the antimeridian: each part ends and begins at ±180°.
  mutating func cutLinesAtAntimeridian() {
    for index in members.indices { members[index].cutLinesAtAntimeridian() }
    guard kind == .lineString || kind == .multiLineString, linesCrossAntimeridian else { return }
    var cut = Geometry()
    for part in partEnds.indices {
      let range = partRange(part)
      for index in range {
        let position = coordinates[index]
        if index > range.lowerBound, crossesAntimeridian(coordinates[index - 1], position) {
          cut.crossAntimeridian(from: coordinates[index - 1], to: position)
        }
        if cut.coordinates.count == (cut.partEnds.last ?? 0) || cut.coordinates.last != position {
          cut.coordinates.append(position)
        }
      }
      cut.endPart()
    }
    cut.settleLines()
    self = cut
  }

  private var linesCrossAntimeridian: Bool {
    for part in partEnds.indices {
      for index in partRange(part).dropFirst()
      where crossesAntimeridian(coordinates[index - 1], coordinates[index]) {
        return true
      }
    }
    return false
  }

  private mutating func crossAntimeridian(from a: Coordinate, to b: Coordinate) {
    let side: Int32 = a.longitudeE7 > 0 ? halfTurnE7 : -halfTurnE7
    let part = abs(Int64(side) - Int64(a.longitudeE7))
    let whole = part + Int64(halfTurnE7) - abs(Int64(b.longitudeE7))
    let latitude = whole == 0 ? a.latitudeE7 : interpolate(a.latitudeE7, b.latitudeE7, part, whole)
    let end = Coordinate(longitudeE7: side, latitudeE7: latitude)
    if coordinates.last != end { coordinates.append(end) }
    endPart()
    coordinates.append(Coordinate(longitudeE7: -side, latitudeE7: latitude))
  }

  /// Ends a line, unless it is a single point that only touches the antimeridian.
  private mutating func endPart() {
    let start = partEnds.last ?? 0
    if coordinates.count - start > 1 {
      partEnds.append(coordinates.count)
    } else {
      coordinates.removeLast(coordinates.count - start)
    }
  }
}

extension RingAssembler {
  /// Whether segments cross the antimeridian and are to be cut there.
  var needsCut: Bool {
    cutsAntimeridian
      && raw.contains(where: {
        edgeCrossesAntimeridian(Coordinate(sweepKey: $0.low), Coordinate(sweepKey: $0.high))
      })
  }

  /// Moves the segments to a map with the antimeridian in its middle. Returns false and does nothing
  /// when others then cross the edge of that map, as those of rings around a pole do.
  mutating func turn() -> Bool {
    var turned = raw
    for index in turned.indices {
      let segment = raw[index]
      let a = Coordinate(sweepKey: segment.low).turned
      let b = Coordinate(sweepKey: segment.high).turned
      if crossesAntimeridian(a, b) { return false }
      let (lowKey, highKey) = (a.sweepKey, b.sweepKey)
      turned[index].low = Swift.min(lowKey, highKey)
      turned[index].high = Swift.max(lowKey, highKey)
      if lowKey > highKey {
        turned[index].lowNode = segment.highNode
        turned[index].highNode = segment.lowNode
      }
    }
    // What ran along the antimeridian from -180° to 180° has no length now.
    raw = turned.filter { $0.low != $0.high }
    return true
  }

  /// Divides segments that cross the antimeridian and closes what they bound along it. Where their
  /// number is odd, a ring goes around the world: the area reaches the pole on whose side most of it
  /// lies.
  mutating func splitAtAntimeridian() {
    var latitudes: [Int32] = []
    var balance = 0.0
    let segments = raw
    raw.removeAll(keepingCapacity: true)
    ways.append(Way(id: element.number, role: .outer))
    for segment in segments {
      let (west, east) = (Coordinate(sweepKey: segment.low), Coordinate(sweepKey: segment.high))
      guard edgeCrossesAntimeridian(west, east) else {
        raw.append(segment)
        balance +=
          (west.latitude + east.latitude) * (east.longitude - west.longitude)
        continue
      }
      // From the eastern position over 180° to the western one.
      let part = Int64(halfTurnE7) - Int64(east.longitudeE7)
      let width = part + Int64(halfTurnE7) + Int64(west.longitudeE7)
      let latitude = interpolate(east.latitudeE7, west.latitudeE7, part, width)
      latitudes.append(latitude)
      balance += (west.latitude + east.latitude) * Double(width) / 1e7
      var (eastPart, westPart) = (segment, segment)
      eastPart.low = segment.high
      eastPart.lowNode = segment.highNode
      eastPart.high = Coordinate(longitudeE7: halfTurnE7, latitudeE7: latitude).sweepKey
      eastPart.highNode = ElementID.unknownNumber
      westPart.high = segment.low
      westPart.highNode = segment.lowNode
      westPart.low = Coordinate(longitudeE7: -halfTurnE7, latitudeE7: latitude).sweepKey
      westPart.lowNode = ElementID.unknownNumber
      for piece in [eastPart, westPart] where piece.low != piece.high { raw.append(piece) }
    }
    if latitudes.count & 1 == 1 {
      let pole: Int32 = balance < 0 ? -900_000_000 : 900_000_000
      latitudes.append(pole)
      addSeam(from: (-halfTurnE7, pole), to: (halfTurnE7, pole))
    }
    latitudes.sort()
    for index in stride(from: 1, to: latitudes.count, by: 2) {
      for side in [-halfTurnE7, halfTurnE7] {
        addSeam(from: (side, latitudes[index - 1]), to: (side, latitudes[index]))
      }
    }
  }

  private mutating func addSeam(from start: (Int32, Int32), to end: (Int32, Int32)) {
    addSegment(
      from: Coordinate(longitudeE7: start.0, latitudeE7: start.1), node: ElementID.unknownNumber,
      to: Coordinate(longitudeE7: end.0, latitudeE7: end.1), node: ElementID.unknownNumber)
  }

  /// Cuts an area on the turned map along the middle and moves both halves back.
  mutating func cutAtAntimeridian(_ geometry: inout Geometry) {
    let whole = geometry
    let isReporting = collectsProblems
    collectsProblems = false
    ways = [Way(id: element.number, role: .outer)]
    geometry.removeAll()
    var half = Geometry()
    for isWest in [true, false] {
      raw.removeAll(keepingCapacity: true)
      for part in whole.partEnds.indices {
        let range = whole.partRange(part)
        for index in range.dropFirst() {
          clip(whole.coordinates[index - 1], whole.coordinates[index], isWest: isWest)
        }
      }
      closeAlongCut()
      _ = assembleSegments(into: &half, repair: .largest)
      let shift = isWest ? halfTurnE7 : -halfTurnE7
      let (positions, rings) = (geometry.coordinates.count, geometry.partEnds.count)
      geometry.coordinates += half.coordinates.map {
        Coordinate(longitudeE7: $0.longitudeE7 + shift, latitudeE7: $0.latitudeE7)
      }
      geometry.partEnds += half.partEnds.map { $0 + positions }
      geometry.polygonEnds += half.polygonEnds.map { $0 + rings }
    }
    collectsProblems = isReporting
    switch geometry.polygonEnds.count {
    case 0: geometry.kind = .none
    case 1: geometry.kind = .polygon
    default: geometry.kind = .multiPolygon
    }
  }

  /// Adds the part of a segment that lies on one side of longitude 0; what runs along it is left to
  /// ``closeAlongCut()``.
  private mutating func clip(_ a: Coordinate, _ b: Coordinate, isWest: Bool) {
    let (low, high) = a.sweepKey < b.sweepKey ? (a, b) : (b, a)
    if low.longitudeE7 == 0, high.longitudeE7 == 0 { return }
    var (start, end) = (low, high)
    if low.longitudeE7 < 0, high.longitudeE7 > 0 {
      let width = Int64(high.longitudeE7) - Int64(low.longitudeE7)
      let middle = Coordinate(
        longitudeE7: 0,
        latitudeE7: interpolate(
          low.latitudeE7, high.latitudeE7, -Int64(low.longitudeE7), width))
      if isWest { end = middle } else { start = middle }
    } else if isWest != (high.longitudeE7 <= 0) {
      return
    }
    addSegment(
      from: start, node: ElementID.unknownNumber, to: end, node: ElementID.unknownNumber)
  }

  /// Closes a half along the cut: from south to north, each loose end begins or ends an interval of
  /// area.
  private mutating func closeAlongCut() {
    var onCut: [UInt64] = []
    for segment in raw {
      if Coordinate(sweepKey: segment.low).longitudeE7 == 0 { onCut.append(segment.low) }
      if Coordinate(sweepKey: segment.high).longitudeE7 == 0 { onCut.append(segment.high) }
    }
    onCut.sort()
    var open: UInt64?
    for key in onCut {
      guard let start = open else {
        open = key
        continue
      }
      open = nil
      addSegment(
        from: Coordinate(sweepKey: start), node: ElementID.unknownNumber,
        to: Coordinate(sweepKey: key), node: ElementID.unknownNumber)
    }
  }
}
