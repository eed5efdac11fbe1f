// Lines of routes: order, one-way branches, gaps.

import OSMGeometry
import OSMModel
import OverpassTestSupport
import Testing

@Suite struct RouteTests {
  /// A street of nodes 1, 2, …, 6 from west to east; 11 north and 21 south of node 3, 12 and 22 of 4.
  private let points = nodes([
    1: (1, 0), 2: (2, 0), 3: (3, 0), 4: (4, 0), 5: (5, 0), 6: (6, 0), 11: (3, 1), 12: (4, 1),
    21: (3, -1), 22: (4, -1), 23: (3.5, -2),
  ])
  private let before = way(1, [1, 2])
  private let after = way(2, [5, 6])
  private let whole = "(1 0,2 0,3 1,4 1,5 0,6 0)"

  private func route(_ ways: [String], _ members: String) throws -> String? {
    let built = try features(
      ([points, before, after] + ways + [relation(9, members, ["type": "route", "route": "bus"])])
        .joined(separator: ","))
    return built["relation/9"]
  }

  /// Between nodes 2 and 5 the route splits: one way there over 11 and 12, one back over 22 and 21.
  @Test(arguments: [
    // The branch back as it is travelled, drawn in that direction or against it.
    ("w3 forward,w4 forward", [5, 22, 21, 2]), ("w3 forward,w4 backward", [2, 21, 22, 5]),
    // The branch back first.
    ("w4 forward,w3 forward", [5, 22, 21, 2]), ("w4 backward,w3 forward", [2, 21, 22, 5]),
  ])
  func oneWayBranches(roles: String, back: [Int]) throws {
    let there = way(3, [2, 11, 12, 5])
    let text = try route([there, way(4, back)], "w1,\(roles),w2")
    let main = "(1 0,2 0,3 1,4 1,5 0,6 0)"
    let branch = "(5 0,4 -1,3 -1,2 0)"
    if roles.hasPrefix("w3") {
      #expect(text == "MULTILINESTRING(\(branch),\(main))")
    } else {
      // What was listed first stays with the whole, which then runs in that branch's direction.
      #expect(
        text == "MULTILINESTRING((2 0,3 1,4 1,5 0),(6 0,5 0,4 -1,3 -1,2 0,1 0))")
    }
  }

  /// Branches of several ways, the one back listed as travelled or from the fork on.
  @Test(arguments: ["w5 forward,w6 forward,w7 forward", "w7 forward,w6 forward,w5 forward"])
  func branchesOfSeveralWays(back: String) throws {
    let ways = [
      way(3, [2, 11]), way(4, [5, 12, 11]), way(5, [5, 22]), way(6, [22, 21]), way(7, [21, 2]),
    ]
    let text = try route(ways, "w1,w3 forward,w4 backward,\(back),w2")
    #expect(text == "MULTILINESTRING((5 0,4 -1,3 -1,2 0),\(whole))")
  }

  @Test func loopAtTheEnd() throws {
    let ways = [way(3, [2, 11, 12]), way(4, [12, 22, 21, 2])]
    #expect(
      try route(ways, "w1,w3 forward,w4 forward")
        == "LINESTRING(1 0,2 0,3 1,4 1,4 -1,3 -1,2 0)")
  }

  /// The direction of a line is that of its one-way parts.
  @Test func directedPartsDecideTheDirection() throws {
    let ways = [way(3, [2, 3]), way(4, [3, 4])]
    #expect(try route(ways, "w1,w3,w4 backward") == "LINESTRING(4 0,3 0,2 0,1 0)")
    #expect(try route(ways, "w4 backward,w3,w1") == "LINESTRING(4 0,3 0,2 0,1 0)")
  }

  /// Ways 1 and 2 meet a closed way at different nodes; it is followed from the one to the other.
  @Test(arguments: [
    // The short way round, as nothing tells a direction; nodes 11 and 12 lie on it.
    ("w3", [2, 21, 23, 22, 5, 12, 11, 2], "(1 0,2 0,3 1,4 1,5 0,6 0)"),
    ("w3", [5, 22, 23, 21, 2, 11, 12, 5], "(1 0,2 0,3 1,4 1,5 0,6 0)"),
    ("w3 forward", [2, 21, 22, 5, 12, 11, 2], "(1 0,2 0,3 -1,4 -1,5 0,6 0)"),
    ("w3 backward", [2, 21, 22, 5, 12, 11, 2], "(1 0,2 0,3 1,4 1,5 0,6 0)"),
    ("w4", [2, 21, 22, 5, 12, 11, 2], "(1 0,2 0,3 -1,4 -1,5 0,6 0)"),
  ])
  func roundaboutsAreFollowedOnRequest(ring: String, nodes: [Int], line: String) throws {
    var options = FeatureOptions()
    options.followsRoundabouts = true
    let ways = [way(3, nodes), way(4, nodes, ["junction": "roundabout"])]
    for (members, isFirst) in [("w1,\(ring),w2", true), ("\(ring),w1,w2", false)] {
      let json = ([points, before, after] + ways + [relation(9, members, ["type": "route"])])
        .joined(separator: ",")
      let built = try features(json, options)
      #expect((built["relation/9"] == "LINESTRING\(line)") == isFirst)
      #expect(try features(json)["relation/9"]?.hasPrefix("MULTI") == true)
    }
  }

  @Test func gapsAndBranchesStay() throws {
    let ways = [way(3, [3, 4]), way(4, [2, 21])]
    #expect(
      try route(ways, "w1,w3,w2,w4") == "MULTILINESTRING((1 0,2 0),(3 0,4 0),(5 0,6 0),(2 0,3 -1))")
  }

  /// Whatever roles and order, each way is drawn once and nothing else is.
  @Test(arguments: 0..<200) func everyWayOnce(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let grid = (0..<16).map {
      "{\"type\":\"node\",\"id\":\($0),\"lon\":\($0 % 4),\"lat\":\($0 / 4)}"
    }
    var edges = Set<Set<Int>>()
    var ways: [String] = []
    var members: [String] = []
    while ways.count < 12 {
      let from = Int.random(in: 0..<16, using: &random)
      let to = from + (Bool.random(using: &random) ? 1 : 4)
      guard to < 16, to % 4 != 0 || to - from == 4, edges.insert([from, to]).inserted else {
        continue
      }
      ways.append(way(ways.count + 1, Bool.random(using: &random) ? [from, to] : [to, from]))
      let role = ["", " forward", " backward"].randomElement(using: &random) ?? ""
      members.append("w\(ways.count)\(role)")
    }
    members.shuffle(using: &random)
    let built = try features(
      (grid + ways + [relation(9, members.joined(separator: ","), ["type": "route"])])
        .joined(separator: ","))
    let geometry = try #require(built.geometries["relation/9"])
    var drawn: [Set<Int>] = []
    for part in geometry.partEnds.indices {
      let line = geometry.part(part).map {
        Int($0.longitudeE7) / 10_000_000 + Int($0.latitudeE7) / 10_000_000 * 4
      }
      drawn += zip(line, line.dropFirst()).map { [$0, $1] }
    }
    #expect(drawn.count == edges.count)
    #expect(Set(drawn) == edges)
  }
}
