// Where features are and of which kinds; what a map shows when it opens. Source: the spherical
// Mercator projection of web maps, EPSG:3857.

import OSMGeometry
import OSMModel

/// A box in units of 1e-7 degrees whose east may lie beyond 180°, so that it is always above west.
public struct MapExtent: Sendable, Equatable {
  public var westE7: Int64
  public var southE7: Int64
  public var eastE7: Int64
  public var northE7: Int64

  public init(westE7: Int64, southE7: Int64, eastE7: Int64, northE7: Int64) {
    self.westE7 = westE7
    self.southE7 = southE7
    self.eastE7 = eastE7
    self.northE7 = northE7
  }

  /// The view in which the box fills a window of 800 by 600 pixels, with some room around it.
  public var view: MapView {
    let corners = (
      MercatorPoint(longitudeE7: westE7, latitudeE7: northE7),
      MercatorPoint(longitudeE7: eastE7, latitudeE7: southE7)
    )
    let width = max(corners.1.x - corners.0.x, 1e-9)
    let height = max(corners.1.y - corners.0.y, 1e-9)
    let zoom = min(log2(700 / 512 / width), log2(500 / 512 / height))
    let middle = MercatorPoint(
      x: (corners.0.x + corners.1.x) / 2, y: (corners.0.y + corners.1.y) / 2)
    return MapView(
      latitude: (middle.latitude * 1e6).rounded() / 1e6,
      longitude: (middle.longitude * 1e6).rounded() / 1e6,
      zoom: (min(max(zoom, 0), 17) * 100).rounded() / 100)
  }
}

/// A position on the square of the world: x grows eastward, y southward, both from 0 to 1.
struct MercatorPoint {
  var x: Double
  var y: Double

  init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  init(longitudeE7: Int64, latitudeE7: Int64) {
    // Beyond this latitude the square ends.
    let latitude = min(max(Double(latitudeE7) / 1e7, -85.0511287), 85.0511287) * .pi / 180
    x = Double(longitudeE7) / 3.6e9 + 0.5
    y = 0.5 - log(tan(.pi / 4 + latitude / 2)) / (2 * .pi)
  }

  /// Degrees, within ±180°.
  var longitude: Double {
    let degrees = x * 360 - 180
    return degrees > 180 ? degrees - 360 : degrees
  }

  var latitude: Double { atan(exp((0.5 - y) * 2 * .pi)) * 360 / .pi - 90 }
}

/// What there is to see of some features: where they are, and how many of each kind.
struct FeatureSummary {
  /// Features that have a geometry.
  private(set) var count = 0
  private(set) var points = 0
  private(set) var lines = 0
  private(set) var areas = 0
  /// Features of which only a centre or a box is known.
  private(set) var placeholders = 0
  // Longitudes as they are, and counted from 0° to 360°: the narrower range holds the map together
  // where it crosses the antimeridian.
  private var plain = (west: Int64.max, east: Int64.min)
  private var turned = (west: Int64.max, east: Int64.min)
  private var south = Int64.max
  private var north = Int64.min

  init() {}

  init(joining summaries: [FeatureSummary]) {
    for summary in summaries {
      count += summary.count
      points += summary.points
      lines += summary.lines
      areas += summary.areas
      placeholders += summary.placeholders
      plain = (min(plain.west, summary.plain.west), max(plain.east, summary.plain.east))
      turned = (min(turned.west, summary.turned.west), max(turned.east, summary.turned.east))
      south = min(south, summary.south)
      north = max(north, summary.north)
    }
  }

  /// - Parameter limit: how many features to look at.
  mutating func add(_ features: FeatureSet, first limit: Int = Int.max) {
    var assembler = features.makeAssembler()
    var geometry = Geometry()
    for index in 0..<min(features.count, limit) {
      let info = assembler.geometry(of: index, into: &geometry)
      guard info.kind != .none else { continue }
      count += 1
      if info.placeholder != .none { placeholders += 1 }
      countKinds(geometry)
      include(geometry)
    }
  }

  private mutating func countKinds(_ geometry: Geometry) {
    switch geometry.kind {
    case .none: break
    case .point, .multiPoint: points += 1
    case .lineString, .multiLineString: lines += 1
    case .polygon, .multiPolygon: areas += 1
    case .geometryCollection: for member in geometry.members { countKinds(member) }
    }
  }

  private mutating func include(_ geometry: Geometry) {
    for position in geometry.coordinates {
      let longitude = Int64(position.longitudeE7)
      let positive = longitude < 0 ? longitude + 3_600_000_000 : longitude
      plain = (min(plain.west, longitude), max(plain.east, longitude))
      turned = (min(turned.west, positive), max(turned.east, positive))
      south = min(south, Int64(position.latitudeE7))
      north = max(north, Int64(position.latitudeE7))
    }
    for member in geometry.members { include(member) }
  }

  var extent: MapExtent? {
    guard south <= north else { return nil }
    let range = turned.east - turned.west < plain.east - plain.west ? turned : plain
    return MapExtent(westE7: range.west, southE7: south, eastE7: range.east, northE7: north)
  }
}
