// Merging the copies of an element: those that one answer holds, as `out; >; out skel;` does, and
// those of several answers.

/// How copies are merged.
struct MergeRules {
  /// Whether an element that occurs several times was printed several times. In several answers it
  /// was not, unless in one of them.
  var marksCopies = true
  /// Whether rows are sorted by id.
  var isSorting = false
}

extension DatasetBuilder {
  mutating func mergeNodes(_ copies: CopyGroups, _ rules: MergeRules) {
    var merged = NodeTable()
    var old = NodeTable()
    swap(&old, &nodes)
    copies.forEachKept(isSorting: rules.isSorting) { row, group in
      guard !group.isEmpty else { return merged.appendRow(row, of: old) }
      let sources = old.elements.current(group)
      merged.elements.appendMerged(old.elements, sources, of: group, rules)
      let known = sources.lazy.map { old.positions[$0] }.filter { !$0.isUndefined }
      let position = known.first ?? .undefined
      merged.positions.append(position)
      if known.contains(where: { $0 != position }) {
        conflicts.append(ElementID(.node, old.elements.ids[row]))
      }
    }
    _ = CopyGroups(settlingOrderOf: &merged.elements)
    nodes = merged
    dropRows(copies, of: .node)
  }

  mutating func mergeWays(_ copies: CopyGroups, _ rules: MergeRules) {
    var merged = WayTable()
    var old = WayTable()
    swap(&old, &ways)
    copies.forEachKept(isSorting: rules.isSorting) { row, group in
      guard !group.isEmpty else { return merged.appendRow(row, of: old) }
      let sources = old.elements.current(group)
      let target = merged.elements.count
      merged.elements.appendMerged(old.elements, sources, of: group, rules)
      let withRefs = sources.filter { !old.refs($0).isEmpty }
      // Copies of one version have the same nodes. Where they do not, nodes and positions must
      // still come from the same copy.
      let source =
        withRefs.first { old.inlineGeometry($0)?.count == old.refs($0).count } ?? withRefs.first
        ?? row
      let refs = old.refs(source)
      let fitting = sources.filter { old.refs($0).isEmpty || old.refs($0).elementsEqual(refs) }
      if fitting.count < sources.count {
        conflicts.append(ElementID(.way, old.elements.ids[row]))
      }
      merged.refs.append(contentsOf: refs)
      merged.refEnds.append(UInt32(truncatingIfNeeded: merged.refs.count))
      if let line = united(fitting.compactMap { old.inlineGeometry($0) }) {
        merged.geometries.set(merged.inlinePositions.appendRange(line), at: target)
      }
    }
    _ = CopyGroups(settlingOrderOf: &merged.elements)
    ways = merged
    dropRows(copies, of: .way)
  }

  mutating func mergeRelations(_ copies: CopyGroups, _ rules: MergeRules) {
    var merged = RelationTable()
    var old = RelationTable()
    swap(&old, &relations)
    copies.forEachKept(isSorting: rules.isSorting) { row, group in
      guard !group.isEmpty else { return merged.appendRow(row, of: old) }
      let sources = old.elements.current(group)
      merged.elements.appendMerged(old.elements, sources, of: group, rules)
      let withMembers = sources.filter { !old.members($0).isEmpty }
      let source = withMembers.first ?? row
      // Copies of one version list the same members, so their geometries line up.
      let fitting = withMembers.filter { old.members($0).elementsEqual(old.members(source)) }
      if fitting.count < withMembers.count {
        conflicts.append(ElementID(.relation, old.elements.ids[row]))
      }
      let start = old.memberRange(source).lowerBound
      for index in old.memberRange(source) {
        let target = merged.members.count
        merged.members.append(old.members[index])
        let lines = fitting.compactMap {
          old.inlineGeometry(member: old.memberRange($0).lowerBound + index - start)
        }
        if let line = united(lines) {
          merged.memberGeometries.set(merged.inlinePositions.appendRange(line), at: target)
        }
      }
      merged.memberEnds.append(UInt32(truncatingIfNeeded: merged.members.count))
    }
    _ = CopyGroups(settlingOrderOf: &merged.elements)
    relations = merged
    dropRows(copies, of: .relation)
  }

  /// Merges areas, which keep their place. Other derived elements have no identity.
  mutating func mergeAreas(_ rules: MergeRules) {
    var copies: [Int64: [Int]] = [:]
    var dropped: Set<Int> = []
    for run in order where run.type == .area {
      for row in run.firstRow..<run.firstRow + run.count
      where derived.elements.ids[row] != ElementID.unknownNumber {
        copies[derived.elements.ids[row], default: []].append(row)
        if (copies[derived.elements.ids[row]]?.count ?? 0) > 1 { dropped.insert(row) }
      }
    }
    guard !dropped.isEmpty else { return }
    var merged = DerivedTable()
    var old = DerivedTable()
    swap(&old, &derived)
    let types = order.filter { $0.type == .area || $0.type == .derived }
    for run in types {
      for row in run.firstRow..<run.firstRow + run.count where !dropped.contains(row) {
        let group = run.type == .area ? copies[old.elements.ids[row]] ?? [] : []
        guard group.count > 1 else {
          merged.appendRow(row, of: old)
          continue
        }
        merged.elements.appendMerged(old.elements, group, of: group, rules)
        merged.typeNames.append(old.typeNames[row])
        let withGeometry = group.first { old.geometries[$0].kind != .none } ?? row
        merged.geometries.append(old.geometries[withGeometry])
      }
    }
    derived = merged
    dropRows(of: .area) { dropped.contains($0) }
  }

  private mutating func dropRows(_ copies: CopyGroups, of type: ElementType) {
    guard copies.droppedCount > 0 else { return }
    dropRows(of: type) { copies.isDropped($0) }
  }

  /// Renumbers the runs after rows of one table are gone.
  private mutating func dropRows(of type: ElementType, _ isDropped: (Int) -> Bool) {
    var runs: [ElementRun] = []
    var position = 0
    var nextRow = 0
    for var run in order {
      if isSameTable(run.type, type) {
        let rows = run.firstRow..<run.firstRow + run.count
        run.count = rows.count { !isDropped($0) }
        run.firstRow = nextRow
        nextRow += run.count
      }
      guard run.count > 0 else { continue }
      run.firstPosition = position
      position += run.count
      runs.append(run)
    }
    order = runs
  }
}

/// What copies of a line know together. A complete one outranks one that was clipped, whose gaps
/// are filled from others of as many positions.
private func united(_ copies: [UnsafeBufferPointer<Coordinate>]) -> [Coordinate]? {
  guard let first = copies.first else { return nil }
  if copies.count == 1 { return Array(first) }
  var line = Array(copies.first { !$0.contains(where: \.isUndefined) } ?? first)
  for other in copies where other.count == line.count {
    for (place, position) in other.enumerated() where line[place].isUndefined {
      line[place] = position
    }
  }
  return line
}

extension ElementTable {
  /// Those copies that tell about the element's present state: of the highest version, or without
  /// one, in the order of the answer.
  borrowing func current(_ rows: [Int]) -> [Int] {
    guard rows.count > 1 else { return rows }
    let newest = rows.compactMap { metadata.versions[$0] }.max()
    guard let newest else { return rows }
    return rows.filter { (metadata.versions[$0] ?? newest) == newest }
  }

  /// Appends one row made of the parts of `rows` of another table.
  ///
  /// - Parameter group: all copies of the element, of which `rows` are those that count.
  fileprivate mutating func appendMerged(
    _ old: borrowing ElementTable, _ rows: [Int], of group: [Int], _ rules: MergeRules
  ) {
    guard let first = rows.first else { return }
    let target = count
    ids.append(old.ids[first])
    appendTags(old, rows)
    tagEnds.append(UInt32(truncatingIfNeeded: tags.count))
    var combined = Metadata()
    for row in rows {
      let other = old.metadata[row]
      combined.version = combined.version ?? other.version
      combined.timestamp = combined.timestamp ?? other.timestamp
      combined.changeset = combined.changeset ?? other.changeset
      combined.userID = combined.userID ?? other.userID
      combined.user = combined.user ?? other.user
      combined.isVisible = combined.isVisible ?? other.isVisible
      combined.isModified = combined.isModified || other.isModified
    }
    metadata[target] = combined
    for row in rows where centers[target] == nil {
      if let center = old.centers[row] { centers.set(center, at: target) }
    }
    // The box of what was clipped differs from answer to answer.
    for row in rows {
      guard let box = old.bounds[row] else { continue }
      bounds.set(bounds[target].map { $0.union(box) } ?? box, at: target)
    }
    if rules.marksCopies || group.contains(where: { old.isRepeated($0) }) {
      repeatedRows.append(UInt32(truncatingIfNeeded: target))
    }
  }
}

extension ElementTable {
  /// Appends the tags of all rows, each key once: its first value.
  private mutating func appendTags(_ old: borrowing ElementTable, _ rows: [Int]) {
    let start = tags.count
    for row in rows {
      let others = old.tags(row)
      if tags.count == start {
        tags.append(contentsOf: others)
        continue
      }
      let known = Set(tags.buffer[start...].lazy.map(\.key))
      for tag in others where !known.contains(tag.key) { tags.append(tag) }
    }
  }
}

extension Column where Element == Coordinate {
  mutating func appendRange(_ positions: [Coordinate]) -> PositionRange {
    positions.withUnsafeBufferPointer { appendRange($0) }
  }

  /// Appends positions and tells where they stand.
  mutating func appendRange(_ positions: UnsafeBufferPointer<Coordinate>) -> PositionRange {
    let start = UInt32(truncatingIfNeeded: count)
    append(contentsOf: positions)
    return PositionRange(start: start, count: UInt32(truncatingIfNeeded: positions.count))
  }
}
