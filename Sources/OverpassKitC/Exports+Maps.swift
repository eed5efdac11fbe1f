// Exports: maps put together in code, as style documents and as pages.

import COverpassKit
import OverpassKit

/// A map under construction. It belongs to one thread.
final class StyleHandle {
  var style: MapStyle
  /// Where its features come from: what servers remarked has to be shown.
  var sources: [FeaturesHandle] = []

  init(_ style: MapStyle) { self.style = style }
}

/// A style document in a file, with texts at a fixed place in memory.
final class StyleFileHandle: Sendable {
  let path: StableText
  let url: StableText

  init(_ file: StyleFile) {
    path = StableText(file.path)
    url = StableText(file.url)
  }
}

extension BoundaryError {
  init(_ error: MapStyleError) {
    let status =
      switch error.kind {
      case .name: OPK_ERR_MAP_NAME
      case .duplicateName: OPK_ERR_MAP_DUPLICATE
      case .tileTemplate: OPK_ERR_MAP_TILES
      case .zoom: OPK_ERR_MAP_ZOOM
      case .color: OPK_ERR_MAP_COLOR
      case .url: OPK_ERR_MAP_URL
      case .value: OPK_ERR_MAP_VALUE
      }
    self.init(status, error.message)
  }
}

/// Runs what can be at fault with a map.
func mapping<Value>(_ body: () throws(MapStyleError) -> Value) throws(BoundaryError) -> Value {
  do throws(MapStyleError) { return try body() } catch { throw BoundaryError(error) }
}

/// A text of a map from C, which has to be UTF-8.
func mapText(_ pointer: UnsafePointer<CChar>?, _ name: String) throws(BoundaryError) -> String {
  guard let pointer = unsafe pointer else { throw .misuse("\(name) is NULL") }
  guard let text = unsafe String(validatingCString: pointer) else {
    throw BoundaryError(OPK_ERR_MAP_VALUE, "the \(name) is not UTF-8")
  }
  return text
}

func mapTexts(
  _ list: UnsafePointer<UnsafePointer<CChar>?>?, _ count: Int, _ name: String
) throws(BoundaryError) -> [String] {
  guard count >= 0, unsafe list != nil || count == 0 else { throw .misuse("\(name) is NULL") }
  let pointers = unsafe UnsafeBufferPointer(start: list, count: count)
  var result: [String] = []
  for index in pointers.indices { unsafe result.append(try mapText(pointers[index], name)) }
  return result
}

private func handle(_ style: OpaquePointer?) throws(BoundaryError) -> StyleHandle {
  guard let handle = unsafe object(style, StyleHandle.self) else { throw .misuse("style is NULL") }
  return handle
}

/// Changes a style, unless the change is at fault.
private func change(
  _ style: OpaquePointer?, _ err: UnsafeMutablePointer<opk_error>?,
  _ body: (inout MapStyle) throws(BoundaryError) -> Void
) -> opk_status {
  unsafe boundary(err) { () throws(BoundaryError) in
    let handle = try unsafe handle(style)
    try body(&handle.style)
  }
}

@_cdecl("opk_style_new") @implementation
public func opk_style_new(
  _ name: UnsafePointer<CChar>!, _ out: UnsafeMutablePointer<OpaquePointer?>!,
  _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe boundary(err) { () throws(BoundaryError) in
    guard let out = unsafe out else { throw .misuse("out is NULL") }
    unsafe out.pointee = nil
    let name = try unsafe mapText(name, "name")
    let style = try mapping { () throws(MapStyleError) in try MapStyle(name) }
    unsafe out.pointee = unsafe makeHandle(StyleHandle(style))
  }
}

@_cdecl("opk_style_clone") @implementation
public func opk_style_clone(_ style: OpaquePointer!) -> OpaquePointer! {
  unsafe object(style, StyleHandle.self).map { original in
    let copy = StyleHandle(original.style)
    copy.sources = original.sources
    return unsafe makeHandle(copy)
  }
}

@_cdecl("opk_style_free") @implementation
public func opk_style_free(_ style: OpaquePointer!) { unsafe freeHandle(style, StyleHandle.self) }

@_cdecl("opk_style_set_background") @implementation
public func opk_style_set_background(
  _ style: OpaquePointer!, _ color: UnsafePointer<CChar>!, _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe change(style, err) { style throws(BoundaryError) in
    style.background = try unsafe mapColor(color, "background")
  }
}

@_cdecl("opk_style_set_glyphs") @implementation
public func opk_style_set_glyphs(
  _ style: OpaquePointer!, _ url: UnsafePointer<CChar>!, _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe change(style, err) { style throws(BoundaryError) in
    let url = try unsafe mapText(url, "url")
    do throws(MapStyleError) { try style.setGlyphs(url) } catch { throw BoundaryError(error) }
  }
}

@_cdecl("opk_style_set_view") @implementation
public func opk_style_set_view(
  _ style: OpaquePointer!, _ lat: Double, _ lon: Double, _ zoom: Double,
  _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe change(style, err) { style throws(BoundaryError) in
    do throws(MapStyleError) {
      try style.setView(latitude: lat, longitude: lon, zoom: zoom)
    } catch {
      throw BoundaryError(error)
    }
  }
}

private func basemap(_ given: opk_basemap) throws(BoundaryError) -> RasterBasemap {
  guard let raw = unsafe UInt8(exactly: given.scheme), let scheme = TileScheme(rawValue: raw)
  else { throw .misuse(unsafe "there is no scheme of tiles \(given.scheme)") }
  var basemap = RasterBasemap(
    try unsafe mapText(given.name, "name"),
    tiles: try unsafe mapTexts(given.tiles, given.tile_count, "tiles"))
  basemap.attribution = try unsafe attribution(given.attribution, given.attribution_link)
  basemap.tileSize = unsafe Int(given.tile_size)
  basemap.minZoom = unsafe Int(given.min_zoom)
  basemap.maxZoom = unsafe Int(given.max_zoom)
  basemap.scheme = scheme
  basemap.opacity = unsafe given.opacity
  basemap.isVisible = unsafe given.is_hidden == 0
  return basemap
}

@_cdecl("opk_style_add_basemap") @implementation
public func opk_style_add_basemap(
  _ style: OpaquePointer!, _ basemap: UnsafePointer<opk_basemap>!,
  _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe change(style, err) { style throws(BoundaryError) in
    guard let given = unsafe basemap else { throw .misuse("basemap is NULL") }
    var defaults = unsafe opk_basemap()
    unsafe defaults.tile_size = 256
    unsafe defaults.max_zoom = 18
    unsafe defaults.opacity = 1
    let basemap = try unsafe OverpassKitC.basemap(try readOptions(given, over: defaults))
    do throws(MapStyleError) { try style.add(basemap) } catch { throw BoundaryError(error) }
  }
}

@_cdecl("opk_style_add_features") @implementation
public func opk_style_add_features(
  _ style: OpaquePointer!, _ name: UnsafePointer<CChar>!, _ features: OpaquePointer!,
  _ opt: UnsafePointer<opk_appearance>!, _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe boundary(err) { () throws(BoundaryError) in
    let handle = try unsafe handle(style)
    guard let source = unsafe object(features, FeaturesHandle.self) else {
      throw .misuse("features is NULL")
    }
    let name = try unsafe mapText(name, "name")
    let look = try unsafe Look(opt, for: source.features)
    try mapping { () throws(MapStyleError) in
      try handle.style.add(
        source.features, named: name, appearance: look.appearance, attribution: look.attribution)
    }
    handle.sources.append(source)
  }
}

@_cdecl("opk_style_add_geojson_url") @implementation
public func opk_style_add_geojson_url(
  _ style: OpaquePointer!, _ name: UnsafePointer<CChar>!, _ url: UnsafePointer<CChar>!,
  _ opt: UnsafePointer<opk_appearance>!, _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe change(style, err) { style throws(BoundaryError) in
    let name = try unsafe mapText(name, "name")
    let url = try unsafe mapText(url, "url")
    let look = try unsafe Look(opt, for: nil)
    do throws(MapStyleError) {
      try style.add(
        geoJSON: url, named: name, appearance: look.appearance, attribution: look.attribution)
    } catch {
      throw BoundaryError(error)
    }
  }
}

@_cdecl("opk_style_render") @implementation
public func opk_style_render(
  _ style: OpaquePointer!, _ out: UnsafeMutablePointer<OpaquePointer?>!,
  _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe boundary(err) { () throws(BoundaryError) in
    guard let out = unsafe out else { throw .misuse("out is NULL") }
    unsafe out.pointee = nil
    let style = try unsafe handle(style).style
    unsafe out.pointee = unsafe makeHandle(BytesHandle(style.json()))
  }
}

@_cdecl("opk_style_write_file") @implementation
public func opk_style_write_file(
  _ style: OpaquePointer!, _ path: UnsafePointer<CChar>!,
  _ out: UnsafeMutablePointer<OpaquePointer?>!, _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe boundary(err) { () throws(BoundaryError) in
    guard let out = unsafe out else { throw .misuse("out is NULL") }
    unsafe out.pointee = nil
    let style = try unsafe handle(style).style
    let path = unsafe path.map { unsafe String(cString: $0) }
    do throws(WriteError) {
      unsafe out.pointee = unsafe makeHandle(StyleFileHandle(try style.write(toFile: path)))
    } catch {
      throw BoundaryError(error)
    }
  }
}

@_cdecl("opk_style_file_path") @implementation
public func opk_style_file_path(_ file: OpaquePointer!) -> opk_str {
  unsafe object(file, StyleFileHandle.self)?.path.borrowed ?? noText
}

@_cdecl("opk_style_file_url") @implementation
public func opk_style_file_url(_ file: OpaquePointer!) -> opk_str {
  unsafe object(file, StyleFileHandle.self)?.url.borrowed ?? noText
}

@_cdecl("opk_style_file_free") @implementation
public func opk_style_file_free(_ file: OpaquePointer!) {
  unsafe freeHandle(file, StyleFileHandle.self)
}
