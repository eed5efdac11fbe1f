// Ring assembly, step 5: which hole belongs to which exterior, what roles say, and the output.

import OSMModel

/// Where a ring stands in the output.
struct RingPlace {
  /// The leftmost vertex of the polygon's exterior, and the exterior's number.
  var polygon: UInt64
  /// 0 for the exterior, the leftmost vertex plus one for a hole.
  var place: UInt32
  var ring: UInt32
}

extension RingAssembler {
  /// Finds each ring's parent through the segment just below its westernmost vertex: that segment
  /// bounds the region around the ring.
  mutating func nestRings() {
    for ring in rings.indices { resolve(ring) }
  }

  private mutating func resolve(_ number: Int) {
    var chain: [Int] = []
    var current = number
    // Each step leads to a ring that lies further south or west, so this ends.
    while !rings[current].isResolved, chain.count <= rings.count {
      chain.append(current)
      guard let under = ringBelow(current) else { break }
      // A hole in an exterior, or an exterior in a hole: found.
      if rings[under].isExterior != rings[current].isExterior { break }
      current = under
    }
    for ring in chain.reversed() {
      rings[ring].isResolved = true
      guard let under = ringBelow(ring) else { continue }
      rings[ring].parent =
        rings[under].isExterior != rings[ring].isExterior
        ? UInt32(truncatingIfNeeded: under) : rings[under].parent
    }
  }

  private func ringBelow(_ ring: Int) -> Int? {
    let segment = below[Int(rings[ring].lowest)]
    guard segment != RingAssembler.none else { return nil }
    let number = ringOfSegment[Int(segment)]
    return number == RingAssembler.none ? nil : Int(number)
  }

  /// Leaves out rings made of inner members that lie outside of every other ring, provided that the
  /// relation has outer members at all: their outer ring is missing or broken, and filling the hole
  /// would turn the map inside out.
  mutating func dropStrayRings() {
    guard rolesDecideStrayRings, ways.contains(where: { $0.role == .outer || $0.role == .empty })
    else { return }
    for number in rings.indices
    where rings[number].isExterior && rings[number].parent == RingAssembler.none {
      let range = rings[number].start..<rings[number].end
      guard range.allSatisfy({ role(ofSegment: ringSegments[$0]) == .inner }) else { continue }
      rings[number].isDropped = true
      report(
        .strayInnerRing, ways: [wayID(ofSegment: ringSegments[range.lowerBound])],
        position: vertices[Int(rings[number].leftmost)])
    }
  }

  private func role(ofSegment segment: UInt32) -> RingRole {
    ways[Int(segments[Int(segment)].way)].role
  }

  private func wayID(ofSegment segment: UInt32) -> Int64 {
    ways[Int(segments[Int(segment)].way)].id
  }

  /// Reports members whose role contradicts the geometry, each once.
  mutating func checkRoles() {
    guard element.type == .relation else { return }
    reportedWays.removeAll(keepingCapacity: true)
    reportedWays.append(contentsOf: repeatElement(false, count: ways.count))
    for ring in rings where !ring.isDropped {
      for index in ring.start..<ring.end {
        let way = Int(segments[Int(ringSegments[index])].way)
        let kind: ProblemKind
        switch ways[way].role {
        case .empty, .other: kind = .missingRole
        case .outer where !ring.isExterior: kind = .roleShouldBeInner
        case .inner where ring.isExterior: kind = .roleShouldBeOuter
        case .outer, .inner: continue
        }
        guard !reportedWays[way] else { continue }
        reportedWays[way] = true
        report(kind, ways: [ways[way].id], position: vertices[Int(ring.leftmost)])
      }
    }
  }

  /// Writes exteriors from west to east, each followed by its holes; rings start at their
  /// westernmost vertex.
  mutating func write(into geometry: inout Geometry) -> Bool {
    order.removeAll(keepingCapacity: true)
    for (number, ring) in rings.enumerated() {
      let exterior = ring.isExterior ? number : Int(ring.parent)
      guard exterior < rings.count, !rings[exterior].isDropped else { continue }
      order.append(
        RingPlace(
          polygon: UInt64(rings[exterior].leftmost) << 32 | UInt64(exterior),
          place: ring.isExterior ? 0 : ring.leftmost &+ 1,
          ring: UInt32(truncatingIfNeeded: number)))
    }
    guard !order.isEmpty else { return false }
    order.sort { $0.polygon != $1.polygon ? $0.polygon < $1.polygon : $0.place < $1.place }
    var polygon: UInt64?
    for entry in order {
      if let polygon, polygon != entry.polygon {
        geometry.polygonEnds.append(geometry.partEnds.count)
      }
      polygon = entry.polygon
      write(rings[Int(entry.ring)], into: &geometry)
    }
    geometry.polygonEnds.append(geometry.partEnds.count)
    geometry.kind = geometry.polygonEnds.count == 1 ? .polygon : .multiPolygon
    return true
  }

  private func write(_ ring: Ring, into geometry: inout Geometry) {
    for index in ring.firstAtLeftmost..<ring.end {
      geometry.coordinates.append(vertices[Int(tail(ringSegments[index]))])
    }
    for index in ring.start..<ring.firstAtLeftmost {
      geometry.coordinates.append(vertices[Int(tail(ringSegments[index]))])
    }
    geometry.coordinates.append(vertices[Int(ring.leftmost)])
    geometry.partEnds.append(geometry.coordinates.count)
  }
}
