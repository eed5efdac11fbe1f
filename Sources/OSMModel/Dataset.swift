// Decoded OSM data: columns per element type, and the order in which the answer named the elements.

/// Consecutive elements of one type in an answer.
public struct ElementRun: Sendable, Equatable {
  public var type: ElementType
  /// The first element's row in the table of its type.
  public var firstRow: Int
  public var count: Int
  /// The first element's place in the answer.
  public var firstPosition: Int
}

/// OSM data in memory: immutable, shared freely between threads.
///
/// Each (type, id) occurs once, except where a document lists several states of one element; copies
/// in an answer were merged (``DatasetBuilder``). Rows keep the
/// order of the answer within their table, and ``order`` tells how the tables interleave.
public final class Dataset: Sendable {
  public let strings: StringTable
  public let nodes: NodeTable
  public let ways: WayTable
  public let relations: RelationTable
  public let derived: DerivedTable
  public let order: [ElementRun]
  /// States that are not those of today: old ones of an augmented diff. Deleted ones are told by
  /// ``Metadata/isVisible``.
  public let outdated: Set<ElementIndex>
  /// The rows of `derived` that are areas, in ascending order of id, then of the answer.
  private let areaRows: [UInt32]

  init(
    strings: consuming StringTable, nodes: consuming NodeTable, ways: consuming WayTable,
    relations: consuming RelationTable, derived: consuming DerivedTable, order: [ElementRun],
    outdated: Set<ElementIndex> = []
  ) {
    self.outdated = outdated
    self.strings = strings
    self.nodes = nodes
    self.ways = ways
    self.relations = relations
    var areaRows: [UInt32] = []
    for run in order where run.type == .area {
      for row in run.firstRow..<run.firstRow + run.count {
        areaRows.append(UInt32(truncatingIfNeeded: row))
      }
    }
    let ids = derived.elements.ids.buffer
    areaRows.sort { (ids[Int($0)], $0) < (ids[Int($1)], $1) }
    self.areaRows = areaRows
    self.derived = derived
    self.order = order
  }

  /// The number of elements of all kinds.
  public var count: Int { order.last.map { $0.firstPosition + $0.count } ?? 0 }

  /// The element at a place of the answer.
  /// - Complexity: O(log r) for r runs; an answer has a handful.
  public func element(at position: Int) -> ElementIndex? {
    guard position >= 0, position < count else { return nil }
    var low = 0
    var high = order.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if order[middle].firstPosition <= position { low = middle } else { high = middle }
    }
    let run = order[low]
    return ElementIndex(run.type, run.firstRow + position - run.firstPosition)
  }

  /// Where an element stands. Areas are found; other derived elements have no identity.
  public func find(_ id: ElementID) -> ElementIndex? {
    let row: Int? =
      switch id.type {
      case .node: nodes.elements.row(ofID: id.number)
      case .way: ways.elements.row(ofID: id.number)
      case .relation: relations.elements.row(ofID: id.number)
      case .area: areaRow(id.number)
      case .derived: nil
      }
    return row.map { ElementIndex(id.type, $0) }
  }

  private func areaRow(_ number: Int64) -> Int? {
    var low = 0
    var high = areaRows.count
    while low < high {
      let middle = (low + high) / 2
      if derived.elements.ids[Int(areaRows[middle])] < number {
        low = middle + 1
      } else {
        high = middle
      }
    }
    guard low < areaRows.count, derived.elements.ids[Int(areaRows[low])] == number else {
      return nil
    }
    return Int(areaRows[low])
  }

  /// The number an element carries in the answer, or `nil` where there is none (`out noids`).
  public func number(_ index: ElementIndex) -> Int64? {
    let number = withElements(index.type) { $0.ids[index.row] }
    return number == ElementID.unknownNumber ? nil : number
  }

  /// The type name of an element, also of derived ones.
  public func typeName(_ index: ElementIndex) -> String {
    if let name = index.type.name, index.type != .area { return "\(name)" }
    return strings.string(derived.typeNames[index.row])
  }

  /// The columns common to all element kinds, for the kind given. Areas and other derived elements
  /// share one table.
  @inlinable public func withElements<Result>(
    _ type: ElementType, _ body: (borrowing ElementTable) -> Result
  ) -> Result {
    switch type {
    case .node: body(nodes.elements)
    case .way: body(ways.elements)
    case .relation: body(relations.elements)
    case .area, .derived: body(derived.elements)
    }
  }

  /// The tags of an element, borrowed from the dataset.
  @inlinable public func tags(_ index: ElementIndex) -> UnsafeBufferPointer<Tag> {
    withElements(index.type) { $0.tags(index.row) }
  }

  /// The value of one key, if the element has it.
  @inlinable public func value(ofKey key: StringID, _ index: ElementIndex) -> StringID? {
    withElements(index.type) { $0.value(ofKey: key, row: index.row) }
  }

  public func metadata(_ index: ElementIndex) -> Metadata {
    withElements(index.type) { $0.metadata[index.row] }
  }
}

extension Dataset {
  /// The place of an element in the answer.
  /// - Complexity: O(r) for r runs; an answer has a handful.
  public func position(of index: ElementIndex) -> Int? {
    for run in order
    where run.type == index.type && index.row >= run.firstRow
      && index.row < run.firstRow + run.count
    {
      return run.firstPosition + index.row - run.firstRow
    }
    return nil
  }
}
