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
public struct GeoJSONWriter: Sendable {
  public let features: FeatureSet
  public let layout: PropertyLayout
  public var head = GeoJSONHead()
  /// How many threads may build geometries and text; `nil` for as many as pay.
  public var threads: Int?

  public init(_ features: FeatureSet, layout: PropertyLayout = .flat) {
    self.features = features
    self.layout = layout
  }

  /// Writes all features as one FeatureCollection. The sink is used on the calling thread only.
  /// - Throws: ``WriteError`` from the sink.
  /// - Complexity: O(n); memory for a few blocks of text and the escaped texts of the dataset.
  public func write<Sink: ByteSink & ~Copyable>(to sink: inout Sink) throws(WriteError) {
    let texts = EscapedTexts(features.dataset.strings)
    let writer = self
    var frame = TextBuffer()
    frame.append(head)
    try sink.write(frame.bytes.buffer)
    let bounds = try features.write(to: &sink, threads: threads) { FeatureText(writer, texts) }
    frame.bytes.truncate(to: 0)
    frame.append(endWith: bounds)
    try sink.write(frame.bytes.buffer)
  }

  /// One feature as GeoJSON; one without geometry has `"geometry": null`.
  public func feature(_ index: Int) -> Column<UInt8> {
    var output = FeatureText(self, nil)
    output.keepsEmpty = true
    _ = output.appendFeature(index)
    return output.takeBytes()
  }
}

extension TextBuffer {
  /// Appends the collection up to its features.
  fileprivate mutating func append(_ head: GeoJSONHead) {
    append("{\"type\":\"FeatureCollection\"")
    for (name, text) in [
      ("generator" as StaticString, head.generator), ("copyright", head.copyright),
      ("timestamp", head.timestamp),
    ] {
      guard let text else { continue }
      append(name: name)
      append(jsonString: text)
    }
    if !head.remarks.isEmpty {
      append(name: "remarks")
      append("[")
      for (index, remark) in head.remarks.enumerated() {
        if index > 0 { append(",") }
        append(jsonString: remark)
      }
      append("]")
    }
    append(",\"features\":[\n")
  }

  /// Appends the end of the collection.
  fileprivate mutating func append(endWith bounds: Extent) {
    append("\n]")
    if let box = bounds.box {
      append(",\"bbox\":[")
      append(degreesE7: box.westE7)
      append(",")
      append(degreesE7: box.southE7)
      append(",")
      append(degreesE7: box.eastE7)
      append(",")
      append(degreesE7: box.northE7)
      append("]")
    }
    append("}\n")
  }

  /// Appends `,"name":`.
  mutating func append(name: StaticString) {
    append(",\"")
    append(name)
    append("\":")
  }
}
