// The formats of features, and the one writer for all of them.

import OSMGeometry
import OSMModel

/// A format for features.
@frozen public enum FeatureFormat: UInt8, Sendable, CaseIterable {
  /// One FeatureCollection, RFC 7946.
  case geoJSON = 16
  /// A GeoJSON text sequence, RFC 8142: each feature between a record separator and a line feed.
  case geoJSONSequence = 17
  /// A feature a line.
  case geoJSONLines = 18
  /// GPX 1.1: points as waypoints, lines and the rings of areas as tracks.
  case gpx = 19
  /// KML 2.2.
  case kml = 20
  /// A table with commas, RFC 4180.
  case csv = 21
  /// A table with tabs.
  case tsv = 22
  /// The types of that table's columns, one line as GDAL reads it from a file that ends in `.csvt`.
  case columnTypes = 23
  /// A geometry a line, as well-known text.
  case wkt = 24
  /// The same with the reference system.
  case ewkt = 25
  /// All geometries as one GEOMETRYCOLLECTION in well-known binary.
  case wkb = 26
  /// The same with the reference system.
  case ewkb = 27
}

/// Writes features in any format. Elements of which no geometry can be built are left out.
///
/// ```swift
/// var writer = FeatureWriter(features, format: .gpx)
/// try withReplacedFile("cafes.gpx") { sink throws(WriteError) in try writer.write(to: &sink) }
/// ```
/// Positions are WGS84 in all of them. GeoJSON, GPX and KML say where the data comes from; the others
/// have no place for it but a column (``TableField/attribution``).
public struct FeatureWriter: Sendable {
  public let features: FeatureSet
  public let format: FeatureFormat
  /// What the document says about itself, where the format has a place for it.
  public var head = GeoJSONHead()
  /// GeoJSON: the layout of properties.
  public var layout = PropertyLayout.flat
  /// GPX: lines as routes in place of tracks.
  public var linesAreRoutes = false
  /// Tables: the columns; `nil` for those of ``TableLayout/init(allTagsOf:)``.
  public var table: TableLayout?
  /// Tables: leave out the line with the names of the columns.
  public var omitsHeadings = false
  /// Tables: leave cells as they are that a spreadsheet would take for a formula.
  public var keepsFormulas = false
  /// How many threads may build geometries and text; `nil` for as many as pay.
  public var threads: Int?

  public init(_ features: FeatureSet, format: FeatureFormat) {
    self.features = features
    self.format = format
  }

  /// Writes all features. The sink is used on the calling thread only.
  /// - Throws: ``WriteError`` from the sink.
  /// - Complexity: O(n); memory for a few blocks of text. GPX and WKB build each geometry twice, for
  ///   they begin with what is known in the end only.
  public func write<Sink: ByteSink & ~Copyable>(to sink: inout Sink) throws(WriteError) {
    let writer = self
    switch format {
    case .geoJSON:
      var writer = GeoJSONWriter(features, layout: layout)
      writer.head = head
      writer.threads = threads
      try writer.write(to: &sink)
    case .geoJSONSequence, .geoJSONLines:
      let texts = EscapedTexts(features.dataset.strings)
      let isSequence = format == .geoJSONSequence
      _ = try features.write(to: &sink, threads: threads) {
        FeatureLineText(GeoJSONWriter(writer.features, layout: writer.layout), texts, isSequence)
      }
    case .gpx: try writeGPX(to: &sink)
    case .kml: try writeKML(to: &sink)
    case .csv, .tsv: try writeTable(to: &sink)
    case .columnTypes: try writeColumnTypes(to: &sink)
    case .wkt, .ewkt:
      _ = try features.write(to: &sink, threads: threads) {
        GeometryText(writer.features, writer.format)
      }
    case .wkb, .ewkb: try writeBinary(to: &sink)
    }
  }

  private func writeBinary<Sink: ByteSink & ~Copyable>(to sink: inout Sink) throws(WriteError) {
    let writer = self
    let count = features.kinds().count { $0 != .none }
    var head = Column<UInt8>()
    WKBWriter.appendHead(7, count: count, to: &head)
    if format == .ewkb { head = WKBWriter.extended(head) }
    try sink.write(head.buffer)
    _ = try features.write(to: &sink, threads: threads) {
      GeometryText(writer.features, writer.format)
    }
  }
}

/// Features as GeoJSON texts of their own.
struct FeatureLineText: ~Copyable, FeatureTextWorker {
  private var text: FeatureText
  private let isSequence: Bool

  init(_ writer: GeoJSONWriter, _ texts: EscapedTexts, _ isSequence: Bool) {
    text = FeatureText(writer, texts)
    self.isSequence = isSequence
  }

  var features: FeatureSet { text.features }

  var buffer: TextBuffer {
    _read { yield text.buffer }
    _modify { yield &text.buffer }
  }

  mutating func appendFeature(_ index: Int) -> Bool {
    if isSequence { text.buffer.append(0x1E) }
    guard text.appendFeature(index) else { return false }
    text.buffer.append(UInt8(ascii: "\n"))
    return true
  }
}

/// Geometries, without anything else.
struct GeometryText: ~Copyable, FeatureTextWorker {
  var buffer = TextBuffer()
  let features: FeatureSet
  private let format: FeatureFormat
  private var assembler: FeatureAssembler
  private var geometry = Geometry()

  init(_ features: FeatureSet, _ format: FeatureFormat) {
    self.features = features
    self.format = format
    assembler = features.makeAssembler()
  }

  mutating func appendFeature(_ index: Int) -> Bool {
    guard assembler.geometry(of: index, into: &geometry).kind != .none else { return false }
    switch format {
    case .wkb, .ewkb:
      WKBWriter.append(geometry, to: &buffer.bytes)
      return true
    case .ewkt: buffer.append(ewkt: geometry)
    default: buffer.append(wkt: geometry)
    }
    buffer.append(UInt8(ascii: "\n"))
    return true
  }
}
