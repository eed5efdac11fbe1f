// Ways as features: lines with gaps, closed ways, degenerate and self-crossing ones.

import OSMGeometry
import OSMModel
import Testing

@Suite struct WayFeatureTests {
  @Test func closedWayWithAreaTagIsAPolygonWoundCounterClockwise() throws {
    let built = try features(corners + "," + way(1, [1, 4, 3, 2, 1], ["building": "yes"]))
    #expect(built["way/1"] == "POLYGON((0 0,10 0,10 10,0 10,0 0))")
    #expect(built.ids == ["way/1"])
  }

  @Test func gapsAreNeverBridged() throws {
    let built = try features(
      """
      {"type":"way","id":1,"nodes":[11,12,13,14,15,16],"tags":{"highway":"track"},"geometry":[null,
      {"lat":0,"lon":1},{"lat":0,"lon":2},null,{"lat":0,"lon":4},{"lat":0,"lon":5}]},
      {"type":"way","id":2,"nodes":[21,22,23],"tags":{"highway":"track"},"geometry":[
      {"lat":0,"lon":1},{"lat":0,"lon":2},null]}
      """)
    #expect(built["way/1"] == "MULTILINESTRING((1 0,2 0),(4 0,5 0))")
    #expect(built.isTainted("way/1") == true)
    #expect(built.missing("way/1").map(\.number) == [11, 14])
    #expect(built["way/2"] == "LINESTRING(1 0,2 0)")
  }

  @Test func positionsWithoutTheirNodesAreUsed() throws {
    let json =
      #"{"type":"way","id":1,"nodes":[11,12],"geometry":[{"lat":0,"lon":0},{"lat":1,"lon":1},null]}"#
    #expect(try features(json)["way/1"] == "LINESTRING(0 0,1 1)")
    let compatible = try features(json, FeatureOptions(profile: .osmtogeojson))
    #expect(compatible["way/1"] == "LINESTRING(0 0,1 1)")
    #expect(compatible.isTainted("way/1") == true)
  }

  @Test func osmtogeojsonDrawsAcrossMissingNodes() throws {
    let json =
      nodes([2: (0, 0), 4: (1, 1), 5: (1, 0)]) + "," + way(1, [2, 3, 4]) + ","
      + way(2, [2, 5, 4, 3, 2], ["area": "yes"])
    let built = try features(json, FeatureOptions(profile: .osmtogeojson))
    #expect(built["way/1"] == "LINESTRING(0 0,1 1)")
    #expect(built["way/2"] == "POLYGON((0 0,1 0,1 1,0 0))")
    #expect(built.isTainted("way/1") == true)
    let own = try features(json)
    #expect(own["way/1"] == nil)
    #expect(own["way/2"] == "LINESTRING(0 0,1 0,1 1)")
  }

  @Test func closedByPosition() throws {
    let built = try features(
      nodes([1: (0, 0), 2: (1, 0), 3: (1, 1), 99: (0, 0)]) + ","
        + way(1, [1, 2, 3, 99], ["building": "yes"]) + ","
          + """
          {"type":"way","id":2,"geometry":[{"lat":0,"lon":0},{"lat":0,"lon":1},{"lat":1,"lon":1},
          {"lat":0,"lon":0}],"tags":{"building":"yes"}}
          """)
    #expect(built["way/1"] == "POLYGON((0 0,1 0,1 1,0 0))")
    #expect(built["way/2"] == "POLYGON((0 0,1 0,1 1,0 0))")
    #expect(built.kinds(.way, 1) == [.sharedPosition])
  }

  @Test func figureOfEightSplits() throws {
    let built = try features(
      nodes([1: (0, 0), 2: (4, 0), 3: (2, 2), 4: (4, 4), 5: (0, 4)]) + ","
        + way(1, [1, 2, 3, 4, 5, 3, 1], ["landuse": "grass"]))
    #expect(built["way/1"] == "MULTIPOLYGON(((0 0,4 0,2 2,0 0)),((0 4,2 2,4 4,0 4)))")
    #expect(built.isTainted("way/1") == false)
  }

  @Test func crossingWayIsALineWithAProblem() throws {
    let built = try features(
      nodes([1: (0, 0), 2: (4, 4), 3: (4, 0), 4: (0, 4)]) + ","
        + way(1, [1, 2, 3, 4, 1], ["building": "yes"]))
    #expect(built["way/1"] == "LINESTRING(0 0,4 4,4 0,0 4,0 0)")
    #expect(built.problems.contains { $0.kind == .intersection && $0.position == point(2, 2) })
  }

  @Test func longRingsAreCheckedToo() throws {
    var json: [String] = []
    var refs: [Int] = []
    for index in 0..<40 {
      json.append(nodes([index + 1: (Double(index), index % 2 == 0 ? 0 : 1)]))
      refs.append(index + 1)
    }
    json.append(nodes([50: (39, 5), 51: (0, 5), 52: (20, -5)]))
    let sound = try features(
      json.joined(separator: ",") + "," + way(1, refs + [50, 51, 1], ["landuse": "forest"]))
    #expect(sound.geometries["way/1"]?.kind == .polygon)
    let crossing = try features(
      json.joined(separator: ",") + "," + way(1, refs + [50, 52, 51, 1], ["landuse": "forest"]))
    #expect(crossing.geometries["way/1"]?.kind == .lineString)
  }

  @Test func degenerateWays() throws {
    let built = try features(
      nodes([1: (0, 0), 2: (1, 0), 3: (0, 0)]) + "," + way(1, [1, 2, 1], ["building": "yes"]) + ","
        + way(2, [1, 3], ["highway": "path"]) + "," + way(3, [1, 1, 2, 2, 1, 1], ["area": "yes"])
        + "," + way(4, [8, 9], ["leisure": "park"]) + "," + way(5, [], ["leisure": "park"]))
    #expect(built["way/1"] == "LINESTRING(0 0,1 0,0 0)")
    #expect(built["way/2"] == nil)
    #expect(built.geometries["way/3"]?.kind == .lineString)
    #expect(built.kinds(.way, 4) == [.noGeometry])
    #expect(built.kinds(.way, 5) == [.noGeometry])
  }

  @Test(arguments: FeatureProfile.allCases)
  func ringWithoutExtentIsNoArea(profile: FeatureProfile) throws {
    let built = try features(
      corners + "," + way(1, [1, 1, 1, 1], ["building": "yes"]) + ","
        + way(2, [1, 2, 2, 1], ["building": "yes"]),
      FeatureOptions(profile: profile))
    #expect(built.geometries["way/1"]?.kind != .polygon)
    #expect(built.geometries["way/2"]?.kind == .lineString)
  }

  @Test(arguments: FeatureProfile.allCases)
  func oneNodeWithTwoPositionsDoesNotCloseAWay(profile: FeatureProfile) throws {
    let built = try features(
      """
      {"type":"way","id":1,"nodes":[1,2,3,4,1],"tags":{"building":"yes"},"geometry":[
      {"lat":0,"lon":0},{"lat":0,"lon":1},{"lat":1,"lon":1},{"lat":1,"lon":0},null]}
      """, FeatureOptions(profile: profile))
    #expect(built["way/1"] == "LINESTRING(0 0,1 0,1 1,0 1)")
  }

  @Test func repeatedPositionsInARingAreDropped() throws {
    let built = try features(
      corners + "," + nodes([5: (10, 0)]) + ","
        + way(1, [1, 2, 5, 2, 3, 4, 4, 1], ["landuse": "grass"]))
    #expect(built["way/1"] == "POLYGON((0 0,10 0,10 10,0 10,0 0))")
  }

  @Test func placeholders() throws {
    let json = """
      {"type":"way","id":1,"center":{"lat":1.5,"lon":2.5},"nodes":[1,2],"tags":{"amenity":"cafe"}},
      {"type":"relation","id":2,"center":{"lat":1.5,"lon":2.5},"tags":{"type":"multipolygon"},
      "members":[{"type":"way","ref":1,"role":"outer"}]},
      {"type":"way","id":3,"bounds":{"minlat":0,"minlon":0,"maxlat":1,"maxlon":2},"nodes":[1,2]}
      """
    let built = try features(json)
    #expect(built["way/1"] == "POINT(2.5 1.5)")
    #expect(built.infos["way/1"]?.placeholder == .center)
    #expect(built["relation/2"] == "POINT(2.5 1.5)")
    #expect(built["way/3"] == nil)
    let compatible = try features(json, FeatureOptions(profile: .osmtogeojson))
    #expect(compatible["way/3"] == "POLYGON((0 0,2 0,2 1,0 1,0 0))")
    #expect(compatible.infos["way/3"]?.placeholder == .bounds)
  }

  @Test func realGeometryOutranksThePlaceholder() throws {
    let built = try features(
      corners + "," + """
        {"type":"way","id":1,"center":{"lat":5,"lon":5},"nodes":[1,2],"tags":{"a":"b"}}
        """)
    #expect(built["way/1"] == "LINESTRING(0 0,10 0)")
    #expect(built.infos["way/1"]?.placeholder == Placeholder.none)
  }

  @Test func positionsOutsideTheEarthAreGaps() throws {
    let built = try features(
      """
      {"type":"way","id":1,"tags":{"a":"b"},"geometry":[{"lat":0,"lon":1},{"lat":0,"lon":2},
      {"lat":100,"lon":200}]}
      """)
    #expect(built["way/1"] == "LINESTRING(1 0,2 0)")
  }
}
