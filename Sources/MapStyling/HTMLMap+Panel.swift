// The panel of a page: what is seen, and what the colours mean.

import FeatureFormats
import OSMGeometry

extension TextBuffer {
  /// Appends the panel, with a summary for each source of the map.
  mutating func append(panelOf map: HTMLMap, _ summaries: [FeatureSummary]) {
    append("<details id=\"panel\" open>\n<summary>")
    append(markup: map.title)
    append("</summary>\n")
    appendFacts(map, summaries)
    append("<p class=\"note\" id=\"fault\" hidden></p>\n")
    append("<noscript><p class=\"note\">The map needs JavaScript.</p></noscript>\n")
    for note in map.notes {
      append("<p class=\"note\">")
      append(markup: note)
      append("</p>\n")
    }
    for (source, summary) in zip(map.style.sources, summaries) {
      if map.style.sources.count > 1 {
        append("<h2>")
        append(markup: source.name)
        append("</h2>\n")
      }
      appendLegend(source, summary)
    }
    appendBasemaps(map.style.basemaps)
    append("</details>\n")
  }

  private mutating func appendFacts(_ map: HTMLMap, _ summaries: [FeatureSummary]) {
    let count = summaries.reduce(0) { $0 + $1.count }
    append("<p class=\"facts\">")
    append(integer: Int64(count))
    append(count == 1 ? " feature" : " features")
    if let timestamp = map.timestamp {
      append(", data of ")
      append(markup: readable(timestamp))
    }
    append("</p>\n")
  }

  // MARK: Legend

  private mutating func appendLegend(_ source: MapSource, _ summary: FeatureSummary) {
    append("<ul>\n")
    if let colors = source.appearance.colors {
      appendTagLegend(colors, source, summary)
    } else {
      let appearance = source.appearance
      if let points = appearance.points {
        appendKind("point", points.color, summary.points, "points", source)
      }
      if let lines = appearance.lines {
        appendKind("line", lines.color, summary.lines, "lines", source)
      }
      if let areas = appearance.areas {
        appendKind(
          "area", areas.outlineColor ?? areas.color, summary.areas, "areas", source,
          fill: areas.color)
      }
    }
    append("</ul>\n")
    if summary.placeholders > 0 {
      append("<p class=\"facts\">Faint: only centre or box known (")
      append(integer: Int64(summary.placeholders))
      append(")</p>\n")
    }
  }

  private mutating func appendKind(
    _ kind: StaticString, _ color: MapColor, _ count: Int, _ name: StaticString,
    _ source: MapSource, fill: MapColor? = nil
  ) {
    // Nothing is known about features that are fetched.
    if case .features = source.data, count == 0 { return }
    appendRow(kind, color, fill: fill)
    append(name)
    if case .features = source.data { appendCount(count) }
    append("</li>\n")
  }

  private mutating func appendTagLegend(
    _ colors: TagColors, _ source: MapSource, _ summary: FeatureSummary
  ) {
    var counts: [[UInt8]: Int]?
    if case .features(let features) = source.data {
      counts = TagColors.count(colors.key, features)
    }
    append("<li class=\"key\">")
    append(markup: colors.key)
    append("</li>\n")
    // The swatch looks like most of the features.
    let isLinear = summary.lines > max(summary.points, summary.areas)
    let isAreal = !isLinear && summary.areas > summary.points
    let kind: StaticString = isLinear ? "line" : isAreal ? "area" : "point"
    var rest = summary.count
    for entry in colors.entries {
      let count = counts.map { $0[Array(entry.value.utf8)] ?? 0 }
      appendRow(kind, entry.color, fill: isAreal ? entry.color : nil)
      append("<span>")
      append(markup: entry.value)
      append("</span>")
      if let count {
        appendCount(count)
        rest -= count
      }
      append("</li>\n")
    }
    guard counts == nil || rest > 0 else { return }
    appendRow(kind, colors.other, fill: isAreal ? colors.other : nil)
    append("other or none")
    if counts != nil { appendCount(rest) }
    append("</li>\n")
  }

  private mutating func appendRow(_ kind: StaticString, _ color: MapColor, fill: MapColor? = nil) {
    append("<li><i class=\"")
    append(kind)
    // Colours hold nothing but letters, digits and `#`.
    append("\" style=\"--color:")
    append(markup: color.css)
    if let fill {
      append(";--fill:")
      append(markup: fill.css)
    }
    append("\"></i>")
  }

  private mutating func appendCount(_ count: Int) {
    append(" <b>")
    append(integer: Int64(count))
    append("</b>")
  }

  private mutating func appendBasemaps(_ basemaps: [RasterBasemap]) {
    guard !basemaps.isEmpty else { return }
    append("<fieldset><legend>Basemap</legend>\n")
    for basemap in basemaps {
      append("<label><input type=\"checkbox\" value=\"")
      append(markup: basemap.name)
      append(basemap.isVisible ? "\" checked> " : "\"> ")
      append(markup: basemap.name)
      append("</label>\n")
    }
    append("</fieldset>\n")
  }
}

/// A time as servers print it, `2024-03-31T02:30:00Z`, in the way people read it; any other text as it
/// is.
private func readable(_ timestamp: String) -> String {
  let bytes = Array(timestamp.utf8)
  let pattern = Array("0000-00-00T00:00:00Z".utf8)
  let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
  let fits = zip(bytes, pattern).allSatisfy { byte, expected in
    expected == digits.lowerBound ? digits.contains(byte) : byte == expected
  }
  guard bytes.count == pattern.count, fits else { return timestamp }
  return String(decoding: bytes[..<10] + [0x20] + bytes[11..<16], as: UTF8.self) + " UTC"
}
