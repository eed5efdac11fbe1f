// Tables of features: CSV, and the same with tabs. Source: RFC 4180; for cells that spreadsheets take
// for formulas, OWASP, "CSV Injection".

import OSMGeometry
import OSMModel

extension FeatureWriter {
  /// Writes the table: its headings, then a row for each feature. Rows end as their formats have it:
  /// CR LF after commas, LF after tabs.
  func writeTable<Sink: ByteSink & ~Copyable>(to sink: inout Sink) throws(WriteError) {
    let plan = TablePlan(self)
    if !omitsHeadings {
      var cells = TableCells(plan)
      for column in plan.columns {
        var heading = column.heading
        cells.begin()
        heading.withUTF8 { cells.append(text: $0) }
      }
      cells.endRow()
      try sink.write(cells.buffer.bytes.buffer)
    }
    _ = try features.write(to: &sink, threads: threads) { TableText(plan) }
  }

  /// Writes the types of the columns in one line. Source: GDAL, "Comma Separated Value (.csv)".
  func writeColumnTypes<Sink: ByteSink & ~Copyable>(to sink: inout Sink) throws(WriteError) {
    let plan = TablePlan(self)
    var line = TextBuffer()
    for (index, type) in TableTypes.types(of: plan).enumerated() {
      if index > 0 { line.append(",") }
      line.append("\"")
      line.append(type.name)
      line.append("\"")
    }
    line.append("\n")
    try sink.write(line.bytes.buffer)
  }
}

/// What all rows of a table share.
final class TablePlan: Sendable {
  let features: FeatureSet
  let columns: [TableColumn]
  let isCommaSeparated: Bool
  let keepsFormulas: Bool
  let attribution: String
  /// By number of a text: the column that has the values of this key; -1 for none.
  let columnOfKey: [Int32]

  init(_ writer: FeatureWriter) {
    features = writer.features
    columns = (writer.table ?? TableLayout(allTagsOf: writer.features)).columns
    isCommaSeparated = writer.format != .tsv
    keepsFormulas = writer.keepsFormulas
    attribution = writer.head.attribution
    var columnOfKey = [Int32](repeating: -1, count: features.dataset.strings.count)
    for (place, column) in columns.enumerated() {
      guard case .tag(let key) = column.source, let id = features.dataset.strings.find(key) else {
        continue
      }
      columnOfKey[Int(id.rawValue)] = Int32(truncatingIfNeeded: place)
    }
    self.columnOfKey = columnOfKey
  }

  /// Puts the values of a feature's tags at the places of their columns.
  func collect(_ tags: FeatureTags, into values: inout [StringID]) {
    for place in values.indices { values[place] = .absent }
    for tag in tags {
      let place = Int(columnOfKey[Int(tag.key.rawValue)])
      if place >= 0, values[place] == .absent { values[place] = tag.value }
    }
  }
}

/// Features as rows.
struct TableText: ~Copyable, FeatureTextWorker {
  private var cells: TableCells
  private let plan: TablePlan
  private let dataset: Dataset
  private var values: [StringID]
  private var assembler: FeatureAssembler
  private var geometry = Geometry()
  private let needsPosition: Bool

  init(_ plan: TablePlan) {
    self.plan = plan
    cells = TableCells(plan)
    dataset = plan.features.dataset
    values = Array(repeating: .absent, count: plan.columns.count)
    assembler = plan.features.makeAssembler()
    needsPosition = plan.columns.contains {
      $0.source == .field(.longitude) || $0.source == .field(.latitude)
    }
  }

  var features: FeatureSet { plan.features }

  var buffer: TextBuffer {
    _read { yield cells.buffer }
    _modify { yield &cells.buffer }
  }

  mutating func appendFeature(_ index: Int) -> Bool {
    guard assembler.geometry(of: index, into: &geometry).kind != .none else { return false }
    let feature = plan.features.feature(index)
    let metadata = feature.metadata
    let position = needsPosition ? geometry.pointOnSurface : nil
    plan.collect(feature.tags, into: &values)
    for (place, column) in plan.columns.enumerated() {
      cells.begin()
      switch column.source {
      case .tag:
        if values[place] != .absent { cells.append(text: dataset.strings.bytes(values[place])) }
      case .field(let field): append(field, feature, metadata, position)
      }
    }
    cells.endRow()
    return true
  }

  private mutating func append(
    _ field: TableField, _ feature: Feature, _ metadata: Metadata, _ position: Coordinate?
  ) {
    switch field {
    case .type: cells.append(text: feature.typeName)
    case .id:
      let number = feature.id.number
      if number != ElementID.unknownNumber { cells.buffer.append(integer: number) }
    case .version: if let value = metadata.version { cells.buffer.append(integer: Int64(value)) }
    case .timestamp: if let value = metadata.timestamp { cells.buffer.append(timestamp: value) }
    case .changeset: if let value = metadata.changeset { cells.buffer.append(integer: value) }
    case .userID: if let value = metadata.userID { cells.buffer.append(integer: value) }
    case .user: if let value = metadata.user { cells.append(text: dataset.strings.bytes(value)) }
    case .longitude: if let position { cells.buffer.append(degreesE7: position.longitudeE7) }
    case .latitude: if let position { cells.buffer.append(degreesE7: position.latitudeE7) }
    case .geometry:
      var text = TextBuffer()
      text.append(wkt: geometry)
      cells.append(text: text.bytes.buffer)
    case .tags:
      var text = TextBuffer()
      text.append(jsonObjectOf: feature.tags, dataset)
      cells.append(text: text.bytes.buffer)
    case .attribution: cells.append(text: plan.attribution)
    }
  }
}

extension TextBuffer {
  fileprivate mutating func append(jsonObjectOf tags: FeatureTags, _ dataset: Dataset) {
    append("{")
    var isFirst = true
    for tag in tags {
      if !isFirst { append(",") }
      isFirst = false
      append(jsonString: dataset.strings.bytes(tag.key))
      append(":")
      append(jsonString: dataset.strings.bytes(tag.value))
    }
    append("}")
  }
}
