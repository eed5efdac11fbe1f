// The public servers, as data. Source: OSM wiki, "Overpass API", section "Public Overpass API
// instances", and the lists in public programs of that year; as of 2026-11.

/// A public server that is known by name.
public struct WellKnownEndpoint: Sendable, Hashable {
  /// A short name, such as `main`.
  public let name: String
  public let url: String
  /// The part of the world that it has data of.
  public let coverage: String
  /// Who runs it.
  public let provider: String

  /// The first is the one that is asked by default.
  public static let all = [
    WellKnownEndpoint(
      name: "main", url: "https://overpass-api.de/api/interpreter", coverage: "world",
      provider: "FOSSGIS e.V."),
    WellKnownEndpoint(
      name: "private.coffee", url: "https://overpass.private.coffee/api/interpreter",
      coverage: "world", provider: "Private.coffee"),
    WellKnownEndpoint(
      name: "vk", url: "https://maps.mail.ru/osm/tools/overpass/api/interpreter",
      coverage: "world", provider: "VK Maps"),
    WellKnownEndpoint(
      name: "switzerland", url: "https://overpass.osm.ch/api/interpreter",
      coverage: "Switzerland", provider: "Swiss OpenStreetMap Association"),
  ]

  /// The date of the list.
  public static let date = "2026-11"

  init(name: String, url: String, coverage: String, provider: String) {
    self.name = name
    self.url = url
    self.coverage = coverage
    self.provider = provider
  }

  /// The server of that name, whatever its case.
  public init?(named name: String) {
    let wanted = name.lowercased()
    guard let known = WellKnownEndpoint.all.first(where: { $0.name == wanted }) else { return nil }
    self = known
  }
}
