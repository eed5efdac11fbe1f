// Public bug reports of other programs about areas, lines and relations, retold (B077 to B118 of the
// shared list), each with the input and what is right. OSM ids and positions in them are invented.

import OSMGeometry
import OSMModel
import Testing

/// One report.
struct BugReport: Sendable, CustomTestStringConvertible {
  var number: Int
  var title: String
  var elements: String
  /// Features and their geometry; others may be there.
  var features: [String: String]
  /// Problems such as `way/1 intersection`, all of which have to be reported.
  var problem: String?

  var testDescription: String { "B\(number) \(title)" }
}

@Suite struct BugReportTests {
  @Test(arguments: bugReports) func report(_ report: BugReport) throws {
    let built = try features(report.elements)
    for (id, expected) in report.features { #expect(built[id] == expected) }
    if let problem = report.problem {
      let found = built.problems.map {
        "\($0.element.type.name ?? "")/\($0.element.number) \($0.kind.name)"
      }
      #expect(found.contains(problem), "\(found)")
    }
  }

  private func input(_ number: Int) throws -> String {
    try #require(bugReports.first { $0.number == number }).elements
  }

  @Test func wallsByProfile() throws {
    let listed = try features(input(77), FeatureOptions(profile: .osmtogeojson))
    #expect(listed.geometries["way/1"]?.kind == .polygon)
    #expect(listed.geometries["way/2"]?.kind == .polygon)
    let spikes = try features(input(83), FeatureOptions(profile: .osmtogeojson))
    #expect(spikes.geometries["way/4"]?.kind == .polygon)
    #expect(spikes.geometries["way/1"]?.kind == .lineString)
  }

  @Test func allRolesEmpty() throws {
    let empty = try input(88).split(separator: "inner").joined()
    #expect(try features(empty)["relation/3"] == features(input(88))["relation/3"])
  }

  @Test func crossingRingOnRequest() throws {
    var options = FeatureOptions()
    options.keepsInvalidRings = true
    let built = try features(input(101), options)
    #expect(built.geometries["way/1"]?.kind == .polygon)
    #expect(built.infos["way/1"]?.isValid == false)
    let problem = built.problems.first { $0.kind == .intersection }
    #expect(problem?.position == Coordinate(longitude: 2, latitude: 2))
  }

  @Test func subareasDoNotTaint() throws {
    #expect(try features(input(102)).isTainted("relation/3") == false)
  }

  @Test func oldStyleTagsAndIdentity() throws {
    let built = try features(input(104))
    #expect(built.ids == ["relation/3"])
    #expect(built.tags["relation/3"]?["landuse"] == "forest")
    let compatible = try features(input(104), FeatureOptions(profile: .osmtogeojson))
    #expect(compatible.ids == ["way/1"])
    #expect(compatible.tags["way/1"]?["landuse"] == "forest")
  }

  @Test func strayRingAsAnAreaOnRequest() throws {
    var options = FeatureOptions()
    options.rolesDecideStrayRings = false
    #expect(try features(input(105), options).size("relation/3") == 100.5)
  }

  @Test func holeOfTheMergedArea() throws {
    let built = try features(input(107))
    #expect(abs((built.size("relation/4") ?? 0) - 194) < 1e-9)
    #expect(built.geometries["relation/4"]?.partEnds.count == 2)
    #expect(built.geometries["relation/4"]?.polygonEnds.count == 1)
  }

  @Test func clippedRouteIsTainted() throws {
    let built = try features(input(109))
    #expect(built.isTainted("relation/4") == true)
    #expect(built.missing("relation/4") == [ElementID(.way, 2)])
  }

  @Test func boxAndAntimeridian() throws {
    let built = try features(input(115))
    let box = built.geometries["way/1"]?.boundingBox
    #expect(box?.westE7 == 1_795_000_000)
    #expect(box?.eastE7 == -1_795_000_000)
    var options = FeatureOptions()
    options.cutsAntimeridian = false
    #expect(try features(input(115), options)["way/2"] == "LINESTRING(179.5 65,-179.5 65)")
  }
}
