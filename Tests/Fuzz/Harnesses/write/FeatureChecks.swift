// What must hold of features in every format, whatever they are made of.

import FuzzSupport
import OverpassKit

/// Writes all features in every format and looks at the bytes as a strict reader would.
func checkFeatures(_ response: Response, _ choice: UInt8) {
  var options = FeatureOptions(profile: choice & 2 == 0 ? .default : .osmtogeojson)
  options.collectsOtherRelations = choice & 4 != 0
  let features = FeatureSet(response.dataset, options: options)
  let drawn = features.kinds().count { $0 != .none }
  for format in FeatureFormat.allCases {
    var writer = FeatureWriter(features, format: format)
    writer.threads = 1
    writer.head.copyright = response.header.copyright
    writer.head.timestamp = response.header.timestamp
    writer.head.remarks = response.remarks
    writer.linesAreRoutes = choice & 8 != 0
    writer.keepsFormulas = choice & 16 != 0
    let bytes = written(writer)
    switch format {
    case .geoJSON, .columnTypes, .wkb: break
    case .ewkb: require(bytes.count == written(writer, as: .wkb).count + 4, "EWKB of another size")
    case .geoJSONSequence:
      require(bytes.count { $0 == 0x1E } == drawn, "records that are not as many as the features")
      require(bytes.filter { $0 != 0x1E } == written(writer, as: .geoJSONLines), "another sequence")
    case .geoJSONLines, .wkt, .ewkt:
      require(bytes.count { $0 == 0x0A } == drawn, "lines that are not as many as the features")
    case .gpx, .kml: checkXML(bytes)
    case .csv, .tsv:
      checkTable(bytes, format == .csv ? UInt8(ascii: ",") : 0x09, rows: drawn + 1)
    }
  }
}

private func written(_ writer: FeatureWriter, as format: FeatureFormat? = nil) -> [UInt8] {
  var other = FeatureWriter(writer.features, format: format ?? writer.format)
  other.threads = 1
  other.head = writer.head
  other.linesAreRoutes = writer.linesAreRoutes
  other.keepsFormulas = writer.keepsFormulas
  var sink = MemorySink()
  guard (try? other.write(to: &sink)) != nil else { return [] }
  let column = sink.takeBytes()
  return Array(column.buffer)
}

/// Tags are balanced, and there is no character that XML does not have.
private func checkXML(_ bytes: [UInt8]) {
  require(!bytes.contains { $0 < 0x20 && $0 != 0x0A }, "a control character in XML")
  var open: [ArraySlice<UInt8>] = []
  var rest = bytes[...]
  while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
    guard let end = rest[start...].firstIndex(of: UInt8(ascii: ">")) else {
      return require(false, "a tag that does not end")
    }
    let tag = rest[(start + 1)..<end]
    require(!tag.contains(UInt8(ascii: "<")), "a tag in a tag")
    require(tag.count { $0 == UInt8(ascii: "\"") } % 2 == 0, "a quote that does not end")
    rest = rest[(end + 1)...]
    let name = tag.prefix { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "/") }
    switch tag.first {
    case UInt8(ascii: "?"): continue
    case UInt8(ascii: "/"): require(open.popLast() == tag.dropFirst(), "tags that do not match")
    default: if tag.last != UInt8(ascii: "/") { open.append(name) }
    }
  }
  require(open.isEmpty, "elements that do not end")
}

/// All rows have as many cells, quotes taken as RFC 4180 has them.
private func checkTable(_ bytes: [UInt8], _ separator: UInt8, rows expected: Int) {
  var cells = 1
  var rows = 0
  var width: Int?
  var isQuoted = false
  for byte in bytes {
    require(byte >= 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D, "a control character")
    if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
    guard !isQuoted else { continue }
    if byte == separator { cells += 1 }
    if byte == 0x0A {
      require(width ?? cells == cells, "rows of different widths")
      width = cells
      cells = 1
      rows += 1
    }
  }
  require(!isQuoted && rows == expected, "rows that are not as many as the features")
}
