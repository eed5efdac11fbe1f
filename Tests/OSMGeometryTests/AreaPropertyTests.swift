// What must not change an area: order, direction, splitting, turning the map, other ids, and how the
// answer prints geometry. From JSON to the area, for random multipolygons.

import OSMGeometry
import OSMModel
import OverpassTestSupport
import Testing

/// A multipolygon in the making.
private struct World {
  var nodes: [(id: Int, x: Int, y: Int)] = []
  /// Ways as places in `nodes`.
  var ways: [(id: Int, nodes: [Int])] = []
  var relation = 1

  init(_ random: inout SeededGenerator) {
    for line in nestedSquares(&random) {
      let first = nodes.count
      for (x, y) in line.dropLast() { nodes.append((nodes.count + 1, x - 30, y - 30)) }
      ways.append((ways.count + 1, (first..<nodes.count) + [first]))
    }
  }

  private var nodeTexts: [String] {
    nodes.map { "{\"type\":\"node\",\"id\":\($0.id),\"lon\":\($0.x),\"lat\":\($0.y)}" }
  }

  private func line(_ way: [Int]) -> String {
    way.map { "{\"lon\":\(nodes[$0].x),\"lat\":\(nodes[$0].y)}" }.joined(separator: ",")
  }

  /// The elements as `out body` prints them.
  var elements: [String] {
    let list = ways.map { "w\($0.id)" }.joined(separator: ",")
    return nodeTexts
      + ways.map { way in OSMGeometryTests.way(way.id, way.nodes.map { nodes[$0].id }) }
      + [OSMGeometryTests.relation(relation, list, ["type": "multipolygon", "natural": "water"])]
  }

  /// The relation alone, as `out geom` prints it: no node has an id.
  var inline: String {
    let members = ways.map {
      "{\"type\":\"way\",\"ref\":\($0.id),\"role\":\"outer\",\"geometry\":[\(line($0.nodes))]}"
    }
    return
      "{\"type\":\"relation\",\"id\":\(relation),\"members\":[\(members.joined(separator: ","))],"
      + "\"tags\":{\"type\":\"multipolygon\",\"natural\":\"water\"}}"
  }

  /// Ways and relation as `out geom` prints them when ways have no ids of nodes either.
  var waysWithGeometry: String {
    let lines = ways.map { way in
      "{\"type\":\"way\",\"id\":\(way.id),\"geometry\":[\(line(way.nodes))]}"
    }
    return (lines + elements.suffix(1)).joined(separator: ",")
  }

  mutating func reverseWays(_ random: inout SeededGenerator) {
    for way in ways.indices where Bool.random(using: &random) { ways[way].nodes.reverse() }
  }

  mutating func splitWays(_ random: inout SeededGenerator) {
    for way in ways.indices where ways[way].nodes.count > 3 {
      let cut = Int.random(in: 1..<ways[way].nodes.count - 1, using: &random)
      ways.append((ways.count + 1, Array(ways[way].nodes[cut...])))
      ways[way].nodes.removeLast(ways[way].nodes.count - cut - 1)
    }
  }

  mutating func turn() { nodes = nodes.map { ($0.id, -$0.y, $0.x) } }

  mutating func renumber(_ random: inout SeededGenerator) {
    let numbers = (0..<nodes.count + ways.count).map { $0 * 7 + 1_000_000_000_000 }
      .shuffled(using: &random)
    for node in nodes.indices { nodes[node].id = numbers[node] }
    for way in ways.indices { ways[way].id = numbers[nodes.count + way] }
    relation = numbers[0]
  }
}

@Suite struct AreaPropertyTests {
  private func area(_ world: World, _ elements: String) throws -> Geometry {
    let built = try features(elements)
    return try #require(built.geometries["relation/\(world.relation)"])
  }

  private func area(_ world: World) throws -> Geometry {
    try area(world, world.elements.joined(separator: ","))
  }

  @Test(arguments: 0..<60) func areaStays(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let world = World(&random)
    let expected = try area(world)
    let size = expected.partEnds.indices.reduce(0) { $0 + signedArea(expected.part($1)) }
    #expect(size > 0)

    let shuffled = world.elements.shuffled(using: &random).joined(separator: ",")
    #expect(try area(world, shuffled) == expected)
    var other = world
    other.ways.shuffle(using: &random)
    #expect(try area(other) == expected)
    other.reverseWays(&random)
    #expect(try area(other) == expected)
    other.splitWays(&random)
    #expect(try area(other) == expected)
    other.renumber(&random)
    #expect(try area(other) == expected)
    #expect(try area(other, other.inline) == expected)
    #expect(try area(other, other.waysWithGeometry) == expected)
    for _ in 0..<4 {
      other.turn()
      let turned = try area(other)
      #expect(turned.partEnds.indices.reduce(0) { $0 + signedArea(turned.part($1)) } == size)
      #expect(turned.partEnds.count == expected.partEnds.count)
      #expect(try area(other, other.inline) == turned)
    }
    #expect(try area(other) == expected)
  }

  /// Some ways with ids of nodes, others with positions alone.
  @Test(arguments: 0..<20) func idsAndPositionsMixed(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var world = World(&random)
    let expected = try area(world)
    world.splitWays(&random)
    var elements = world.elements
    for way in world.ways.indices where Bool.random(using: &random) {
      let text = world.ways[way].nodes.map {
        "{\"lon\":\(world.nodes[$0].x),\"lat\":\(world.nodes[$0].y)}"
      }.joined(separator: ",")
      elements[world.nodes.count + way] =
        "{\"type\":\"way\",\"id\":\(world.ways[way].id),\"geometry\":[\(text)]}"
    }
    #expect(try area(world, elements.joined(separator: ",")) == expected)
  }
}
