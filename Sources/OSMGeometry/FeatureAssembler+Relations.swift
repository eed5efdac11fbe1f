// Geometry of relations: areas from rings, lines from chains of ways.

import OSMModel

extension FeatureAssembler {
  mutating func buildRelation(
    _ row: Int, _ id: ElementID, _ geometry: inout Geometry, _ info: inout GeometryInfo
  ) {
    switch features.plan.shapes[row] {
    case .area: buildArea(row, id, &geometry, &info)
    case .line: buildLines(row, id, &geometry, &info)
    case .collection: buildCollection(row, id, &geometry, &info)
    case .none: break
    }
  }

  /// Whether an area of a relation stands for a way.
  mutating func isCovered(_ way: UInt32, _ scratch: inout Geometry) -> Bool {
    for relation in features.plan.coverings[way] ?? [] {
      let isKnown = hasArea[relation]
      if isKnown == true { return true }
      guard isKnown == nil else { continue }
      let isReporting = collectsProblems
      collectsProblems = false
      var info = GeometryInfo()
      let id = ElementID(.relation, dataset.relations.elements.ids[Int(relation)])
      buildArea(Int(relation), id, &scratch, &info)
      collectsProblems = isReporting
      let built = scratch.kind != .none
      scratch.removeAll()
      hasArea[relation] = built
      if built { return true }
    }
    return false
  }

  private mutating func buildArea(
    _ row: Int, _ id: ElementID, _ geometry: inout Geometry, _ info: inout GeometryInfo
  ) {
    rings.begin(ElementID(.relation, dataset.relations.elements.ids[row]))
    seenWays.removeAll()
    let drawsRingsOnly = isCompatible || features.plan.drawsRingsOnly[row]
    var missing: [Int64] = []
    for place in dataset.relations.memberRange(row) {
      let member = dataset.relations.members[place]
      guard member.type == .way else { continue }
      let role = features.plan.roles.ringRole(member.role)
      if role == .empty, features.plan.isLoose[row] { continue }
      guard role != .other || !drawsRingsOnly else {
        // osmtogeojson does not draw such members, but misses them.
        if isCompatible, !loadMember(place) { info.isTainted = true }
        continue
      }
      guard isKnown(place) else {
        info.isTainted = true
        if collectsProblems { missing.append(member.ref) }
        continue
      }
      guard isFirstUse(place) else {
        report(.duplicateMember, id, ways: [member.ref])
        continue
      }
      guard loadMember(place) else {
        info.isTainted = true
        if collectsProblems { missing.append(member.ref) }
        continue
      }
      if line.gaps > 0 {
        info.isTainted = true
        reportMemberGaps(id, member.ref)
        if isCompatible { line.closeGaps() }
      }
      rings.addWay(id: member.ref, role: role)
      line.positions.withUnsafeBufferPointer { positions in
        line.nodes.withUnsafeBufferPointer { rings.addLine(positions, nodes: $0) }
      }
    }
    if !missing.isEmpty { report(.missingMembers, id, ways: missing) }
    let result = rings.assemble(into: &geometry, repair: features.options.repair)
    if result.isPartial { info.isTainted = true }
    if !result.hasArea {
      geometry.removeAll()
      report(.noGeometry, id)
    }
  }

  private mutating func reportMemberGaps(_ id: ElementID, _ way: Int64) {
    guard collectsProblems else { return }
    var nodes: [Int64] = []
    for index in line.positions.indices
    where line.positions[index].isUndefined && line.nodes[index] != ElementID.unknownNumber {
      nodes.append(line.nodes[index])
    }
    report(.missingNodes, id, ways: [way], nodes: nodes)
  }

  /// Fills `line` with the positions of a member way; false when the answer does not have it.
  ///
  /// The way as an element outranks the copy printed with the member. Where only copies exist, the
  /// most complete one is used; osmtogeojson keeps to the first.
  mutating func loadMember(_ place: Int) -> Bool {
    let row = features.index.memberRows[place]
    if row != DatasetIndex.missing {
      loadWay(Int(row))
      return isCompatible
        ? hasNodes(Int(row)) || !line.positions.isEmpty
        : line.positions.contains { !$0.isUndefined }
    }
    let member = dataset.relations.members[place]
    let copies = features.index.stubs(.way, member.ref, dataset.relations)
    guard let first = copies.first else { return false }
    var best = first
    if !isCompatible {
      var bestGaps = gaps(inMember: Int(first))
      for copy in copies.dropFirst() where bestGaps > 0 {
        let gaps = gaps(inMember: Int(copy))
        if gaps < bestGaps { (best, bestGaps) = (copy, gaps) }
      }
    }
    guard let inline = dataset.relations.inlineGeometry(member: Int(best)) else { return false }
    line.load(inline)
    return isCompatible || line.gaps < line.positions.count
  }

  private func hasNodes(_ row: Int) -> Bool { !dataset.ways.refRange(row).isEmpty }

  private func gaps(inMember place: Int) -> Int {
    guard let inline = dataset.relations.inlineGeometry(member: place), !inline.isEmpty else {
      return Int.max
    }
    return inline.count { !$0.isValid }
  }

  private mutating func buildLines(
    _ row: Int, _ id: ElementID, _ geometry: inout Geometry, _ info: inout GeometryInfo
  ) {
    joiner.removeAll()
    routeJoiner.removeAll()
    seenWays.removeAll()
    members.removeAll(keepingCapacity: true)
    collectMembers(of: row, id, &info)
    for place in members {
      let member = dataset.relations.members[Int(place)]
      guard loadMember(Int(place)) else {
        info.isTainted = true
        report(.missingMembers, id, ways: [member.ref])
        continue
      }
      if line.gaps > 0 {
        info.isTainted = true
        reportMemberGaps(id, member.ref)
        if isCompatible { line.closeGaps() }
      }
      if isCompatible {
        line.forEachRun { joiner.append(line.positions[$0]) }
      } else {
        var direction = features.plan.roles.travelDirection(member.role)
        let row = features.index.memberRows[Int(place)]
        if routeJoiner.followsRings, direction == .both, row != DatasetIndex.missing,
          features.plan.roles.isOneWay(dataset.ways.elements.tags(Int(row)))
        {
          direction = .along
        }
        line.forEachRun { routeJoiner.append(line.positions[$0], direction) }
      }
    }
    if isCompatible {
      joiner.joinAnywhere(into: &geometry)
    } else {
      routeJoiner.join(into: &geometry)
    }
    if geometry.kind == .none { report(.noGeometry, id) }
  }

  /// Lists the ways of a relation and of the relations in it, each way once, in order.
  private mutating func collectMembers(
    of row: Int, _ id: ElementID, _ info: inout GeometryInfo
  ) {
    var open = [(row: row, next: dataset.relations.memberRange(row).lowerBound)]
    var visited: Set<Int> = [row]
    while let top = open.last {
      guard top.next < dataset.relations.memberRange(top.row).upperBound else {
        open.removeLast()
        continue
      }
      open[open.count - 1].next += 1
      let member = dataset.relations.members[top.next]
      switch member.type {
      case .way where features.plan.isPartOfLine(top.row, member.role):
        guard isKnown(top.next) else {
          info.isTainted = true
          report(.missingMembers, id, ways: [member.ref])
          continue
        }
        // A route may use a way twice; osmtogeojson draws it each time.
        if isCompatible || isFirstUse(top.next) {
          members.append(UInt32(truncatingIfNeeded: top.next))
        }
      case .relation where !isCompatible:
        let inner = features.index.memberRows[top.next]
        if inner == DatasetIndex.missing {
          info.isTainted = true
        } else if features.plan.shapes[Int(inner)] == .line {
          if visited.insert(Int(inner)).inserted {
            open.append((Int(inner), dataset.relations.memberRange(Int(inner)).lowerBound))
          } else if open.contains(where: { $0.row == Int(inner) }) {
            report(.relationCycle, id)
          }
        }
      default: break
      }
    }
  }

  /// Notes that a relation uses a way; false when it did already.
  private mutating func isFirstUse(_ place: Int) -> Bool {
    seenWays.insert(
      row: features.index.memberRows[place], id: dataset.relations.members[place].ref,
      of: dataset.ways.count)
  }

  /// Whether the answer has a member, as far as a quick look tells.
  func isKnown(_ place: Int) -> Bool {
    if features.index.memberRows[place] != DatasetIndex.missing { return true }
    guard !features.index.stubs.isEmpty else { return false }
    let way = dataset.relations.members[place].ref
    return !features.index.stubs(.way, way, dataset.relations).isEmpty
  }
}
