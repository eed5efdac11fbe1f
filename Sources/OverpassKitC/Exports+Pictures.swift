// Exports: how features look; pages and pictures of them.

import COverpassKit
import OverpassKit

/// How features are drawn, and who has to be named for them.
struct Look {
  var appearance = FeatureAppearance()
  var attribution: MapAttribution? = .openStreetMap

  /// - Parameter features: the ones whose values get colours; `nil` when they are not known.
  init(_ opt: UnsafePointer<opk_appearance>?, for features: FeatureSet?) throws(BoundaryError) {
    var defaults = unsafe opk_appearance()
    unsafe defaults.area_opacity = .nan
    unsafe defaults.outline_width = .nan
    unsafe defaults.line_width = .nan
    unsafe defaults.point_radius = .nan
    unsafe defaults.label_size = .nan
    let given = try unsafe readOptions(opt, over: defaults)
    try unsafe readKinds(given)
    let keys = try unsafe mapTexts(given.label_keys, given.label_key_count, "label_keys")
    if !keys.isEmpty {
      var labels = FeatureAppearance.Labels()
      labels.keys = keys
      labels.size = unsafe number(given.label_size, or: labels.size)
      appearance.labels = labels
    }
    try unsafe readColors(given, features)
    if unsafe given.attribution != nil {
      attribution = try unsafe OverpassKitC.attribution(given.attribution, given.attribution_link)
    }
  }

  private mutating func readKinds(_ given: opk_appearance) throws(BoundaryError) {
    guard unsafe given.flags & ~UInt32(OPK_HIDE_AREAS | OPK_HIDE_LINES | OPK_HIDE_POINTS) == 0
    else { throw .misuse("unknown flags for an appearance") }
    var areas = FeatureAppearance.Areas()
    if let color = try unsafe mapColor(given.area_color, "area_color") {
      areas.color = color
      areas.outlineColor = nil
    }
    areas.outlineColor =
      try unsafe mapColor(given.outline_color, "outline_color") ?? areas.outlineColor
    areas.opacity = unsafe number(given.area_opacity, or: areas.opacity)
    areas.outlineWidth = unsafe number(given.outline_width, or: areas.outlineWidth)
    var lines = FeatureAppearance.Lines()
    lines.color = try unsafe mapColor(given.line_color, "line_color") ?? lines.color
    lines.width = unsafe number(given.line_width, or: lines.width)
    var points = FeatureAppearance.Points()
    points.color = try unsafe mapColor(given.point_color, "point_color") ?? points.color
    points.radius = unsafe number(given.point_radius, or: points.radius)
    appearance.areas = unsafe given.flags & UInt32(OPK_HIDE_AREAS) == 0 ? areas : nil
    appearance.lines = unsafe given.flags & UInt32(OPK_HIDE_LINES) == 0 ? lines : nil
    appearance.points = unsafe given.flags & UInt32(OPK_HIDE_POINTS) == 0 ? points : nil
  }

  private mutating func readColors(
    _ given: opk_appearance, _ features: FeatureSet?
  ) throws(BoundaryError) {
    let other = try unsafe mapColor(given.other_color, "other_color")
    guard unsafe given.color_key != nil else { return }
    let key = try unsafe mapText(given.color_key, "color_key")
    let values = try unsafe mapTexts(given.color_values, given.color_count, "color_values")
    var colors: TagColors
    if values.isEmpty {
      guard let features else {
        throw BoundaryError(OPK_ERR_MAP_VALUE, "colours for features at a URL need their values")
      }
      colors = TagColors(key, of: features)
    } else if unsafe given.colors == nil {
      colors = TagColors(key, values: values)
    } else {
      let texts = try unsafe mapTexts(given.colors, given.color_count, "colors")
      colors = TagColors(key, [] as [TagColors.Entry])
      for (value, text) in zip(values, texts) {
        colors.entries.append(TagColors.Entry(value, try mapColor(text)))
      }
    }
    colors.other = other ?? colors.other
    appearance.colors = colors
  }
}

private func number(_ given: Double, or standard: Double) -> Double {
  given.isNaN ? standard : given
}

private func mapColor(_ text: String) throws(BoundaryError) -> MapColor {
  try mapping { () throws(MapStyleError) in try MapColor(text) }
}

/// A colour from C; `nil` for NULL.
func mapColor(_ text: UnsafePointer<CChar>?, _ name: String) throws(BoundaryError) -> MapColor? {
  guard unsafe text != nil else { return nil }
  return try unsafe mapColor(try mapText(text, name))
}

/// An attribution from C; `nil` for NULL and an empty text.
func attribution(
  _ text: UnsafePointer<CChar>?, _ link: UnsafePointer<CChar>?
) throws(BoundaryError) -> MapAttribution? {
  guard unsafe text != nil else { return nil }
  let name = try unsafe mapText(text, "attribution")
  let link = unsafe link == nil ? nil : try unsafe mapText(link, "attribution_link")
  return name.isEmpty ? nil : MapAttribution(name, link: link)
}

/// A page for a style; what the answers of servers say about themselves stands in it.
private func page(_ style: OpaquePointer?, _ opt: UnsafePointer<opk_html_options>?)
  throws(BoundaryError) -> HTMLMap
{
  guard let handle = unsafe object(style, StyleHandle.self) else { throw .misuse("style is NULL") }
  let given = try unsafe readOptions(opt, over: opk_html_options())
  let library = MapLibreFiles(
    script: try unsafe bytes(given.script, given.script_size, "script"),
    styleSheet: try unsafe bytes(given.css, given.css_size, "css"),
    licence: try unsafe bytes(given.licence, given.licence_size, "licence"))
  var page = HTMLMap(handle.style, library: library)
  if unsafe given.title != nil { page.title = try unsafe mapText(given.title, "title") }
  for source in handle.sources {
    page.timestamp = page.timestamp ?? source.head.timestamp
    for remark in source.head.remarks where !page.notes.contains(remark) {
      page.notes.append(remark)
    }
    if source.source.response.truncatedAt != nil {
      page.notes.append("The answer of the server was cut off; features are missing.")
    }
  }
  return page
}

private func bytes(_ start: UnsafePointer<UInt8>?, _ count: Int, _ name: String)
  throws(BoundaryError) -> [UInt8]
{
  guard let start = unsafe start, count > 0 else { throw .misuse("\(name) is missing") }
  return unsafe Array(UnsafeBufferPointer(start: start, count: count))
}

@_cdecl("opk_style_write_html") @implementation
public func opk_style_write_html(
  _ style: OpaquePointer!, _ opt: UnsafePointer<opk_html_options>!,
  _ out: UnsafeMutablePointer<OpaquePointer?>!, _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe boundary(err) { () throws(BoundaryError) in
    guard let out = unsafe out else { throw .misuse("out is NULL") }
    unsafe out.pointee = nil
    let page = try unsafe page(style, opt)
    unsafe out.pointee = unsafe makeHandle(BytesHandle(page.html()))
  }
}

@_cdecl("opk_style_write_html_file") @implementation
public func opk_style_write_html_file(
  _ style: OpaquePointer!, _ opt: UnsafePointer<opk_html_options>!, _ path: UnsafePointer<CChar>!,
  _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe boundary(err) { () throws(BoundaryError) in
    guard let path = unsafe path else { throw .misuse("path is NULL") }
    let page = try unsafe page(style, opt)
    do throws(WriteError) {
      try unsafe withReplacedFile(String(cString: path)) { sink throws(WriteError) in
        try page.write(to: &sink)
      }
    } catch {
      throw BoundaryError(error)
    }
  }
}

@_cdecl("opk_features_write_svg") @implementation
public func opk_features_write_svg(
  _ features: OpaquePointer!, _ opt: UnsafePointer<opk_svg_options>!,
  _ out: UnsafeMutablePointer<OpaquePointer?>!, _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe boundary(err) { () throws(BoundaryError) in
    guard let out = unsafe out else { throw .misuse("out is NULL") }
    unsafe out.pointee = nil
    guard let handle = unsafe object(features, FeaturesHandle.self) else {
      throw .misuse("features is NULL")
    }
    var defaults = unsafe opk_svg_options()
    unsafe defaults.width = 640
    unsafe defaults.height = 420
    let given = try unsafe readOptions(opt, over: defaults)
    var picture = SVGPicture(handle.features)
    let look = try unsafe Look(given.appearance, for: handle.features)
    picture.appearance = look.appearance
    picture.attribution = look.attribution
    picture.width = unsafe Int(given.width)
    picture.height = unsafe Int(given.height)
    picture.limit = unsafe given.limit <= 0 ? Int.max : given.limit
    if unsafe given.background != nil {
      let color = try unsafe mapText(given.background, "background")
      picture.background = color.isEmpty ? nil : try mapColor(color)
    }
    do throws(MapStyleError) {
      unsafe out.pointee = unsafe makeHandle(BytesHandle(try picture.svg()))
    } catch {
      throw BoundaryError(error)
    }
  }
}
