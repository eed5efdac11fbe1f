// Joining what was built in parts: the later part's rows behind the earlier one's.

extension DatasetBuilder {
  /// Appends what another builder holds, as if this one had been given it element by element: also
  /// the numbers of strings are the same. Both must be without unfinished rows.
  ///
  /// Where the sums are more than the tables can address, ``isOverfull`` tells.
  public mutating func append(_ later: consuming DatasetBuilder) {
    let names = strings.merge(later.strings)
    nodes.append(&later.nodes, names)
    ways.append(&later.ways, names)
    relations.append(&later.relations, names)
    derived.append(&later.derived, names)
    conflicts += later.conflicts
    for run in later.order { append(run) }
  }

  private mutating func append(_ run: ElementRun) {
    if let last = order.last, last.type == run.type {
      order[order.count - 1].count += run.count
      return
    }
    let position = order.last.map { $0.firstPosition + $0.count } ?? 0
    // The rows of a table stand in the order of its runs.
    let earlier = order.last { isSameTable($0.type, run.type) }
    order.append(
      ElementRun(
        type: run.type, firstRow: earlier.map { $0.firstRow + $0.count } ?? 0, count: run.count,
        firstPosition: position))
  }

  /// Areas and other derived elements share one table.
  func isSameTable(_ left: ElementType, _ right: ElementType) -> Bool {
    let derived = [ElementType.area, .derived]
    return left == right || derived.contains(left) && derived.contains(right)
  }
}

extension StringTable {
  /// Adds the strings of another table, and gives the number here of each of them.
  fileprivate mutating func merge(_ other: borrowing StringTable) -> Column<StringID> {
    var names = Column<StringID>()
    names.reserve(other.count)
    for number in 0..<other.count {
      names.append(intern(other.bytes(StringID(UInt32(truncatingIfNeeded: number)))))
    }
    return names
  }
}

extension Column where Element: Sendable {
  /// Appends all values of another column, each one changed; the other column is empty afterwards.
  /// Long columns are written on several threads: half of the time goes into fresh memory.
  @inlinable @inline(__always)
  mutating func take(
    _ other: inout Column<Element>, _ change: @escaping @Sendable (Element) -> Element
  ) {
    var taken = Column<Element>()
    swap(&taken, &other)
    guard !taken.isEmpty else { return }
    reserve(count + taken.count)
    let source = LentMemory(taken.buffer)
    let target = LentMemory(spareCapacity)
    inParallel(taken.count, share: 1 << 18) { range in
      for index in range { target.values[index] = change(source.values[index]) }
    }
    commit(taken.count)
  }

  @inlinable mutating func take(_ other: inout Column<Element>) {
    if isEmpty { return swap(&self, &other) }
    take(&other) { $0 }
  }
}

/// Memory that threads write or read in parts, while the calling thread waits.
@usableFromInline struct LentMemory<Values>: @unchecked Sendable {
  @usableFromInline let values: Values

  @usableFromInline init(_ values: Values) { self.values = values }
}

extension Column where Element == UInt32 {
  /// Appends end offsets that count from `start`.
  fileprivate mutating func takeEnds(_ other: inout Column<UInt32>, after start: Int) {
    let start = UInt32(truncatingIfNeeded: start)
    take(&other) { $0 &+ start }
  }
}

extension OptionalColumn where Element: Sendable {
  /// Appends another column, whose rows begin at `row` here.
  @inlinable @inline(__always)
  mutating func take(
    _ other: inout OptionalColumn<Element>, at row: Int,
    _ change: @escaping @Sendable (Element) -> Element
  ) {
    guard !other.isEmpty else { return }
    column.pad(to: row, with: absent)
    let absent = self.absent
    column.take(&other.column) { $0 == absent ? absent : change($0) }
  }

  @inlinable mutating func take(_ other: inout OptionalColumn<Element>, at row: Int) {
    take(&other, at: row) { $0 }
  }
}

extension OptionalColumn where Element == PositionRange {
  /// Appends ranges of positions that begin at `start` here.
  fileprivate mutating func take(
    _ other: inout OptionalColumn<PositionRange>, at row: Int, positionsAfter start: Int
  ) {
    let start = UInt32(truncatingIfNeeded: start)
    take(&other, at: row) { PositionRange(start: $0.start &+ start, count: $0.count) }
  }
}

extension ElementTable {
  fileprivate mutating func append(_ later: inout ElementTable, _ names: borrowing Column<StringID>)
  {
    let row = count
    metadata.append(&later.metadata, at: row, names)
    centers.take(&later.centers, at: row)
    bounds.take(&later.bounds, at: row)
    tagEnds.takeEnds(&later.tagEnds, after: tags.count)
    let table = LentMemory(names.buffer)
    tags.take(&later.tags) {
      Tag(key: table.values[Int($0.key.rawValue)], value: table.values[Int($0.value.rawValue)])
    }
    ids.take(&later.ids)
  }
}

extension MetadataColumns {
  fileprivate mutating func append(
    _ later: inout MetadataColumns, at row: Int, _ names: borrowing Column<StringID>
  ) {
    versions.take(&later.versions, at: row)
    timestamps.take(&later.timestamps, at: row)
    changesets.take(&later.changesets, at: row)
    userIDs.take(&later.userIDs, at: row)
    let table = LentMemory(names.buffer)
    users.take(&later.users, at: row) { table.values[Int($0.rawValue)] }
    visibilities.take(&later.visibilities, at: row)
    modifications.take(&later.modifications, at: row)
  }
}

extension NodeTable {
  fileprivate mutating func append(_ later: inout NodeTable, _ names: borrowing Column<StringID>) {
    elements.append(&later.elements, names)
    positions.take(&later.positions)
  }
}

extension WayTable {
  fileprivate mutating func append(_ later: inout WayTable, _ names: borrowing Column<StringID>) {
    geometries.take(&later.geometries, at: count, positionsAfter: inlinePositions.count)
    inlinePositions.take(&later.inlinePositions)
    refEnds.takeEnds(&later.refEnds, after: refs.count)
    refs.take(&later.refs)
    elements.append(&later.elements, names)
  }
}

extension RelationTable {
  fileprivate mutating func append(
    _ later: inout RelationTable, _ names: borrowing Column<StringID>
  ) {
    memberGeometries.take(
      &later.memberGeometries, at: members.count, positionsAfter: inlinePositions.count)
    inlinePositions.take(&later.inlinePositions)
    memberEnds.takeEnds(&later.memberEnds, after: members.count)
    let table = LentMemory(names.buffer)
    members.take(&later.members) { member in
      var member = member
      member.role = table.values[Int(member.role.rawValue)]
      return member
    }
    elements.append(&later.elements, names)
  }
}

extension DerivedTable {
  fileprivate mutating func append(
    _ later: inout DerivedTable, _ names: borrowing Column<StringID>
  ) {
    while geometries.count < count { geometries.append(Geometry()) }
    geometries += later.geometries
    let table = LentMemory(names.buffer)
    typeNames.take(&later.typeNames) { table.values[Int($0.rawValue)] }
    elements.append(&later.elements, names)
  }
}
