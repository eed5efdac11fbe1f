// The object around the elements of Overpass JSON, and geometries as servers print them.
// Source: Overpass API, output_json.cc.

import OSMModel

extension DocumentWriter {
  func writeJSON<Sink: ByteSink & ~Copyable>(to sink: inout Sink) throws(WriteError) {
    let (dataset, isCompact) = (document.dataset, isCompact)
    let texts = EscapedTexts(dataset.strings)
    var frame = TextBuffer()
    frame.append(jsonHead: document.header, isCompact: isCompact)
    try sink.write(frame.bytes.buffer)
    try writeElements(to: &sink) { OverpassJSONText(dataset, texts, isCompact: isCompact) }
    var again = OverpassJSONText(dataset, texts, isCompact: isCompact)
    for index in repeatedNodes.indices {
      again.appendElement(ElementIndex(.node, Int(repeatedNodes[index])), isFirst: false)
    }
    let block = again.takeBlock()
    try sink.write(block.bytes.buffer)
    frame.bytes.truncate(to: 0)
    frame.append(isCompact ? "]" : "\n\n  ]")
    if !document.remarks.isEmpty {
      frame.append(isCompact ? ",\"remark\":" : ",\n\"remark\": ")
      frame.append(jsonString: document.remarks.joined(separator: " "))
    }
    frame.append(isCompact ? "}\n" : "\n}\n")
    try sink.write(frame.bytes.buffer)
  }
}

extension TextBuffer {
  /// Appends an answer up to its elements.
  fileprivate mutating func append(jsonHead header: DocumentHeader, isCompact: Bool) {
    append("{")
    if let version = header.version {
      append(isCompact ? "\"version\":" : "\n  \"version\": ")
      if version.isJSONNumber { append(xmlText: version) } else { append(jsonString: version) }
      append(",")
    }
    if let generator = header.generator {
      append(isCompact ? "\"generator\":" : "\n  \"generator\": ")
      append(jsonString: generator)
      append(",")
    }
    let source: [(StaticString, String?)] = [
      ("timestamp_osm_base", header.timestamp), ("timestamp_areas_base", header.areasTimestamp),
      ("copyright", header.copyright),
    ]
    if source.contains(where: { $0.1 != nil }) {
      append(isCompact ? "\"osm3s\":{" : "\n  \"osm3s\": {")
      var isFirst = true
      for (name, text) in source {
        guard let text else { continue }
        if !isFirst { append(",") }
        isFirst = false
        append(isCompact ? "\"" : "\n    \"")
        append(name)
        append(isCompact ? "\":" : "\": ")
        append(jsonString: text)
      }
      append(isCompact ? "}," : "\n  },")
    }
    if let bounds = header.bounds {
      append(isCompact ? "\"bounds\":" : "\n  \"bounds\": ")
      append(box: bounds, isCompact: isCompact)
      append(",")
    }
    append(isCompact ? "\"elements\":[" : "\n  \"elements\": [\n\n")
  }

  mutating func append(box: BoundingBox, isCompact: Bool) {
    let sides: [(StaticString, Int32)] = [
      ("minlat", box.southE7), ("minlon", box.westE7), ("maxlat", box.northE7),
      ("maxlon", box.eastE7),
    ]
    append("{")
    for (index, (name, value)) in sides.enumerated() {
      if index > 0 { append(",") }
      append(isCompact ? "\"" : "\n    \"")
      append(name)
      append(isCompact ? "\":" : "\": ")
      if isCompact { append(degreesE7: value) } else { append(fixedDegreesE7: value) }
    }
    append(isCompact ? "}" : "\n  }")
  }

  // MARK: Geometries

  /// Appends a geometry object over several lines, each indented by more than `indent` blanks.
  mutating func append(indentedGeoJSON geometry: Geometry, indent: Int) {
    guard let name = geometry.kind.geoJSONName else { return append("{}") }
    append("{")
    appendLine(indent + 2)
    append("\"type\": \"")
    append(name)
    append("\",")
    appendLine(indent + 2)
    append(geometry.kind == .geometryCollection ? "\"geometries\": " : "\"coordinates\": ")
    switch geometry.kind {
    case .none: break
    case .point:
      if let position = geometry.coordinates.first {
        append("[ ")
        append(pair: position)
        append(" ]")
      }
    case .lineString, .multiPoint:
      append(positions: geometry.coordinates[...], indent: indent + 2)
    case .multiLineString, .polygon:
      appendList(0..<geometry.partEnds.count, indent: indent + 2) { text, part in
        text.append(positions: geometry.part(part), indent: indent + 4)
      }
    case .multiPolygon:
      appendList(0..<geometry.polygonEnds.count, indent: indent + 2) { text, polygon in
        text.appendList(geometry.ringRange(polygon), indent: indent + 4) { text, part in
          text.append(positions: geometry.part(part), indent: indent + 6)
        }
      }
    case .geometryCollection:
      appendList(0..<geometry.members.count, indent: indent + 2) { text, member in
        text.append(indentedGeoJSON: geometry.members[member], indent: indent + 4)
      }
    }
    appendLine(indent)
    append("}")
  }

  private mutating func appendLine(_ indent: Int) {
    append("\n")
    for _ in 0..<indent { append(UInt8(ascii: " ")) }
  }

  private mutating func appendList(
    _ range: Range<Int>, indent: Int, _ append: (inout TextBuffer, Int) -> Void
  ) {
    self.append("[")
    for index in range {
      if index > range.lowerBound { self.append(",") }
      appendLine(indent + 2)
      append(&self, index)
    }
    appendLine(indent)
    self.append("]")
  }

  private mutating func append(positions: ArraySlice<Coordinate>, indent: Int) {
    appendList(positions.indices, indent: indent) { text, index in
      text.append(listed: positions[index])
    }
  }

  private mutating func append(listed position: Coordinate) {
    append("[")
    append(pair: position)
    append("]")
  }

  private mutating func append(pair position: Coordinate) {
    append(fixedDegreesE7: position.longitudeE7)
    append(", ")
    append(fixedDegreesE7: position.latitudeE7)
  }
}

extension GeometryKind {
  /// The name of RFC 7946; `nil` for no geometry.
  fileprivate var geoJSONName: StaticString? {
    switch self {
    case .none: nil
    case .point: "Point"
    case .lineString: "LineString"
    case .polygon: "Polygon"
    case .multiPoint: "MultiPoint"
    case .multiLineString: "MultiLineString"
    case .multiPolygon: "MultiPolygon"
    case .geometryCollection: "GeometryCollection"
    }
  }
}

extension String {
  /// Whether the text is a plain number of JSON: digits without a leading zero, and perhaps more
  /// behind a point.
  fileprivate var isJSONNumber: Bool {
    let parts = utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard let whole = parts.first, parts.count <= 2, whole.count == 1 || whole.first != 0x30 else {
      return false
    }
    return parts.allSatisfy { part in
      !part.isEmpty && part.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
    }
  }
}
