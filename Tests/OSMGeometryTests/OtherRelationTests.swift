// Relations that tie things together, collections of members, super-relations, raw rings.

import OSMGeometry
import OSMModel
import Testing

@Suite struct OtherRelationTests {
  private let stop = "{\"type\":\"node\",\"id\":9,\"lon\":20,\"lat\":0,\"tags\":{\"bus\":\"yes\"}}"
  private let building = way(1, [1, 2, 3, 4, 1], ["building": "yes"])
  private let street = way(2, [1, 3], ["highway": "residential"])
  private let side = way(3, [3, 4], ["highway": "service"])
  private let square = "POLYGON((0 0,10 0,10 10,0 10,0 0))"

  private func built(
    _ relations: String..., collecting: Bool = false, profile: FeatureProfile = .default
  ) throws -> BuiltFeatures {
    var options = FeatureOptions(profile: profile)
    options.collectsOtherRelations = collecting
    return try features(
      ([corners, stop, building, street, side] + relations).joined(separator: ","), options)
  }

  @Test(arguments: [
    // The street alone, without its houses.
    ("associatedStreet", "w2 street,w1 house,n9 house", "LINESTRING(0 0,10 10)"),
    // From one way to another.
    ("restriction", "w2 from,n3 via,w3 to", "LINESTRING(0 0,10 10,0 10)"),
    // Ways with the role `perimeter` are an area.
    ("site", "w1 perimeter,w2,n9", "POLYGON((0 0,10 0,10 10,0 10,0 0))"),
    // Otherwise ways are lines, also platforms.
    ("site", "w2,n9", "LINESTRING(0 0,10 10)"),
    ("public_transport", "n9 stop,w2 platform", "LINESTRING(0 0,10 10)"),
  ])
  func shapes(type: String, members: String, expected: String) throws {
    let built = try built(relation(5, members, ["type": type]))
    #expect(built["relation/5"] == expected)
    // What it is made of stays.
    #expect(built["way/2"] != nil && built["node/9"] != nil)
    let compatible = try self.built(
      relation(5, members, ["type": type]), profile: .osmtogeojson)
    #expect(compatible["relation/5"] == nil)
  }

  @Test(arguments: [
    ("route", "platform"), ("route", "platform_entry_only"), ("associatedStreet", "house"),
  ])
  func untaggedWaysThatAreNoPartOfTheLineStay(type: String, role: String) throws {
    let json =
      corners + "," + way(1, [1, 2]) + "," + way(2, [3, 4]) + ","
      + relation(5, "w1,w2 \(role)", ["type": type])
    let built = try features(json)
    #expect(built["relation/5"] == "LINESTRING(0 0,10 0)")
    #expect(built["way/1"] == nil)
    #expect(built["way/2"] == "LINESTRING(10 10,0 10)")
  }

  @Test func relationsOfOtherTypesOnRequest() throws {
    let other = relation(5, "n9,w1,w2", ["type": "organization"])
    #expect(try built(other)["relation/5"] == nil)
    let collected = try built(other, collecting: true)
    #expect(
      collected["relation/5"]
        == "GEOMETRYCOLLECTION(POINT(20 0),\(square),LINESTRING(0 0,10 10))")
    #expect(collected.infos["relation/5"]?.kind == .geometryCollection)
    #expect(collected.isTainted("relation/5") == false)
    #expect(collected.ids == ["node/9", "way/1", "way/2", "way/3", "relation/5"])
  }

  @Test func stopAreasAndSitesOnRequest() throws {
    let collected = try built(
      relation(5, "n9 stop,w2 platform", ["type": "public_transport"]),
      relation(6, "n9,w7", ["type": "site"]), relation(7, "w1 perimeter,n9", ["type": "site"]),
      relation(8, "n9", [:]), collecting: true)
    #expect(
      collected["relation/5"] == "GEOMETRYCOLLECTION(POINT(20 0),LINESTRING(0 0,10 10))")
    #expect(collected["relation/6"] == "GEOMETRYCOLLECTION(POINT(20 0))")
    #expect(collected.isTainted("relation/6") == true)
    #expect(collected.kinds(.relation, 6) == [.missingMembers])
    #expect(collected["relation/7"] == square)
    #expect(collected["relation/8"] == "GEOMETRYCOLLECTION(POINT(20 0))")
  }

  @Test func collectionsOfRelationsAndCycles() throws {
    let collected = try built(
      relation(5, "r6,r7,r8,n9", ["type": "collection"]),
      relation(6, "w1 outer", ["type": "multipolygon", "landuse": "farmyard"]),
      relation(7, "w2,w3", ["type": "route"]), relation(8, "w3,r5,r6", ["type": "network"]),
      collecting: true)
    #expect(
      collected["relation/5"]
        == "GEOMETRYCOLLECTION(\(square),LINESTRING(0 0,10 10,0 10),LINESTRING(10 10,0 10),POINT(20 0))"
    )
    #expect(collected.kinds(.relation, 5) == [.relationCycle])
  }

  @Test func superRelationsOfAnyDepth() throws {
    let depth = 500
    var relations = (1..<depth).map { relation($0, "r\($0 + 1)", ["type": "superroute"]) }
    relations.append(relation(depth, "w2,w3,r1", ["type": "route"]))
    let built = try features(
      ([corners, street, side] + relations).joined(separator: ","))
    for number in [1, 250, depth] {
      #expect(built["relation/\(number)"] == "LINESTRING(0 0,10 10,0 10)")
      #expect(built.kinds(.relation, Int64(number)) == [.relationCycle])
    }
  }

  @Test func rawRingsOnRequest() throws {
    var options = FeatureOptions()
    options.keepsInvalidRings = true
    let bow = way(1, [1, 3, 2, 4, 1], ["building": "yes"])
    let kept = try features(corners + "," + bow, options)
    #expect(kept["way/1"] == "POLYGON((0 0,10 10,10 0,0 10,0 0))")
    #expect(kept.infos["way/1"]?.isValid == false)
    let line = try features(corners + "," + bow)
    #expect(line["way/1"] == "LINESTRING(0 0,10 10,10 0,0 10,0 0)")
    #expect(line.infos["way/1"]?.isValid == true)
    #expect(line.kinds(.way, 1).isSuperset(of: [.intersection, .degenerateRing]))
  }
}
