// Geometry of ways: lines with gaps, and closed ways that are areas.

import OSMModel

extension FeatureAssembler {
  mutating func buildWay(_ row: Int, _ geometry: inout Geometry, _ info: inout GeometryInfo) {
    loadWay(row)
    let id = ElementID(.way, dataset.ways.elements.ids[row])
    let isArea = features.rules.isArea(dataset.ways.elements.tags(row))
    drawLine(id, isArea: isArea, &geometry, &info)
  }

  /// Fills `line` with what the answer knows of a way: the positions of its nodes first, then those
  /// printed with the way, then those printed with it as a member.
  mutating func loadWay(_ row: Int) {
    line.removeAll()
    let range = dataset.ways.refRange(row)
    let inline = dataset.ways.inlineGeometry(row)
    if range.isEmpty {
      if let inline { line.load(inline) }
    } else {
      let refs = dataset.ways.refs.buffer
      let positions = dataset.nodes.positions.buffer
      for place in range {
        let node = features.index.nodeRows[place]
        var position = Coordinate.undefined
        if node != DatasetIndex.missing { position = positions[Int(node)] }
        if !position.isValid, let inline, inline.count == range.count {
          position = inline[place - range.lowerBound]
        }
        line.append(position, refs[place])
      }
      line.isClosedInData = refs[range.lowerBound] == refs[range.upperBound - 1] && range.count > 1
      // Positions that cannot be told apart by node are better than none.
      if line.gaps == range.count, let inline, inline.count != range.count { line.load(inline) }
    }
    if line.gaps > 0 || line.positions.isEmpty {
      for membership in features.index.memberships(ElementIndex(.way, row)) {
        guard
          let other = dataset.relations.inlineGeometry(member: Int(membership.member))
        else { continue }
        fillGaps(from: other)
        if line.gaps == 0, !line.positions.isEmpty { break }
      }
    }
  }

  /// Takes missing positions from another copy of the way.
  private mutating func fillGaps(from other: UnsafeBufferPointer<Coordinate>) {
    if line.positions.isEmpty {
      line.load(other)
    } else if other.count == line.positions.count {
      for index in other.indices
      where line.positions[index].isUndefined && other[index].isValid {
        line.positions[index] = other[index]
        line.gaps -= 1
      }
    }
  }

  /// Draws `line` as a polygon where it is a closed area, otherwise as one line or several.
  mutating func drawLine(
    _ id: ElementID, isArea: Bool, _ geometry: inout Geometry, _ info: inout GeometryInfo
  ) {
    guard !line.positions.isEmpty else { return }
    var isClosed = line.isClosedInData
    if line.gaps > 0 {
      info.isTainted = true
      reportGaps(id)
      if isCompatible {
        isClosed = isClosed && !line.positions[0].isUndefined
        line.closeGaps()
      } else {
        isClosed = false
      }
    } else if !isCompatible, !isClosed, line.positions.count > 3 {
      isClosed = line.positions[0] == line.positions[line.positions.count - 1]
      if isClosed, isArea { reportSharedEnd(id) }
    }
    // One node can be printed with different positions, of which one may be missing.
    if isClosed, isArea, line.positions.count > 3, line.positions.first == line.positions.last,
      drawArea(id, &geometry, &info)
    {
      return
    }
    drawRuns(id, &geometry)
  }

  private mutating func drawRuns(_ id: ElementID, _ geometry: inout Geometry) {
    line.forEachRun { run in
      guard isCompatible || line.hasExtent(run) else { return }
      geometry.coordinates.append(contentsOf: line.positions[run])
      geometry.partEnds.append(geometry.coordinates.count)
    }
    switch geometry.partEnds.count {
    case 0: report(.noGeometry, id)
    case 1: geometry.kind = .lineString
    default: geometry.kind = .multiLineString
    }
  }

  /// Draws `line` as an area; false when there is none in it.
  private mutating func drawArea(
    _ id: ElementID, _ geometry: inout Geometry, _ info: inout GeometryInfo
  ) -> Bool {
    if features.options.repair != .none, drawSimpleRing(&geometry) { return true }
    rings.begin(id)
    rings.addWay(id: id.number, role: .outer)
    line.positions.withUnsafeBufferPointer { positions in
      line.nodes.withUnsafeBufferPointer { rings.addLine(positions, nodes: $0) }
    }
    let result = rings.assemble(into: &geometry, repair: features.options.repair)
    if result.hasArea {
      info.isTainted = info.isTainted || result.isPartial
      return true
    }
    geometry.removeAll()
    report(.degenerateRing, id, ways: [id.number], position: line.positions[0])
    guard features.options.keepsInvalidRings else { return false }
    geometry.coordinates.append(contentsOf: line.positions)
    geometry.partEnds.append(geometry.coordinates.count)
    geometry.polygonEnds.append(geometry.partEnds.count)
    geometry.kind = .polygon
    info.isValid = false
    return true
  }

  /// Draws a ring of few vertices that does not touch itself, as most are, without the machinery
  /// of ring assembly.
  mutating func drawSimpleRing(_ geometry: inout Geometry) -> Bool {
    let start = geometry.coordinates.count
    for position in line.positions where geometry.coordinates.last != position || isCompatible {
      geometry.coordinates.append(position)
    }
    let count = geometry.coordinates.count - start
    let isSimple = geometry.coordinates.withUnsafeMutableBufferPointer { all -> Bool in
      var ring = UnsafeMutableBufferPointer(rebasing: all[start...])
      guard count <= 25, !(cutsAntimeridian && ringIsWide(UnsafeBufferPointer(ring))),
        ringIsSimple(UnsafeBufferPointer(ring))
      else { return false }
      if !ringIsCounterClockwise(UnsafeBufferPointer(ring)) { ring.reverse() }
      return true
    }
    guard isSimple else {
      geometry.coordinates.removeLast(count)
      return false
    }
    geometry.partEnds.append(geometry.coordinates.count)
    geometry.polygonEnds.append(geometry.partEnds.count)
    geometry.kind = .polygon
    return true
  }

  private mutating func reportGaps(_ id: ElementID) {
    guard collectsProblems else { return }
    var nodes: [Int64] = []
    for index in line.positions.indices where line.positions[index].isUndefined {
      if line.nodes[index] != ElementID.unknownNumber { nodes.append(line.nodes[index]) }
    }
    report(.missingNodes, id, ways: [id.number], nodes: nodes)
  }

  private mutating func reportSharedEnd(_ id: ElementID) {
    guard collectsProblems, let first = line.nodes.first, let last = line.nodes.last,
      first != ElementID.unknownNumber
    else { return }
    report(.sharedPosition, id, nodes: [first, last], position: line.positions[0])
  }
}

/// Whether a closed line passes no point twice. Compares all pairs of segments: for short lines.
func ringIsSimple(_ ring: UnsafeBufferPointer<Coordinate>) -> Bool {
  let count = ring.count - 1
  guard count >= 3 else { return false }
  var edges = 0
  for first in 0..<count {
    let (a, b) = (ring[first], ring[first + 1])
    if a == b { continue }
    edges += 1
    for second in first + 1..<count {
      let (c, d) = (ring[second], ring[second + 1])
      if c == d { continue }
      let areNeighbours = b == c || a == d
      if !areNeighbours, !boxesMeet(a, b, c, d) { continue }
      if a == c || b == d || (areNeighbours && !areNext(ring, first, second)) { return false }
      if segmentsConflict(a, b, c, d) { return false }
    }
  }
  return edges >= 3
}

/// Whether some part of a line may cross the antimeridian.
func ringIsWide(_ ring: UnsafeBufferPointer<Coordinate>) -> Bool {
  guard var before = ring.first else { return false }
  for position in ring {
    if edgeCrossesAntimeridian(before, position) { return true }
    before = position
  }
  return false
}

/// Whether two segments follow each other in a ring, repeated positions aside.
private func areNext(
  _ ring: UnsafeBufferPointer<Coordinate>, _ first: Int, _ second: Int
) -> Bool {
  let count = ring.count - 1
  var next = first + 1
  while next < second, ring[next] == ring[next + 1] { next += 1 }
  if next == second { return true }
  next = second + 1
  while next < count, ring[next] == ring[next + 1] { next += 1 }
  var start = 0
  if next == count {
    while start < first, ring[start] == ring[start + 1] { start += 1 }
    return start == first
  }
  return false
}

/// The direction of a closed line that passes no point twice, from the turn at its westernmost
/// vertex.
func ringIsCounterClockwise(_ ring: UnsafeBufferPointer<Coordinate>) -> Bool {
  let count = ring.count - 1
  guard count > 0 else { return true }
  var lowest = 0
  for index in 1..<count where ring[index].sweepKey < ring[lowest].sweepKey { lowest = index }
  var before = (lowest + count - 1) % count
  while before != lowest, ring[before] == ring[lowest] { before = (before + count - 1) % count }
  var after = (lowest + 1) % count
  while after != lowest, ring[after] == ring[lowest] { after = (after + 1) % count }
  return orientation(ring[before], ring[lowest], ring[after]) > 0
}
