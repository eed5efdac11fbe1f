// The properties of a feature, in each layout.

import OSMGeometry
import OSMModel

extension FeatureText {
  /// Appends `,"id":"way/123"`; nothing for an element whose number the answer does not tell.
  mutating func appendIdentity(_ feature: Feature) {
    guard feature.id.number != ElementID.unknownNumber else { return }
    buffer.append(",\"id\":")
    appendName(of: feature)
  }

  /// Appends `"way/123"`.
  private mutating func appendName(of feature: Feature) {
    let id = feature.id
    buffer.append("\"")
    appendTypeName(id.type, feature)
    buffer.append("/")
    buffer.append(integer: id.number)
    buffer.append("\"")
  }

  private mutating func appendTypeName(_ type: ElementType, _ feature: Feature) {
    if let name = type.name {
      buffer.append(name)
    } else {
      var escaped = TextBuffer()
      escaped.append(jsonString: feature.typeName)
      // Without the quotes: it stands inside of a longer text.
      buffer.append(UnsafeBufferPointer(rebasing: escaped.bytes.buffer.dropFirst().dropLast()))
    }
  }

  mutating func appendProperties(_ feature: Feature, _ info: GeometryInfo) {
    switch layout {
    case .nested: appendNested(feature, info)
    case .flat where isCompatible: appendCompatibleFlat(feature)
    case .flat: appendFlat(feature, info)
    }
  }

  // MARK: Nested

  private mutating func appendNested(_ feature: Feature, _ info: GeometryInfo) {
    let id = feature.id
    buffer.append("\"type\":\"")
    appendTypeName(id.type, feature)
    buffer.append("\"")
    if id.number != ElementID.unknownNumber {
      buffer.append(name: "id")
      buffer.append(integer: id.number)
    }
    buffer.append(name: "tags")
    appendTagObject(feature.tags)
    buffer.append(name: "relations")
    appendRelations(feature)
    buffer.append(name: "meta")
    buffer.append("{")
    appendMetadata(feature.metadata, separated: false, prefix: "") { _ in true }
    buffer.append("}")
    if info.isTainted { buffer.append(",\"tainted\":true") }
    if !info.isValid { buffer.append(",\"valid\":false") }
    switch info.placeholder {
    case .none: break
    case .center: buffer.append(",\"geometry\":\"center\"")
    case .bounds: buffer.append(",\"geometry\":\"bounds\"")
    }
  }

  // MARK: Flat

  private mutating func appendFlat(_ feature: Feature, _ info: GeometryInfo) {
    let id = feature.id
    buffer.append("\"@type\":\"")
    appendTypeName(id.type, feature)
    buffer.append("\"")
    if id.number != ElementID.unknownNumber {
      buffer.append(name: "@id")
      appendName(of: feature)
    }
    appendMetadata(feature.metadata, separated: true, prefix: "@") { _ in true }
    if info.isTainted { buffer.append(",\"@tainted\":true") }
    if !info.isValid { buffer.append(",\"@valid\":false") }
    switch info.placeholder {
    case .none: break
    case .center: buffer.append(",\"@geometry\":\"center\"")
    case .bounds: buffer.append(",\"@geometry\":\"bounds\"")
    }
    if !feature.memberships.isEmpty {
      buffer.append(name: "@relations")
      appendRelations(feature)
    }
    for tag in feature.tags {
      buffer.append(",")
      appendFlatKey(tag.key)
      buffer.append(":")
      append(text: tag.value)
    }
  }

  /// A key that looks like one of our own names gets a second `@`: no tag hides a field or the
  /// other way round.
  private mutating func appendFlatKey(_ key: StringID) {
    guard dataset.strings.bytes(key).first == UInt8(ascii: "@") else { return append(text: key) }
    buffer.append(jsonString: PropertyLayout.flatName(ofTag: dataset.strings.string(key)))
  }

  static let reservedNames: Set<String> = [
    "@type", "@id", "@version", "@timestamp", "@changeset", "@uid", "@user", "@tainted",
    "@geometry", "@relations", "@valid",
  ]

  /// The flat layout of osmtogeojson: metadata, tags over it, the identity over both.
  private mutating func appendCompatibleFlat(_ feature: Feature) {
    let tags = feature.tags
    let dataset = dataset
    buffer.append("\"id\":")
    if feature.id.number == ElementID.unknownNumber {
      buffer.append("null")
    } else {
      appendName(of: feature)
    }
    appendMetadata(feature.metadata, separated: true, prefix: "") { name in
      guard let key = dataset.strings.find(name) else { return true }
      return tags.value(ofKey: key) == nil
    }
    let identity = dataset.strings.find("id")
    for tag in tags where tag.key != identity {
      buffer.append(",")
      append(text: tag.key)
      buffer.append(":")
      append(text: tag.value)
    }
  }

  // MARK: Parts

  private mutating func appendTagObject(_ tags: some RandomAccessCollection<Tag>) {
    buffer.append("{")
    var isFirst = true
    for tag in tags {
      if !isFirst { buffer.append(",") }
      isFirst = false
      append(text: tag.key)
      buffer.append(":")
      append(text: tag.value)
    }
    buffer.append("}")
  }

  private mutating func appendRelations(_ feature: Feature) {
    buffer.append("[")
    var isFirst = true
    for membership in feature.memberships {
      if !isFirst { buffer.append(",") }
      isFirst = false
      let row = Int(membership.relation)
      let number = dataset.relations.elements.ids[row]
      buffer.append("{\"rel\":")
      if number == ElementID.unknownNumber {
        buffer.append("null")
      } else {
        buffer.append(integer: number)
      }
      buffer.append(",\"role\":")
      append(text: dataset.relations.members[Int(membership.member)].role)
      buffer.append(",\"reltags\":")
      appendTagObject(dataset.relations.elements.tags(row))
      buffer.append("}")
    }
    buffer.append("]")
  }

  private mutating func appendMetadata(
    _ metadata: Metadata, separated: Bool, prefix: StaticString,
    where isWanted: (StaticString) -> Bool
  ) {
    var needsComma = separated
    func begin(_ name: StaticString) {
      if needsComma { buffer.append(",") }
      needsComma = true
      buffer.append("\"")
      buffer.append(prefix)
      buffer.append(name)
      buffer.append("\":")
    }
    if let version = metadata.version, isWanted("version") {
      begin("version")
      buffer.append(integer: Int64(version))
    }
    if let timestamp = metadata.timestamp, isWanted("timestamp") {
      begin("timestamp")
      buffer.append("\"")
      buffer.append(timestamp: timestamp)
      buffer.append("\"")
    }
    if let changeset = metadata.changeset, isWanted("changeset") {
      begin("changeset")
      buffer.append(integer: changeset)
    }
    if let userID = metadata.userID, isWanted("uid") {
      begin("uid")
      buffer.append(integer: userID)
    }
    if let user = metadata.user, isWanted("user") {
      begin("user")
      append(text: user)
    }
  }
}

extension PropertyLayout {
  /// The property that holds the value of a tag in the layout `flat`.
  package static func flatName(ofTag key: String) -> String {
    FeatureText.reservedNames.contains(key) ? "@" + key : key
  }
}
