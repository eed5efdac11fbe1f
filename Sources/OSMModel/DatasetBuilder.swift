// Fills a Dataset row by row, and settles its order and duplicates at the end.

/// Collects elements into columns. A decoder appends to the tables directly, calls
/// ``endElement(_:)`` after each element, and ``finish()`` once.
public struct DatasetBuilder: ~Copyable {
  public var strings = StringTable()
  public var nodes = NodeTable()
  public var ways = WayTable()
  public var relations = RelationTable()
  public var derived = DerivedTable()
  public var order: [ElementRun] = []
  /// Elements of which there were copies with different positions, nodes or members.
  public internal(set) var conflicts: [ElementID] = []
  /// States that are not those of today; only with `keepingCopies`.
  public var outdated: Set<ElementIndex> = []

  public init() {}

  /// Notes that one element of this type was appended to its table.
  @inlinable @inline(__always) public mutating func endElement(_ type: ElementType) {
    if order.isEmpty || order[order.count - 1].type != type {
      beginRun(type)
    } else {
      order[order.count - 1].count += 1
    }
  }

  @usableFromInline mutating func beginRun(_ type: ElementType) {
    let rows =
      switch type {
      case .node: nodes.count
      case .way: ways.count
      case .relation: relations.count
      case .area, .derived: derived.count
      }
    let position = order.last.map { $0.firstPosition + $0.count } ?? 0
    order.append(
      ElementRun(type: type, firstRow: rows - 1, count: 1, firstPosition: position))
  }

  /// The finished data. Copies of one element are merged into the place of the first: the highest
  /// version wins, and among copies of that version each part (tags, nodes, members, position,
  /// metadata) comes from the first copy that has it. Boxes are united, and so are positions of
  /// `out geom`, of which each copy may have others.
  ///
  /// - Parameter keepingCopies: leaves the copies as they are, for documents that list several
  ///   states of one element.
  public consuming func finish(keepingCopies: Bool = false) -> FinishedDataset {
    if keepingCopies {
      CopyGroups.settleOrder(of: &nodes.elements)
      CopyGroups.settleOrder(of: &ways.elements)
      CopyGroups.settleOrder(of: &relations.elements)
      return FinishedDataset(
        dataset: Dataset(
          strings: strings, nodes: nodes, ways: ways, relations: relations, derived: derived,
          order: order, outdated: outdated),
        conflicts: [])
    }
    mergeCopies(MergeRules())
    return settled()
  }

  /// The finished data of a builder that holds several datasets, one behind the other. Copies are
  /// merged as ``finish(keepingCopies:)`` does it, areas with the same id as well.
  ///
  /// - Parameter isSorting: puts nodes first, then ways, relations, areas and other derived elements,
  ///   by ascending ids; otherwise each element stays where it came first.
  consuming func finishMerging(isSorting: Bool) -> FinishedDataset {
    let rules = MergeRules(marksCopies: false, isSorting: isSorting)
    mergeCopies(rules)
    mergeAreas(rules)
    if isSorting { sortRuns() }
    return settled()
  }

  private mutating func mergeCopies(_ rules: MergeRules) {
    let isSorting = rules.isSorting
    let nodeCopies = CopyGroups(settlingOrderOf: &nodes.elements, isSorting: isSorting)
    let wayCopies = CopyGroups(settlingOrderOf: &ways.elements, isSorting: isSorting)
    let relationCopies = CopyGroups(settlingOrderOf: &relations.elements, isSorting: isSorting)
    if let nodeCopies { mergeNodes(nodeCopies, rules) }
    if let wayCopies { mergeWays(wayCopies, rules) }
    if let relationCopies { mergeRelations(relationCopies, rules) }
  }

  private consuming func settled() -> FinishedDataset {
    let conflicts = self.conflicts
    return FinishedDataset(
      dataset: Dataset(
        strings: strings, nodes: nodes, ways: ways, relations: relations, derived: derived,
        order: order),
      conflicts: conflicts)
  }
}

/// What ``DatasetBuilder/finish()`` gives.
public struct FinishedDataset {
  public let dataset: Dataset
  /// Elements of which there were copies with different positions, nodes or members.
  public let conflicts: [ElementID]
}

extension DatasetBuilder {
  /// Whether a column holds more than the 32-bit offsets of the tables can address. Such a builder
  /// must not be finished.
  public var isOverfull: Bool {
    let most = Int(UInt32.max)
    return strings.isFull || nodes.count > most || ways.count > most || relations.count > most
      || derived.count > most || nodes.elements.tags.count > most || ways.elements.tags.count > most
      || relations.elements.tags.count > most || derived.elements.tags.count > most
      || ways.refs.count > most || ways.inlinePositions.count > most
      || relations.members.count > most || relations.inlinePositions.count > most
  }
}

extension DatasetBuilder {
  /// Forgets what was appended for an element that was never ended.
  public mutating func dropUnfinishedRow() {
    nodes.elements.tags.truncate(to: Int(nodes.elements.tagEnds.last ?? 0))
    ways.elements.tags.truncate(to: Int(ways.elements.tagEnds.last ?? 0))
    relations.elements.tags.truncate(to: Int(relations.elements.tagEnds.last ?? 0))
    derived.elements.tags.truncate(to: Int(derived.elements.tagEnds.last ?? 0))
    ways.refs.truncate(to: Int(ways.refEnds.last ?? 0))
    relations.members.truncate(to: Int(relations.memberEnds.last ?? 0))
    if derived.geometries.count > derived.count {
      derived.geometries.removeLast(derived.geometries.count - derived.count)
    }
  }
}
