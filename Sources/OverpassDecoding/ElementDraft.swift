// One element while it is read, and how it enters the dataset: the part that decoders of all formats
// share.

import OSMModel

/// The scalar parts of an element while it is read.
struct ElementDraft {
  var type: ElementType
  var typeName: StringID
  var id: Int64 = ElementID.unknownNumber
  var position = Coordinate.undefined

  var elementID: ElementID { ElementID(type, id) }
}

extension DatasetBuilder {
  /// The row that the next element of this type will have.
  @inline(__always)
  func nextRow(of type: ElementType) -> Int {
    switch type {
    case .node: nodes.count
    case .way: ways.count
    case .relation: relations.count
    case .area, .derived: derived.count
    }
  }

  /// Appends the row. Until here nothing of the element counts, so a truncated one leaves no trace.
  @inline(__always)
  mutating func append(_ draft: ElementDraft, tags: borrowing Column<Tag>) {
    switch draft.type {
    case .node:
      nodes.elements.appendRow(id: draft.id, tags: tags)
      // Half a position is none.
      let isWhole = draft.position.latitudeE7 != .max && draft.position.longitudeE7 != .max
      nodes.positions.append(isWhole ? draft.position : .undefined)
    case .way:
      ways.elements.appendRow(id: draft.id, tags: tags)
      ways.refEnds.append(UInt32(truncatingIfNeeded: ways.refs.count))
    case .relation:
      relations.elements.appendRow(id: draft.id, tags: tags)
      relations.memberEnds.append(UInt32(truncatingIfNeeded: relations.members.count))
    case .area, .derived:
      derived.elements.appendRow(id: draft.id, tags: tags)
      derived.typeNames.append(draft.typeName)
      while derived.geometries.count < derived.count { derived.geometries.append(Geometry()) }
    }
    endElement(draft.type)
  }

  /// Appends a member to the relation being read. The position of a node is its geometry.
  @inline(__always)
  mutating func appendMember(_ member: Member, position: Coordinate, geometry: PositionRange) {
    var geometry = geometry
    let index = relations.members.count
    relations.members.append(member)
    if member.type == .node, position.latitudeE7 != .max, position.longitudeE7 != .max {
      let start = UInt32(truncatingIfNeeded: relations.inlinePositions.count)
      relations.inlinePositions.append(position)
      geometry = PositionRange(start: start, count: 1)
    }
    if geometry != .absent {
      relations.memberGeometries.set(geometry, at: index)
    } else if relations.memberGeometries[index] != nil {
      // A list given twice: the first one's geometry does not belong to this member.
      relations.memberGeometries.set(.absent, at: index)
    }
  }

  // MARK: Parts of the element being read

  mutating func setCenter(_ center: Coordinate, of type: ElementType) {
    let row = nextRow(of: type)
    switch type {
    case .node: nodes.elements.centers.set(center, at: row)
    case .way: ways.elements.centers.set(center, at: row)
    case .relation: relations.elements.centers.set(center, at: row)
    case .area, .derived: derived.elements.centers.set(center, at: row)
    }
  }

  mutating func setBounds(_ box: BoundingBox, of type: ElementType) {
    let row = nextRow(of: type)
    switch type {
    case .node: nodes.elements.bounds.set(box, at: row)
    case .way: ways.elements.bounds.set(box, at: row)
    case .relation: relations.elements.bounds.set(box, at: row)
    case .area, .derived: derived.elements.bounds.set(box, at: row)
    }
  }

  /// Sets the fields that `field` has.
  @inline(__always)
  mutating func setMetadata(_ field: Metadata, of type: ElementType) {
    let row = nextRow(of: type)
    switch type {
    case .node: nodes.elements.metadata[row] = field
    case .way: ways.elements.metadata[row] = field
    case .relation: relations.elements.metadata[row] = field
    case .area, .derived: derived.elements.metadata[row] = field
    }
  }

  mutating func setDerivedGeometry(_ geometry: Geometry) {
    while derived.geometries.count < derived.count { derived.geometries.append(Geometry()) }
    if derived.geometries.count > derived.count { derived.geometries.removeLast() }
    derived.geometries.append(geometry)
  }
}

extension ElementTable {
  @inline(__always)
  mutating func appendRow(id: Int64, tags rowTags: borrowing Column<Tag>) {
    ids.append(id)
    if !rowTags.isEmpty { tags.append(contentsOf: rowTags.buffer) }
    tagEnds.append(UInt32(truncatingIfNeeded: tags.count))
  }
}

extension Column where Element == Tag {
  /// An object that names a key twice means its last value, as everywhere in JSON.
  @inline(__always) mutating func removeRepeatedKeys() {
    let tags = buffer
    var repeats = false
    if tags.count <= 32 {
      for last in tags.indices {
        for first in 0..<last where tags[first].key == tags[last].key { repeats = true }
      }
    } else {
      repeats = Set(tags.lazy.map(\.key)).count < tags.count
    }
    if repeats { keepLastOfEachKey() }
  }

  @inline(never) private mutating func keepLastOfEachKey() {
    var places: [StringID: Int] = [:]
    var kept: [Tag] = []
    for tag in buffer {
      if let place = places[tag.key] {
        kept[place].value = tag.value
      } else {
        places[tag.key] = kept.count
        kept.append(tag)
      }
    }
    truncate(to: 0)
    kept.withUnsafeBufferPointer { append(contentsOf: $0) }
  }
}
