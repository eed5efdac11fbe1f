// Geometry of derived elements: the answer gives it whole, and it is checked like that of ways.

import OSMModel

extension FeatureAssembler {
  /// Takes the geometry of a derived element as far as it is sound. Positions that are not on earth
  /// are gaps; rings that bound no area are lines, or marked as not valid
  /// (``FeatureOptions/keepsInvalidRings``).
  mutating func buildDerived(_ row: Int, _ geometry: inout Geometry, _ info: inout GeometryInfo) {
    let number = dataset.number(ElementIndex(.derived, row)) ?? ElementID.unknownNumber
    let id = ElementID(.derived, number)
    takeSound(dataset.derived.geometries[row], id, &geometry, &info)
    if geometry.kind == .none {
      info.isValid = true
      report(.noGeometry, id)
    }
  }

  private mutating func takeSound(
    _ source: Geometry, _ id: ElementID, _ geometry: inout Geometry, _ info: inout GeometryInfo
  ) {
    if source.kind == .geometryCollection {
      for member in source.members {
        var part = Geometry()
        takeSound(member, id, &part, &info)
        if part.kind == .none { info.isTainted = true } else { geometry.members.append(part) }
      }
      if !geometry.members.isEmpty { geometry.kind = .geometryCollection }
      return
    }
    let hasGaps = source.coordinates.contains { !$0.isValid }
    if hasGaps {
      info.isTainted = true
      report(.missingNodes, id)
    }
    switch source.kind {
    case .none, .geometryCollection: break
    case .point, .multiPoint:
      geometry.coordinates += source.coordinates.lazy.filter(\.isValid)
      if !geometry.coordinates.isEmpty { geometry.kind = source.kind }
    case .lineString, .multiLineString: takeLines(source, &geometry)
    case .polygon, .multiPolygon:
      if hasGaps || !takeArea(source, id, &geometry, &info) { takeLines(source, &geometry) }
    }
  }

  /// Draws lines or rings as lines.
  private mutating func takeLines(_ source: Geometry, _ geometry: inout Geometry) {
    for part in source.partEnds.indices {
      load(source, part)
      line.forEachRun { run in
        guard line.hasExtent(run) else { return }
        geometry.coordinates.append(contentsOf: line.positions[run])
        geometry.partEnds.append(geometry.coordinates.count)
      }
    }
    geometry.settleLines()
  }

  /// Draws rings as an area; false when there is none in them.
  private mutating func takeArea(
    _ source: Geometry, _ id: ElementID, _ geometry: inout Geometry, _ info: inout GeometryInfo
  ) -> Bool {
    if source.partEnds.count == 1, isClosed(source, 0), features.options.repair != .none {
      load(source, 0)
      if drawSimpleRing(&geometry) { return true }
    }
    rings.begin(id)
    for polygon in source.polygonEnds.indices {
      let range = source.ringRange(polygon)
      for ring in range {
        rings.addWay(id: id.number, role: ring == range.lowerBound ? .outer : .inner)
        source.coordinates.withUnsafeBufferPointer {
          rings.addLine(UnsafeBufferPointer(rebasing: $0[source.partRange(ring)]))
        }
      }
    }
    // A hole whose exterior is not sound must not become an area.
    rings.rolesDecideStrayRings = true
    let result = rings.assemble(into: &geometry, repair: features.options.repair)
    rings.rolesDecideStrayRings = features.options.rolesDecideStrayRings
    rings.removeWaysFromProblems()
    if result.hasArea {
      info.isTainted = info.isTainted || result.isPartial
      return true
    }
    geometry.removeAll()
    report(.degenerateRing, id, position: source.coordinates.first ?? .undefined)
    guard features.options.keepsInvalidRings,
      source.partEnds.indices.allSatisfy({ isClosed(source, $0) })
    else { return false }
    geometry = source
    info.isValid = false
    return true
  }

  private mutating func load(_ source: Geometry, _ part: Int) {
    source.coordinates.withUnsafeBufferPointer {
      line.load(UnsafeBufferPointer(rebasing: $0[source.partRange(part)]))
    }
  }

  /// Whether a ring has the positions that one needs at least and ends where it starts.
  private func isClosed(_ source: Geometry, _ ring: Int) -> Bool {
    let positions = source.part(ring)
    return positions.count > 3 && positions.first == positions.last
  }
}

extension RingAssembler {
  /// The rings of derived elements are no ways that a problem could name.
  mutating func removeWaysFromProblems() {
    for index in problems.indices { problems[index].ways.removeAll() }
  }
}
