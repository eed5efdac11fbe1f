// Basemaps made of pictures. Source: MapLibre style specification, "Sources", raster.

/// Who made the data of a map, as it has to be shown on it.
public struct MapAttribution: Sendable, Hashable {
  public var text: String
  /// Where more about it is to be found.
  public var link: String?

  public init(_ text: String, link: String? = nil) {
    self.text = text
    self.link = link
  }

  /// What each map of OSM data has to show.
  public static let openStreetMap = MapAttribution(
    "© OpenStreetMap contributors", link: "https://www.openstreetmap.org/copyright")

  /// The attribution as viewers take it, which is HTML; the text is escaped.
  var html: String {
    let escaped = escapedHTML(text)
    guard let link else { return escaped }
    return #"<a href="\#(escapedHTML(link))" target="_blank" rel="noopener">\#(escaped)</a>"#
  }

  func check() throws(MapStyleError) {
    guard !text.isEmpty else { throw MapStyleError(.value, "an attribution has no text") }
    if let link { try checkURL(link, "the attribution's link", schemes: ["https", "http"]) }
  }
}

/// In which direction the rows of tiles are counted.
@frozen public enum TileScheme: UInt8, Sendable, CaseIterable {
  /// From the north, as nearly everybody does.
  case xyz = 0
  /// From the south, as the OSGeo specification "Tile Map Service" has it.
  case tms = 1
}

/// A map of pictures, fetched tile by tile.
///
/// ```swift
/// let tiles = RasterBasemap(
///   "Streets", tiles: ["https://tiles.example.org/{z}/{x}/{y}.png"],
///   attribution: .openStreetMap)
/// ```
public struct RasterBasemap: Sendable, Equatable {
  /// Tells it apart from other parts of the map; shown to people.
  public var name: String
  /// Templates of URLs with `{z}`, `{x}` and `{y}`, or `{quadkey}`, or `{bbox-epsg-3857}`; several
  /// are asked in turn.
  public var tiles: [String]
  public var attribution: MapAttribution?
  /// Width and height of a tile in pixels, 1 to 4096.
  public var tileSize = 256
  /// Zooms for which there are tiles, 0 to 24; beyond `maxZoom`, tiles are magnified.
  public var minZoom = 0
  public var maxZoom = 18
  public var scheme = TileScheme.xyz
  /// 0 (invisible) to 1.
  public var opacity = 1.0
  /// Whether it is shown when the map opens.
  public var isVisible = true

  public init(_ name: String, tiles: [String], attribution: MapAttribution? = nil) {
    self.name = name
    self.tiles = tiles
    self.attribution = attribution
  }

  func check() throws(MapStyleError) {
    try checkName(name, "a basemap")
    guard !tiles.isEmpty else {
      throw MapStyleError(.tileTemplate, "the basemap '\(name)' has no tile URL")
    }
    for template in tiles { try TileTemplate.check(template) }
    try attribution?.check()
    try checkNumber(Double(tileSize), in: 1...4096, "the tile size")
    try checkNumber(Double(minZoom), in: 0...24, "the least zoom", .zoom)
    try checkNumber(Double(maxZoom), in: 0...24, "the greatest zoom", .zoom)
    guard minZoom <= maxZoom else {
      throw MapStyleError(.zoom, "the least zoom \(minZoom) is above the greatest, \(maxZoom)")
    }
    try checkNumber(opacity, in: 0...1, "the opacity")
  }
}
