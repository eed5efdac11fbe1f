// The shapes of a picture: areas below, lines over them, points on top.

import FeatureFormats
import OSMGeometry
import OSMModel

/// Gathers the shapes of features, kind by kind.
struct SVGDrawing: ~Copyable {
  /// How many features were drawn.
  private(set) var count = 0
  private var areas = TextBuffer()
  private var lines = TextBuffer()
  private var points = TextBuffer()
  private let appearance: FeatureAppearance
  private let project: SVGProjection
  private let features: FeatureSet
  /// The tag that tells the colour, and the colours of its values.
  private let colorKey: StringID?
  private var colors: [StringID: MapColor] = [:]
  private let nameKey: StringID?

  init(_ appearance: FeatureAppearance, _ features: FeatureSet, _ projection: SVGProjection) {
    self.appearance = appearance
    self.features = features
    project = projection
    let strings = features.dataset
    colorKey = appearance.colors.flatMap { strings.strings.find($0.key) }
    nameKey = strings.strings.find("name")
    for entry in appearance.colors?.entries ?? [] {
      if let value = strings.strings.find(entry.value) { colors[value] = entry.color }
    }
  }

  /// Draws a feature, unless its kind is not asked for.
  mutating func append(_ feature: Feature, _ geometry: Geometry, isFaint: Bool) {
    let before = areas.bytes.count + lines.bytes.count + points.bytes.count
    draw(geometry, feature, isFaint)
    if areas.bytes.count + lines.bytes.count + points.bytes.count > before { count += 1 }
  }

  private mutating func draw(_ geometry: Geometry, _ feature: Feature, _ isFaint: Bool) {
    switch geometry.kind {
    case .none: break
    case .point, .multiPoint:
      guard let points = appearance.points else { return }
      for position in geometry.coordinates {
        self.points.append("<circle")
        let point = project(position)
        self.points.append(attribute: " cx=\"", tenths: point.x)
        self.points.append(attribute: " cy=\"", tenths: point.y)
        self.points.append(attribute: " r=\"", number: points.radius)
        self.points.append(color: color(of: feature), isFaint: isFaint, also: false)
        self.points.append(titleOf: feature, nameKey, in: features.dataset)
        self.points.append("</circle>\n")
      }
    case .lineString, .multiLineString:
      guard appearance.lines != nil else { return }
      lines.append("<path d=\"")
      for part in geometry.partEnds.indices {
        lines.append(path: geometry.part(part), project, isClosed: false)
      }
      lines.append("\"")
      lines.append(stroke: color(of: feature), isFaint: isFaint)
      lines.append(titleOf: feature, nameKey, in: features.dataset)
      lines.append("</path>\n")
    case .polygon, .multiPolygon:
      guard appearance.areas != nil else { return }
      areas.append("<path d=\"")
      for ring in geometry.partEnds.indices {
        areas.append(path: geometry.part(ring), project, isClosed: true)
      }
      areas.append("\"")
      areas.append(color: color(of: feature), isFaint: isFaint, also: true)
      areas.append(titleOf: feature, nameKey, in: features.dataset)
      areas.append("</path>\n")
    case .geometryCollection:
      for member in geometry.members { draw(member, feature, isFaint) }
    }
  }

  /// `nil` for the kind's own colour.
  private func color(of feature: Feature) -> MapColor? {
    guard let colors = appearance.colors else { return nil }
    guard let colorKey, let value = feature.tags.value(ofKey: colorKey) else { return colors.other }
    return self.colors[value] ?? colors.other
  }

  /// Appends the groups of shapes in the order in which they are drawn.
  consuming func finish(into text: inout TextBuffer) {
    if let look = appearance.areas, !areas.bytes.isEmpty {
      text.append("<g fill-rule=\"evenodd\" stroke-linejoin=\"round\" fill=\"")
      text.append(markup: look.color.css)
      text.append("\" stroke=\"")
      text.append(markup: (look.outlineColor ?? look.color).css)
      text.append("\"")
      text.append(attribute: " fill-opacity=\"", number: look.opacity)
      text.append(attribute: " stroke-width=\"", number: look.outlineWidth)
      text.append(">\n")
      text.append(areas.bytes.buffer)
      text.append("</g>\n")
    }
    if let look = appearance.lines, !lines.bytes.isEmpty {
      text.append(
        "<g fill=\"none\" stroke-linecap=\"round\" stroke-linejoin=\"round\" stroke=\"")
      text.append(markup: look.color.css)
      text.append("\"")
      text.append(attribute: " stroke-width=\"", number: look.width)
      text.append(attribute: " stroke-opacity=\"", number: look.opacity)
      text.append(">\n")
      text.append(lines.bytes.buffer)
      text.append("</g>\n")
    }
    if let look = appearance.points, !points.bytes.isEmpty {
      text.append("<g fill=\"")
      text.append(markup: look.color.css)
      text.append("\" stroke=\"")
      text.append(markup: look.rimColor.css)
      text.append("\"")
      text.append(attribute: " stroke-width=\"", number: look.rimWidth)
      text.append(">\n")
      text.append(points.bytes.buffer)
      text.append("</g>\n")
    }
  }
}

extension TextBuffer {
  /// Appends an attribute; `name` ends with `="`.
  fileprivate mutating func append(attribute name: StaticString, number value: Double) {
    append(name)
    append(number: value)
    append("\"")
  }

  fileprivate mutating func append(attribute name: StaticString, tenths value: Int32) {
    append(name)
    append(tenths: value)
    append("\"")
  }

  private mutating func append(tenths value: Int32) {
    if value < 0 { append("-") }
    append(integer: Int64(value.magnitude / 10))
    let tenth = value.magnitude % 10
    guard tenth > 0 else { return }
    append(".")
    append(integer: Int64(tenth))
  }

  /// Appends a line or ring as path data; what lies within a tenth of a pixel is one point.
  fileprivate mutating func append(
    path positions: ArraySlice<Coordinate>, _ project: SVGProjection, isClosed: Bool
  ) {
    var last: SVGPoint?
    var drawn = 0
    for position in isClosed ? positions.dropLast() : positions {
      let point = project(position)
      if point == last { continue }
      last = point
      append(drawn == 0 ? "M" : drawn == 1 ? "L" : " ")
      append(tenths: point.x)
      append(" ")
      append(tenths: point.y)
      drawn += 1
    }
    if drawn == 0 { return }
    // A line of no length is drawn as a dot.
    append(isClosed ? "Z" : drawn == 1 ? "h0" : "")
  }

  /// Ends a start tag; a colour of the feature's own fills it, and draws its outline too.
  fileprivate mutating func append(color: MapColor?, isFaint: Bool, also outlines: Bool) {
    if let color {
      append(" fill=\"")
      append(markup: color.css)
      append("\"")
      if outlines {
        append(" stroke=\"")
        append(markup: color.css)
        append("\"")
      }
    }
    if isFaint { append(" opacity=\"0.4\"") }
    append(">")
  }

  fileprivate mutating func append(stroke color: MapColor?, isFaint: Bool) {
    if let color {
      append(" stroke=\"")
      append(markup: color.css)
      append("\"")
    }
    if isFaint { append(" opacity=\"0.4\"") }
    append(">")
  }

  /// Appends a title: the name, then type and number.
  fileprivate mutating func append(
    titleOf feature: Feature, _ nameKey: StringID?, in dataset: Dataset
  ) {
    append("<title>")
    if let nameKey, let name = feature.tags.value(ofKey: nameKey) {
      append(markup: dataset.strings.bytes(name))
      append(" (")
      append(idOf: feature)
      append(")")
    } else {
      append(idOf: feature)
    }
    append("</title>")
  }

  private mutating func append(idOf feature: Feature) {
    append(markup: feature.typeName)
    guard feature.id.number != ElementID.unknownNumber else { return }
    append("/")
    append(integer: feature.id.number)
  }
}
