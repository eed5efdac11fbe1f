// Where ways and relations lie after changes, for the positions that `out geom` printed with them.

struct ChangedPositions {
  private let base: Dataset
  private let lists: [ChangeList]
  private let states: ChangedStates
  /// The positions of nodes that changes tell.
  private var nodes: [Int64: Coordinate] = [:]
  /// Ways of the dataset of which no change tells, but of one of whose nodes.
  private var touchedWays: Set<Int64> = []

  init(_ base: Dataset, _ lists: [ChangeList], _ states: ChangedStates) {
    self.base = base
    self.lists = lists
    self.states = states
    for (id, state) in states.states where id.type == .node {
      guard case .row(let list, let row, _) = state else { continue }
      let position = lists[list].data.nodes.positions[row]
      if !position.isUndefined { nodes[id.number] = position }
    }
    guard !nodes.isEmpty else { return }
    for row in 0..<base.ways.count where base.ways.refs(row).contains(where: { isMoved($0) }) {
      touchedWays.insert(base.ways.elements.ids[row])
    }
  }

  /// Whether a change tells another position of a node than the dataset, which may know none.
  private func isMoved(_ node: Int64) -> Bool {
    guard let position = nodes[node] else { return false }
    return base.nodes.elements.row(ofID: node).map { base.nodes.positions[$0] } != position
  }

  /// Whether an element of which no change tells lies elsewhere all the same.
  func touches(_ element: ElementIndex) -> Bool {
    switch element.type {
    case .way: return touchedWays.contains(base.ways.elements.ids[element.row])
    case .relation: return base.relations.members(element.row).contains { touches($0) }
    case .node, .area, .derived: return false
    }
  }

  private func touches(_ member: Member) -> Bool {
    states.states[ElementID(member.type, member.ref)] != nil
      || member.type == .way && touchedWays.contains(member.ref)
  }

  /// The positions of a way that the dataset has, as far as they are known.
  func line(ofWay id: Int64) -> [Coordinate] {
    line(ofWay: id, nil)
  }

  /// The positions of a way, of which `before` were printed with a relation.
  private func line(
    ofWay id: Int64, _ before: UnsafeBufferPointer<Coordinate>?
  ) -> [Coordinate] {
    let known = base.ways.elements.row(ofID: id)
    var printed: [Int64: Coordinate] = [:]
    if let known {
      for line in [before, base.ways.inlineGeometry(known)].compactMap({ $0 }) {
        for (node, position) in zip(base.ways.refs(known), line) where !position.isUndefined {
          printed[node] = position
        }
      }
    }
    let refs =
      if case .row(let list, let row, _) = states.states[ElementID(.way, id)] {
        Array(lists[list].data.ways.refs(row))
      } else {
        known.map { Array(base.ways.refs($0)) } ?? []
      }
    return refs.map { node in
      nodes[node] ?? printed[node]
        ?? base.nodes.elements.row(ofID: node).map { base.nodes.positions[$0] } ?? .undefined
    }
  }

  /// The positions of the members of a relation in `data`, printed as those of a relation of the
  /// dataset.
  func memberLines(_ data: Dataset, _ row: Int, like before: ElementIndex) -> [[Coordinate]?] {
    var printed: [ElementID: UnsafeBufferPointer<Coordinate>] = [:]
    for index in base.relations.memberRange(before.row) {
      let member = base.relations.members[index]
      printed[ElementID(member.type, member.ref)] = base.relations.inlineGeometry(member: index)
    }
    return data.relations.members(row).map { member in
      let id = ElementID(member.type, member.ref)
      if case .deleted = states.states[id] { return nil }
      switch member.type {
      case .node:
        if let position = nodes[member.ref] { return [position] }
        if let line = printed[id] { return Array(line) }
        return base.nodes.elements.row(ofID: member.ref).map { [base.nodes.positions[$0]] }
      case .way:
        guard states.states[id] != nil || touchedWays.contains(member.ref) || printed[id] == nil
        else { return printed[id].map { Array($0) } }
        let line = line(ofWay: member.ref, printed[id])
        // Of a way that the dataset does not have, no nodes are known.
        return line.isEmpty ? printed[id].map { Array($0) } : line
      case .relation, .area, .derived: return nil
      }
    }
  }
}

extension Dataset {
  /// Whether positions were printed with members of a relation.
  func hasLines(relation row: Int) -> Bool {
    relations.memberRange(row).contains { relations.inlineGeometry(member: $0) != nil }
  }
}
