// A style as a JSON document. Source: MapLibre style specification, "Root", "Sources".

import FeatureFormats
import OSMGeometry
import OSMModel

extension MapStyle {
  /// Writes the document; features are written one block after the other.
  ///
  /// - Throws: ``WriteError`` from the sink.
  public func write<Sink: ByteSink & ~Copyable>(to sink: inout Sink) throws(WriteError) {
    var text = TextBuffer()
    text.append("{\"version\":8,\"name\":")
    text.append(jsonString: name)
    if let view = view ?? extent()?.view { text.append(view) }
    if let glyphs {
      text.append(",\n\"glyphs\":")
      text.append(jsonString: glyphs)
    }
    text.append(",\n\"sources\":{")
    for (index, basemap) in basemaps.enumerated() {
      if index > 0 { text.append(",") }
      text.append(basemap)
    }
    for (index, source) in sources.enumerated() {
      if index > 0 || !basemaps.isEmpty { text.append(",") }
      text.append(headOf: source)
      switch source.data {
      case .url(let url): text.append(jsonString: url)
      case .features(let features):
        try sink.write(text.bytes.buffer)
        text.bytes.truncate(to: 0)
        try GeoJSONWriter(features).write(to: &sink)
      }
      text.append("}")
    }
    text.append("},\n\"layers\":[\n")
    try sink.write(text.bytes.buffer)
    let layers = layers()
    try sink.write(layers.bytes.buffer)
    text.bytes.truncate(to: 0)
    text.append("\n]}\n")
    try sink.write(text.bytes.buffer)
  }

  /// The document in memory.
  public func json() -> Column<UInt8> {
    var sink = MemorySink()
    // Memory takes everything.
    try? write(to: &sink)
    return sink.takeBytes()
  }

  private func layers() -> TextBuffer {
    var layers = StyleLayer()
    if let background { layers.append(background: background) }
    for basemap in basemaps { layers.append(basemap) }
    for role in StyleLayer.Role.allCases {
      for source in sources { layers.append(role, of: source) }
    }
    return layers.takeText()
  }
}

extension TextBuffer {
  fileprivate mutating func append(_ view: MapView) {
    append(",\n\"center\":[")
    append(number: view.longitude)
    append(",")
    append(number: view.latitude)
    append("],\"zoom\":")
    append(number: view.zoom)
  }

  fileprivate mutating func append(_ basemap: RasterBasemap) {
    append("\n")
    append(jsonString: basemap.name)
    append(":{\"type\":\"raster\",\"tiles\":[")
    for (index, template) in basemap.tiles.enumerated() {
      if index > 0 { append(",") }
      append(jsonString: template)
    }
    append("],\"tileSize\":")
    append(integer: Int64(basemap.tileSize))
    append(",\"minzoom\":")
    append(integer: Int64(basemap.minZoom))
    append(",\"maxzoom\":")
    append(integer: Int64(basemap.maxZoom))
    if basemap.scheme == .tms { append(",\"scheme\":\"tms\"") }
    append(attribution: basemap.attribution)
    append("}")
  }

  /// Appends a source up to its data.
  fileprivate mutating func append(headOf source: MapSource) {
    append("\n")
    append(jsonString: source.name)
    append(":{\"type\":\"geojson\"")
    append(attribution: source.attribution)
    append(",\"data\":")
  }

  private mutating func append(attribution: MapAttribution?) {
    guard let attribution else { return }
    append(",\"attribution\":")
    append(jsonString: attribution.html)
  }
}
