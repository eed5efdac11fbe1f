// What an answer or an OSM file says, whatever the format it stands in: decoders give it, writers
// take it.

/// What a document says about itself; each part may be missing.
public struct DocumentHeader: Sendable, Equatable {
  /// The version of the format as printed, such as `0.6`.
  public var version: String?
  public var generator: String?
  /// The state of the data, `osm3s.timestamp_osm_base`.
  public var timestamp: String?
  /// The state of the areas, `osm3s.timestamp_areas_base`; only where the query used areas.
  public var areasTimestamp: String?
  public var copyright: String?
  /// The box that the data was cut from, where a file tells it.
  public var bounds: BoundingBox?

  public init() {}
}

/// The content of an answer or of an OSM file.
public struct OSMDocument: Sendable {
  public var header: DocumentHeader
  /// What the server remarked, in its own words.
  public var remarks: [String]
  /// The elements. Where there are ``actions``, each state of an element is a row of its own.
  public var dataset: Dataset
  /// What an augmented diff or a change file says about the elements, in its order; empty otherwise.
  public var actions: [ElementAction]

  public init(
    _ dataset: Dataset, header: DocumentHeader = DocumentHeader(), remarks: [String] = [],
    actions: [ElementAction] = []
  ) {
    self.dataset = dataset
    self.header = header
    self.remarks = remarks
    self.actions = actions
  }
}
