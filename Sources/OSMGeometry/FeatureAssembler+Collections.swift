// Geometry of relations that are neither area nor line: their members, each for itself.

import OSMModel

extension FeatureAssembler {
  /// Collects the geometries of all members, in order. Relations among them give their areas and
  /// lines, others their members in turn, each relation once.
  mutating func buildCollection(
    _ row: Int, _ id: ElementID, _ geometry: inout Geometry, _ info: inout GeometryInfo
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
      var part = Geometry()
      switch member.type {
      case .node: buildMemberNode(top.next, &part)
      case .way: buildMemberWay(top.next, &part, &info)
      case .relation:
        let inner = features.index.memberRows[top.next]
        guard inner != DatasetIndex.missing else { break }
        guard visited.insert(Int(inner)).inserted else {
          if open.contains(where: { $0.row == Int(inner) }) { report(.relationCycle, id) }
          continue
        }
        guard buildMemberRelation(Int(inner), &part, &info) else {
          open.append((Int(inner), dataset.relations.memberRange(Int(inner)).lowerBound))
          continue
        }
      case .area, .derived: continue
      }
      if part.kind != .none {
        geometry.members.append(part)
      } else {
        info.isTainted = true
        report(.missingMembers, id, ways: member.type == .way ? [member.ref] : [])
      }
    }
    if geometry.members.isEmpty {
      report(.noGeometry, id)
    } else {
      geometry.kind = .geometryCollection
    }
  }

  private func buildMemberNode(_ place: Int, _ part: inout Geometry) {
    let row = features.index.memberRows[place]
    let position =
      row == DatasetIndex.missing
      ? dataset.relations.inlineGeometry(member: place)?.first : position(ofNode: Int(row))
    if let position, position.isValid { part = Geometry(point: position) }
  }

  private mutating func buildMemberWay(
    _ place: Int, _ part: inout Geometry, _ info: inout GeometryInfo
  ) {
    guard isKnown(place), loadMember(place) else { return }
    let row = features.index.memberRows[place]
    let isArea =
      row != DatasetIndex.missing && features.rules.isArea(dataset.ways.elements.tags(Int(row)))
    drawLine(
      ElementID(.way, dataset.relations.members[place].ref), isArea: isArea, &part, &info)
  }

  /// Builds the area or line of a relation; false when it stands for neither.
  private mutating func buildMemberRelation(
    _ row: Int, _ part: inout Geometry, _ info: inout GeometryInfo
  ) -> Bool {
    switch features.plan.shapes[row] {
    case .none, .collection: return false
    case .area, .line:
      let id = ElementID(.relation, dataset.relations.elements.ids[row])
      buildRelation(row, id, &part, &info)
      return true
    }
  }
}
