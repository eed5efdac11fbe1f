// Helpers for tests of features: short JSON in, features as text out.

import OSMGeometry
import OSMModel
import OverpassDecoding
import Testing

/// The features of an answer given as the inside of its `elements` array.
func features(
  _ elements: String, _ options: FeatureOptions = FeatureOptions()
) throws -> BuiltFeatures {
  let json = "{\"elements\":[\(elements)]}"
  let response = try OverpassJSON.decode(Array(json.utf8))
  return BuiltFeatures(FeatureSet(response.dataset, options: options))
}

/// Four corners of a square of 10 degrees, as nodes 1 to 4.
let corners = nodes([1: (0, 0), 2: (10, 0), 3: (10, 10), 4: (0, 10)])

/// Nodes with positions (lon, lat) as JSON.
func nodes(_ positions: KeyValuePairs<Int, (Double, Double)>) -> String {
  positions.map { id, position in
    "{\"type\":\"node\",\"id\":\(id),\"lon\":\(position.0),\"lat\":\(position.1)}"
  }.joined(separator: ",")
}

/// A way as JSON.
func way(_ id: Int, _ nodes: [Int], _ tags: KeyValuePairs<String, String> = [:]) -> String {
  "{\"type\":\"way\",\"id\":\(id),\"nodes\":\(nodes),\"tags\":\(object(tags))}"
}

/// A relation as JSON; members are `w1 outer` and the like, separated by commas.
func relation(_ id: Int, _ members: String, _ tags: KeyValuePairs<String, String>) -> String {
  let list = members.split(separator: ",").map { text in
    let parts = text.split(separator: " ", omittingEmptySubsequences: true)
    let type = ["n": "node", "w": "way", "r": "relation"][String(parts[0].prefix(1))] ?? ""
    let role = parts.count > 1 ? String(parts[1]) : ""
    return "{\"type\":\"\(type)\",\"ref\":\(parts[0].dropFirst()),\"role\":\"\(role)\"}"
  }
  let joined = list.joined(separator: ",")
  return "{\"type\":\"relation\",\"id\":\(id),\"members\":[\(joined)],\"tags\":\(object(tags))}"
}

private func object(_ tags: KeyValuePairs<String, String>) -> String {
  "{" + tags.map { "\"\($0)\":\"\($1)\"" }.joined(separator: ",") + "}"
}

/// Features with their geometries built.
struct BuiltFeatures {
  var set: FeatureSet
  var ids: [String] = []
  var texts: [String: String] = [:]
  var geometries: [String: Geometry] = [:]
  var infos: [String: GeometryInfo] = [:]
  var tags: [String: [String: String]] = [:]
  var places: [String: Int] = [:]
  var problems: [Problem]

  init(_ set: FeatureSet) {
    self.set = set
    problems = set.problems()
    var assembler = set.makeAssembler()
    var geometry = Geometry()
    for index in 0..<set.count {
      let info = assembler.geometry(of: index, into: &geometry)
      guard info.kind != .none else { continue }
      let feature = set.feature(index)
      let id = "\(feature.typeName)/\(feature.id.number)"
      ids.append(id)
      texts[id] = text(of: geometry)
      geometries[id] = geometry
      infos[id] = info
      places[id] = index
      for tag in feature.tags {
        tags[id, default: [:]][set.dataset.strings.string(tag.key)] =
          set.dataset.strings.string(tag.value)
      }
    }
  }

  /// The geometry of a feature as text, or `nil` when there is no such feature.
  subscript(id: String) -> String? { texts[id] }

  func isTainted(_ id: String) -> Bool? { infos[id]?.isTainted }

  /// Square degrees of a feature; holes count negative.
  func size(_ id: String) -> Double? {
    geometries[id].map { geometry in
      geometry.partEnds.indices.reduce(0) { $0 + signedArea(geometry.part($1)) }
    }
  }

  func missing(_ id: String) -> [ElementID] { places[id].map { set.feature($0).missing } ?? [] }

  func kinds(_ type: ElementType, _ number: Int64) -> Set<ProblemKind> {
    Set(problems.filter { $0.element == ElementID(type, number) }.map(\.kind))
  }
}

/// A geometry in the manner of WKT, without the blank before the brackets.
func text(of geometry: Geometry) -> String {
  let positions = geometry.coordinates.map {
    degreesText($0.longitudeE7) + " " + degreesText($0.latitudeE7)
  }
  let parts = geometry.partEnds.indices.map {
    "(" + positions[geometry.partRange($0)].joined(separator: ",") + ")"
  }
  switch geometry.kind {
  case .point: return "POINT(\(positions[0]))"
  case .lineString: return "LINESTRING" + parts[0]
  case .multiLineString: return "MULTILINESTRING(" + parts.joined(separator: ",") + ")"
  case .polygon: return "POLYGON(" + parts.joined(separator: ",") + ")"
  case .multiPolygon:
    let polygons = geometry.polygonEnds.indices.map {
      "(" + parts[geometry.ringRange($0)].joined(separator: ",") + ")"
    }
    return "MULTIPOLYGON(" + polygons.joined(separator: ",") + ")"
  case .geometryCollection:
    return "GEOMETRYCOLLECTION(" + geometry.members.map(text(of:)).joined(separator: ",") + ")"
  case .none, .multiPoint: return "\(geometry.kind)"
  }
}
