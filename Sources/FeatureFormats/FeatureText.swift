// One feature after the other as GeoJSON text. Source: RFC 7946 §3.2.

import OSMGeometry
import OSMModel

/// The text of features under construction.
struct FeatureText: ~Copyable, FeatureTextWorker {
  static var separator: StaticString { ",\n" }

  var buffer = TextBuffer()
  /// Whether features without geometry are written all the same.
  var keepsEmpty = false
  let features: FeatureSet
  let dataset: Dataset
  let layout: PropertyLayout
  let isCompatible: Bool
  /// `nil` when each text is escaped as it is printed.
  private let texts: EscapedTexts?
  private var assembler: FeatureAssembler
  private var geometry = Geometry()
  private var bounds = Extent()

  /// - Parameter texts: all texts escaped in advance, which pays when most features are written.
  init(_ writer: GeoJSONWriter, _ texts: EscapedTexts?) {
    features = writer.features
    dataset = features.dataset
    layout = writer.layout
    isCompatible = features.options.profile == .osmtogeojson
    self.texts = texts
    assembler = features.makeAssembler()
  }

  consuming func takeBytes() -> Column<UInt8> { buffer.bytes }

  mutating func takeBounds() -> Extent {
    let taken = bounds
    bounds = Extent()
    return taken
  }

  /// Appends a feature, unless nothing of its geometry can be built; tells whether it did.
  mutating func appendFeature(_ index: Int) -> Bool {
    let info = assembler.geometry(of: index, into: &geometry)
    guard info.kind != .none || keepsEmpty else { return false }
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
    if let texts {
      buffer.append(texts[id])
    } else {
      buffer.append(jsonString: dataset.strings.bytes(id))
    }
  }
}
