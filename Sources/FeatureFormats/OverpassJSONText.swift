// Elements as Overpass JSON. Source: Overpass API, output_json.cc; "Output formats", OSM wiki.

import OSMModel

/// The text of elements under construction: `type` first, the keys in the server's order.
struct OverpassJSONText: ~Copyable, ElementTextWorker {
  var buffer = TextBuffer()
  let dataset: Dataset
  private let texts: EscapedTexts
  private let isCompact: Bool

  init(_ dataset: Dataset, _ texts: EscapedTexts, isCompact: Bool) {
    self.dataset = dataset
    self.texts = texts
    self.isCompact = isCompact
  }

  mutating func appendElement(_ element: ElementIndex, isFirst: Bool) {
    let dataset = dataset
    if !isFirst { append(",\n", or: ",") }
    switch element.type {
    case .node: append("{\n  \"type\": \"node\"", or: "{\"type\":\"node\"")
    case .way: append("{\n  \"type\": \"way\"", or: "{\"type\":\"way\"")
    case .relation: append("{\n  \"type\": \"relation\"", or: "{\"type\":\"relation\"")
    case .area, .derived:
      append("{\n  \"type\": ", or: "{\"type\":")
      buffer.append(texts[dataset.derived.typeNames[element.row]])
    }
    switch element.type {
    case .node:
      appendID(dataset.nodes.elements, element.row)
      appendPosition(dataset.nodes.positions[element.row])
      appendCommon(dataset.nodes.elements, element.row)
      appendTags(dataset.nodes.elements.tags(element.row))
    case .way:
      appendID(dataset.ways.elements, element.row)
      appendCommon(dataset.ways.elements, element.row)
      appendRefs(dataset.ways.refs(element.row))
      if let positions = dataset.ways.inlineGeometry(element.row), !positions.isEmpty {
        append(",\n  \"geometry\": [", or: ",\"geometry\":[")
        append(positions, "\n    ")
        append("\n  ]", or: "]")
      }
      appendTags(dataset.ways.elements.tags(element.row))
    case .relation:
      appendID(dataset.relations.elements, element.row)
      appendCommon(dataset.relations.elements, element.row)
      appendMembers(dataset.relations.memberRange(element.row))
      appendTags(dataset.relations.elements.tags(element.row))
    case .area, .derived:
      appendID(dataset.derived.elements, element.row)
      appendCommon(dataset.derived.elements, element.row)
      let geometry = dataset.derived.geometries[element.row]
      if geometry.kind != .none {
        append(",\n  \"geometry\": ", or: ",\"geometry\":")
        if isCompact {
          buffer.append(geoJSON: geometry)
        } else {
          buffer.append(indentedGeoJSON: geometry, indent: 2)
        }
      }
      appendTags(dataset.derived.elements.tags(element.row))
    }
    append("\n}", or: "}")
  }

  @inline(__always) private mutating func append(
    _ indented: StaticString, or compact: StaticString
  ) {
    buffer.append(isCompact ? compact : indented)
  }

  @inline(__always) private mutating func append(degrees value: Int32) {
    if isCompact {
      buffer.append(degreesE7: value)
    } else {
      buffer.append(fixedDegreesE7: value)
    }
  }

  // MARK: Parts of all elements

  @inline(__always) private mutating func appendID(
    _ elements: borrowing ElementTable, _ row: Int
  ) {
    let number = elements.ids[row]
    guard number != ElementID.unknownNumber else { return }
    append(",\n  \"id\": ", or: ",\"id\":")
    buffer.append(integer: number)
  }

  @inline(__always) private mutating func appendPosition(_ position: Coordinate) {
    guard !position.isUndefined else { return }
    append(",\n  \"lat\": ", or: ",\"lat\":")
    append(degrees: position.latitudeE7)
    append(",\n  \"lon\": ", or: ",\"lon\":")
    append(degrees: position.longitudeE7)
  }

  /// Metadata, bounds and centre.
  private mutating func appendCommon(_ elements: borrowing ElementTable, _ row: Int) {
    if let timestamp = elements.metadata.timestamps[row] {
      append(",\n  \"timestamp\": \"", or: ",\"timestamp\":\"")
      buffer.append(timestamp: timestamp)
      buffer.append("\"")
    }
    if let version = elements.metadata.versions[row] {
      append(",\n  \"version\": ", or: ",\"version\":")
      buffer.append(integer: Int64(version))
    }
    if let changeset = elements.metadata.changesets[row] {
      append(",\n  \"changeset\": ", or: ",\"changeset\":")
      buffer.append(integer: changeset)
    }
    if let user = elements.metadata.users[row] {
      append(",\n  \"user\": ", or: ",\"user\":")
      buffer.append(texts[user])
    }
    if let userID = elements.metadata.userIDs[row] {
      append(",\n  \"uid\": ", or: ",\"uid\":")
      buffer.append(integer: userID)
    }
    if let visibility = elements.metadata.visibilities[row] {
      append(",\n  \"visible\": ", or: ",\"visible\":")
      buffer.append(visibility == 1 ? "true" : "false")
    }
    if elements.metadata.modifications[row] != nil {
      append(",\n  \"action\": \"modify\"", or: ",\"action\":\"modify\"")
    }
    if let box = elements.bounds[row] {
      append(",\n  \"bounds\": ", or: ",\"bounds\":")
      buffer.append(box: box, isCompact: isCompact)
    }
    if let center = elements.centers[row] {
      append(",\n  \"center\": {\n    \"lat\": ", or: ",\"center\":{\"lat\":")
      append(degrees: center.latitudeE7)
      append(",\n    \"lon\": ", or: ",\"lon\":")
      append(degrees: center.longitudeE7)
      append("\n  }", or: "}")
    }
  }

  @inline(__always) private mutating func appendTags(_ tags: UnsafeBufferPointer<Tag>) {
    guard !tags.isEmpty else { return }
    append(",\n  \"tags\": {\n    ", or: ",\"tags\":{")
    for index in tags.indices {
      if index > 0 { append(",\n    ", or: ",") }
      buffer.append(texts[tags[index].key])
      append(": ", or: ":")
      buffer.append(texts[tags[index].value])
    }
    append("\n  }", or: "}")
  }

  // MARK: Ways and relations

  @inline(__always) private mutating func appendRefs(_ refs: UnsafeBufferPointer<Int64>) {
    guard !refs.isEmpty else { return }
    append(",\n  \"nodes\": [\n    ", or: ",\"nodes\":[")
    for index in refs.indices {
      if index > 0 { append(",\n    ", or: ",") }
      buffer.append(integer: refs[index])
    }
    append("\n  ]", or: "]")
  }

  private mutating func append(
    _ positions: UnsafeBufferPointer<Coordinate>, _ lineStart: StaticString
  ) {
    for index in positions.indices {
      if index > 0 { buffer.append(UInt8(ascii: ",")) }
      append(lineStart, or: "")
      let position = positions[index]
      guard !position.isUndefined else {
        buffer.append("null")
        continue
      }
      append("{ \"lat\": ", or: "{\"lat\":")
      append(degrees: position.latitudeE7)
      append(", \"lon\": ", or: ",\"lon\":")
      append(degrees: position.longitudeE7)
      append(" }", or: "}")
    }
  }

  private mutating func appendMembers(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    append(",\n  \"members\": [", or: ",\"members\":[")
    for index in range {
      if index > range.lowerBound { buffer.append(UInt8(ascii: ",")) }
      let member = dataset.relations.members[index]
      append("\n    {\n      \"type\": \"", or: "{\"type\":\"")
      buffer.append(member.type.name ?? "node")
      append("\",\n      \"ref\": ", or: "\",\"ref\":")
      buffer.append(integer: member.ref)
      append(",\n      \"role\": ", or: ",\"role\":")
      buffer.append(texts[member.role])
      if let positions = dataset.relations.inlineGeometry(member: index), !positions.isEmpty {
        if member.type == .node, positions.count == 1, !positions[0].isUndefined {
          append(",\n      \"lat\": ", or: ",\"lat\":")
          append(degrees: positions[0].latitudeE7)
          append(",\n      \"lon\": ", or: ",\"lon\":")
          append(degrees: positions[0].longitudeE7)
        } else {
          append(",\n      \"geometry\": [", or: ",\"geometry\":[")
          append(positions, "\n         ")
          append("\n      ]", or: "]")
        }
      }
      append("\n    }", or: "}")
    }
    append("\n  ]", or: "]")
  }
}
