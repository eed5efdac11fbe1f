import OSMGeometry
import OSMModel
import OverpassDecoding
import OverpassTestSupport
import Testing

@Suite struct FeatureArraysTests {
  /// Over the fixtures and all recorded answers: the arrays say what the features say one by one.
  @Test func arraysAreTheFeatures() throws {
    let fixtures = projectRoot + "/Tests/Fixtures/overpass-json"
    let oracle = listFolder(sharedRoot + "/cases/oracle").map {
      "\(sharedRoot)/cases/oracle/\($0)/answer.json"
    }
    for path in listFolder(fixtures).map({ "\(fixtures)/\($0)" }) + oracle {
      guard let bytes = readFile(path), let response = try? OverpassJSON.decode(bytes) else {
        continue
      }
      for profile in FeatureProfile.allCases {
        let set = FeatureSet(response.dataset, options: FeatureOptions(profile: profile))
        compare(set, path)
      }
    }
  }

  private func compare(_ set: FeatureSet, _ name: String) {
    let arrays = set.arrays(withPositions: true)
    var place = 0
    var geometry = Geometry()
    var tagStart = 0
    var positionStart = 0
    var partStart = 0
    var polygonStart = 0
    for index in 0..<set.count {
      let info = set.geometry(of: index, into: &geometry)
      guard info.kind != .none else { continue }
      let feature = set.feature(index)
      #expect(arrays.indices[place] == index, "\(name)")
      #expect(arrays.ids[place] == feature.id.number, "\(name)")
      #expect(arrays.types[place] == feature.id.type.rawValue, "\(name)")
      #expect(arrays.kinds[place] == info.kind.rawValue, "\(name)")
      let tags = Array(arrays.tags.buffer[tagStart..<arrays.tagEnds[place]])
      #expect(tags == Array(feature.tags), "\(name)")
      let positions = arrays.positions.buffer[positionStart..<arrays.positionEnds[place]]
      #expect(Array(positions) == allPositions(geometry), "\(name)")
      let parts = arrays.partEnds.buffer[partStart..<arrays.featurePartEnds[place]]
      #expect(parts.map { $0 - positionStart } == geometry.partEnds, "\(name)")
      let polygons = arrays.polygonEnds.buffer[polygonStart..<arrays.featurePolygonEnds[place]]
      #expect(polygons.map { $0 - partStart } == geometry.polygonEnds, "\(name)")
      partStart = arrays.featurePartEnds[place]
      polygonStart = arrays.featurePolygonEnds[place]
      tagStart = arrays.tagEnds[place]
      positionStart = arrays.positionEnds[place]
      place += 1
    }
    #expect(arrays.count == place, "\(name)")
  }

  private func allPositions(_ geometry: Geometry) -> [Coordinate] {
    geometry.coordinates + geometry.members.flatMap { allPositions($0) }
  }

  @Test func withoutPositions() throws {
    let response = try OverpassJSON.decode(
      Array(#"{"elements":[{"type":"node","id":1,"lat":1,"lon":2,"tags":{"a":"b"}}]}"#.utf8))
    let arrays = FeatureSet(response.dataset).arrays()
    #expect(arrays.count == 1)
    #expect(arrays.positionEnds.isEmpty && arrays.positions.isEmpty)
    #expect(arrays.featurePartEnds.isEmpty && arrays.featurePolygonEnds.isEmpty)
    #expect(arrays.tagEnds[0] == 1)
  }

  @Test func manyBlocksKeepTheirOrder() throws {
    let elements = (1...10_000).map { #"{"type":"node","id":\#($0),"lat":1,"lon":2}"# }
    let text = #"{"elements":[\#(elements.joined(separator: ","))]}"#
    let response = try OverpassJSON.decode(Array(text.utf8))
    let arrays = FeatureSet(response.dataset).arrays()
    #expect(Array(arrays.ids.buffer) == Array(1...10_000))
  }
}
