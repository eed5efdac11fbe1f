// Geometries that cross the antimeridian.

import OSMModel
import Testing

@testable import OSMGeometry

@Suite struct AntimeridianTests {
  private let points = nodes([
    1: (179.5, 65), 2: (-179.5, 65), 3: (-179.5, 66), 4: (179.5, 66), 5: (179.75, 65.25),
    6: (-179.75, 65.25), 7: (0, 65.75), 8: (180, 66), 9: (-180, 65),
  ])

  @Test func lakeAndRiver() throws {
    let json =
      points + "," + way(1, [1, 2, 3, 4, 1], ["natural": "water"]) + ","
      + way(2, [1, 2], ["waterway": "river"])
    let built = try features(json)
    #expect(
      built["way/1"]
        == "MULTIPOLYGON(((179.5 65,180 65,180 66,179.5 66,179.5 65)),"
        + "((-180 65,-179.5 65,-179.5 66,-180 66,-180 65)))")
    #expect(built["way/2"] == "MULTILINESTRING((179.5 65,180 65),(-180 65,-179.5 65))")
    var options = FeatureOptions()
    options.cutsAntimeridian = false
    let kept = try features(json, options)
    #expect(kept["way/2"] == "LINESTRING(179.5 65,-179.5 65)")
  }

  @Test func slantedLineAndVerticesOnTheAntimeridian() throws {
    let built = try features(
      points + "," + way(1, [1, 3], ["a": "b"]) + "," + way(2, [1, 8, 3], ["a": "b"]) + ","
        + way(3, [3, 9, 1], ["a": "b"]) + "," + way(4, [8, 1], ["a": "b"]))
    #expect(built["way/1"] == "MULTILINESTRING((179.5 65,180 65.5),(-180 65.5,-179.5 66))")
    #expect(built["way/2"] == "MULTILINESTRING((179.5 65,180 66),(-180 66,-179.5 66))")
    #expect(built["way/3"] == "MULTILINESTRING((-179.5 66,-180 65),(180 65,179.5 65))")
    #expect(built["way/4"] == "LINESTRING(180 66,179.5 65)")
  }

  @Test func holeOverTheAntimeridian() throws {
    let built = try features(
      points + "," + nodes([10: (-179.75, 65.75), 11: (179.75, 65.75)]) + ","
        + way(1, [1, 2, 3, 4, 1]) + "," + way(2, [5, 6, 10, 11, 5]) + ","
        + relation(3, "w1 outer,w2 inner", ["type": "multipolygon", "landuse": "forest"]))
    #expect(built.size("relation/3") == 1 - 0.25)
    #expect(built.geometries["relation/3"]?.polygonEnds.count == 2)
    #expect(built.geometries["relation/3"]?.partEnds.count == 2)
  }

  @Test func farFromTheAntimeridianNothingChanges() throws {
    let built = try features(
      nodes([1: (-100, 0), 2: (75, 0), 3: (75, 10), 4: (-100, 10)]) + ","
        + way(1, [1, 2, 3, 4, 1], ["natural": "water"]))
    #expect(built["way/1"] == "POLYGON((-100 0,75 0,75 10,-100 10,-100 0))")
  }

  @Test func wideAreaOverBothEndsOfTheMap() throws {
    // Once around the world but for 10 degrees.
    let built = try features(
      nodes([
        1: (5, 0), 2: (90, 0), 3: (-170, 0), 4: (-90, 0), 5: (-5, 0), 6: (-5, 10), 7: (-90, 10),
        8: (170, 10), 9: (90, 10), 10: (5, 10),
      ]) + "," + way(1, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 1], ["natural": "water"]))
    #expect(abs((built.size("way/1") ?? 0) - 350 * 10) < 1e-6)
    #expect(built.geometries["way/1"]?.polygonEnds.count == 2)
  }
}
