// What a map shows of elements.

import OSMGeometry
import OSMModel
import OverpassDecoding
import OverpassTestSupport
import Testing

private func features(_ elements: String, omitsParts: Bool) throws -> FeatureSet {
  var options = FeatureOptions()
  options.omitsParts = omitsParts
  return try features(elements, options).set
}

private func at(_ longitude: Double, _ latitude: Double) -> Coordinate {
  Coordinate(longitude: longitude, latitude: latitude) ?? .undefined
}

@Suite struct VisualizationTests {
  private let inner = nodes([5: (2, 2), 6: (4, 2), 7: (4, 4), 8: (20, 0), 9: (30, 0), 10: (20, 5)])

  @Test func fiveShapes() throws {
    let answer = """
      \(corners),\(inner),
      {"type":"node","id":50,"lat":1,"lon":2,"tags":{"amenity":"cafe","name":"Kahvila"}},
      \(way(1, [1, 2, 3, 4, 1], ["building": "yes"])),
      \(way(2, [5, 6, 7, 5])),
      \(way(3, [8, 9], ["highway": "path", "name": "Polku"])),
      \(way(4, [9, 10])),
      \(way(5, [1, 2])),
      \(relation(6, "w1 outer,w2 inner", ["type": "multipolygon", "natural": "wood", "name": "Metsä"])),
      \(relation(7, "w3,w5", ["type": "route", "route": "hiking"]))
      """
    let set = try features(answer).set
    let seen = set.visualizationsByElement()
    let cafe = try #require(seen[ElementID(.node, 50)])
    #expect(cafe.shape == .annotation(at(2, 1)))
    #expect(cafe.title == "Kahvila")
    #expect(cafe.typeName == "node")
    #expect(cafe.coordinate == at(2, 1))
    let path = try #require(seen[ElementID(.way, 3)])
    #expect(path.shape == .polyline([at(20, 0), at(30, 0)]))
    #expect(path.title == "Polku")
    #expect(path.coordinate == nil)
    let building = try #require(seen[ElementID(.way, 1)])
    #expect(building.title == nil)
    guard case .polygon(let polygon) = building.shape else { Issue.record("no polygon"); return }
    #expect(polygon.exterior.count == 5)
    #expect(polygon.exterior.first == polygon.exterior.last)
    #expect(polygon.holes == [])
    guard case .polygon(let wood)? = seen[ElementID(.relation, 6)]?.shape else {
      Issue.record("no polygon")
      return
    }
    #expect(wood.holes.count == 1)
    #expect(Set(wood.holes[0]) == [at(2, 2), at(4, 2), at(4, 4)])
    guard case .polylines(let lines)? = seen[ElementID(.relation, 7)]?.shape else {
      Issue.record("no polylines")
      return
    }
    #expect(lines.count == 2)
  }

  @Test func severalPolygons() throws {
    let answer = """
      \(corners),\(nodes([5: (20, 0), 6: (30, 0), 7: (25, 9)])),
      \(way(1, [1, 2, 3, 4, 1])),\(way(2, [5, 6, 7, 5])),
      \(relation(3, "w1 outer,w2 outer", ["type": "multipolygon", "natural": "water"]))
      """
    let seen = try features(answer).set.visualizations()
    #expect(seen.map(\.element) == [ElementID(.relation, 3)])
    guard case .polygons(let polygons) = seen[0].shape else { Issue.record("one"); return }
    #expect(polygons.map(\.exterior.count).sorted() == [4, 5])
  }

  @Test func whatSaysNothingOrIsDrawnByAParentIsSkipped() throws {
    let answer = """
      \(corners),
      {"type":"node","id":5,"lat":3,"lon":3,"tags":{"source":"survey"}},
      {"type":"node","id":6,"lat":4,"lon":4,"tags":{"barrier":"gate"}},
      {"type":"node","id":7},
      \(way(1, [1, 2, 3, 4, 1])),
      \(way(2, [5, 6], ["highway": "path"])),
      \(relation(3, "w1 outer", ["type": "multipolygon", "natural": "water"]))
      """
    let all = try features(answer).set
    #expect(
      Set(all.visualizationsByElement().keys) == [
        ElementID(.node, 6), ElementID(.way, 2), ElementID(.relation, 3),
      ])
    #expect(all.visualization(of: ElementID(.node, 1)) == nil)
    #expect(all.visualization(of: ElementID(.node, 7)) == nil)
    #expect(all.visualization(of: ElementID(.way, 1)) == nil)
    #expect(all.visualization(of: ElementID(.way, 99)) == nil)
    #expect(all.visualization(of: ElementID(.relation, 3))?.geometry.kind == .polygon)
    let whole = try features(answer, omitsParts: true)
    #expect(Set(whole.visualizationsByElement().keys).contains(ElementID(.node, 6)) == false)
  }

  /// bugs.md B070: the three kinds of elements have numbers of their own.
  @Test func oneNumberForThreeElements() throws {
    let answer = """
      {"type":"node","id":7,"lat":0,"lon":0,"tags":{"amenity":"bench"}},
      {"type":"node","id":8,"lat":0,"lon":1},
      {"type":"way","id":7,"nodes":[7,8],"tags":{"highway":"path"}},
      {"type":"way","id":8,"nodes":[8,7],"tags":{"highway":"steps"}},
      {"type":"relation","id":7,"members":[{"type":"way","ref":7,"role":""},
      {"type":"way","ref":8,"role":""}],"tags":{"type":"route","route":"hiking"}}
      """
    let set = try features(answer).set
    let seen = set.visualizationsByElement()
    #expect(seen.count == 4)
    #expect(set.visualization(of: ElementID(.node, 7))?.geometry.kind == .point)
    #expect(set.visualization(of: ElementID(.way, 7))?.geometry.kind == .lineString)
    #expect(seen[ElementID(.relation, 7)]?.element == ElementID(.relation, 7))
  }

  @Test func titlesInTheLanguagePreferred() throws {
    let answer = """
      {"type":"node","id":1,"lat":0,"lon":0,"tags":{"name":"Helsinki/Helsingfors",
      "name:fi":"Helsinki","name:sv":"Helsingfors","place":"city"}},
      {"type":"node","id":2,"lat":0,"lon":0,"tags":{"name":"Oulu","place":"city"}},
      {"type":"node","id":3,"lat":0,"lon":0,"tags":{"place":"city"}}
      """
    let set = try features(answer).set
    func titles(_ languages: LanguagePreference) -> [String?] {
      set.visualizations(languages: languages).map(\.title)
    }
    #expect(titles([]) == ["Helsinki/Helsingfors", "Oulu", nil])
    #expect(titles(["sv", "fi"]) == ["Helsingfors", "Oulu", nil])
    #expect(titles(["et", "fi-FI"]) == ["Helsinki", "Oulu", nil])
    #expect(set.visualization(of: ElementID(.node, 1), languages: ["sv"])?.title == "Helsingfors")
  }

  @Test func placeholdersAndGapsAreMarked() throws {
    let answer = """
      {"type":"way","id":1,"center":{"lat":1.5,"lon":2.5},"nodes":[1,2],"tags":{"amenity":"cafe"}},
      {"type":"way","id":2,"nodes":[11,12,13],"geometry":[null,{"lat":0,"lon":1},{"lat":0,"lon":2}],
      "tags":{"highway":"track"}}
      """
    let set = try features(answer).set
    let center = set.visualization(of: ElementID(.way, 1))
    #expect(center?.placeholder == .center)
    #expect(center?.shape == .annotation(at(2.5, 1.5)))
    #expect(set.visualization(of: ElementID(.way, 2))?.isTainted == true)
  }

  @Test func whatAQueryMadeIsShownWithoutIdentity() throws {
    let answer = """
      {"type":"thing","id":1,"geometry":{"type":"MultiPoint","coordinates":[[0,0],[1,2]]},
      "tags":{"name":"two"}},
      {"type":"thing","id":2,"geometry":{"type":"GeometryCollection","geometries":[
      {"type":"Point","coordinates":[5,6]},{"type":"LineString","coordinates":[[0,0],[1,0]]}]}}
      """
    let set = try features(answer).set
    let seen = set.visualizations()
    #expect(seen.map(\.typeName) == ["thing", "thing"])
    #expect(seen[0].shape == .annotations([at(0, 0), at(1, 2)]))
    #expect(seen[0].title == "two")
    #expect(
      seen[1].shape == .collection([.annotation(at(5, 6)), .polyline([at(0, 0), at(1, 0)])]))
    #expect(set.visualizationsByElement().isEmpty)
  }

  @Test(arguments: [FeatureProfile.default, .osmtogeojson])
  func everyFeatureIsFoundByItsIdentity(profile: FeatureProfile) throws {
    let answer = projectRoot + "/Examples/data/helsinki-relations.json.gz"
    let response = try OverpassAnswer.decode(contentsOf: answer)
    let set = FeatureSet(response.dataset, options: FeatureOptions(profile: profile))
    #expect(set.count > 100)
    var places: [ElementID: Int] = [:]
    for index in 0..<set.count { places[set.feature(index).id] = index }
    for index in stride(from: 0, to: set.count, by: profile == .default ? 1 : 97) {
      #expect(set.index(of: set.feature(index).id) == index)
    }
    for row in stride(from: 0, to: response.dataset.nodes.elements.count, by: 7) {
      let id = ElementID(.node, response.dataset.nodes.elements.ids[row])
      #expect(set.index(of: id) == places[id])
    }
    for row in 0..<response.dataset.ways.elements.count where profile == .default {
      let id = ElementID(.way, response.dataset.ways.elements.ids[row])
      #expect(set.index(of: id) == places[id])
    }
  }

  /// With the conventions of osmtogeojson a simple multipolygon is its outer way.
  @Test func aRelationThatAppearsAsItsWayIsNotFound() throws {
    let answer = """
      \(corners),\(way(1, [1, 2, 3, 4, 1])),
      \(relation(2, "w1 outer", ["type": "multipolygon"]))
      """
    let set = try features(answer, FeatureOptions(profile: .osmtogeojson)).set
    let seen = set.visualizations()
    #expect(seen.map(\.element) == [ElementID(.way, 1)])
    #expect(set.index(of: ElementID(.relation, 2)) == nil)
    #expect(set.visualization(of: ElementID(.way, 1)) == seen[0])
  }

  /// One for one with the features that have a geometry, in their order.
  @Test func asManyAsFeaturesThatCanBeDrawn() throws {
    let answer = projectRoot + "/Examples/data/helsinki-relations.json.gz"
    let set = FeatureSet(try OverpassAnswer.decode(contentsOf: answer).dataset)
    var assembler = set.makeAssembler()
    var geometry = Geometry()
    var drawn: [ElementID] = []
    for index in 0..<set.count where assembler.geometry(of: index, into: &geometry).kind != .none {
      drawn.append(set.feature(index).id)
    }
    let seen = set.visualizations(languages: ["sv"])
    #expect(seen.map(\.element) == drawn)
    #expect(seen.allSatisfy { $0.shape != .collection([]) })
    #expect(Set(drawn).count == drawn.count)
  }
}
