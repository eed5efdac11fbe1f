// What is there today, of a document that also tells what was.

extension Dataset {
  /// Whether this is the state of an element that exists.
  public func isCurrent(_ element: ElementIndex) -> Bool {
    !outdated.contains(element)
      && withElements(element.type) { $0.metadata.visibilities[element.row] } != 0
  }

  /// The same rows, of which those that are not ``isCurrent(_:)`` are blank and ``outdated``; `nil`
  /// where all are current. References then lead to states of the same time.
  package func currentStates() -> Dataset? {
    var hidden = outdated
    for type in [ElementType.node, .way, .relation] {
      withElements(type) { table in
        for (row, visibility) in table.metadata.visibilities.buffer.enumerated()
        where visibility == 0 {
          hidden.insert(ElementIndex(type, row))
        }
      }
    }
    guard !hidden.isEmpty else { return nil }
    var copy = DatasetBuilder()
    // In the same order, so that all keep their numbers.
    for number in 0..<strings.count {
      _ = copy.strings.intern(strings.bytes(StringID(UInt32(truncatingIfNeeded: number))))
    }
    for row in 0..<nodes.count {
      if hidden.contains(ElementIndex(.node, row)) {
        copy.nodes.elements.appendBlankRow()
        copy.nodes.positions.append(.undefined)
      } else {
        copy.nodes.appendRow(row, of: nodes)
      }
    }
    for row in 0..<ways.count {
      if hidden.contains(ElementIndex(.way, row)) {
        copy.ways.elements.appendBlankRow()
        copy.ways.refEnds.append(UInt32(truncatingIfNeeded: copy.ways.refs.count))
      } else {
        copy.ways.appendRow(row, of: ways)
      }
    }
    for row in 0..<relations.count {
      if hidden.contains(ElementIndex(.relation, row)) {
        copy.relations.elements.appendBlankRow()
        copy.relations.memberEnds.append(UInt32(truncatingIfNeeded: copy.relations.members.count))
      } else {
        copy.relations.appendRow(row, of: relations)
      }
    }
    for row in 0..<derived.count { copy.derived.appendRow(row, of: derived) }
    copy.order = order
    copy.outdated = hidden
    return copy.finish(keepingCopies: true).dataset
  }
}

extension ElementTable {
  fileprivate mutating func appendBlankRow() {
    ids.append(ElementID.unknownNumber)
    tagEnds.append(UInt32(truncatingIfNeeded: tags.count))
  }
}
