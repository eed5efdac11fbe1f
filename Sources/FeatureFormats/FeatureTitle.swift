// What a feature is called, and where the web knows of it: for formats that show features to people.

import OSMGeometry
import OSMModel

/// Finds titles and links by tags. Source: OSM wiki, "Key:name", "Key:ref", "Key:website".
struct FeatureTitles: Sendable {
  private let titles: [StringID]
  private let links: [StringID]
  private let description: StringID?

  init(_ strings: borrowing StringTable) {
    titles = ["name", "ref"].compactMap { strings.find($0) }
    links = ["website", "contact:website", "url"].compactMap { strings.find($0) }
    description = strings.find("description")
  }

  /// The name, or else a short number such as that of a road.
  func title(_ tags: FeatureTags) -> StringID? {
    titles.lazy.compactMap { tags.value(ofKey: $0) }.first { $0 != .empty }
  }

  func description(_ tags: FeatureTags) -> StringID? {
    description.flatMap { tags.value(ofKey: $0) }
  }

  /// The address of the thing's own page, where the tags tell one that a browser opens.
  func link(_ tags: FeatureTags, _ strings: borrowing StringTable) -> StringID? {
    for key in links {
      guard let value = tags.value(ofKey: key) else { continue }
      if WebAddress.isPlain(strings.bytes(value)) { return value }
    }
    return nil
  }
}

extension TextBuffer {
  /// Appends `way/123` with another separator in place of the slash, or the type alone where the
  /// number is not known; escaped for XML.
  mutating func appendXMLIdentity(_ feature: Feature, separator: StaticString) {
    let id = feature.id
    if let name = id.type.name { append(name) } else { append(xmlText: feature.typeName) }
    guard id.number != ElementID.unknownNumber else { return }
    append(separator)
    append(integer: id.number)
  }

  /// Appends the notice of the data's owners; OpenStreetMap's where the answer has none.
  mutating func appendXMLAttribution(_ head: GeoJSONHead) {
    append(xmlText: head.attribution)
  }
}

extension GeoJSONHead {
  /// Whose data it is. Answers without a notice are taken for OpenStreetMap's.
  /// Source: https://www.openstreetmap.org/copyright
  var attribution: String { copyright ?? "© OpenStreetMap contributors, ODbL" }
}
