// Who refers to whom in a dataset: resolved once, then looked up by row.

import OSMModel

/// One entry of a relation's member list, seen from the member.
@frozen public struct Membership: Sendable, Hashable, BitwiseCopyable {
  /// The member's row in the table of its type.
  var memberRow: UInt32
  /// The relation's row.
  public var relation: UInt32
  /// The member's place in `RelationTable.members`.
  public var member: UInt32
}

/// References of a dataset as rows instead of ids.
struct DatasetIndex: Sendable {
  /// Stands for an element that the dataset does not hold.
  static let missing = UInt32.max

  /// For each entry of `WayTable.refs`, the node's row.
  var nodeRows: [UInt32]
  /// For each entry of `RelationTable.members`, the member's row.
  var memberRows: [UInt32]
  /// For each entry of `RelationTable.members`, the relation's row.
  var relationOfMember: [UInt32]
  /// Which nodes some way uses.
  var isWayNode: [Bool]
  /// Which nodes some way needs for its line. A way printed by `out geom` has its line in itself: a
  /// node printed beside it was asked for on its own.
  var drawsWay: [Bool]
  /// Memberships of nodes, ways and relations, each in order of the member's row, then of the list.
  var memberships: [[Membership]]
  /// Members that are not elements of the dataset but come with a geometry (`out geom`), in order of
  /// type and id, then of the list.
  var stubs: [UInt32]

  init(_ dataset: Dataset) {
    let nodes = dataset.nodes.elements.count
    isWayNode = [Bool](repeating: false, count: nodes)
    nodeRows = [UInt32](repeating: DatasetIndex.missing, count: dataset.ways.refs.count)
    let refs = dataset.ways.refs.buffer
    var hint = 0
    for index in refs.indices {
      guard let row = dataset.nodes.elements.row(ofID: refs[index], near: hint) else { continue }
      hint = row
      nodeRows[index] = UInt32(truncatingIfNeeded: row)
      isWayNode[row] = true
    }
    drawsWay = isWayNode
    memberRows = []
    relationOfMember = []
    memberships = [[], [], []]
    stubs = []
    if !dataset.ways.inlinePositions.isEmpty { findNodesThatDraw(dataset) }
    indexMembers(dataset)
  }

  private mutating func findNodesThatDraw(_ dataset: Dataset) {
    drawsWay = [Bool](repeating: false, count: drawsWay.count)
    for way in 0..<dataset.ways.count {
      let range = dataset.ways.refRange(way)
      if let line = dataset.ways.inlineGeometry(way), line.count == range.count { continue }
      for place in range where nodeRows[place] != DatasetIndex.missing {
        drawsWay[Int(nodeRows[place])] = true
      }
    }
  }

  private mutating func indexMembers(_ dataset: Dataset) {
    let members = dataset.relations.members.buffer
    memberRows.reserveCapacity(members.count)
    relationOfMember.reserveCapacity(members.count)
    var hints = [0, 0, 0]
    for relation in 0..<dataset.relations.count {
      for index in dataset.relations.memberRange(relation) {
        let member = members[index]
        let type = DatasetIndex.slot(member.type)
        relationOfMember.append(UInt32(truncatingIfNeeded: relation))
        guard let type else {
          memberRows.append(DatasetIndex.missing)
          continue
        }
        let row = dataset.withElements(member.type) { $0.row(ofID: member.ref, near: hints[type]) }
        guard let row else {
          memberRows.append(DatasetIndex.missing)
          if dataset.relations.inlineGeometry(member: index) != nil {
            stubs.append(UInt32(truncatingIfNeeded: index))
          }
          continue
        }
        hints[type] = row
        memberRows.append(UInt32(truncatingIfNeeded: row))
        memberships[type].append(
          Membership(
            memberRow: UInt32(truncatingIfNeeded: row),
            relation: UInt32(truncatingIfNeeded: relation),
            member: UInt32(truncatingIfNeeded: index)))
      }
    }
    for type in memberships.indices {
      memberships[type].sort {
        $0.memberRow != $1.memberRow ? $0.memberRow < $1.memberRow : $0.member < $1.member
      }
    }
    stubs.sort { left, right in
      let (a, b) = (members[Int(left)], members[Int(right)])
      if a.type != b.type { return a.type.rawValue < b.type.rawValue }
      return a.ref != b.ref ? a.ref < b.ref : left < right
    }
  }

  /// The list of `memberships` for a type.
  private static func slot(_ type: ElementType) -> Int? {
    switch type {
    case .node: 0
    case .way: 1
    case .relation: 2
    case .area, .derived: nil
    }
  }

  /// The places in member lists that name an element.
  func memberships(_ element: ElementIndex) -> ArraySlice<Membership> {
    guard let type = DatasetIndex.slot(element.type), !memberships[type].isEmpty else { return [] }
    let list = memberships[type]
    let row = UInt32(truncatingIfNeeded: element.row)
    let first = firstIndex(in: list.count) { list[$0].memberRow >= row }
    var end = first
    while end < list.count, list[end].memberRow == row { end += 1 }
    return list[first..<end]
  }

  func isMember(_ element: ElementIndex) -> Bool {
    guard let type = DatasetIndex.slot(element.type), !memberships[type].isEmpty else {
      return false
    }
    let list = memberships[type]
    let row = UInt32(truncatingIfNeeded: element.row)
    let first = firstIndex(in: list.count) { list[$0].memberRow >= row }
    return first < list.count && list[first].memberRow == row
  }

  /// The members with geometry that stand for one missing element, in the order of the answer.
  func stubs(
    _ type: ElementType, _ id: Int64, _ relations: borrowing RelationTable
  ) -> ArraySlice<UInt32> {
    guard !stubs.isEmpty else { return [] }
    let members = relations.members.buffer
    let first = firstIndex(in: stubs.count) { index in
      let member = members[Int(stubs[index])]
      return member.type != type ? member.type.rawValue > type.rawValue : member.ref >= id
    }
    let end = firstIndex(in: stubs.count) { index in
      let member = members[Int(stubs[index])]
      return member.type != type ? member.type.rawValue > type.rawValue : member.ref > id
    }
    return stubs[first..<end]
  }

  /// The first number below `count` for which a condition holds that stays true from there on.
  private func firstIndex(in count: Int, where holds: (Int) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) >> 1
      if holds(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
