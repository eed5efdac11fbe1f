// Relations as features: areas, what they inherit and stand for, routes.

import OSMGeometry
import OSMModel
import Testing

@Suite struct RelationFeatureTests {
  let hole = nodes([5: (4, 4), 6: (6, 4), 7: (6, 6), 8: (4, 6)])
  let outer = way(1, [1, 2, 3, 4, 1])
  let inner = way(2, [5, 6, 7, 8, 5])
  let polygon = "POLYGON((0 0,10 0,10 10,0 10,0 0),(4 4,4 6,6 6,6 4,4 4))"

  @Test(arguments: [
    "w1 outer,w2 inner", "w2 inner,w1 outer", "w1 outer,w2 outer", "w1,w2", "w1,w2 inner",
  ])
  func hole(members: String) throws {
    let built = try features(
      [
        corners, hole, outer, inner,
        relation(3, members, ["type": "multipolygon", "natural": "water"]),
      ]
      .joined(separator: ","))
    #expect(built["relation/3"] == polygon)
    #expect(built.ids == ["relation/3"])
    #expect(built.isTainted("relation/3") == false)
  }

  @Test func membersListedTwice() throws {
    let built = try features(
      [
        corners, outer,
        relation(2, "w1 outer,w1 outer", ["type": "multipolygon", "landuse": "grass"]),
      ]
      .joined(separator: ","))
    #expect(built.size("relation/2") == 100)
    #expect(built.kinds(.relation, 2) == [.duplicateMember])
  }

  @Test func oldStyleMultipolygon() throws {
    let json = [
      corners, hole, way(1, [1, 2, 3, 4, 1], ["landuse": "forest"]), inner,
      relation(3, "w1 outer,w2 inner", ["type": "multipolygon"]),
    ].joined(separator: ",")
    let built = try features(json)
    #expect(built["relation/3"] == polygon)
    #expect(built.tags["relation/3"] == ["type": "multipolygon", "landuse": "forest"])
    #expect(built.ids == ["relation/3"])
    let compatible = try features(json, FeatureOptions(profile: .osmtogeojson))
    #expect(compatible["way/1"] == polygon)
    #expect(compatible.tags["way/1"] == ["landuse": "forest"])
    #expect(compatible.ids == ["way/1"])
  }

  @Test func waysThatRepeatTheTagsOfTheirRelation() throws {
    let tagged = way(1, [1, 2, 3, 4, 1], ["building": "yes", "source": "survey"])
    let built = try features(
      [corners, tagged, relation(3, "w1 outer", ["type": "multipolygon", "building": "yes"])]
        .joined(separator: ","))
    #expect(built.ids == ["relation/3"])
    let other = way(1, [1, 2, 3, 4, 1], ["amenity": "yyy"])
    let both = try features(
      [corners, other, relation(3, "w1 outer", ["type": "multipolygon", "amenity": "xxx"])]
        .joined(separator: ","))
    #expect(both.ids == ["way/1", "relation/3"])
  }

  @Test func taggedWayStaysWhenItsRelationHasNoArea() throws {
    let crossing = nodes([5: (5, 5), 6: (15, 5), 7: (15, 15), 8: (5, 15)])
    let built = try features(
      [
        corners, crossing, way(1, [1, 2, 3, 4, 1], ["building": "yes"]), inner,
        relation(3, "w1 outer,w2 outer", ["type": "multipolygon", "building": "yes"]),
      ].joined(separator: ","))
    #expect(built.ids == ["way/1"])
    #expect(built.isTainted("way/1") == true)
    #expect(built.kinds(.relation, 3).isSuperset(of: [.intersection, .noGeometry]))
  }

  @Test func incompleteRelation() throws {
    let built = try features(
      [
        corners, outer,
        relation(3, "w1 outer,w77 inner", ["type": "multipolygon", "landuse": "a"]),
      ]
      .joined(separator: ","))
    #expect(built.size("relation/3") == 100)
    #expect(built.isTainted("relation/3") == true)
    #expect(built.missing("relation/3") == [ElementID(.way, 77)])
  }

  @Test func openRingGivesNoArea() throws {
    let built = try features(
      [
        corners, way(1, [1, 2, 3, 4]), relation(3, "w1 outer", ["type": "multipolygon", "a": "b"]),
      ]
      .joined(separator: ","))
    #expect(built.ids.isEmpty)
    #expect(built.kinds(.relation, 3).isSuperset(of: [.openRing, .noGeometry]))
  }

  @Test func membersThatAreNotRings() throws {
    let built = try features(
      [
        corners, "{\"type\":\"node\",\"id\":5,\"lat\":5,\"lon\":5,\"tags\":{\"place\":\"city\"}}",
        outer,
        relation(
          3, "w1 outer,n5 admin_centre,n5 label,r8 subarea,w99 subarea",
          ["type": "boundary", "boundary": "administrative"]),
      ].joined(separator: ","))
    #expect(built.size("relation/3") == 100)
    #expect(built.isTainted("relation/3") == false)
    #expect(built["node/5"] == "POINT(5 5)")
  }

  @Test func sameNumberOfDifferentTypes() throws {
    let built = try features(
      [
        corners, "{\"type\":\"node\",\"id\":60,\"lat\":5,\"lon\":5,\"tags\":{\"name\":\"label\"}}",
        outer, way(60, [1, 3], ["source": "survey"]),
        relation(9, "w1 outer,n60 outer", ["type": "multipolygon", "landuse": "forest"]),
      ].joined(separator: ","))
    #expect(Set(built.ids) == ["node/60", "way/60", "relation/9"])
  }

  @Test func inlineMembers() throws {
    let json = """
      {"type":"relation","id":1,"members":[{"type":"way","ref":100,"role":"outer","geometry":[
      {"lat":0,"lon":0},{"lat":0,"lon":10}]},{"type":"way","ref":101,"role":"outer","geometry":[
      {"lat":0,"lon":10},{"lat":10,"lon":10},{"lat":10,"lon":0},{"lat":0,"lon":0}]},
      {"type":"node","ref":5,"role":"label","lat":5,"lon":5}],
      "tags":{"type":"boundary","name":"north"}},
      {"type":"relation","id":2,"members":[{"type":"way","ref":100,"role":"outer","geometry":[
      {"lat":0,"lon":0},{"lat":0,"lon":10}]},{"type":"way","ref":102,"role":"outer","geometry":[
      {"lat":0,"lon":10},{"lat":-10,"lon":10},{"lat":-10,"lon":0},{"lat":0,"lon":0}]}],
      "tags":{"type":"boundary","name":"south"}}
      """
    let built = try features(json)
    #expect(built.ids == ["relation/1", "relation/2"])
    #expect(built.size("relation/1") == 100)
    #expect(built.size("relation/2") == 100)
    let compatible = try features(json, FeatureOptions(profile: .osmtogeojson))
    #expect(compatible.ids == ["relation/1", "relation/2", "node/5"])
  }

  @Test func routeWithAMissingWay() throws {
    let built = try features(
      [
        nodes([1: (0, 0), 2: (1, 0), 3: (2, 0)]), way(1, [1, 2], ["highway": "residential"]),
        relation(4, "w1,w2", ["type": "route", "route": "bus"]),
      ].joined(separator: ","))
    #expect(built["relation/4"] == "LINESTRING(0 0,1 0)")
    #expect(built.isTainted("relation/4") == true)
    #expect(built["way/1"] != nil)
    #expect(built["node/3"] != nil)
  }

  @Test func routeInReverseOrder() throws {
    let points = nodes([1: (2, 1), 2: (4, 3), 3: (6, 5), 4: (8, 7)])
    let built = try features(
      [
        points, way(4, [1, 2]), way(2, [2, 3]), way(3, [3, 4]),
        relation(1, "w3 backward,w2 forward,w4", ["type": "route", "route": "hiking"]),
      ].joined(separator: ","))
    #expect(built["relation/1"] == "LINESTRING(2 1,4 3,6 5,8 7)")
    #expect(built.ids == ["relation/1"])
  }

  @Test func roundaboutInARoute() throws {
    let points = nodes([1: (0, 0), 2: (2, 0), 3: (3, 1), 4: (4, 0), 5: (3, -1), 6: (6, 0)])
    let built = try features(
      [
        points, way(1, [1, 2]), way(2, [2, 3, 4, 5, 2]), way(3, [4, 6]),
        relation(9, "w1,w2,w3", ["type": "route", "route": "bus"]),
      ].joined(separator: ","))
    #expect(
      built["relation/9"] == "MULTILINESTRING((0 0,2 0),(2 0,3 1,4 0,3 -1,2 0),(4 0,6 0))")
  }

  @Test func routesOfRoutesAndCycles() throws {
    let built = try features(
      [
        nodes([1: (0, 0), 2: (1, 0), 3: (2, 0)]), way(1, [1, 2]), way(2, [2, 3]),
        relation(4, "w1,r5", ["type": "route", "route": "bus"]),
        relation(5, "w2,r4", ["type": "route_master", "route_master": "bus"]),
      ].joined(separator: ","))
    #expect(built["relation/4"] == "LINESTRING(0 0,1 0,2 0)")
    #expect(built["relation/5"]?.hasPrefix("LINESTRING") == true)
  }

  @Test func membershipsAndRoles() throws {
    let built = try features(
      [
        corners, way(1, [1, 2, 3, 4, 1], ["amenity": "school"]),
        relation(3, "w1 outer,w1 inner", ["type": "site"]), relation(4, "w1", ["type": "site"]),
      ].joined(separator: ","))
    let place = try #require(built.places["way/1"])
    let dataset = built.set.dataset
    let found = built.set.feature(place).memberships.map { membership in
      let role = dataset.relations.members[Int(membership.member)].role
      let relation = dataset.relations.elements.ids[Int(membership.relation)]
      return "\(relation) \(dataset.strings.string(role))"
    }
    #expect(found == ["3 outer", "3 inner", "4 "])
  }
}
