// Small datasets of any shape: all features are built and written; rings are closed, have extent and
// run the right way; no geometry is outside of the world. Each feature is found by its identity and
// seen alone as among all; places come in order.

import FuzzSupport
import OverpassKit

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var input = ByteReader(UnsafeBufferPointer(start: start, count: count))
  let choice = input.byte()
  var options = FeatureOptions(
    profile: choice & 1 == 0 ? .default : .osmtogeojson,
    nodes: NodeSelection.allCases[Int(choice >> 1) % NodeSelection.allCases.count])
  options.repair = Repair.allCases[Int(choice >> 3) % Repair.allCases.count]
  if choice & 32 != 0 { options.drawsBounds = choice & 64 == 0 }
  if choice & 64 != 0 { options.cutsAntimeridian = true }
  options.omitsParts = choice & 128 != 0
  options.rolesDecideStrayRings = choice & 16 == 0
  let more = input.byte()
  options.collectsOtherRelations = more & 1 != 0
  options.keepsInvalidRings = more & 2 != 0
  var text = AnswerText(input)
  let answer = text.write()
  let response: Response
  do throws(DecodeError) {
    response = try OverpassJSON.decode(answer)
  } catch {
    require(
      false, "the answer does not decode: \(error)\n\(String(decoding: answer, as: UTF8.self))")
    return 0
  }

  let features = FeatureSet(response.dataset, options: options)
  var assembler = features.makeAssembler()
  assembler.collectsProblems = true
  var geometry = Geometry()
  for index in 0..<features.count {
    let info = assembler.geometry(of: index, into: &geometry)
    require(info.kind == geometry.kind, "two kinds of one geometry")
    if info.isValid { check(geometry) }
    checkMeasures(geometry)
    _ = WKBWriter.bytes(of: geometry).count
    let feature = features.feature(index)
    _ = (feature.id, feature.tags.count, feature.memberships.count, feature.missing.count)
    _ = (feature.label, feature.adminCentre)
  }
  for problem in features.problems() { _ = problem.kind }
  checkVisualizations(features)
  checkPlaces(features)
  for layout in PropertyLayout.allCases {
    var sink = MemorySink()
    do throws(WriteError) {
      try GeoJSONWriter(features, layout: layout).write(to: &sink)
    } catch {
      require(false, "memory refused to be written to: \(error)")
    }
    require(sink.bytes.count > 0, "nothing was written")
  }
  return 0
}

private func checkVisualizations(_ features: FeatureSet) {
  var seen: [Visualization] = []
  features.forEachVisualization(languages: ["fi"]) { seen.append($0) }
  for one in seen {
    require(one.shape != .collection([]), "nothing to see of \(one.element)")
    guard one.element.type != .derived else { continue }
    require(
      features.visualization(of: one.element, languages: ["fi"]) == one,
      "alone \(one.element) is another than among all")
  }
  for index in 0..<features.count {
    let id = features.feature(index).id
    require(
      id.type == .derived || features.index(of: id) == index, "\(id) is not found where it is")
  }
}

private func checkPlaces(_ features: FeatureSet) {
  let here = Coordinate(longitudeE7: -1_799_999_990, latitudeE7: 5)
  var last = 0.0
  for place in features.places(near: here, languages: ["fi"]) {
    require(place.coordinate.isValid, "a place outside of the world")
    require(place.distance >= last && place.distance < 20_100_000, "places out of order")
    last = place.distance
    if let bearing = place.bearing {
      require(bearing >= 0 && bearing < 360, "a bearing of \(bearing)")
    } else {
      require(place.distance == 0, "no bearing over \(place.distance) m")
    }
  }
}

private func checkMeasures(_ geometry: Geometry) {
  require((geometry.area ?? 0) >= 0 && (geometry.length ?? 0) >= 0, "a negative measure")
  for position in [geometry.centroid, geometry.pointOnSurface] {
    require(position?.isValid != false, "a position outside of the world")
  }
  _ = geometry.boundingBox
}

private func check(_ geometry: Geometry) {
  for member in geometry.members { check(member) }
  if geometry.kind != .geometryCollection {
    require(geometry.members.isEmpty, "members in a geometry that has none")
  }
  for position in geometry.coordinates {
    require(position.isValid, "a position outside of the world: \(position)")
  }
  switch geometry.kind {
  case .lineString, .multiLineString:
    require(geometry.partEnds.last == geometry.coordinates.count, "lines do not end at the end")
    for line in geometry.partEnds.indices {
      require(geometry.part(line).count >= 2, "a line of fewer than two positions")
    }
  case .polygon, .multiPolygon:
    require(geometry.partEnds.last == geometry.coordinates.count, "rings do not end at the end")
    require(geometry.polygonEnds.last == geometry.partEnds.count, "polygons do not end at the end")
    for polygon in geometry.polygonEnds.indices {
      let rings = geometry.ringRange(polygon)
      require(!rings.isEmpty, "a polygon without rings")
      for ring in rings {
        let positions = geometry.part(ring)
        require(
          positions.count >= 4 && positions.first == positions.last, "an open ring: \(geometry)")
        require(
          areaSign(positions) == (ring == rings.lowerBound ? 1 : -1),
          "a ring that runs the wrong way: \(geometry)")
      }
    }
  default: break
  }
}

/// The sign of the area inside a ring: positive when it runs counter-clockwise. Exact, by sums of 128
/// bits.
private func areaSign(_ ring: ArraySlice<Coordinate>) -> Int {
  var sum: Int128 = 0
  for (a, b) in zip(ring, ring.dropFirst()) {
    sum += Int128(a.longitudeE7) * Int128(b.latitudeE7)
    sum -= Int128(b.longitudeE7) * Int128(a.latitudeE7)
  }
  return Int(sum.signum())
}

/// Writes an answer of Overpass whose shape follows from bytes: positions on a coarse grid, so that
/// they meet often, ways and relations over them, with and without their own geometry.
private struct AnswerText {
  var input: ByteReader
  var text: [UInt8] = []
  /// Corner and width of the grid, in units of 1e-7 degrees.
  let origin: (longitude: Int, latitude: Int)
  let step: Int
  let side: Int

  init(_ input: ByteReader) {
    self.input = input
    let origins = [(0, 0), (1_799_999_990, 0), (-1_800_000_000, -900_000_000), (-20, 899_999_980)]
    origin = origins[self.input.below(origins.count)]
    let steps = [10, 1, 100_000, 300_000_000]
    step = steps[self.input.below(steps.count)]
    side = 3 + self.input.below(6)
  }

  mutating func append(_ piece: String) { text.append(contentsOf: piece.utf8) }

  mutating func degrees(_ value: Int, _ limit: Int) -> String {
    // Beyond the antimeridian the map begins again.
    var wrapped = value
    if wrapped > limit { wrapped = limit == 1_800_000_000 ? wrapped - 2 * limit : limit }
    return degreesText(Int32(wrapped))
  }

  mutating func position() -> String {
    let place = input.below(side * side)
    let longitude = degrees(origin.longitude + place % side * step, 1_800_000_000)
    let latitude = degrees(origin.latitude + place / side * step, 900_000_000)
    return "\"lat\":\(latitude),\"lon\":\(longitude)"
  }

  mutating func tags() -> String {
    let sets = [
      "", "\"tags\":{\"building\":\"yes\",\"amenity\":\"cafe\"}",
      "\"tags\":{\"type\":\"multipolygon\",\"landuse\":\"a\"}",
      "\"tags\":{\"type\":\"route\",\"route\":\"bus\"}", "\"tags\":{\"highway\":\"service\"}",
      "\"tags\":{\"type\":\"boundary\",\"@id\":\"\\u0001\"}", "\"tags\":{\"natural\":\"water\"}",
      "\"tags\":{\"type\":\"site\"}", "\"tags\":{\"type\":\"restriction\"}",
      "\"tags\":{\"type\":\"multipolygon\"}", "\"tags\":{\"area\":\"no\",\"source\":\"x\"}",
    ]
    let chosen = sets[input.below(sets.count)]
    return chosen.isEmpty ? "" : ",\(chosen)"
  }

  mutating func geometry() -> String {
    let count = input.below(9)
    let places = (0..<count).map { _ in
      input.below(12) == 0 ? "null" : "{\(position())}"
    }
    return ",\"geometry\":[\(places.joined(separator: ","))]"
  }

  mutating func extent() -> String {
    switch input.below(8) {
    case 0: return ",\"center\":{\(position())}"
    case 1:
      return
        ",\"bounds\":{\"minlat\":0.1,\"minlon\":-0.2,\"maxlat\":\(input.below(3)),\"maxlon\":0.5}"
    default: return ""
    }
  }

  mutating func write() -> [UInt8] {
    append("{\"elements\":[")
    for node in 1...(4 + input.below(20)) {
      append(
        "{\"type\":\"node\",\"id\":\(node),\(position())\(input.below(6) == 0 ? tags() : "")},\n")
    }
    for way in 1...(1 + input.below(8)) {
      var refs = (0..<input.below(10)).map { _ in "\(1 + input.below(25))" }
      if input.below(3) > 0, let first = refs.first { refs.append(first) }
      append("{\"type\":\"way\",\"id\":\(way),\"nodes\":[\(refs.joined(separator: ","))]")
      append(tags() + extent())
      if input.below(5) == 0 { append(geometry()) }
      append("},\n")
    }
    for relation in 1...(1 + input.below(4)) {
      append("{\"type\":\"relation\",\"id\":\(relation)\(tags())\(extent()),\"members\":[")
      let roles = ["outer", "inner", "", "label", "forward", "backward", "perimeter"]
      let members = (0..<input.below(9)).map { _ in
        let role = roles[input.below(roles.count)]
        switch input.below(8) {
        case 0:
          return
            "{\"type\":\"node\",\"ref\":\(1 + input.below(25)),\"role\":\"\(role)\",\(position())}"
        case 1: return "{\"type\":\"relation\",\"ref\":\(1 + input.below(5)),\"role\":\"\(role)\"}"
        case 2:
          return
            "{\"type\":\"way\",\"ref\":\(1 + input.below(12)),\"role\":\"\(role)\"\(geometry())}"
        default: return "{\"type\":\"way\",\"ref\":\(1 + input.below(10)),\"role\":\"\(role)\"}"
        }
      }
      append(members.joined(separator: ",") + "]},\n")
    }
    append("{\"type\":\"node\",\"id\":99}]}")
    return text
  }
}
