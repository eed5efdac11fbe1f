// KML 2.2: a document of placemarks. Source: OGC 07-147r2.

import OSMGeometry
import OSMModel

extension FeatureWriter {
  /// Writes a KML document: a placemark for each feature, its tags and fields as ExtendedData under
  /// the names that the flat layout of GeoJSON has for them.
  func writeKML<Sink: ByteSink & ~Copyable>(to sink: inout Sink) throws(WriteError) {
    let texts = EscapedTexts(features.dataset.strings, for: .xml)
    let writer = self
    var frame = TextBuffer()
    frame.appendKMLHead(head)
    try sink.write(frame.bytes.buffer)
    _ = try features.write(to: &sink, threads: threads) { KMLText(writer.features, texts) }
    try sink.write("</Document>\n</kml>\n")
  }
}

extension TextBuffer {
  fileprivate mutating func appendKMLHead(_ head: GeoJSONHead) {
    append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
    append("<kml xmlns=\"http://www.opengis.net/kml/2.2\"")
    append(" xmlns:atom=\"http://www.w3.org/2005/Atom\">\n<Document>\n<name>")
    append(xmlText: head.generator ?? "OverpassKit")
    append("</name>\n<atom:author><atom:name>")
    append(xmlText: head.attribution)
    append("</atom:name></atom:author>\n<description>")
    append(xmlText: ([head.attribution] + head.remarks).joined(separator: "\n"))
    append("</description>\n")
    guard let timestamp = head.timestamp else { return }
    append("<ExtendedData>\n<Data name=\"timestamp\"><value>")
    append(xmlText: timestamp)
    append("</value></Data>\n</ExtendedData>\n")
  }
}

/// Features as placemarks.
struct KMLText: ~Copyable, FeatureTextWorker {
  var buffer = TextBuffer()
  let features: FeatureSet
  private let dataset: Dataset
  private let texts: EscapedTexts
  private let titles: FeatureTitles
  private var assembler: FeatureAssembler
  private var geometry = Geometry()

  init(_ features: FeatureSet, _ texts: EscapedTexts) {
    self.features = features
    self.texts = texts
    dataset = features.dataset
    titles = FeatureTitles(dataset.strings)
    assembler = features.makeAssembler()
  }

  mutating func appendFeature(_ index: Int) -> Bool {
    let info = assembler.geometry(of: index, into: &geometry)
    guard info.kind != .none else { return false }
    let feature = features.feature(index)
    let tags = feature.tags
    buffer.append("<Placemark")
    if feature.id.type.name != nil, feature.id.number != ElementID.unknownNumber {
      buffer.append(" id=\"")
      buffer.appendXMLIdentity(feature, separator: "-")
      buffer.append("\"")
    }
    buffer.append(">\n<name>")
    if let title = titles.title(tags) {
      buffer.append(xmlText: dataset.strings.bytes(title))
    } else {
      buffer.appendXMLIdentity(feature, separator: "/")
    }
    buffer.append("</name>\n<ExtendedData>\n")
    appendFields(feature, info)
    for tag in tags {
      buffer.append("<Data name=")
      appendName(tag.key)
      buffer.append("><value>")
      // An attribute's text without its quotes.
      buffer.append(UnsafeBufferPointer(rebasing: texts[tag.value].dropFirst().dropLast()))
      buffer.append("</value></Data>\n")
    }
    buffer.append("</ExtendedData>\n")
    buffer.append(kml: geometry)
    buffer.append("</Placemark>\n")
    return true
  }

  private mutating func appendName(_ key: StringID) {
    guard dataset.strings.bytes(key).first == UInt8(ascii: "@") else {
      return buffer.append(texts[key])
    }
    buffer.append(xmlAttribute: PropertyLayout.flatName(ofTag: dataset.strings.string(key)))
  }

  private mutating func appendFields(_ feature: Feature, _ info: GeometryInfo) {
    buffer.appendKMLField("@type") { $0.append(xmlText: feature.typeName) }
    if feature.id.number != ElementID.unknownNumber {
      buffer.appendKMLField("@id") { $0.appendXMLIdentity(feature, separator: "/") }
    }
    let metadata = feature.metadata
    if let version = metadata.version {
      buffer.appendKMLField("@version") { $0.append(integer: Int64(version)) }
    }
    if let timestamp = metadata.timestamp {
      buffer.appendKMLField("@timestamp") { $0.append(timestamp: timestamp) }
    }
    if let changeset = metadata.changeset {
      buffer.appendKMLField("@changeset") { $0.append(integer: changeset) }
    }
    if let userID = metadata.userID {
      buffer.appendKMLField("@uid") { $0.append(integer: userID) }
    }
    if let user = metadata.user {
      let name = dataset.strings.bytes(user)
      buffer.appendKMLField("@user") { $0.append(xmlText: name) }
    }
    if info.isTainted { buffer.appendKMLField("@tainted") { $0.append("true") } }
    if !info.isValid { buffer.appendKMLField("@valid") { $0.append("false") } }
    switch info.placeholder {
    case .none: break
    case .center: buffer.appendKMLField("@geometry") { $0.append("center") }
    case .bounds: buffer.appendKMLField("@geometry") { $0.append("bounds") }
    }
  }
}

extension TextBuffer {
  fileprivate mutating func appendKMLField(
    _ name: StaticString, _ appendValue: (inout TextBuffer) -> Void
  ) {
    append("<Data name=\"")
    append(name)
    append("\"><value>")
    appendValue(&self)
    append("</value></Data>\n")
  }
}
