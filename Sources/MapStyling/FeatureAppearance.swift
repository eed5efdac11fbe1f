// How features are drawn, by the kind of their geometry and by a tag.

/// How features look on a map, in a page or in a picture.
///
/// ```swift
/// var appearance = FeatureAppearance()
/// appearance.points?.radius = 8
/// appearance.colors = TagColors("fee", ["yes": .ink])
/// ```
public struct FeatureAppearance: Sendable, Equatable {
  /// Polygons.
  public struct Areas: Sendable, Equatable {
    public var color = MapColor.area
    /// 0 (only the outline is seen) to 1.
    public var opacity = 0.3
    /// `nil` for the colour of the area itself.
    public var outlineColor: MapColor? = .areaOutline
    /// In pixels.
    public var outlineWidth = 1.5

    public init() {}
  }

  public struct Lines: Sendable, Equatable {
    public var color = MapColor.line
    /// In pixels.
    public var width = 3.0
    public var opacity = 0.9

    public init() {}
  }

  public struct Points: Sendable, Equatable {
    public var color = MapColor.point
    /// In pixels, without the rim.
    public var radius = 5.0
    public var rimColor = MapColor.white
    public var rimWidth = 1.5

    public init() {}
  }

  public struct Labels: Sendable, Equatable {
    /// The tags to take the text from; the first that a feature has wins.
    public var keys = ["name"]
    /// In pixels.
    public var size = 12.0
    public var color = MapColor.ink
    public var haloColor = MapColor.white
    /// Names of fonts, best first.
    public var fonts = ["Noto Sans Regular"]

    public init() {}
  }

  /// `nil`: features of the kind are not drawn.
  public var areas: Areas? = Areas()
  public var lines: Lines? = Lines()
  public var points: Points? = Points()
  /// Without a URL of ``MapStyle/glyphs``, viewers have to draw letters themselves: MapLibre GL JS
  /// does from 5.11 on, others refuse the whole style.
  public var labels: Labels?
  /// In place of the kinds' own colours.
  public var colors: TagColors?

  public init() {}

  func check() throws(MapStyleError) {
    if let areas {
      try checkNumber(areas.opacity, in: 0...1, "the opacity of areas")
      try checkNumber(areas.outlineWidth, in: 0...100, "the width of outlines")
    }
    if let lines {
      try checkNumber(lines.opacity, in: 0...1, "the opacity of lines")
      try checkNumber(lines.width, in: 0...100, "the width of lines")
    }
    if let points {
      try checkNumber(points.radius, in: 0...100, "the radius of points")
      try checkNumber(points.rimWidth, in: 0...100, "the width of rims")
    }
    if let labels {
      guard !labels.keys.isEmpty, !labels.keys.contains("") else {
        throw MapStyleError(.value, "labels need the keys of tags")
      }
      guard !labels.fonts.isEmpty, !labels.fonts.contains("") else {
        throw MapStyleError(.value, "labels need names of fonts")
      }
      try checkNumber(labels.size, in: 1...100, "the size of labels")
    }
    try colors?.check()
  }
}
