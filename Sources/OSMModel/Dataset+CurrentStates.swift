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
      let isHidden = hidden.contains(ElementIndex(.node, row))
      copy.nodes.elements.appendRow(row, of: nodes.elements, isBlank: isHidden)
      copy.nodes.positions.append(isHidden ? .undefined : nodes.positions[row])
    }
    for row in 0..<ways.count { copy.appendWay(row, of: self, hidden) }
    for row in 0..<relations.count { copy.appendRelation(row, of: self, hidden) }
    for row in 0..<derived.count {
      copy.derived.elements.appendRow(row, of: derived.elements, isBlank: false)
      copy.derived.typeNames.append(derived.typeNames[row])
      copy.derived.geometries.append(derived.geometries[row])
    }
    copy.order = order
    copy.outdated = hidden
    return copy.finish(keepingCopies: true).dataset
  }
}

extension DatasetBuilder {
  fileprivate mutating func appendWay(
    _ row: Int, of data: Dataset, _ hidden: Set<ElementIndex>
  ) {
    let isHidden = hidden.contains(ElementIndex(.way, row))
    if !isHidden {
      ways.refs.append(contentsOf: data.ways.refs(row))
      if let line = data.ways.inlineGeometry(row) {
        ways.geometries.set(ways.inlinePositions.appendRange(line), at: row)
      }
    }
    ways.refEnds.append(UInt32(truncatingIfNeeded: ways.refs.count))
    ways.elements.appendRow(row, of: data.ways.elements, isBlank: isHidden)
  }

  fileprivate mutating func appendRelation(
    _ row: Int, of data: Dataset, _ hidden: Set<ElementIndex>
  ) {
    let isHidden = hidden.contains(ElementIndex(.relation, row))
    for index in data.relations.memberRange(row) where !isHidden {
      let target = relations.members.count
      relations.members.append(data.relations.members[index])
      if let line = data.relations.inlineGeometry(member: index) {
        relations.memberGeometries.set(
          relations.inlinePositions.appendRange(line), at: target)
      }
    }
    relations.memberEnds.append(UInt32(truncatingIfNeeded: relations.members.count))
    relations.elements.appendRow(row, of: data.relations.elements, isBlank: isHidden)
  }
}

extension ElementTable {
  fileprivate mutating func appendRow(
    _ row: Int, of other: borrowing ElementTable, isBlank: Bool
  ) {
    guard isBlank else {
      return appendMerged(other, [row], isRepeated: other.isRepeated(row))
    }
    ids.append(ElementID.unknownNumber)
    tagEnds.append(UInt32(truncatingIfNeeded: tags.count))
  }
}
