// What a document holds that a format cannot say: looked for before anything is written.

import OSMModel

/// The search for losses.
struct DocumentCheck {
  let document: OSMDocument
  let format: DocumentFormat

  init(_ document: OSMDocument, _ format: DocumentFormat) {
    self.document = document
    self.format = format
  }

  func check() throws(FormatLoss) {
    switch format {
    case .overpassJSON:
      if !document.actions.isEmpty { throw loss(.changes) }
      if document.remarks.count > 1 { throw loss(.severalRemarks) }
    case .osmXML:
      for remark in document.remarks where !remark.hasInkAtBothEnds { throw loss(.remark) }
    case .osmChange: try checkChangeFile()
    }
    try checkMembers()
    try checkDerived()
    guard format != .overpassJSON else { return }
    try checkTexts()
    try checkPositions()
  }

  private func loss(_ part: FormatLoss.Part, _ element: ElementID? = nil) -> FormatLoss {
    FormatLoss(format: format, part: part, element: element)
  }

  private func id(_ type: ElementType, _ row: Int) -> ElementID {
    ElementID(type, document.dataset.withElements(type) { $0.ids[row] })
  }

  // MARK: Elements

  private func checkMembers() throws(FormatLoss) {
    let data = document.dataset
    func isOther(_ member: Member) -> Bool { member.typeCode == 0 || member.typeCode > 3 }
    guard data.relations.members.buffer.contains(where: isOther) else { return }
    for row in 0..<data.relations.count where data.relations.members(row).contains(where: isOther) {
      throw loss(.memberType, id(.relation, row))
    }
  }

  private func checkDerived() throws(FormatLoss) {
    let data = document.dataset
    for run in data.order where run.type == .area || run.type == .derived {
      for row in run.firstRow..<run.firstRow + run.count {
        let element = id(run.type, row)
        if run.type == .derived,
          !DocumentCheck.isAllowed(
            typeName: data.strings.bytes(data.derived.typeNames[row]), format)
        {
          throw loss(.typeName, element)
        }
        guard format != .overpassJSON else { continue }
        let geometry = data.derived.geometries[row]
        guard geometry.kind == .none || DocumentCheck.isPrintedByXML(geometry) else {
          throw loss(.geometry, element)
        }
        let index = ElementIndex(run.type, row)
        guard data.metadata(index).isEmpty else { throw loss(.metadata, element) }
        if run.type == .derived, element.number == ElementID.unknownNumber,
          data.tags(index).isEmpty, geometry.kind == .none,
          data.derived.elements.centers[row] == nil,
          data.derived.elements.bounds[row] == nil
        {
          throw loss(.emptyElement, element)
        }
      }
    }
  }

  /// Names that mean something else where elements stand.
  private static let takenNames: [StaticString] = [
    "node", "way", "relation", "area", "note", "remark", "meta", "bounds", "action", "old", "new",
  ]

  static func isAllowed(typeName name: UnsafeBufferPointer<UInt8>, _ format: DocumentFormat)
    -> Bool
  {
    let taken = DocumentCheck.takenNames.prefix(format == .overpassJSON ? 4 : .max)
    if taken.contains(where: { $0.withUTF8Buffer { $0.elementsEqual(name) } }) { return false }
    guard format != .overpassJSON else { return true }
    guard let first = name.first, first | 0x20 >= 0x61 && first | 0x20 <= 0x7A || first == 0x5F
    else {
      return false
    }
    return name.allSatisfy { byte in
      byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A || byte >= 0x30 && byte <= 0x39 || byte == 0x5F
        || byte == 0x2D || byte == 0x2E
    }
  }

  static func isPrintedByXML(_ geometry: Geometry) -> Bool {
    guard !geometry.coordinates.contains(where: \.isUndefined) else { return false }
    switch geometry.kind {
    case .point: return geometry.coordinates.count == 1
    case .lineString:
      return !geometry.coordinates.isEmpty && geometry.partEnds == [geometry.coordinates.count]
    case .polygon:
      return !geometry.coordinates.isEmpty && geometry.partEnds.last == geometry.coordinates.count
        && geometry.polygonEnds == [geometry.partEnds.count]
    case .geometryCollection:
      return !geometry.members.isEmpty && geometry.members.allSatisfy(isPrintedByXML)
    case .none, .multiPoint, .multiLineString, .multiPolygon: return false
    }
  }

  /// In XML the positions of a way stand with its nodes.
  private func checkPositions() throws(FormatLoss) {
    let data = document.dataset
    guard !data.ways.geometries.isEmpty else { return }
    for row in 0..<data.ways.count {
      guard let positions = data.ways.inlineGeometry(row), !positions.isEmpty else { continue }
      let nodes = data.ways.refs(row).count
      guard nodes == 0 || nodes == positions.count, positions.contains(where: { !$0.isUndefined })
      else { throw loss(.positions, id(.way, row)) }
    }
  }

  // MARK: Texts

  private func checkTexts() throws(FormatLoss) {
    let header = document.header
    let texts =
      document.remarks
      + [
        header.version, header.generator, header.timestamp, header.areasTimestamp, header.copyright,
      ].compactMap { $0 }
    for text in texts where !text.isPrintedByXML { throw loss(.character) }
    // Texts that nothing uses any more may stay in the table, so a bad one is looked for in use.
    let data = document.dataset
    let isBad = (0..<data.strings.count).map { number in
      XMLCharacters.firstForbidden(data.strings.bytes(StringID(UInt32(truncatingIfNeeded: number))))
        != nil
    }
    guard isBad.contains(true) else { return }
    for run in data.order {
      for row in run.firstRow..<run.firstRow + run.count {
        let element = ElementIndex(run.type, row)
        var uses = data.tags(element).flatMap { [$0.key, $0.value] }
        if let user = data.metadata(element).user { uses.append(user) }
        if run.type == .relation { uses += data.relations.members(row).map(\.role) }
        if uses.contains(where: { Int($0.rawValue) < isBad.count && isBad[Int($0.rawValue)] }) {
          throw loss(.character, id(run.type, row))
        }
      }
    }
  }

  // MARK: Change files

  private func checkChangeFile() throws(FormatLoss) {
    if !document.remarks.isEmpty { throw loss(.remark) }
    let header = document.header
    if header.timestamp != nil || header.areasTimestamp != nil { throw loss(.timestamp) }
    if header.bounds != nil { throw loss(.bounds) }
    let order = ChangeOrder(document)
    for action in document.actions {
      let state = (action.new ?? action.old).flatMap { order.holds($0) ? id($0.type, $0.row) : nil }
      if action.kind == .showInitial || action.kind == .showFinal { throw loss(.changeKind, state) }
      if action.old != nil { throw loss(.earlierState, state) }
    }
    if let element = order.unchanged { throw loss(.unchanged, id(element.type, element.row)) }
  }
}

extension String {
  /// Whether XML can hold the text.
  var isPrintedByXML: Bool {
    var text = self
    return text.withUTF8 { XMLCharacters.firstForbidden($0) == nil }
  }

  /// Whether no white space stands at either end.
  var hasInkAtBothEnds: Bool {
    guard let first = utf8.first, let last = utf8.last else { return false }
    return first > 0x20 && last > 0x20
  }
}
