// The order in which changes, and elements of which no change is told, stand in a document.

import OSMModel

/// Walks over a document with changes in its order.
struct ChangeOrder {
  enum Step {
    /// An element that belongs to no change.
    case element(ElementIndex)
    /// A change; its later state stands before its earlier one where `isReversed`.
    case action(ElementAction, isReversed: Bool)
  }

  private let document: OSMDocument
  /// Per table: which rows are states of changes.
  private var isState: [[Bool]]

  init(_ document: OSMDocument) {
    self.document = document
    let data = document.dataset
    isState = [data.nodes.count, data.ways.count, data.relations.count, data.derived.count].map {
      [Bool](repeating: false, count: $0)
    }
    for action in document.actions {
      for state in [action.old, action.new] {
        guard let state, holds(state) else { continue }
        isState[ChangeOrder.table(state.type)][state.row] = true
      }
    }
  }

  /// The tables in the order of ``isState``; areas and other derived elements share one.
  private static func table(_ type: ElementType) -> Int { min(Int(type.rawValue), 4) - 1 }

  /// Whether the dataset has such a row.
  func holds(_ element: ElementIndex) -> Bool {
    isState[ChangeOrder.table(element.type)].indices.contains(element.row)
  }

  private func isState(_ element: ElementIndex) -> Bool {
    holds(element) && isState[ChangeOrder.table(element.type)][element.row]
  }

  /// The first element that belongs to no change.
  var unchanged: ElementIndex? {
    for position in 0..<document.dataset.count {
      if let element = document.dataset.element(at: position), !isState(element) { return element }
    }
    return nil
  }

  /// Calls `body` with every step. States that the dataset does not have are left out.
  func forEach(_ body: (Step) throws(WriteError) -> Void) throws(WriteError) {
    let data = document.dataset
    var position = 0
    for var action in document.actions {
      while let element = data.element(at: position), !isState(element) {
        try body(.element(element))
        position += 1
      }
      if let old = action.old, !holds(old) { action.old = nil }
      if let new = action.new, !holds(new) { action.new = nil }
      let states = (action.old == nil ? 0 : 1) + (action.new == nil ? 0 : 1)
      guard states > 0 else { continue }
      let isReversed = states == 2 && data.element(at: position) == action.new
      try body(.action(action, isReversed: isReversed))
      position += states
    }
    while let element = data.element(at: position) {
      if !isState(element) { try body(.element(element)) }
      position += 1
    }
  }
}
