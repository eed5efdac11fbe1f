// Elements as OSM XML. Source: Overpass API, output_xml.cc; "OSM XML", OSM wiki.

import OSMModel

/// The text of elements under construction: the attributes in the server's order.
struct OSMXMLText: ~Copyable, ElementTextWorker {
  var buffer = TextBuffer()
  let dataset: Dataset
  private let texts: EscapedTexts
  /// Whether the tag being written has got its `>`.
  private var isOpen = false

  init(_ dataset: Dataset, _ texts: EscapedTexts) {
    self.dataset = dataset
    self.texts = texts
  }

  mutating func appendElement(_ element: ElementIndex, isFirst: Bool) {
    isOpen = false
    let dataset = dataset
    let row = element.row
    switch element.type {
    case .node:
      buffer.append("  <node")
      appendAttributes(dataset.nodes.elements, row, dataset.nodes.positions[row])
      appendBoxAndCenter(dataset.nodes.elements, row)
      appendTags(dataset.nodes.elements.tags(row))
      if isOpen { buffer.append("  </node>\n") }
    case .way:
      buffer.append("  <way")
      appendAttributes(dataset.ways.elements, row, .undefined)
      appendBoxAndCenter(dataset.ways.elements, row)
      appendVertices(row)
      appendTags(dataset.ways.elements.tags(row))
      if isOpen { buffer.append("  </way>\n") }
    case .relation:
      buffer.append("  <relation")
      appendAttributes(dataset.relations.elements, row, .undefined)
      appendBoxAndCenter(dataset.relations.elements, row)
      appendMembers(dataset.relations.memberRange(row))
      appendTags(dataset.relations.elements.tags(row))
      if isOpen { buffer.append("  </relation>\n") }
    case .area, .derived:
      let name = dataset.strings.bytes(dataset.derived.typeNames[row])
      guard element.type == .area || DocumentCheck.isAllowed(typeName: name, .osmXML) else {
        return
      }
      buffer.append("  <")
      buffer.append(name)
      appendAttribute(" id=\"", dataset.derived.elements.ids[row], absent: ElementID.unknownNumber)
      appendBoxAndCenter(dataset.derived.elements, row)
      appendShape(dataset.derived.geometries[row])
      appendTags(dataset.derived.elements.tags(row))
      if isOpen {
        buffer.append("  </")
        buffer.append(name)
        buffer.append(">\n")
      }
    }
    if !isOpen { buffer.append("/>\n") }
  }

  /// Ends the start tag, before the first thing inside.
  @inline(__always) private mutating func open() {
    if !isOpen { buffer.append(">\n") }
    isOpen = true
  }

  // MARK: Attributes

  @inline(__always) private mutating func appendAttribute(
    _ start: StaticString, _ value: Int64, absent: Int64
  ) {
    guard value != absent else { return }
    buffer.append(start)
    buffer.append(integer: value)
    buffer.append(UInt8(ascii: "\""))
  }

  @inline(__always) private mutating func appendPosition(_ position: Coordinate) {
    guard !position.isUndefined else { return }
    buffer.append(" lat=\"")
    buffer.append(fixedDegreesE7: position.latitudeE7)
    buffer.append("\" lon=\"")
    buffer.append(fixedDegreesE7: position.longitudeE7)
    buffer.append(UInt8(ascii: "\""))
  }

  private mutating func appendAttributes(
    _ elements: borrowing ElementTable, _ row: Int, _ position: Coordinate
  ) {
    appendAttribute(" id=\"", elements.ids[row], absent: ElementID.unknownNumber)
    appendPosition(position)
    if let version = elements.metadata.versions[row] {
      appendAttribute(" version=\"", Int64(version), absent: .min)
    }
    if let timestamp = elements.metadata.timestamps[row] {
      buffer.append(" timestamp=\"")
      buffer.append(timestamp: timestamp)
      buffer.append(UInt8(ascii: "\""))
    }
    if let changeset = elements.metadata.changesets[row] {
      appendAttribute(" changeset=\"", changeset, absent: .min)
    }
    if let userID = elements.metadata.userIDs[row] {
      appendAttribute(" uid=\"", userID, absent: .min)
    }
    if let user = elements.metadata.users[row] {
      buffer.append(" user=")
      buffer.append(texts[user])
    }
    if let visibility = elements.metadata.visibilities[row] {
      buffer.append(visibility == 1 ? " visible=\"true\"" : " visible=\"false\"")
    }
    if elements.metadata.modifications[row] != nil { buffer.append(" action=\"modify\"") }
  }

  // MARK: Parts

  private mutating func appendBoxAndCenter(_ elements: borrowing ElementTable, _ row: Int) {
    if let box = elements.bounds[row] {
      open()
      buffer.append("    ")
      buffer.append(xmlBounds: box)
    }
    if let center = elements.centers[row] {
      open()
      buffer.append("    <center")
      appendPosition(center)
      buffer.append("/>\n")
    }
  }

  @inline(__always) private mutating func appendTags(_ tags: UnsafeBufferPointer<Tag>) {
    guard !tags.isEmpty else { return }
    open()
    for index in tags.indices {
      buffer.append("    <tag k=")
      buffer.append(texts[tags[index].key])
      buffer.append(" v=")
      buffer.append(texts[tags[index].value])
      buffer.append("/>\n")
    }
  }

  /// The nodes of a way, each with its position where the document tells it. Positions that are not
  /// as many as the nodes cannot stand here.
  private mutating func appendVertices(_ row: Int) {
    let refs = dataset.ways.refs(row)
    let given = dataset.ways.inlineGeometry(row)
    let positions = given.flatMap { refs.isEmpty || $0.count == refs.count ? $0 : nil }
    let count = max(refs.count, positions?.count ?? 0)
    guard count > 0 else { return }
    open()
    for index in 0..<count {
      buffer.append("    <nd")
      if !refs.isEmpty {
        buffer.append(" ref=\"")
        buffer.append(integer: refs[index])
        buffer.append(UInt8(ascii: "\""))
      }
      if let positions { appendPosition(positions[index]) }
      buffer.append("/>\n")
    }
  }

  private mutating func appendMembers(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    open()
    for index in range {
      let member = dataset.relations.members[index]
      buffer.append("    <member type=\"")
      buffer.append(member.type.name ?? "node")
      buffer.append("\" ref=\"")
      buffer.append(integer: member.ref)
      buffer.append("\" role=")
      buffer.append(texts[member.role])
      let positions = dataset.relations.inlineGeometry(member: index)
      guard let positions, !positions.isEmpty else {
        buffer.append("/>\n")
        continue
      }
      if member.type == .node, positions.count == 1, !positions[0].isUndefined {
        appendPosition(positions[0])
        buffer.append("/>\n")
        continue
      }
      buffer.append(">\n")
      for vertex in positions.indices {
        buffer.append("      <nd")
        appendPosition(positions[vertex])
        buffer.append("/>\n")
      }
      buffer.append("    </member>\n")
    }
  }

  // MARK: Geometries of what is derived

  /// What ``DocumentCheck/isPrintedByXML(_:)`` refuses is left out.
  private mutating func appendShape(_ geometry: Geometry) {
    guard DocumentCheck.isPrintedByXML(geometry) else { return }
    open()
    switch geometry.kind {
    case .none, .multiPoint, .multiLineString, .multiPolygon: return
    case .point: appendVertices(geometry.coordinates[...], "    <point")
    case .lineString: appendVertices(geometry.coordinates[...], "    <vertex")
    case .polygon:
      for part in geometry.partEnds.indices {
        buffer.append("    <linestring>\n")
        appendVertices(geometry.part(part), "      <vertex")
        buffer.append("    </linestring>\n")
      }
    case .geometryCollection:
      for member in geometry.members {
        buffer.append("    <group>\n")
        appendShape(member)
        buffer.append("    </group>\n")
      }
    }
  }

  private mutating func appendVertices(_ positions: ArraySlice<Coordinate>, _ start: StaticString) {
    for position in positions {
      buffer.append(start)
      appendPosition(position)
      buffer.append("/>\n")
    }
  }
}

extension TextBuffer {
  mutating func append(xmlBounds box: BoundingBox) {
    append("<bounds minlat=\"")
    append(fixedDegreesE7: box.southE7)
    append("\" minlon=\"")
    append(fixedDegreesE7: box.westE7)
    append("\" maxlat=\"")
    append(fixedDegreesE7: box.northE7)
    append("\" maxlon=\"")
    append(fixedDegreesE7: box.eastE7)
    append("\"/>\n")
  }
}
