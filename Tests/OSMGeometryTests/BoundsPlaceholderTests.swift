// Boxes that stand in for the geometry of elements printed with `out bb`.

import OSMGeometry
import OSMModel
import Testing

@Suite struct BoundsPlaceholderTests {
  private func way(_ west: Double, _ south: Double, _ east: Double, _ north: Double) -> String {
    """
    {"type":"way","id":1,"bounds":{"minlat":\(south),"minlon":\(west),"maxlat":\(north),\
    "maxlon":\(east)},"nodes":[1,2],"tags":{"highway":"service"}}
    """
  }

  @Test(
    arguments: [
      ((1, 2, 3, 4), "POLYGON((1 2,3 2,3 4,1 4,1 2))"),
      ((1, 2, 1, 2), "POINT(1 2)"),
      ((1, 2, 3, 2), "LINESTRING(1 2,3 2)"),
      ((1, 2, 1, 4), "LINESTRING(1 2,1 4)"),
      (
        (179, 2, -179, 4),
        "MULTIPOLYGON(((179 2,180 2,180 4,179 4,179 2)),((-180 2,-179 2,-179 4,-180 4,-180 2)))"
      ),
      ((179, 2, -179, 2), "MULTILINESTRING((179 2,180 2),(-180 2,-179 2))"),
      ((180, 2, -179, 4), "POLYGON((-180 2,-179 2,-179 4,-180 4,-180 2))"),
      ((179, 2, -180, 4), "POLYGON((179 2,180 2,180 4,179 4,179 2))"),
      ((180, 2, -180, 4), "LINESTRING(180 2,180 4)"),
      ((180, 2, -180, 2), "POINT(180 2)"),
      ((-180, 2, 180, 4), "POLYGON((-180 2,180 2,180 4,-180 4,-180 2))"),
    ] as [((Double, Double, Double, Double), String)])
  func boxes(box: (Double, Double, Double, Double), expected: String) throws {
    let json = way(box.0, box.1, box.2, box.3)
    var options = FeatureOptions()
    options.drawsBounds = true
    for options in [options, FeatureOptions(profile: .osmtogeojson)] {
      let built = try features(json, options)
      #expect(built["way/1"] == expected)
      #expect(built.infos["way/1"]?.placeholder == .bounds)
      #expect(built.isTainted("way/1") == false)
    }
  }

  @Test func boxesOverTheAntimeridianAreKeptOnRequest() throws {
    var options = FeatureOptions(profile: .osmtogeojson)
    options.cutsAntimeridian = false
    let built = try features(way(179, 2, -179, 4), options)
    #expect(built["way/1"] == "POLYGON((179 2,-179 2,-179 4,179 4,179 2))")
  }

  /// A flat box wider than half of the world does not go the short way over the antimeridian.
  @Test func wideBoxWithoutHeight() throws {
    var options = FeatureOptions()
    options.drawsBounds = true
    let built = try features(way(-100, 2, 100, 2), options)
    #expect(built["way/1"] == "LINESTRING(-100 2,0 2,100 2)")
    let world = try features(way(-180, 2, 180, 2), options)
    #expect(world["way/1"] == "LINESTRING(-180 2,0 2,180 2)")
  }
}
