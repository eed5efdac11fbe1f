// Copying elements of finished datasets into a builder.

extension DatasetBuilder {
  /// Appends elements of a dataset in its order, as they are. The strings that they use get numbers
  /// of this builder.
  ///
  /// Where the sums are more than the tables can address, ``isOverfull`` tells.
  ///
  /// - Complexity: O(n) for the size of the dataset.
  mutating func append(_ data: Dataset, where isWanted: (ElementIndex) -> Bool = { _ in true }) {
    var names = StringNames(of: data)
    let before = RowCounts(self)
    for run in data.order {
      for row in run.firstRow..<run.firstRow + run.count {
        let element = ElementIndex(run.type, row)
        if isWanted(element) { appendRow(element, of: data) }
      }
    }
    rename(after: before, &names)
  }

  /// Appends one element of a dataset, still with the numbers of that dataset's strings.
  mutating func appendRow(_ element: ElementIndex, of data: Dataset) {
    switch element.type {
    case .node: nodes.appendRow(element.row, of: data.nodes)
    case .way: ways.appendRow(element.row, of: data.ways)
    case .relation: relations.appendRow(element.row, of: data.relations)
    case .area, .derived: derived.appendRow(element.row, of: data.derived)
    }
    endElement(element.type)
  }

  /// Gives the strings of all rows behind `before` numbers of this builder.
  mutating func rename(after before: RowCounts, _ names: inout StringNames) {
    nodes.elements.rename(after: before.nodes, &names, &strings)
    ways.elements.rename(after: before.ways, &names, &strings)
    relations.elements.rename(after: before.relations, &names, &strings)
    derived.elements.rename(after: before.derived, &names, &strings)
    let members = relations.members.mutableBuffer
    for index in before.members..<members.count {
      members[index].role = names.name(members[index].role, in: &strings)
    }
    let typeNames = derived.typeNames.mutableBuffer
    for index in before.derived.rows..<typeNames.count {
      typeNames[index] = names.name(typeNames[index], in: &strings)
    }
  }
}

/// How much a builder holds: what is appended later stands behind it.
struct RowCounts {
  struct Table {
    var rows: Int
    var tags: Int

    init(_ table: borrowing ElementTable) {
      rows = table.count
      tags = table.tags.count
    }
  }

  var nodes: Table
  var ways: Table
  var relations: Table
  var derived: Table
  var members: Int

  init(_ builder: borrowing DatasetBuilder) {
    nodes = Table(builder.nodes.elements)
    ways = Table(builder.ways.elements)
    relations = Table(builder.relations.elements)
    derived = Table(builder.derived.elements)
    members = builder.relations.members.count
  }
}

/// The numbers that the strings of one dataset have in a builder. A string is looked up when it is
/// first used, so that the builder holds no others.
struct StringNames {
  private let data: Dataset
  private var names: [StringID]

  init(of data: Dataset) {
    self.data = data
    names = [StringID](repeating: .absent, count: data.strings.count)
  }

  mutating func name(_ id: StringID, in strings: inout StringTable) -> StringID {
    let number = Int(id.rawValue)
    guard number < names.count else { return .empty }
    if names[number] == .absent { names[number] = strings.intern(data.strings.bytes(id)) }
    return names[number]
  }
}

extension ElementTable {
  /// Appends a row of another table as it is; without box and centre if it is `touched`.
  mutating func appendRow(_ row: Int, of other: borrowing ElementTable, isTouched: Bool = false) {
    let target = count
    ids.append(other.ids[row])
    tags.append(contentsOf: other.tags(row))
    tagEnds.append(UInt32(truncatingIfNeeded: tags.count))
    metadata[target] = other.metadata[row]
    if let center = other.centers[row], !isTouched { centers.set(center, at: target) }
    if let box = other.bounds[row], !isTouched { bounds.set(box, at: target) }
    if other.isRepeated(row) { repeatedRows.append(UInt32(truncatingIfNeeded: target)) }
  }

  fileprivate mutating func rename(
    after before: RowCounts.Table, _ names: inout StringNames, _ strings: inout StringTable
  ) {
    let tags = tags.mutableBuffer
    for index in before.tags..<tags.count {
      let tag = tags[index]
      tags[index] = Tag(
        key: names.name(tag.key, in: &strings), value: names.name(tag.value, in: &strings))
    }
    for row in before.rows..<count {
      guard let user = metadata.users[row] else { continue }
      metadata.users.set(names.name(user, in: &strings), at: row)
    }
  }
}

extension NodeTable {
  mutating func appendRow(_ row: Int, of other: borrowing NodeTable) {
    elements.appendRow(row, of: other.elements)
    positions.append(other.positions[row])
  }
}

extension WayTable {
  mutating func appendRow(_ row: Int, of other: borrowing WayTable) {
    refs.append(contentsOf: other.refs(row))
    refEnds.append(UInt32(truncatingIfNeeded: refs.count))
    if let line = other.inlineGeometry(row) {
      geometries.set(inlinePositions.appendRange(line), at: count)
    }
    elements.appendRow(row, of: other.elements)
  }
}

extension RelationTable {
  mutating func appendRow(_ row: Int, of other: borrowing RelationTable) {
    for index in other.memberRange(row) {
      if let line = other.inlineGeometry(member: index) {
        memberGeometries.set(inlinePositions.appendRange(line), at: members.count)
      }
      members.append(other.members[index])
    }
    memberEnds.append(UInt32(truncatingIfNeeded: members.count))
    elements.appendRow(row, of: other.elements)
  }
}

extension DerivedTable {
  mutating func appendRow(_ row: Int, of other: borrowing DerivedTable) {
    typeNames.append(other.typeNames[row])
    geometries.append(other.geometries[row])
    elements.appendRow(row, of: other.elements)
  }
}
