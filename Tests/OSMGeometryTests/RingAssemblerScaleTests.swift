// Ring assembly of large relations: cost must grow with the number of segments.

import OverpassTestSupport
import Testing

@testable import OSMGeometry
@testable import OSMModel

@Suite struct RingAssemblerScaleTests {
  @Test func circleOfManyWays() {
    var random = SeededGenerator(seed: 1)
    let count = 20_000
    var ways: [(Line, RingRole)] = []
    for index in 0..<count {
      let pair = [circlePoint(index, of: count), circlePoint((index + 1) % count, of: count)]
      ways.append((Bool.random(using: &random) ? pair : pair.reversed(), .outer))
    }
    ways.shuffle(using: &random)
    let area = assemble(ways, scale: 1)
    #expect(area.geometry.partEnds == [count + 1])
  }

  @Test func manyHoles() {
    var ways: [(Line, RingRole)] = [(square(0, 0, 1000), .outer)]
    for index in 0..<5_000 {
      ways.append((square(5 + index % 80 * 12, 5 + index / 80 * 12, 6), .inner))
    }
    let area = assemble(ways.reversed(), scale: 1000)
    #expect(area.geometry.polygonEnds == [5_001])
  }

  @Test func combOfTouchingRings() {
    var ways: [(Line, RingRole)] = []
    for index in 0..<200 {
      let x = index * 4
      ways.append(([(x, 0), (x + 2, 3), (x + 4, 0), (x + 2, -3), (x, 0)], .outer))
    }
    let area = assemble(ways, scale: 1000)
    #expect(area.geometry.polygonEnds.count == 200)
  }

  @Test(arguments: FeatureProfile.allCases)
  func manyMembersWithEmptyGeometries(profile: FeatureProfile) throws {
    for isOneWay in [false, true] {
      let members = (0..<5_000).map {
        "{\"type\":\"way\",\"ref\":\(isOneWay ? 1 : $0),\"role\":\"outer\",\"geometry\":[]}"
      }
      let built = try features(
        """
        {"type":"relation","id":1,"tags":{"type":"multipolygon"},
        "members":[\(members.joined(separator: ","))]}
        """, FeatureOptions(profile: profile))
      #expect(built.ids.isEmpty)
    }
  }

  @Test func manyRingsInOneVertex() {
    var ways: [(Line, RingRole)] = []
    for index in 0..<5_000 {
      let far = (1_000_000, -1_000_000 + index * 400)
      ways.append(([(0, 0), far, (far.0, far.1 + 100), (0, 0)], .outer))
    }
    #expect(assemble(ways, scale: 1).geometry.polygonEnds.count == 5_000)
  }
}

private func circlePoint(_ index: Int, of count: Int) -> (Int, Int) {
  // A convex closed line without trigonometry: the directions are sorted, so it does not cross.
  let quarter = count / 4
  let (side, step) = (index / quarter, index % quarter)
  let bulge = step * (quarter - step) / 10
  switch side {
  case 0: return (step * 1000, -bulge)
  case 1: return (quarter * 1000 + bulge, step * 1000)
  case 2: return ((quarter - step) * 1000, quarter * 1000 + bulge)
  default: return (-bulge, (quarter - step) * 1000)
  }
}
