// Merging the copies of an element that an answer holds more than once, as `out; >; out skel;` does.

/// Which rows of a table are copies of one element.
struct CopyGroups {
  /// For each kept row, in ascending order: the rows of all its copies, the kept one first.
  var groups: [[Int]] = []
  /// Rows that vanish into an earlier one.
  var dropped: Set<Int> = []

  /// Checks the order of a table's ids and, where they do not ascend, notes the rows by id.
  /// `nil` when no element occurs twice.
  init?(settlingOrderOf table: inout ElementTable) {
    let ids = table.ids.buffer
    guard let order = CopyGroups.rowsByID(ids) else { return nil }
    var start = 0
    while start < order.count {
      var end = start + 1
      let id = ids[Int(order[start])]
      while end < order.count, ids[Int(order[end])] == id { end += 1 }
      if end - start > 1, id != ElementID.unknownNumber {
        groups.append(order[start..<end].map(Int.init))
        dropped.formUnion(order[(start + 1)..<end].lazy.map(Int.init))
      }
      start = end
    }
    guard groups.isEmpty else {
      groups.sort { $0[0] < $1[0] }
      return
    }
    table.rowsByID.reserve(order.count)
    for row in order { table.rowsByID.append(row) }
    return nil
  }

  /// Notes the rows by id where the ids do not ascend, and keeps copies: a look-up finds the first.
  static func settleOrder(of table: inout ElementTable) {
    guard let order = rowsByID(table.ids.buffer) else { return }
    table.rowsByID.reserve(order.count)
    for row in order { table.rowsByID.append(row) }
  }

  /// The rows in order of their ids; `nil` where the ids ascend and none occurs twice.
  private static func rowsByID(_ ids: UnsafeBufferPointer<Int64>) -> [UInt32]? {
    var ascending = true
    for row in ids.indices.dropFirst() where ids[row] <= ids[row - 1] {
      ascending = false
      break
    }
    if ascending { return nil }
    var order = [UInt32](unsafeUninitializedCapacity: ids.count) { buffer, count in
      for row in ids.indices {
        buffer.initializeElement(at: row, to: UInt32(truncatingIfNeeded: row))
      }
      count = ids.count
    }
    order.sort { left, right in
      let (leftID, rightID) = (ids[Int(left)], ids[Int(right)])
      return leftID == rightID ? left < right : leftID < rightID
    }
    return order
  }

  /// Calls `body` with every kept row and its copies (`nil` when there are none), in order.
  func forEachKept(of count: Int, _ body: (Int, [Int]?) -> Void) {
    var group = 0
    for row in 0..<count where !dropped.contains(row) {
      if group < groups.count, groups[group][0] == row {
        body(row, groups[group])
        group += 1
      } else {
        body(row, nil)
      }
    }
  }
}

extension DatasetBuilder {
  mutating func mergeNodes(_ copies: CopyGroups) {
    var merged = NodeTable()
    var old = NodeTable()
    swap(&old, &nodes)
    copies.forEachKept(of: old.count) { row, group in
      let sources = old.elements.current(group ?? [row])
      merged.elements.appendMerged(old.elements, sources, isRepeated: group != nil)
      let known = sources.lazy.map { old.positions[$0] }.filter { !$0.isUndefined }
      let position = known.first ?? .undefined
      merged.positions.append(position)
      if group != nil, known.contains(where: { $0 != position }) {
        conflicts.append(ElementID(.node, old.elements.ids[row]))
      }
    }
    _ = CopyGroups(settlingOrderOf: &merged.elements)
    nodes = merged
    dropRows(copies.dropped, of: .node)
  }

  mutating func mergeWays(_ copies: CopyGroups) {
    var merged = WayTable()
    var old = WayTable()
    swap(&old, &ways)
    copies.forEachKept(of: old.count) { row, group in
      let sources = old.elements.current(group ?? [row])
      let target = merged.elements.count
      merged.elements.appendMerged(old.elements, sources, isRepeated: group != nil)
      let withRefs = sources.first { !old.refs($0).isEmpty } ?? row
      merged.refs.append(contentsOf: old.refs(withRefs))
      merged.refEnds.append(UInt32(truncatingIfNeeded: merged.refs.count))
      let geometries = sources.compactMap { old.inlineGeometry($0) }
      // A complete line outranks one that was clipped.
      let best = geometries.first { !$0.contains(where: \.isUndefined) } ?? geometries.first
      if let best {
        merged.geometries.set(merged.inlinePositions.appendRange(best), at: target)
      }
    }
    _ = CopyGroups(settlingOrderOf: &merged.elements)
    ways = merged
    dropRows(copies.dropped, of: .way)
  }

  mutating func mergeRelations(_ copies: CopyGroups) {
    var merged = RelationTable()
    var old = RelationTable()
    swap(&old, &relations)
    copies.forEachKept(of: old.count) { row, group in
      let sources = old.elements.current(group ?? [row])
      merged.elements.appendMerged(old.elements, sources, isRepeated: group != nil)
      let withMembers = sources.filter { !old.members($0).isEmpty }
      let source = withMembers.first ?? row
      for (offset, index) in old.memberRange(source).enumerated() {
        let target = merged.members.count
        merged.members.append(old.members[index])
        // Copies of one version list the same members, so their geometries line up.
        for other in withMembers {
          let range = old.memberRange(other)
          guard offset < range.count else { continue }
          if let geometry = old.inlineGeometry(member: range.lowerBound + offset) {
            merged.memberGeometries.set(merged.inlinePositions.appendRange(geometry), at: target)
            break
          }
        }
      }
      merged.memberEnds.append(UInt32(truncatingIfNeeded: merged.members.count))
    }
    _ = CopyGroups(settlingOrderOf: &merged.elements)
    relations = merged
    dropRows(copies.dropped, of: .relation)
  }

  /// Renumbers the runs after rows of one table are gone.
  private mutating func dropRows(_ dropped: Set<Int>, of type: ElementType) {
    var runs: [ElementRun] = []
    var position = 0
    var nextRow = 0
    for var run in order {
      if run.type == type {
        let rows = run.firstRow..<run.firstRow + run.count
        run.count = rows.count { !dropped.contains($0) }
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
  mutating func appendMerged(_ old: borrowing ElementTable, _ rows: [Int], isRepeated: Bool) {
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
    for row in rows where bounds[target] == nil {
      if let box = old.bounds[row] { bounds.set(box, at: target) }
    }
    if isRepeated { repeatedRows.append(UInt32(truncatingIfNeeded: target)) }
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
  /// Appends positions and tells where they stand.
  mutating func appendRange(_ positions: UnsafeBufferPointer<Coordinate>) -> PositionRange {
    let start = UInt32(truncatingIfNeeded: count)
    append(contentsOf: positions)
    return PositionRange(start: start, count: UInt32(truncatingIfNeeded: positions.count))
  }
}
