// The part of a dataset that a filter takes.

extension Dataset {
  /// The elements that a filter takes, in their order.
  /// - Complexity: O(n log n) for the size n of the dataset, references included.
  package func filtered(by filter: ElementFilter) -> Dataset {
    var chosen = ChosenElements(self)
    let tags = TagMatcher(filter.tags, strings)
    let places = filter.box.map { BoxSelection(self, $0) }
    for run in order where filter.types?.contains(run.type) ?? true {
      for row in run.firstRow..<run.firstRow + run.count {
        let element = ElementIndex(run.type, row)
        guard tags.matches(self.tags(element)), places?.contains(element) ?? true else { continue }
        chosen.insert(element)
      }
    }
    if filter.keepsReferences { chosen.insertReferences() }
    var builder = DatasetBuilder()
    builder.append(self) { chosen.contains($0) }
    return builder.finish().dataset
  }
}

/// A set of elements of a dataset.
private struct ChosenElements {
  private let data: Dataset
  private var isChosen: [ElementType: [Bool]]
  private var inOrder: [ElementIndex] = []

  init(_ data: Dataset) {
    self.data = data
    let counts: [(ElementType, Int)] = [
      (.node, data.nodes.count), (.way, data.ways.count), (.relation, data.relations.count),
      (.derived, data.derived.count),
    ]
    isChosen = Dictionary(
      uniqueKeysWithValues: counts.map { ($0, [Bool](repeating: false, count: $1)) })
  }

  /// Areas and other derived elements share one table.
  private static func table(_ type: ElementType) -> ElementType { type == .area ? .derived : type }

  func contains(_ element: ElementIndex) -> Bool {
    isChosen[ChosenElements.table(element.type)]?[element.row] ?? false
  }

  mutating func insert(_ element: ElementIndex) {
    guard !contains(element) else { return }
    isChosen[ChosenElements.table(element.type)]?[element.row] = true
    inOrder.append(element)
  }

  /// Adds what the elements refer to, and what that refers to.
  mutating func insertReferences() {
    var next = 0
    var hint = 0
    while next < inOrder.count {
      let element = inOrder[next]
      next += 1
      switch element.type {
      case .way:
        for node in data.ways.refs(element.row) {
          guard let row = data.nodes.elements.row(ofID: node, near: hint) else { continue }
          hint = row
          insert(ElementIndex(.node, row))
        }
      case .relation:
        for member in data.relations.members(element.row) {
          if let found = data.find(ElementID(member.type, member.ref)) { insert(found) }
        }
      case .node, .area, .derived: break
      }
    }
  }
}
