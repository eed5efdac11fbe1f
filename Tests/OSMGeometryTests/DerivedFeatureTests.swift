// Derived elements, whose geometry the answer gives whole: it is checked before it is used.

import OSMModel
import OverpassTestSupport
import Testing

@testable import OSMGeometry

@Suite struct DerivedFeatureTests {
  private func derived(
    _ type: String, _ coordinates: String, _ options: FeatureOptions = FeatureOptions()
  ) throws -> BuiltFeatures {
    try features(
      #"{"type":"x","id":1,"geometry":{"type":"\#(type)","coordinates":\#(coordinates)}}"#,
      options)
  }

  @Test(arguments: [
    ("Point", "[200,95]"), ("Point", "[0,90.1]"), ("MultiPoint", "[[200,95],[0,91]]"),
    ("LineString", "[[1,170],[-180,-100]]"), ("LineString", "[[1,2]]"),
    ("LineString", "[[1,2],[1,2]]"), ("LineString", "[[1,2],[3,100],[5,6]]"),
    ("Polygon", "[[[0,0],[0,0],[0,0]]]"), ("Polygon", "[[[0,0],[9,100],[0,9],[0,0.0]]]"),
  ])
  func nothingSound(type: String, coordinates: String) throws {
    let built = try derived(type, coordinates)
    let positions = built["x/1"]
    if type == "Polygon", coordinates.contains("100") {
      #expect(positions == "LINESTRING(0 9,0 0)")
      #expect(built.isTainted("x/1") == true)
    } else {
      #expect(positions == nil)
      #expect(built.kinds(.derived, 1).contains(.noGeometry))
    }
  }

  @Test func positionsThatAreNotOnEarthAreGaps() throws {
    let built = try derived("LineString", "[[1,2],[3,4],[3,100],[5,6],[7,8]]")
    #expect(built["x/1"] == "MULTILINESTRING((1 2,3 4),(5 6,7 8))")
    #expect(built.isTainted("x/1") == true)
    #expect(built.kinds(.derived, 1) == [.missingNodes])
    let points = try derived("MultiPoint", "[[1,2],[3,100],[5,6]]")
    #expect(points.geometries["x/1"]?.coordinates.count == 2)
    #expect(points.kinds(.derived, 1) == [.missingNodes])
  }

  @Test(arguments: [
    ("[[[0,0],[10,10],[10,0],[0,10],[0,0]]]", "LINESTRING(0 0,10 10,10 0,0 10,0 0)"),
    ("[[[0,0],[10,0],[0,0]]]", "LINESTRING(0 0,10 0,0 0)"),
    ("[[[0,0],[10,0]]]", "LINESTRING(0 0,10 0)"),
    ("[[[0,0],[10,0],[10,10],[0,10]]]", "LINESTRING(0 0,10 0,10 10,0 10)"),
  ])
  func ringsThatBoundNoArea(coordinates: String, expected: String) throws {
    let built = try derived("Polygon", coordinates)
    #expect(built["x/1"] == expected)
    #expect(built.infos["x/1"]?.isValid == true)
    #expect(built.kinds(.derived, 1).contains(.degenerateRing))
    let ways = built.problems.flatMap(\.ways)
    #expect(ways.isEmpty)
  }

  @Test func rawRingsOnRequest() throws {
    var options = FeatureOptions()
    options.keepsInvalidRings = true
    let bow = try derived("Polygon", "[[[0,0],[10,10],[10,0],[0,10],[0,0]]]", options)
    #expect(bow["x/1"] == "POLYGON((0 0,10 10,10 0,0 10,0 0))")
    #expect(bow.infos["x/1"]?.isValid == false)
    let short = try derived("Polygon", "[[[0,0],[10,0],[0,0]]]", options)
    #expect(short["x/1"] == "LINESTRING(0 0,10 0,0 0)")
    #expect(short.infos["x/1"]?.isValid == true)
  }

  @Test func holesAndPartsThatAreNotSound() throws {
    let hole = "[[2,2],[2,4],[4,4],[4,2],[2,2]]"
    let sound = try derived("Polygon", "[[[0,0],[10,0],[10,10],[0,10],[0,0]],\(hole)]")
    #expect(sound.size("x/1") == 96)
    #expect(sound.isTainted("x/1") == false)
    #expect(sound.problems.isEmpty)
    // A hole alone is no area, whatever is asked of rings of relations.
    var options = FeatureOptions()
    options.rolesDecideStrayRings = false
    let stray = try derived(
      "Polygon", "[[[0,0],[10,10],[10,0],[0,10],[0,0]],[[20,0],[21,0],[21,1],[20,0]]]", options)
    #expect(stray.geometries["x/1"]?.kind == .multiLineString)
    let half = try derived(
      "MultiPolygon", "[[[[0,0],[1,0],[1,1],[0,0]]],[[[5,5],[9,9],[9,5],[5,9],[5,5]]]]")
    #expect(half["x/1"] == "POLYGON((0 0,1 0,1 1,0 0))")
    #expect(half.isTainted("x/1") == true)
  }

  @Test func areasOverTheAntimeridian() throws {
    let ring = "[[[179,0],[-179,0],[-179,1],[179,1],[179,0]]]"
    let cut =
      "MULTIPOLYGON(((179 0,180 0,180 1,179 1,179 0)),((-180 0,-179 0,-179 1,-180 1,-180 0)))"
    #expect(try derived("Polygon", ring)["x/1"] == cut)
    #expect(try derived("MultiPolygon", "[\(ring)]")["x/1"] == cut)
    var options = FeatureOptions()
    options.cutsAntimeridian = false
    #expect(try derived("Polygon", ring, options).geometries["x/1"]?.kind == .polygon)
  }

  @Test func collectionsKeepWhatIsSound() throws {
    let built = try features(
      """
      {"type":"x","id":1,"geometry":{"type":"GeometryCollection","geometries":[
      {"type":"Point","coordinates":[200,95]},{"type":"Point","coordinates":[1,2]},
      {"type":"LineString","coordinates":[[179,0],[-179,0]]}]}},
      {"type":"x","id":2,"geometry":{"type":"GeometryCollection","geometries":[
      {"type":"Point","coordinates":[200,95]}]}}
      """)
    #expect(
      built["x/1"]
        == "GEOMETRYCOLLECTION(POINT(1 2),MULTILINESTRING((179 0,180 0),(-180 0,-179 0)))")
    #expect(built.isTainted("x/1") == true)
    #expect(built.ids == ["x/1"])
    #expect(built.kinds(.derived, 2).contains(.noGeometry))
  }

  /// Whatever rings an answer gives: an area has no edges that cross, overlap or go the wrong way
  /// around the world.
  @Test func randomRingsGiveSoundAreasOrLines() throws {
    var random = SeededGenerator(seed: 77)
    var areas = 0
    for _ in 0..<600 {
      let steps = [[-3, 3], [-180, 180]].randomElement(using: &random) ?? []
      func ring() -> String {
        var positions = (0..<Int.random(in: 1...6, using: &random)).map { _ in
          let longitude = Int.random(in: 0...4, using: &random) + steps[0]
          let turned = Bool.random(using: &random) && steps[1] == 180
          let latitude = Int.random(in: 0...40, using: &random) == 0 ? 100 : 0
          return
            "[\(turned ? -longitude : longitude),\(Int.random(in: 0...4, using: &random) + latitude)]"
        }
        if Int.random(in: 0...5, using: &random) > 0, let first = positions.first {
          positions.append(first)
        }
        return "[" + positions.joined(separator: ",") + "]"
      }
      let polygons = (0..<Int.random(in: 1...2, using: &random)).map { _ in
        "[" + (0..<Int.random(in: 1...2, using: &random)).map { _ in ring() }.joined(separator: ",")
          + "]"
      }
      let built = try derived("MultiPolygon", "[" + polygons.joined(separator: ",") + "]")
      guard let geometry = built.geometries["x/1"] else { continue }
      #expect(geometry.coordinates.allSatisfy { $0.isValid })
      guard geometry.kind == .polygon || geometry.kind == .multiPolygon else { continue }
      areas += 1
      let edges = geometry.partEnds.indices.flatMap { part in
        zip(geometry.part(part), geometry.part(part).dropFirst()).map { ($0, $1) }
      }
      var isSound = true
      for (index, edge) in edges.enumerated() {
        if edgeCrossesAntimeridian(edge.0, edge.1) { isSound = false }
        for other in edges[..<index] where segmentsConflict(edge.0, edge.1, other.0, other.1) {
          isSound = false
        }
      }
      #expect(isSound, "\(polygons)")
    }
    #expect(areas > 50)
  }

  @Test func interpolationOfAnyNumbers() {
    let extremes: [Int32] = [.min, -1_800_000_000, -1, 0, 1, 1_800_000_000, .max]
    for a in extremes {
      for b in extremes {
        for whole in [Int64.min, -1, 0, 1, 3, 3_600_000_000, Int64(UInt32.max), .max] {
          for part in [Int64.min, -1, 0, 1, 2, 1_800_000_000, 3_600_000_000, .max] {
            let value = interpolate(a, b, part, whole)
            #expect(value >= min(a, b) && value <= max(a, b))
          }
        }
      }
    }
    #expect(interpolate(0, 10, 1, 2) == 5)
    #expect(interpolate(-900_000_000, 900_000_000, 1, 3) == -300_000_000)
    #expect(interpolate(.min, .max, 1, 1) == .max)
  }

  @Test func linesOfAnyNumbersAreCutWithoutATrap() {
    let extremes: [Int32] = [.min, -1_800_000_000, -1_000_000_000, 0, 10_000_000, .max]
    for (a, b) in extremes.flatMap({ a in extremes.map { (a, b: $0) } }) {
      for (c, d) in extremes.flatMap({ c in extremes.map { (c, d: $0) } }) {
        var line = Geometry()
        line.kind = .lineString
        line.coordinates = [
          Coordinate(longitudeE7: a, latitudeE7: b), Coordinate(longitudeE7: c, latitudeE7: d),
        ]
        line.partEnds = [2]
        line.cutLinesAtAntimeridian()
        #expect(line.kind != .polygon)
      }
    }
  }
}
