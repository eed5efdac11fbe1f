// A style document that is put together in code. Source: MapLibre style specification, version 8.

import FeatureFormats
import OSMGeometry
import OSMModel

/// A map: basemaps, features on them, and how they are drawn.
///
/// ```swift
/// var style = MapStyle("Toilets")
/// try style.add(
///   RasterBasemap(
///     "Streets", tiles: ["https://tiles.example.org/{z}/{x}/{y}.png"],
///     attribution: .openStreetMap))
/// try style.add(features, named: "toilets")
/// let file = try style.write()
/// mapView.styleURL = file.url
/// ```
///
/// What is drawn later lies above: the background, the basemaps in the order in which they were
/// added, then areas, lines, points and labels of all sources. Equal styles give equal bytes.
///
/// Everything is checked when it is added, because a viewer that finds one fault in a style draws
/// nothing at all.
public struct MapStyle: Sendable {
  /// What the map is called; shown to people.
  public let name: String
  /// The colour below everything; `nil` for none.
  public var background: MapColor? = .paper
  public private(set) var view: MapView?
  public private(set) var glyphs: String?
  public private(set) var basemaps: [RasterBasemap] = []
  public private(set) var sources: [MapSource] = []
  private var sourceNames: Set<String> = []
  private var layerNames: Set<String> = [MapStyle.backgroundLayer]

  static let backgroundLayer = "background"

  /// - Throws: ``MapStyleError`` of kind `name`.
  public init(_ name: String = "Map") throws(MapStyleError) {
    try checkName(name, "the map")
    self.name = name
  }

  /// Adds a basemap above those there are.
  /// - Throws: ``MapStyleError``, of any kind.
  public mutating func add(_ basemap: RasterBasemap) throws(MapStyleError) {
    try basemap.check()
    try claim(basemap.name, layers: [basemap.name])
    basemaps.append(basemap)
  }

  /// Adds features, which become part of the document.
  ///
  /// - Parameter attribution: who has to be named on the map for them.
  /// - Throws: ``MapStyleError`` of kind `name`, `duplicateName`, `value` or `url`.
  public mutating func add(
    _ features: FeatureSet, named name: String,
    appearance: FeatureAppearance = FeatureAppearance(),
    attribution: MapAttribution? = .openStreetMap
  ) throws(MapStyleError) {
    try add(MapSource(name, .features(features), appearance, attribution))
  }

  /// Adds features that the viewer fetches as GeoJSON.
  ///
  /// - Parameter url: complete, or relative to where the viewer is.
  /// - Throws: ``MapStyleError`` of kind `name`, `duplicateName`, `value` or `url`.
  public mutating func add(
    geoJSON url: String, named name: String,
    appearance: FeatureAppearance = FeatureAppearance(),
    attribution: MapAttribution? = .openStreetMap
  ) throws(MapStyleError) {
    guard !url.isEmpty, isPlain(url), origin(ofURL: url) != nil || !url.utf8.contains(0x3A) else {
      throw MapStyleError(.url, "'\(url)' is no URL of GeoJSON")
    }
    try add(MapSource(name, .url(url), appearance, attribution))
  }

  private mutating func add(_ source: MapSource) throws(MapStyleError) {
    try checkName(source.name, "a source")
    try source.appearance.check()
    try source.attribution?.check()
    try claim(source.name, layers: StyleLayer.Role.allCases.map { $0.layerName(source.name) })
    sources.append(source)
  }

  /// Takes a name for a source and some for its layers, or none of them.
  private mutating func claim(_ name: String, layers: [String]) throws(MapStyleError) {
    guard !sourceNames.contains(name), layerNames.isDisjoint(with: layers) else {
      throw MapStyleError(.duplicateName, "there is a part of the map called '\(name)' already")
    }
    sourceNames.insert(name)
    layerNames.formUnion(layers)
  }

  /// Where the map opens. Otherwise it shows all features that are part of the document.
  ///
  /// - Parameter zoom: 0 to 24.
  /// - Throws: ``MapStyleError`` of kind `zoom`.
  public mutating func setView(latitude: Double, longitude: Double, zoom: Double)
    throws(MapStyleError)
  {
    try checkNumber(latitude, in: -90...90, "the latitude", .zoom)
    try checkNumber(longitude, in: -180...180, "the longitude", .zoom)
    try checkNumber(zoom, in: 0...24, "the zoom", .zoom)
    view = MapView(latitude: latitude, longitude: longitude, zoom: zoom)
  }

  /// From where viewers get the shapes of letters; needed for labels outside of MapLibre GL JS.
  ///
  /// - Parameter template: a URL with `{fontstack}` and `{range}`.
  /// - Throws: ``MapStyleError`` of kind `url`.
  public mutating func setGlyphs(_ template: String) throws(MapStyleError) {
    guard isPlain(template), origin(ofURL: template) != nil, template.contains("{fontstack}"),
      template.contains("{range}")
    else {
      throw MapStyleError(.url, "'\(template)' is no URL with {fontstack} and {range}")
    }
    glyphs = template
  }

  /// The smallest box around all features that are part of the document; `nil` without any.
  ///
  /// - Complexity: O(n) for n positions; all geometries are built.
  public func extent() -> MapExtent? {
    var summary = FeatureSummary()
    for source in sources {
      if case .features(let features) = source.data { summary.add(features) }
    }
    return summary.extent
  }
}

/// The centre of a map, in degrees, and its zoom.
public struct MapView: Sendable, Equatable {
  public var latitude: Double
  public var longitude: Double
  /// At 0 the world is 512 pixels wide; each step doubles that.
  public var zoom: Double
}

/// Features on a map.
public struct MapSource: Sendable {
  public enum Data: Sendable {
    case features(FeatureSet)
    case url(String)
  }

  public let name: String
  public let data: Data
  public let appearance: FeatureAppearance
  public let attribution: MapAttribution?

  init(
    _ name: String, _ data: Data, _ appearance: FeatureAppearance, _ attribution: MapAttribution?
  ) {
    self.name = name
    self.data = data
    self.appearance = appearance
    self.attribution = attribution
  }
}
