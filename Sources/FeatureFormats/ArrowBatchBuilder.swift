// Features as rows of Arrow columns.

import OSMGeometry
import OSMModel

/// Rows that are handed over together.
struct ArrowBatches: Sendable {
  var batches: [ArrowColumn] = []
  /// Why there are no further ones.
  var error: ArrowError?
}

/// Makes rows of features, in the order of the set. Each thread has one of its own.
struct ArrowBatchBuilder: ~Copyable {
  private let plan: ArrowPlan
  private let strings: Dataset
  private var assembler: FeatureAssembler
  private var geometry = Geometry()
  private var rows: ArrowRows

  init(_ plan: ArrowPlan) {
    self.plan = plan
    strings = plan.features.dataset
    assembler = plan.features.makeAssembler()
    rows = ArrowRows(plan)
  }

  /// The features of a range; those of which nothing can be drawn are left out. It is one batch,
  /// unless a column of it would hold more than its offsets reach.
  mutating func makeBatches(_ range: Range<Int>) -> ArrowBatches {
    var result = ArrowBatches()
    for index in range {
      let info = assembler.geometry(of: index, into: &geometry)
      guard info.kind != .none else { continue }
      let feature = plan.features.feature(index)
      if rows.append(feature, geometry) { continue }
      if rows.count > 0 {
        result.batches.append(takeBatch())
        if rows.append(feature, geometry) { continue }
      }
      let id = feature.id
      result.error = ArrowError(
        "\(feature.typeName)/\(id.number) is too large for a row of a table")
      break
    }
    if rows.count > 0 { result.batches.append(takeBatch()) }
    return result
  }

  private mutating func takeBatch() -> ArrowColumn {
    var full = ArrowRows(plan)
    swap(&full, &rows)
    return full.takeColumn()
  }
}

/// The columns of a batch under construction.
private struct ArrowRows: ~Copyable {
  private(set) var count = 0
  private let plan: ArrowPlan
  private let dataset: Dataset
  private var ids: ArrowIDs
  private var types = Column<Int32>()
  private var chosen: [ChosenTexts]
  private var tagEnds = Column<Int32>()
  private var tagCount = 0
  private var keys = ArrowTexts()
  private var values = ArrowTexts()
  private var versions = ArrowNumbers<Int32>()
  private var timestamps = ArrowNumbers<Int64>()
  private var changesets = ArrowNumbers<Int64>()
  private var userIDs = ArrowNumbers<Int64>()
  private var users = ArrowNumbers<Int32>()
  private var geometries = ArrowTexts()

  init(_ plan: ArrowPlan) {
    self.plan = plan
    dataset = plan.features.dataset
    ids = ArrowIDs(dataset)
    chosen = plan.keys.map { ChosenTexts($0) }
    tagEnds.append(0)
  }

  /// Appends a row; tells whether there was room for it.
  mutating func append(_ feature: Feature, _ geometry: Geometry) -> Bool {
    let tags = feature.tags
    guard hasRoom(for: tags, geometry) else { return false }
    let element = feature.element
    ids.append(feature.id.number, element)
    types.append(typeNumber(feature, element))
    for column in chosen {
      let value = column.key.flatMap { tags.value(ofKey: $0) }
      if let value {
        column.texts.append(dataset.strings.bytes(value))
      } else {
        column.texts.appendNull()
      }
    }
    if plan.options.hasTags { append(tags) }
    if plan.options.hasMetadata { append(feature.metadata) }
    WKBWriter.append(geometry, to: &geometries.bytes)
    geometries.endValue()
    count += 1
    return true
  }

  private func hasRoom(for tags: FeatureTags, _ geometry: Geometry) -> Bool {
    func fits(_ column: borrowing ArrowTexts, _ more: Int) -> Bool {
      more <= plan.maximumBytes - column.bytes.count
    }
    guard fits(geometries, WKBWriter.byteCount(of: geometry)) else { return false }
    for column in chosen {
      guard let value = column.key.flatMap({ tags.value(ofKey: $0) }) else { continue }
      guard fits(column.texts, dataset.strings.bytes(value).count) else { return false }
    }
    guard plan.options.hasTags else { return true }
    var (keyBytes, valueBytes) = (0, 0)
    for tag in tags {
      keyBytes += dataset.strings.bytes(tag.key).count
      valueBytes += dataset.strings.bytes(tag.value).count
    }
    return fits(keys, keyBytes) && fits(values, valueBytes)
      && tags.count <= Int(Int32.max) - tagCount
  }

  private func typeNumber(_ feature: Feature, _ element: ElementIndex?) -> Int32 {
    switch feature.id.type {
    case .node: return 0
    case .way: return 1
    case .relation: return 2
    case .area, .derived:
      guard let element else { return 0 }
      let name = dataset.derived.typeNames[element.row]
      return Int32(clamping: plan.derivedTypes[name] ?? 0)
    }
  }

  private mutating func append(_ tags: FeatureTags) {
    for tag in tags {
      keys.append(dataset.strings.bytes(tag.key))
      values.append(dataset.strings.bytes(tag.value))
    }
    tagCount += tags.count
    tagEnds.append(Int32(clamping: tagCount))
  }

  private mutating func append(_ metadata: Metadata) {
    versions.append(metadata.version)
    timestamps.append(
      metadata.timestamp.flatMap {
        let (milliseconds, overflow) = $0.multipliedReportingOverflow(by: 1000)
        return overflow ? nil : milliseconds
      })
    changesets.append(metadata.changeset)
    userIDs.append(metadata.userID)
    users.append(metadata.user.flatMap { plan.userNumbers[$0] })
  }

  /// The columns, in the order of the plan's schema.
  consuming func takeColumn() -> ArrowColumn {
    let length = count
    var columns = [ids.takeColumn(), typeColumn(types, plan)]
    columns += chosen.map { $0.takeColumn() }
    let (keyColumn, valueColumn) = (keys.takeColumn(), values.takeColumn())
    if plan.options.hasTags {
      let pairs = ArrowColumn(
        length: keyColumn.length, buffers: [.absent], children: [keyColumn, valueColumn])
      columns.append(
        ArrowColumn(length: length, buffers: [.absent, ArrowBuffer(tagEnds)], children: [pairs]))
    }
    if plan.options.hasMetadata {
      columns += [
        versions.takeColumn(), timestamps.takeColumn(), changesets.takeColumn(),
        userIDs.takeColumn(), users.takeColumn(dictionary: [plan.users]),
      ]
    }
    columns.append(geometries.takeColumn())
    return ArrowColumn(length: length, buffers: [.absent], children: columns)
  }
}

/// The values of one key.
private final class ChosenTexts {
  let key: StringID?
  var texts = ArrowTexts()

  init(_ key: StringID?) { self.key = key }

  func takeColumn() -> ArrowColumn {
    var taken = ArrowTexts()
    swap(&taken, &texts)
    return taken.takeColumn()
  }
}

/// Numbers of types as wide as the schema says.
private func typeColumn(_ types: borrowing Column<Int32>, _ plan: ArrowPlan) -> ArrowColumn {
  func narrowed<Number: FixedWidthInteger & BitwiseCopyable>(_: Number.Type) -> ArrowBuffer {
    var numbers = Column<Number>()
    numbers.reserve(types.count)
    for number in types.buffer { numbers.append(Number(truncatingIfNeeded: number)) }
    return ArrowBuffer(numbers)
  }
  let buffer =
    switch plan.typeWidth {
    case .byte: narrowed(Int8.self)
    case .short: narrowed(Int16.self)
    case .word: narrowed(Int32.self)
    }
  return ArrowColumn(
    length: types.count, buffers: [.absent, buffer], dictionary: [plan.typeNames])
}
