// Features as waypoints, routes and tracks. Source: https://www.topografix.com/GPX/1/1/

import OSMGeometry
import OSMModel

/// The text of one section of a GPX document.
struct GPXText: ~Copyable, FeatureTextWorker {
  var buffer = TextBuffer()
  let features: FeatureSet
  private let dataset: Dataset
  private let kinds: [GeometryKind]
  private let section: GPXSection
  private let linesAreRoutes: Bool
  private let titles: FeatureTitles
  private let symbols: GPXSymbols
  private var assembler: FeatureAssembler
  private var geometry = Geometry()

  init(_ writer: FeatureWriter, _ survey: FeatureSurvey, _ section: GPXSection) {
    features = writer.features
    dataset = features.dataset
    kinds = survey.kinds
    self.section = section
    linesAreRoutes = writer.linesAreRoutes
    titles = FeatureTitles(dataset.strings)
    symbols = GPXSymbols(dataset.strings)
    assembler = features.makeAssembler()
  }

  mutating func appendFeature(_ index: Int) -> Bool {
    guard section.takes(kinds[index], linesAreRoutes: linesAreRoutes) else { return false }
    let before = buffer.bytes.count
    _ = assembler.geometry(of: index, into: &geometry)
    let feature = features.feature(index)
    switch section {
    case .waypoints: appendWaypoints(feature, geometry)
    case .routes: appendRoutes(feature, geometry)
    case .tracks: appendTrack(feature)
    }
    return buffer.bytes.count > before
  }

  // MARK: Sections

  private mutating func appendWaypoints(_ feature: Feature, _ geometry: Geometry) {
    for member in geometry.members { appendWaypoints(feature, member) }
    guard geometry.kind == .point || geometry.kind == .multiPoint else { return }
    for position in geometry.coordinates {
      appendStart("<wpt", position)
      if let seconds = feature.metadata.timestamp { buffer.append(gpxTime: seconds) }
      appendWords(feature)
      if let symbol = symbols.symbol(feature.tags) {
        buffer.append("<sym>")
        buffer.append(symbol)
        buffer.append("</sym>\n")
      }
      buffer.append("</wpt>\n")
    }
  }

  private mutating func appendRoutes(_ feature: Feature, _ geometry: Geometry) {
    for member in geometry.members { appendRoutes(feature, member) }
    guard geometry.kind == .lineString || geometry.kind == .multiLineString else { return }
    for part in geometry.partEnds.indices {
      buffer.append("<rte>\n")
      appendWords(feature)
      appendPositions(geometry.part(part), "<rtept")
      buffer.append("</rte>\n")
    }
  }

  /// One track with a segment for each line and for each ring.
  private mutating func appendTrack(_ feature: Feature) {
    let start = buffer.bytes.count
    buffer.append("<trk>\n")
    appendWords(feature)
    let before = buffer.bytes.count
    appendSegments(geometry)
    if buffer.bytes.count == before { return buffer.bytes.truncate(to: start) }
    buffer.append("</trk>\n")
  }

  private mutating func appendSegments(_ geometry: Geometry) {
    for member in geometry.members { appendSegments(member) }
    switch geometry.kind {
    case .none, .point, .multiPoint, .geometryCollection: return
    case .lineString, .multiLineString: if linesAreRoutes { return }
    case .polygon, .multiPolygon: break
    }
    for part in geometry.partEnds.indices {
      buffer.append("<trkseg>\n")
      appendPositions(geometry.part(part), "<trkpt")
      buffer.append("</trkseg>\n")
    }
  }

  // MARK: Parts

  private mutating func appendPositions(_ positions: ArraySlice<Coordinate>, _ tag: StaticString) {
    for position in positions { appendStart(tag, position, isEmpty: true) }
  }

  @inline(__always) private mutating func appendStart(
    _ tag: StaticString, _ position: Coordinate, isEmpty: Bool = false
  ) {
    buffer.append(tag)
    buffer.append(" lat=\"")
    buffer.append(degreesE7: position.latitudeE7)
    buffer.append("\" lon=\"")
    buffer.append(gpxLongitude: position.longitudeE7)
    buffer.append(isEmpty ? "\"/>\n" : "\">\n")
  }

  /// Name, comment, description and links, which all three kinds have in this order. The description
  /// holds all tags, a line each.
  private mutating func appendWords(_ feature: Feature) {
    let tags = feature.tags
    buffer.append("<name>")
    if let title = titles.title(tags) {
      buffer.append(xmlText: dataset.strings.bytes(title))
    } else {
      buffer.appendXMLIdentity(feature, separator: "/")
    }
    buffer.append("</name>\n")
    if let comment = titles.description(tags), comment != .empty {
      buffer.append("<cmt>")
      buffer.append(xmlText: dataset.strings.bytes(comment))
      buffer.append("</cmt>\n")
    }
    if !tags.isEmpty { appendDescription(tags) }
    if feature.id.isKnownToOpenStreetMap {
      buffer.append("<link href=\"https://www.openstreetmap.org/")
      buffer.appendXMLIdentity(feature, separator: "/")
      buffer.append("\"/>\n")
    }
    if let address = titles.link(tags, dataset.strings) {
      buffer.append("<link href=\"")
      buffer.append(xmlAddress: dataset.strings.bytes(address))
      buffer.append("\"/>\n")
    }
  }

  private mutating func appendDescription(_ tags: FeatureTags) {
    buffer.append("<desc>")
    var isFirst = true
    for tag in tags {
      if !isFirst { buffer.append("&#10;") }
      isFirst = false
      buffer.append(xmlText: dataset.strings.bytes(tag.key))
      buffer.append("=")
      buffer.append(xmlText: dataset.strings.bytes(tag.value))
    }
    buffer.append("</desc>\n")
  }
}

extension ElementID {
  /// Whether openstreetmap.org can have a page about it: editors give new elements numbers below 0.
  var isKnownToOpenStreetMap: Bool {
    number > 0 && (type == .node || type == .way || type == .relation)
  }
}
