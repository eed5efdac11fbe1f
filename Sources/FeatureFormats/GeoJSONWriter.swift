// GeoJSON: a FeatureCollection, streamed feature by feature. Source: RFC 7946.

import OSMGeometry
import OSMModel

/// How the properties of features are laid out.
@frozen public enum PropertyLayout: UInt8, Sendable, CaseIterable {
  /// Tags as they are, everything else under names that start with `@`. With the profile
  /// `osmtogeojson`, that program's own flat layout: metadata, tags over it, `id` over both.
  case flat = 0
  /// `type`, `id`, `tags`, `meta`, `relations`, `tainted`, `geometry`.
  case nested = 1
}

/// What a FeatureCollection says about itself besides its features, as foreign members.
public struct GeoJSONHead: Sendable {
  public var generator: String?
  /// Who holds the rights, and the licence; OSM data needs it.
  public var copyright: String?
  /// The state of the data.
  public var timestamp: String?
  /// What the server remarked; a runtime error there means that features are missing.
  public var remarks: [String] = []

  public init() {}
}

/// Writes features as GeoJSON.
///
/// Elements of which no geometry can be built are left out. Positions have at most seven decimals
/// and are exact; exteriors run counter-clockwise.
public struct GeoJSONWriter {
  public let features: FeatureSet
  public let layout: PropertyLayout
  public var head = GeoJSONHead()

  public init(_ features: FeatureSet, layout: PropertyLayout = .flat) {
    self.features = features
    self.layout = layout
  }

  /// Writes all features as one FeatureCollection.
  /// - Throws: ``WriteError`` from the sink.
  /// - Complexity: O(n); memory for one block of text and the escaped texts of the dataset.
  public func write<Sink: ByteSink & ~Copyable>(to sink: inout Sink) throws(WriteError) {
    var output = FeatureText(self, escapesOnce: true)
    let blockSize = 1 << 18
    output.appendHead(head)
    var count = 0
    for index in 0..<features.count {
      if output.appendFeature(index, separated: count > 0) { count += 1 }
      if output.buffer.bytes.count >= blockSize {
        try sink.write(output.buffer.bytes.buffer)
        output.buffer.bytes.truncate(to: 0)
      }
    }
    output.appendEnd()
    try sink.write(output.buffer.bytes.buffer)
  }

  /// One feature as GeoJSON; one without geometry has `"geometry": null`.
  public func feature(_ index: Int) -> Column<UInt8> {
    var output = FeatureText(self, escapesOnce: false)
    output.keepsEmpty = true
    _ = output.appendFeature(index, separated: false)
    return output.takeBytes()
  }
}

/// The text of features under construction.
struct FeatureText: ~Copyable {
  var buffer = TextBuffer()
  /// Whether features without geometry are written all the same.
  var keepsEmpty = false
  let features: FeatureSet
  let dataset: Dataset
  let layout: PropertyLayout
  let isCompatible: Bool
  /// Empty when each text is escaped as it is printed.
  private let texts: EscapedTexts
  private var assembler: FeatureAssembler
  private var geometry = Geometry()
  private var bounds = Extent()

  /// - Parameter escapesOnce: whether all texts are escaped in advance, which pays when most features
  ///   are written.
  init(_ writer: GeoJSONWriter, escapesOnce: Bool) {
    features = writer.features
    dataset = features.dataset
    layout = writer.layout
    isCompatible = features.options.profile == .osmtogeojson
    texts = escapesOnce ? EscapedTexts(writer.features.dataset.strings) : EscapedTexts()
    assembler = features.makeAssembler()
  }

  consuming func takeBytes() -> Column<UInt8> { buffer.bytes }

  mutating func appendHead(_ head: GeoJSONHead) {
    buffer.append("{\"type\":\"FeatureCollection\"")
    for (name, text) in [
      ("generator" as StaticString, head.generator), ("copyright", head.copyright),
      ("timestamp", head.timestamp),
    ] {
      guard let text else { continue }
      appendName(name)
      buffer.append(jsonString: text)
    }
    if !head.remarks.isEmpty {
      appendName("remarks")
      buffer.append("[")
      for (index, remark) in head.remarks.enumerated() {
        if index > 0 { buffer.append(",") }
        buffer.append(jsonString: remark)
      }
      buffer.append("]")
    }
    buffer.append(",\"features\":[\n")
  }

  /// Appends `,"name":`.
  mutating func appendName(_ name: StaticString) {
    buffer.append(",\"")
    buffer.append(name)
    buffer.append("\":")
  }

  mutating func appendEnd() {
    buffer.append("\n]")
    if !bounds.isEmpty {
      buffer.append(",\"bbox\":[")
      buffer.append(degreesE7: bounds.west)
      buffer.append(",")
      buffer.append(degreesE7: bounds.south)
      buffer.append(",")
      buffer.append(degreesE7: bounds.east)
      buffer.append(",")
      buffer.append(degreesE7: bounds.north)
      buffer.append("]")
    }
    buffer.append("}\n")
  }

  /// Appends a feature, unless nothing of its geometry can be built; tells whether it did.
  mutating func appendFeature(_ index: Int, separated: Bool) -> Bool {
    let info = assembler.geometry(of: index, into: &geometry)
    guard info.kind != .none || keepsEmpty else { return false }
    if separated { buffer.append(",\n") }
    let feature = features.feature(index)
    buffer.append("{\"type\":\"Feature\"")
    appendIdentity(feature)
    buffer.append(",\"properties\":{")
    appendProperties(feature, info)
    buffer.append("},\"geometry\":")
    buffer.append(geoJSON: geometry)
    buffer.append("}")
    bounds.include(geometry)
    return true
  }

  /// Appends the quoted text with this number.
  @inline(__always) mutating func append(text id: StringID) {
    if !texts.isEmpty {
      buffer.append(texts[id])
    } else {
      buffer.append(jsonString: dataset.strings.bytes(id))
    }
  }
}

/// The smallest box around positions, as plain ranges of longitude and latitude.
private struct Extent {
  var west = Int32.max
  var south = Int32.max
  var east = Int32.min
  var north = Int32.min

  var isEmpty: Bool { west > east }

  mutating func include(_ geometry: Geometry) {
    for position in geometry.coordinates {
      west = min(west, position.longitudeE7)
      south = min(south, position.latitudeE7)
      east = max(east, position.longitudeE7)
      north = max(north, position.latitudeE7)
    }
    for member in geometry.members { include(member) }
  }
}
