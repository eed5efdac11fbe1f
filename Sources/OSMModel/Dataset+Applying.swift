// A dataset after changes: what change files (OsmChange) and augmented diffs do to its elements.
// Source: OSM wiki, "OsmChange".

/// Changes of one document.
package struct ChangeList {
  var data: Dataset
  var actions: [ElementAction]

  package init(_ data: Dataset, _ actions: [ElementAction]) {
    self.data = data
    self.actions = actions
  }
}

/// A change that was not made.
package struct SkippedChange {
  package var element: ElementID?
  /// Its version and the newer one at hand; `nil` where it names no element.
  package var versions: (change: Int32, present: Int32)?
}

package struct ChangedDataset {
  package var dataset: Dataset
  package var skipped: [SkippedChange]
}

extension Dataset {
  /// The elements after changes, which are made in their order. Creating and modifying puts the
  /// state that the change tells in the place of the present one; deleting takes it away. A change
  /// with a version that is older than the present one is skipped.
  ///
  /// Positions printed with ways and relations follow their nodes as far as these are known; boxes
  /// and centres of what a change touches tell of the state before and are dropped.
  ///
  /// - Returns: `nil` where the sums are more than 32-bit offsets can address.
  package func applying(_ lists: [ChangeList]) -> ChangedDataset? {
    var states = ChangedStates(self)
    for (number, list) in lists.enumerated() { states.take(list, number) }
    var copy = ChangedCopy(self, lists, states)
    guard let finished = copy.finished() else { return nil }
    return ChangedDataset(dataset: finished.dataset, skipped: states.skipped)
  }
}

/// What becomes of the elements that changes name.
struct ChangedStates {
  enum State {
    case deleted(version: Int32?)
    /// A row of the data of a list.
    case row(list: Int, row: Int, version: Int32?)

    var version: Int32? {
      switch self {
      case .deleted(let version), .row(_, _, let version): version
      }
    }
  }

  private let base: Dataset
  private(set) var states: [ElementID: State] = [:]
  /// Elements that the dataset does not have, in the order in which changes name them first.
  private(set) var added: [ElementID] = []
  private(set) var skipped: [SkippedChange] = []

  init(_ base: Dataset) { self.base = base }

  mutating func take(_ list: ChangeList, _ number: Int) {
    for action in list.actions {
      guard let element = action.new ?? (action.isRemoval ? action.old : nil) else { continue }
      guard let id = list.data.number(element).map({ ElementID(element.type, $0) }) else {
        skipped.append(SkippedChange())
        continue
      }
      let metadata = list.data.metadata(element)
      let known = base.find(id)
      let present = states[id]?.version ?? known.flatMap { base.metadata($0).version }
      if let version = metadata.version, let present, version < present {
        skipped.append(SkippedChange(element: id, versions: (version, present)))
        continue
      }
      if states[id] == nil, known == nil { added.append(id) }
      states[id] =
        action.isRemoval || metadata.isVisible == false
        ? .deleted(version: metadata.version)
        : .row(list: number, row: element.row, version: metadata.version)
    }
  }
}

extension ElementAction {
  /// Whether the element is gone afterwards, from the data or from the result of a query.
  fileprivate var isRemoval: Bool { kind == .delete || kind == .showInitial }
}

/// Copies a dataset with other states in the place of some.
private struct ChangedCopy: ~Copyable {
  private let base: Dataset
  private let lists: [ChangeList]
  private let states: ChangedStates
  private let positions: ChangedPositions
  private var builder = DatasetBuilder()
  private var baseNames: StringNames
  private var listNames: [StringNames]

  init(_ base: Dataset, _ lists: [ChangeList], _ states: ChangedStates) {
    self.base = base
    self.lists = lists
    self.states = states
    positions = ChangedPositions(base, lists, states)
    baseNames = StringNames(of: base)
    listNames = lists.map { StringNames(of: $0.data) }
  }

  mutating func finished() -> FinishedDataset? {
    for run in base.order {
      for row in run.firstRow..<run.firstRow + run.count {
        append(ElementIndex(run.type, row))
        guard !builder.isOverfull else { return nil }
      }
    }
    for id in states.added { appendState(id, nil) }
    guard !builder.isOverfull else { return nil }
    var whole = DatasetBuilder()
    swap(&whole, &builder)
    return whole.finishMerging(isSorting: base.isInServerOrder)
  }

  private mutating func append(_ element: ElementIndex) {
    if let number = base.number(element) {
      let id = ElementID(element.type, number)
      if states.states[id] != nil { return appendState(id, element) }
    }
    let before = RowCounts(builder)
    if positions.touches(element) {
      appendTouched(element)
    } else {
      builder.appendRow(element, of: base)
    }
    builder.rename(after: before, &baseNames)
  }

  /// Appends what changes make of an element, unless they delete it.
  private mutating func appendState(_ id: ElementID, _ known: ElementIndex?) {
    guard case .row(let list, let row, _) = states.states[id] else { return }
    let before = RowCounts(builder)
    let data = lists[list].data
    let element = ElementIndex(id.type, row)
    builder.appendRow(element, of: data)
    if let known {
      switch id.type {
      case .way
      where base.ways.inlineGeometry(known.row) != nil && data.ways.inlineGeometry(row) == nil:
        builder.setLine(positions.line(ofWay: id.number))
      case .relation where base.hasLines(relation: known.row) && !data.hasLines(relation: row):
        builder.setMemberLines(positions.memberLines(data, row, like: known))
      default: break
      }
      if base.withElements(id.type, { $0.isRepeated(known.row) }) { builder.markRepeated(id.type) }
    }
    builder.rename(after: before, &listNames[list])
  }

  /// Appends an element that is as it was, but not where it was.
  private mutating func appendTouched(_ element: ElementIndex) {
    switch element.type {
    case .way:
      builder.ways.elements.appendRow(element.row, of: base.ways.elements, isTouched: true)
      builder.ways.refs.append(contentsOf: base.ways.refs(element.row))
      builder.ways.refEnds.append(UInt32(truncatingIfNeeded: builder.ways.refs.count))
      if base.ways.inlineGeometry(element.row) != nil {
        builder.setLine(positions.line(ofWay: base.ways.elements.ids[element.row]))
      }
    case .relation:
      builder.relations.elements.appendRow(
        element.row, of: base.relations.elements, isTouched: true)
      builder.relations.members.append(contentsOf: base.relations.members(element.row))
      builder.relations.memberEnds.append(
        UInt32(truncatingIfNeeded: builder.relations.members.count))
      if base.hasLines(relation: element.row) {
        builder.setMemberLines(positions.memberLines(base, element.row, like: element))
      }
    default: return builder.appendRow(element, of: base)
    }
    builder.endElement(element.type)
  }
}

extension DatasetBuilder {
  /// Gives the last way positions, unless none is known.
  fileprivate mutating func setLine(_ line: [Coordinate]) {
    guard line.contains(where: { !$0.isUndefined }) else { return }
    ways.geometries.set(ways.inlinePositions.appendRange(line), at: ways.count - 1)
  }

  /// Gives the members of the last relation positions.
  fileprivate mutating func setMemberLines(_ lines: [[Coordinate]?]) {
    let range = relations.memberRange(relations.count - 1)
    for (index, line) in zip(range, lines) {
      guard let line, line.contains(where: { !$0.isUndefined }) else { continue }
      relations.memberGeometries.set(relations.inlinePositions.appendRange(line), at: index)
    }
  }

  fileprivate mutating func markRepeated(_ type: ElementType) {
    switch type {
    case .node:
      nodes.elements.repeatedRows.append(UInt32(truncatingIfNeeded: nodes.count - 1))
    case .way: ways.elements.repeatedRows.append(UInt32(truncatingIfNeeded: ways.count - 1))
    case .relation:
      relations.elements.repeatedRows.append(UInt32(truncatingIfNeeded: relations.count - 1))
    case .area, .derived: break
    }
  }
}
