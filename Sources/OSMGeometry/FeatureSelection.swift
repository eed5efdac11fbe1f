// Which elements are features, in the order of the answer.

import OSMModel

/// Goes once over a dataset and picks features.
struct FeatureSelection {
  let dataset: Dataset
  let options: FeatureOptions
  let rules: TagRules
  let index: DatasetIndex
  let plan: RelationPlan
  let drawsBounds: Bool
  var entries: [FeatureEntry] = []
  var withoutGeometry: [ElementIndex] = []
  var repeatedRelations: [UInt32] = []
  /// Members whose way already appears as a multipolygon.
  private var claimedWays = Set<Int64>()

  init(
    _ dataset: Dataset, _ options: FeatureOptions, _ rules: TagRules, _ index: DatasetIndex,
    _ plan: RelationPlan
  ) {
    self.dataset = dataset
    self.options = options
    self.rules = rules
    self.index = index
    self.plan = plan
    drawsBounds = options.drawsBounds ?? (options.profile == .osmtogeojson)
  }

  mutating func run() {
    for run in dataset.order {
      let rows = run.firstRow..<run.firstRow + run.count
      guard dataset.outdated.isEmpty else {
        for row in rows where !dataset.outdated.contains(ElementIndex(run.type, row)) {
          select(run.type, row..<row + 1)
        }
        continue
      }
      select(run.type, rows)
    }
    if options.profile == .osmtogeojson { selectStubs() }
  }

  private mutating func select(_ type: ElementType, _ rows: Range<Int>) {
    switch type {
    case .node: selectNodes(rows)
    case .way: selectWays(rows)
    case .relation: selectRelations(rows)
    case .derived where options.profile == .default: selectDerived(rows)
    case .area, .derived: break
    }
  }

  private mutating func selectNodes(_ rows: Range<Int>) {
    let positions = dataset.nodes.positions.buffer
    for row in rows {
      guard isFeature(node: row) else { continue }
      if positions[row].isValid || hasInlinePosition(node: row) {
        entries.append(FeatureEntry(.node, row))
      } else {
        withoutGeometry.append(ElementIndex(.node, row))
      }
    }
  }

  private func isFeature(node row: Int) -> Bool {
    let element = ElementIndex(.node, row)
    if options.omitsParts, index.isWayNode[row] { return false }
    switch options.nodes {
    case .all: return true
    case .tagged: return rules.isInteresting(dataset.nodes.elements.tags(row))
    case .auto:
      if !index.isWayNode[row] || rules.isInteresting(dataset.nodes.elements.tags(row)) {
        return true
      }
      switch options.profile {
      case .default:
        return !index.drawsWay[row] || dataset.nodes.elements.isRepeated(row)
      case .osmtogeojson: return index.isMember(element)
      }
    }
  }

  private func hasInlinePosition(node row: Int) -> Bool {
    index.memberships(ElementIndex(.node, row)).contains {
      dataset.relations.inlineGeometry(member: Int($0.member))?.first?.isValid == true
    }
  }

  private mutating func selectWays(_ rows: Range<Int>) {
    for row in rows where !plan.isRepresented[row] {
      let element = ElementIndex(.way, row)
      if options.omitsParts, isPart(element) { continue }
      if hasGeometry(way: row) || hasPlaceholder(element) {
        let isCovered = plan.coverings[UInt32(truncatingIfNeeded: row)] != nil
        entries.append(FeatureEntry(isCovered ? .coveredWay : .way, row))
      } else {
        withoutGeometry.append(element)
      }
    }
  }

  /// Whether a relation's area or line is made of this element.
  private func isPart(_ element: ElementIndex) -> Bool {
    index.memberships(element).contains { membership in
      let role = dataset.relations.members[Int(membership.member)].role
      switch plan.shapes[Int(membership.relation)] {
      case .none, .collection: return false
      case .area: return element.type == .way && plan.roles.ringRole(role) != .other
      case .line: return plan.isPartOfLine(Int(membership.relation), role)
      }
    }
  }

  /// Whether a way has two or more positions, as far as a quick look tells.
  private func hasGeometry(way row: Int) -> Bool {
    if let inline = dataset.ways.inlineGeometry(row), inline.count > 1 { return true }
    var known = 0
    for place in dataset.ways.refRange(row) where index.nodeRows[place] != DatasetIndex.missing {
      known += 1
      if known == 2 { return true }
    }
    return index.memberships(ElementIndex(.way, row)).contains {
      (dataset.relations.inlineGeometry(member: Int($0.member))?.count ?? 0) > 1
    }
  }

  private func hasPlaceholder(_ element: ElementIndex) -> Bool {
    dataset.withElements(element.type) {
      $0.centers[element.row]?.isValid == true
        || (drawsBounds && $0.bounds[element.row]?.isValid == true)
    }
  }

  private mutating func selectRelations(_ rows: Range<Int>) {
    for row in rows {
      let element = ElementIndex(.relation, row)
      if options.omitsParts, isPart(element) { continue }
      let outer = plan.outerMember[row]
      if outer != DatasetIndex.missing, hasGeometry(outer: Int(outer)) {
        let way = dataset.relations.members[Int(outer)].ref
        if claimedWays.insert(way).inserted {
          entries.append(FeatureEntry(.outerWay, row))
        } else {
          repeatedRelations.append(UInt32(truncatingIfNeeded: row))
        }
      } else if plan.shapes[row] != .none || hasPlaceholder(element) {
        entries.append(FeatureEntry(.relation, row))
      }
    }
  }

  private func hasGeometry(outer member: Int) -> Bool {
    let row = index.memberRows[member]
    return row == DatasetIndex.missing || hasGeometry(way: Int(row))
  }

  private mutating func selectDerived(_ rows: Range<Int>) {
    for row in rows where dataset.derived.geometries[row].kind != .none {
      entries.append(FeatureEntry(.derived, row))
    }
  }

  /// Members that the answer prints only within their relation, each once. Ways that merely draw
  /// the relation are left out as elements would be.
  private mutating func selectStubs() {
    let members = dataset.relations.members.buffer
    var place = 0
    while place < index.stubs.count {
      let member = members[Int(index.stubs[place])]
      var end = place
      var isPart = false
      while end < index.stubs.count {
        let next = members[Int(index.stubs[end])]
        guard next.type == member.type, next.ref == member.ref else { break }
        isPart = isPart || drawsRelation(Int(index.stubs[end]))
        end += 1
      }
      if !isPart, !claimedWays.contains(member.ref) || member.type != .way {
        entries.append(FeatureEntry(.memberStub, Int(index.stubs[place])))
      }
      place = end
    }
  }

  private func drawsRelation(_ place: Int) -> Bool {
    let member = dataset.relations.members[place]
    guard member.type == .way else { return false }
    let relation = Int(index.relationOfMember[place])
    switch plan.shapes[relation] {
    case .line: return true
    case .area: return member.role == plan.roles.outer || member.role == plan.roles.inner
    case .none, .collection: return false
    }
  }
}
