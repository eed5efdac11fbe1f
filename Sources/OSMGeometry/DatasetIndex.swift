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
  /// Memberships of nodes, ways and relations.
  private var memberships = [MembershipList(), MembershipList(), MembershipList()]
  /// Members that are not elements of the dataset but come with a geometry (`out geom`), in order of
  /// type and id, then of the list.
  var stubs: [UInt32]

  init(_ dataset: Dataset) {
    nodeRows = DatasetIndex.findNodes(dataset)
    isWayNode = [Bool](repeating: false, count: dataset.nodes.elements.count)
    for row in nodeRows where row != DatasetIndex.missing { isWayNode[Int(row)] = true }
    drawsWay = isWayNode
    memberRows = []
    relationOfMember = []
    stubs = []
    if !dataset.ways.inlinePositions.isEmpty { findNodesThatDraw(dataset) }
    indexMembers(dataset)
  }

  /// Looks up the nodes of all ways.
  private static func findNodes(_ dataset: Dataset) -> [UInt32] {
    let count = dataset.ways.refs.count
    guard count > 0, dataset.nodes.elements.count > 0 else {
      return [UInt32](repeating: missing, count: count)
    }
    let finder = RowFinder(dataset.nodes.elements, lookUps: count)
    return [UInt32](unsafeUninitializedCapacity: count) { buffer, initialized in
      // Each thread writes a part of its own.
      nonisolated(unsafe) let rows = buffer
      inParallel(count, share: 50_000) { range in
        let refs = dataset.ways.refs.buffer
        var hint = 0
        for place in range {
          let row = finder.row(ofID: refs[place], in: dataset.nodes.elements, after: hint)
          if let row { hint = row }
          rows.initializeElement(
            at: place, to: row.map { UInt32(truncatingIfNeeded: $0) } ?? missing)
        }
      }
      initialized = count
    }
  }

  /// Looks up the members of all relations.
  private static func findMembers(_ dataset: Dataset) -> [UInt32] {
    let count = dataset.relations.members.count
    let finders = [
      RowFinder(dataset.nodes.elements, lookUps: count),
      RowFinder(dataset.ways.elements, lookUps: count),
      RowFinder(dataset.relations.elements, lookUps: count),
    ]
    return [UInt32](unsafeUninitializedCapacity: count) { buffer, initialized in
      nonisolated(unsafe) let rows = buffer
      inParallel(count, share: 50_000) { range in
        let members = dataset.relations.members.buffer
        var hint = 0
        for place in range {
          let (type, id) = (members[place].type, members[place].ref)
          let row: Int?
          switch type {
          case .node: row = finders[0].row(ofID: id, in: dataset.nodes.elements, after: hint)
          case .way: row = finders[1].row(ofID: id, in: dataset.ways.elements, after: hint)
          case .relation:
            row = finders[2].row(ofID: id, in: dataset.relations.elements, after: hint)
          case .area, .derived: row = nil
          }
          if let row { hint = row }
          rows.initializeElement(
            at: place, to: row.map { UInt32(truncatingIfNeeded: $0) } ?? missing)
        }
      }
      initialized = count
    }
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
    guard !members.isEmpty else { return }
    memberRows = DatasetIndex.findMembers(dataset)
    relationOfMember.reserveCapacity(members.count)
    for relation in 0..<dataset.relations.count {
      for index in dataset.relations.memberRange(relation) {
        relationOfMember.append(UInt32(truncatingIfNeeded: relation))
        guard let type = DatasetIndex.slot(members[index].type) else { continue }
        if memberRows[index] != DatasetIndex.missing {
          memberships[type].count(memberRows[index], of: dataset, members[index].type)
        } else if dataset.relations.inlineGeometry(member: index) != nil {
          stubs.append(UInt32(truncatingIfNeeded: index))
        }
      }
    }
    for type in memberships.indices { memberships[type].makeRoom() }
    for index in members.indices where memberRows[index] != DatasetIndex.missing {
      guard let type = DatasetIndex.slot(members[index].type) else { continue }
      memberships[type].add(
        Membership(
          memberRow: memberRows[index], relation: relationOfMember[index],
          member: UInt32(truncatingIfNeeded: index)))
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
    guard let type = DatasetIndex.slot(element.type) else { return [] }
    return memberships[type].list[memberships[type].range(element.row)]
  }

  func isMember(_ element: ElementIndex) -> Bool {
    guard let type = DatasetIndex.slot(element.type) else { return false }
    return !memberships[type].range(element.row).isEmpty
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

/// Memberships in order of the member's row, then of the list: counted first, then put in place.
private struct MembershipList {
  var list: [Membership] = []
  /// For each row where its memberships end; while they are added, where the next one goes.
  private var ends: [UInt32] = []

  mutating func count(_ row: UInt32, of dataset: Dataset, _ type: ElementType) {
    if ends.isEmpty {
      ends = [UInt32](repeating: 0, count: dataset.withElements(type) { $0.count } + 1)
    }
    ends[Int(row) + 1] += 1
  }

  mutating func makeRoom() {
    guard !ends.isEmpty else { return }
    for row in 1..<ends.count { ends[row] += ends[row - 1] }
    list = [Membership](
      repeating: Membership(memberRow: 0, relation: 0, member: 0), count: Int(ends[ends.count - 1]))
  }

  mutating func add(_ membership: Membership) {
    let row = Int(membership.memberRow)
    list[Int(ends[row])] = membership
    ends[row] += 1
  }

  @inline(__always) func range(_ row: Int) -> Range<Int> {
    guard row + 1 < ends.count else { return 0..<0 }
    return (row == 0 ? 0 : Int(ends[row - 1]))..<Int(ends[row])
  }
}
