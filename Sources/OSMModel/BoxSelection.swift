// Which elements of a dataset lie in a box, as `ElementFilter.box` has it.

struct BoxSelection {
  private let data: Dataset
  private let box: BoundingBox
  private var ways: [Bool] = []
  private var relations: [Bool] = []

  init(_ data: Dataset, _ box: BoundingBox) {
    self.data = data
    self.box = box
    var hint = 0
    ways.reserveCapacity(data.ways.count)
    for row in 0..<data.ways.count { ways.append(contains(way: row, &hint)) }
    selectRelations()
  }

  func contains(_ element: ElementIndex) -> Bool {
    switch element.type {
    case .node:
      let position = data.nodes.positions[element.row]
      return position.isUndefined ? containsPlaceholder(element) : box.contains(position)
    case .way: return ways[element.row]
    case .relation: return relations[element.row]
    case .area, .derived:
      let geometry = data.derived.geometries[element.row]
      return geometry.kind == .none ? containsPlaceholder(element) : contains(geometry)
    }
  }

  private func contains(_ geometry: Geometry) -> Bool {
    geometry.coordinates.contains { box.contains($0) }
      || geometry.members.contains { contains($0) }
  }

  /// Whether the box holds what stands for positions that are not known.
  private func containsPlaceholder(_ element: ElementIndex) -> Bool {
    data.withElements(element.type) { table in
      if let center = table.centers[element.row] { return box.contains(center) }
      return table.bounds[element.row].map { box.intersects($0) } ?? false
    }
  }

  private func contains(way row: Int, _ hint: inout Int) -> Bool {
    var isKnown = false
    let line = data.ways.inlineGeometry(row) ?? UnsafeBufferPointer(start: nil, count: 0)
    for position in line
    where !position.isUndefined {
      if box.contains(position) { return true }
      isKnown = true
    }
    for node in data.ways.refs(row) {
      guard let found = data.nodes.elements.row(ofID: node, near: hint) else { continue }
      hint = found
      let position = data.nodes.positions[found]
      if box.contains(position) { return true }
      isKnown = isKnown || !position.isUndefined
    }
    return !isKnown && containsPlaceholder(ElementIndex(.way, row))
  }

  /// Relations of which a member lies in the box, then those of which these are members.
  private mutating func selectRelations() {
    relations = [Bool](repeating: false, count: data.relations.count)
    var found: [Int] = []
    var parents: [Int: [Int]] = [:]
    for row in 0..<data.relations.count {
      var isKnown = false
      for index in data.relations.memberRange(row) {
        let member = data.relations.members[index]
        if let line = data.relations.inlineGeometry(member: index) {
          for position in line where !position.isUndefined {
            isKnown = true
            relations[row] = relations[row] || box.contains(position)
          }
        }
        guard let element = data.find(ElementID(member.type, member.ref)) else { continue }
        if element.type == .relation {
          parents[element.row, default: []].append(row)
        } else {
          isKnown = true
          relations[row] = relations[row] || contains(element)
        }
      }
      if !isKnown, containsPlaceholder(ElementIndex(.relation, row)) { relations[row] = true }
      if relations[row] { found.append(row) }
    }
    while let row = found.popLast() {
      for parent in parents[row] ?? [] where !relations[parent] {
        relations[parent] = true
        found.append(parent)
      }
    }
  }
}
