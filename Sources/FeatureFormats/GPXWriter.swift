// GPX 1.1: waypoints, routes and tracks. Source: https://www.topografix.com/GPX/1/1/

import OSMGeometry
import OSMModel

extension FeatureWriter {
  /// Writes a GPX document in the order of its schema: metadata, waypoints, routes, tracks. That takes
  /// a pass over the features for each.
  func writeGPX<Sink: ByteSink & ~Copyable>(to sink: inout Sink) throws(WriteError) {
    let survey = FeatureSurvey(features)
    var frame = TextBuffer()
    frame.appendGPXHead(head, survey.bounds.box)
    try sink.write(frame.bytes.buffer)
    let writer = self
    for section in GPXSection.allCases where section != .routes || linesAreRoutes {
      _ = try features.write(to: &sink, threads: threads) { GPXText(writer, survey, section) }
    }
    try sink.write("</gpx>\n")
  }
}

/// The parts of a GPX document that hold features, in their order.
enum GPXSection: CaseIterable, Sendable {
  case waypoints
  case routes
  case tracks

  /// Whether a geometry of some kind has a part in this section.
  func takes(_ kind: GeometryKind, linesAreRoutes: Bool) -> Bool {
    switch kind {
    case .none: false
    case .point, .multiPoint: self == .waypoints
    case .lineString, .multiLineString: self == (linesAreRoutes ? .routes : .tracks)
    case .polygon, .multiPolygon: self == .tracks
    case .geometryCollection: true
    }
  }
}

extension TextBuffer {
  fileprivate mutating func appendGPXHead(_ head: GeoJSONHead, _ box: BoundingBox?) {
    append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<gpx version=\"1.1\" creator=")
    append(xmlAttribute: head.generator ?? "OverpassKit")
    append(" xmlns=\"http://www.topografix.com/GPX/1/1\">\n<metadata>\n")
    if !head.remarks.isEmpty {
      append("<desc>")
      append(xmlText: head.remarks.joined(separator: "\n"))
      append("</desc>\n")
    }
    append("<copyright author=")
    append(xmlAttribute: head.attribution)
    append("/>\n")
    if let time = head.timestamp, let seconds = parsed(time) { append(gpxTime: seconds) }
    if let box {
      // Readers take the smaller for the west: a box over the antimeridian goes around the world.
      let isOverAntimeridian = box.westE7 > box.eastE7
      append("<bounds minlat=\"")
      append(degreesE7: box.southE7)
      append("\" minlon=\"")
      append(gpxLongitude: isOverAntimeridian ? -1_800_000_000 : box.westE7)
      append("\" maxlat=\"")
      append(degreesE7: box.northE7)
      append("\" maxlon=\"")
      append(gpxLongitude: isOverAntimeridian ? 1_800_000_000 : box.eastE7)
      append("\"/>\n")
    }
    append("</metadata>\n")
  }

  private func parsed(_ time: String) -> Int64? {
    var time = time
    return time.withUTF8 { parseTimestamp($0) }
  }

  /// Appends a time, unless it is of a year that XML Schema does not have.
  mutating func append(gpxTime seconds: Int64) {
    let firstOfYearOne: Int64 = -62_135_596_800
    guard seconds >= firstOfYearOne else { return }
    append("<time>")
    append(timestamp: seconds)
    append("</time>\n")
  }

  /// GPX has longitudes up to, but not including, 180 degrees. What lies there is moved west by OSM's
  /// smallest step, a centimetre: -180 would draw lines around the world.
  @inline(__always) mutating func append(gpxLongitude value: Int32) {
    append(degreesE7: min(value, 1_799_999_999))
  }
}
