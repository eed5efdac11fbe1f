// A style as a page that opens in a browser, with or without a network.
// Source: HTML Living Standard; W3C Content Security Policy Level 3.

import FeatureFormats
import OSMGeometry
import OSMModel

/// MapLibre GL JS 5.11 or later, as its authors publish it. The library does not contain it.
public struct MapLibreFiles: Sendable {
  /// `maplibre-gl.js`, the form for `<script>` elements.
  public var script: [UInt8]
  /// `maplibre-gl.css`.
  public var styleSheet: [UInt8]
  /// `LICENSE.txt`, which has to go with the script.
  public var licence: [UInt8]

  public init(script: [UInt8], styleSheet: [UInt8], licence: [UInt8]) {
    self.script = script
    self.styleSheet = styleSheet
    self.licence = licence
  }
}

/// A map in one HTML file: MapLibre GL, the style and its features are inside, nothing is fetched
/// but the tiles of basemaps and sources given by URL.
///
/// A click on a feature shows its tags. What comes from the data is text, never markup: it is
/// escaped where it stands in the page, the script makes elements of it by their text content, and
/// the page's security policy lets no other script run than the two that it names by their hashes.
public struct HTMLMap: Sendable {
  public var style: MapStyle
  public var library: MapLibreFiles
  /// What the page is called; the style's name by default.
  public var title: String
  /// The state of the data, as text.
  public var timestamp: String?
  /// What a reader has to know, such as that the server stopped early.
  public var notes: [String] = []

  public init(_ style: MapStyle, library: MapLibreFiles) {
    self.style = style
    self.library = library
    title = style.name
  }

  /// Writes the page.
  ///
  /// - Throws: ``WriteError`` from the sink.
  public func write<Sink: ByteSink & ~Copyable>(to sink: inout Sink) throws(WriteError) {
    var library = TextBuffer()
    library.append(script: self.library.script)
    var program = TextBuffer()
    program.append(HTMLMap.script)
    let summaries = style.sources.map { source in
      var summary = FeatureSummary()
      if case .features(let features) = source.data { summary.add(features) }
      return summary
    }

    var page = TextBuffer()
    page.append(
      """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="generator" content="OverpassKit">
      <meta http-equiv="Content-Security-Policy" content="
      """)
    page.append(
      markup: policy([scriptHash(library.bytes.buffer), scriptHash(program.bytes.buffer)]))
    page.append("\">\n<title>")
    page.append(markup: title)
    page.append("</title>\n<style>")
    page.append(styleSheet: self.library.styleSheet)
    page.append("</style>\n<style>")
    page.append(HTMLMap.styleSheet)
    page.append("</style>\n</head>\n<body>\n<div id=\"map\"></div>\n")
    page.append(panelOf: self, summaries)
    page.append("<script type=\"text/plain\" id=\"maplibre-licence\">\n")
    page.append(licence: self.library.licence)
    page.append("</script>\n<script type=\"application/json\" id=\"page\">")
    page.append(extentOf: summaries, in: style)
    page.append("</script>\n<script type=\"application/json\" id=\"style\">")
    try sink.write(page.bytes.buffer)
    try write(dataTo: &sink)
    try sink.write("</script>\n<script>")
    try sink.write(library.bytes.buffer)
    try sink.write("</script>\n<script>")
    try sink.write(program.bytes.buffer)
    try sink.write("</script>\n</body>\n</html>\n")
  }

  /// The page in memory.
  public func html() -> Column<UInt8> {
    var sink = MemorySink()
    // Memory takes everything.
    try? write(to: &sink)
    return sink.takeBytes()
  }

  private func write<Sink: ByteSink & ~Copyable>(dataTo sink: inout Sink) throws(WriteError) {
    let style = style
    try withUnsafeMutablePointer(to: &sink) { sink throws(WriteError) in
      var data = ScriptDataSink(sink)
      try style.write(to: &data)
    }
  }

  /// What the page may do: run two scripts, and fetch from where the style says.
  private func policy(_ scripts: [String]) -> String {
    var hosts: [String] = []
    func allow(_ url: String) {
      let host = origin(ofURL: url) ?? "'self'"
      if !hosts.contains(host) { hosts.append(host) }
    }
    for basemap in style.basemaps {
      for template in basemap.tiles where !template.hasPrefix("data:") { allow(template) }
    }
    for source in style.sources {
      if case .url(let url) = source.data { allow(url) }
    }
    if let glyphs = style.glyphs { allow(glyphs) }
    let fetched = (["data:", "blob:"] + hosts).joined(separator: " ")
    return [
      "default-src 'none'", "script-src " + scripts.joined(separator: " "), "worker-src blob:",
      // The same for browsers that do not know it.
      "child-src blob:",
      "style-src 'unsafe-inline'", "img-src " + fetched, "connect-src " + fetched,
      "base-uri 'none'", "form-action 'none'",
    ].joined(separator: "; ")
  }
}

extension ByteSink where Self: ~Copyable {
  fileprivate mutating func write(_ literal: StaticString) throws(WriteError) {
    try write(
      UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
  }
}

extension TextBuffer {
  /// Appends `{"bounds":[west,south,east,north]}`, or `{}` where nothing is known or the style says
  /// where the map opens.
  fileprivate mutating func append(extentOf summaries: [FeatureSummary], in style: MapStyle) {
    append("{")
    if style.view == nil, let extent = FeatureSummary(joining: summaries).extent {
      append("\"bounds\":[")
      let sides = [extent.westE7, extent.southE7, extent.eastE7, extent.northE7]
      for (index, side) in sides.enumerated() {
        if index > 0 { append(",") }
        append(number: Double(side) / 1e7)
      }
      append("]")
    }
    append("}")
  }
}
