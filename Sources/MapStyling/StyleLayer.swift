// The layers of a style document. Source: MapLibre style specification, "Layers", "Expressions".

import FeatureFormats

/// Prints layers of one source.
struct StyleLayer: ~Copyable {
  /// What a layer of features draws; the order is that of drawing.
  enum Role: String, CaseIterable {
    case areas, outlines, lines, points, lineLabels, labels

    func layerName(_ source: String) -> String { source + "/" + rawValue }
  }

  private(set) var text = TextBuffer()
  private var isFirst = true

  consuming func takeText() -> TextBuffer { text }

  private mutating func begin(_ name: String, _ type: StaticString) {
    if !isFirst { text.append(",\n") }
    isFirst = false
    text.append("{\"id\":")
    text.append(jsonString: name)
    text.append(",\"type\":\"")
    text.append(type)
    text.append("\"")
  }

  mutating func append(background color: MapColor) {
    begin(MapStyle.backgroundLayer, "background")
    text.append(",\"paint\":{\"background-color\":")
    text.append(jsonString: color.css)
    text.append("}}")
  }

  mutating func append(_ basemap: RasterBasemap) {
    begin(basemap.name, "raster")
    text.append(",\"source\":")
    text.append(jsonString: basemap.name)
    if !basemap.isVisible { text.append(",\"layout\":{\"visibility\":\"none\"}") }
    text.append(",\"paint\":{\"raster-opacity\":")
    text.append(number: basemap.opacity)
    text.append("}}")
  }

  /// Appends the layer that draws one kind of thing, if the source has it.
  mutating func append(_ role: Role, of source: MapSource) {
    let appearance = source.appearance
    switch role {
    case .areas:
      guard let areas = appearance.areas else { return }
      begin(source, role, "fill", kinds: "\"Polygon\",\"MultiPolygon\"")
      text.append("\"paint\":{\"fill-color\":")
      append(appearance.colors, or: areas.color)
      text.append(",\"fill-opacity\":")
      append(faintIfPlaceholder: areas.opacity)
    case .outlines:
      guard let areas = appearance.areas, areas.outlineWidth > 0 else { return }
      begin(source, role, "line", kinds: "\"Polygon\",\"MultiPolygon\"")
      text.append("\"layout\":{\"line-join\":\"round\"},\"paint\":{\"line-color\":")
      append(appearance.colors, or: areas.outlineColor ?? areas.color)
      text.append(",\"line-width\":")
      text.append(number: areas.outlineWidth)
    case .lines:
      guard let lines = appearance.lines else { return }
      begin(source, role, "line", kinds: "\"LineString\",\"MultiLineString\"")
      text.append(
        "\"layout\":{\"line-cap\":\"round\",\"line-join\":\"round\"},\"paint\":{\"line-color\":")
      append(appearance.colors, or: lines.color)
      text.append(",\"line-width\":")
      text.append(number: lines.width)
      text.append(",\"line-opacity\":")
      text.append(number: lines.opacity)
    case .points:
      guard let points = appearance.points else { return }
      begin(source, role, "circle", kinds: "\"Point\",\"MultiPoint\"")
      text.append("\"paint\":{\"circle-color\":")
      append(appearance.colors, or: points.color)
      text.append(",\"circle-opacity\":")
      append(faintIfPlaceholder: 1)
      text.append(",\"circle-radius\":")
      text.append(number: points.radius)
      text.append(",\"circle-stroke-color\":")
      text.append(jsonString: points.rimColor.css)
      text.append(",\"circle-stroke-width\":")
      text.append(number: points.rimWidth)
    case .lineLabels:
      guard let labels = appearance.labels, appearance.lines != nil else { return }
      begin(source, role, "symbol", kinds: "\"LineString\",\"MultiLineString\"")
      text.append("\"layout\":{\"symbol-placement\":\"line\",")
      append(labels)
    case .labels:
      guard let labels = appearance.labels, let kinds = labelledKinds(appearance) else { return }
      begin(source, role, "symbol", kinds: kinds)
      text.append("\"layout\":{")
      if let points = appearance.points {
        // Below the circle, whose size is in pixels.
        text.append("\"text-anchor\":\"top\",\"text-offset\":[0,")
        let distance = (points.radius + points.rimWidth) / labels.size
        text.append(number: ((distance + 0.2) * 100).rounded() / 100)
        text.append("],")
      }
      append(labels)
    }
    text.append("}}")
  }

  private func labelledKinds(_ appearance: FeatureAppearance) -> StaticString? {
    switch (appearance.points != nil, appearance.areas != nil) {
    case (true, true): "\"Point\",\"MultiPoint\",\"Polygon\",\"MultiPolygon\""
    case (true, false): "\"Point\",\"MultiPoint\""
    case (false, true): "\"Polygon\",\"MultiPolygon\""
    case (false, false): nil
    }
  }

  /// - Parameter kinds: kinds of geometry, as JSON. Whether `geometry-type` tells several from one
  ///   differs among viewers, so that both are named.
  private mutating func begin(
    _ source: MapSource, _ role: Role, _ type: StaticString, kinds: StaticString
  ) {
    begin(role.layerName(source.name), type)
    text.append(",\"source\":")
    text.append(jsonString: source.name)
    text.append(",\"filter\":[\"match\",[\"geometry-type\"],[")
    text.append(kinds)
    text.append("],true,false],")
  }

  /// Appends the rest of a label's layout, and its paint up to the last brace.
  private mutating func append(_ labels: FeatureAppearance.Labels) {
    text.append("\"text-field\":[\"coalesce\"")
    for key in labels.keys {
      text.append(",")
      append(valueOf: key)
    }
    text.append(",\"\"],\"text-font\":[")
    for (index, font) in labels.fonts.enumerated() {
      if index > 0 { text.append(",") }
      text.append(jsonString: font)
    }
    text.append("],\"text-size\":")
    text.append(number: labels.size)
    text.append(",\"text-max-width\":9},\"paint\":{\"text-color\":")
    text.append(jsonString: labels.color.css)
    text.append(",\"text-halo-color\":")
    text.append(jsonString: labels.haloColor.css)
    text.append(",\"text-halo-width\":1.5")
  }

  /// Appends `["get",…]` for a tag.
  private mutating func append(valueOf key: String) {
    text.append("[\"get\",")
    text.append(jsonString: PropertyLayout.flatName(ofTag: key))
    text.append("]")
  }

  private mutating func append(_ colors: TagColors?, or color: MapColor) {
    guard let colors, !colors.entries.isEmpty else {
      // No feature has the tag, so that all have the colour of the rest.
      return text.append(jsonString: (colors?.other ?? color).css)
    }
    text.append("[\"match\",")
    append(valueOf: colors.key)
    for entry in colors.entries {
      text.append(",")
      text.append(jsonString: entry.value)
      text.append(",")
      text.append(jsonString: entry.color.css)
    }
    text.append(",")
    text.append(jsonString: colors.other.css)
    text.append("]")
  }

  /// Appends an opacity, lower where only a centre or a box of the feature is known.
  private mutating func append(faintIfPlaceholder opacity: Double) {
    text.append("[\"case\",[\"has\",\"@geometry\"],")
    text.append(number: (opacity * 40).rounded() / 100)
    text.append(",")
    text.append(number: opacity)
    text.append("]")
  }
}
