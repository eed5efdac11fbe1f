// The columns of a table of features: their description, and what all batches share.

import OSMGeometry
import OSMModel

/// What is decided once for a stream.
final class ArrowPlan: Sendable {
  let features: FeatureSet
  let options: ArrowOptions
  /// The keys with columns of their own; `nil` where no element has the key.
  let keys: [StringID?]
  let schema: ArrowField
  /// The names of types, and their numbers by the text that a derived element chose.
  let typeNames: ArrowColumn
  let derivedTypes: [StringID: Int]
  let typeWidth: IndexWidth
  /// The names of users, and their numbers by text.
  let users: ArrowColumn
  let userNumbers: [StringID: Int32]
  /// How many bytes a column of a batch may have: what offsets of 32 bits reach.
  let maximumBytes: Int

  /// How wide the numbers of a dictionary are.
  enum IndexWidth: String, Sendable {
    case byte = "c"
    case short = "s"
    case word = "i"
  }

  init(
    _ features: FeatureSet, _ options: ArrowOptions, _ head: GeoJSONHead, maximumBytes: Int
  ) throws(ArrowError) {
    self.features = features
    self.options = options
    self.maximumBytes = maximumBytes
    for (place, key) in options.tagColumns.enumerated() {
      guard !key.utf8.contains(0) else { throw ArrowError("a key has a NUL") }
      guard !options.tagColumns[..<place].contains(key) else {
        throw ArrowError("the column \(key) is asked for twice")
      }
    }
    let dataset = features.dataset
    keys = options.tagColumns.map { dataset.strings.find($0) }

    var names = ArrowTexts()
    var types: [StringID: Int] = [:]
    var count = 0
    for type in [ElementType.node, .way, .relation] {
      if let name = dataset.strings.find("\(type)") { types[name] = count }
      "\(type)".withContiguousUTF8 { names.append($0) }
      count += 1
    }
    for row in 0..<dataset.derived.count where dataset.derived.geometries[row].kind != .none {
      let name = dataset.derived.typeNames[row]
      guard types[name] == nil else { continue }
      types[name] = count
      names.append(dataset.strings.bytes(name))
      count += 1
    }
    typeNames = names.takeColumn()
    derivedTypes = types
    typeWidth = count <= 1 << 7 ? .byte : count <= 1 << 15 ? .short : .word

    (users, userNumbers) = options.hasMetadata ? collectUsers(features) : ([].column, [:])
    schema = table(options, typeWidth, head)
  }
}

/// The names of those who made the features, each once.
private func collectUsers(_ features: FeatureSet) -> (ArrowColumn, [StringID: Int32]) {
  var names = ArrowTexts()
  var numbers: [StringID: Int32] = [:]
  for index in 0..<features.count {
    guard let user = features.feature(index).metadata.user, numbers[user] == nil else { continue }
    numbers[user] = Int32(clamping: numbers.count)
    names.append(features.dataset.strings.bytes(user))
  }
  return (names.takeColumn(), numbers)
}

extension [String] {
  fileprivate var column: ArrowColumn {
    var texts = ArrowTexts()
    for text in self { text.withContiguousUTF8 { texts.append($0) } }
    return texts.takeColumn()
  }
}

extension String {
  fileprivate func withContiguousUTF8(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    var text = self
    text.withUTF8(body)
  }
}

private func texts(_ name: String, isNullable: Bool) -> ArrowField {
  ArrowField(name: name, format: "u", isNullable: isNullable)
}

private func numbers(
  _ name: String, _ format: String, of dictionary: [ArrowField] = [], isNullable: Bool = true
) -> ArrowField {
  ArrowField(name: name, format: format, isNullable: isNullable, dictionary: dictionary)
}

/// The table: a struct whose fields are the columns.
private func table(
  _ options: ArrowOptions, _ typeWidth: ArrowPlan.IndexWidth, _ head: GeoJSONHead
) -> ArrowField {
  let ids = numbers("id", "l")
  let types = numbers(
    "type", typeWidth.rawValue, of: [texts("", isNullable: false)], isNullable: false)
  let pair = ArrowField(
    name: "entries", format: "+s",
    children: [texts("key", isNullable: false), texts("value", isNullable: true)])
  let tags =
    options.hasTags ? [ArrowField(name: "tags", format: "+m", children: [pair])] : []
  let metadata =
    !options.hasMetadata
    ? []
    : [
      numbers("version", "i"), numbers("timestamp", "tsm:UTC"), numbers("changeset", "l"),
      numbers("uid", "l"), numbers("user", "i", of: [texts("", isNullable: false)]),
    ]
  let geometry = ArrowField(
    name: "geometry", format: "z",
    metadata: [
      ("ARROW:extension:name", "geoarrow.wkb"),
      // Longitude first. Source: https://geoarrow.org/extension-types.html, "Extension Metadata"
      (
        "ARROW:extension:metadata",
        #"{"crs":"OGC:CRS84","crs_type":"authority_code"}"#
      ),
    ])
  let taken = Set(([ids, types] + tags + metadata + [geometry]).map(\.name))
  let chosen = options.tagColumns.map {
    texts(taken.contains($0) ? "tag:" + $0 : $0, isNullable: true)
  }
  return ArrowField(
    name: "", format: "+s", metadata: described(head),
    children: [ids, types] + chosen + tags + metadata + [geometry])
}

/// What is to be known about the answer: whom to name, its age, and what the server remarked.
///
/// With what GeoParquet wants to know, so that a table that is written as it is makes such a file;
/// its CRS is OGC:CRS84 where none is named. Source: GeoParquet 1.1, "File metadata"
private func described(_ head: GeoJSONHead) -> [(key: String, value: String)] {
  let column = #"{"encoding":"WKB","geometry_types":[]}"#
  var pairs: [(key: String, value: String)] = [
    (
      "geo",
      #"{"version":"1.1.0","primary_column":"geometry","columns":{"geometry":\#(column)}}"#
    )
  ]
  for (key, value) in [
    ("generator", head.generator), ("attribution", head.copyright), ("timestamp", head.timestamp),
  ] {
    if let value { pairs.append((key, value)) }
  }
  guard !head.remarks.isEmpty else { return pairs }
  var list = TextBuffer()
  for remark in head.remarks {
    list.append(UInt8(ascii: list.bytes.isEmpty ? "[" : ","))
    list.append(jsonString: remark)
  }
  list.append("]")
  pairs.append(("remarks", String(decoding: list.bytes.buffer, as: UTF8.self)))
  return pairs
}
