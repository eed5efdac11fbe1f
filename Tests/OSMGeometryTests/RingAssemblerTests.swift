// Ring assembly: shapes that OSM data holds, sound and broken ones, and large ones.

import OverpassTestSupport
import Testing

@testable import OSMGeometry
@testable import OSMModel

@Suite struct RingAssemblerTests {
  @Test func ringOfTwoWaysInDifferentDirections() {
    let area = assemble([way([(0, 0), (4, 0), (4, 4)]), way([(0, 0), (0, 4), (4, 4)])])
    #expect(area.text == "((0 0,4 0,4 4,0 4,0 0))")
  }

  @Test func holeWhateverTheRolesAndTheOrder() {
    let outer = square(0, 0, 10)
    let inner = square(4, 4, 2)
    let expected = "((0 0,10 0,10 10,0 10,0 0),(4 4,4 6,6 6,6 4,4 4))"
    for roles in [
      [RingRole.outer, .inner], [.outer, .outer], [.empty, .inner], [.empty, .empty],
    ] {
      #expect(assemble([(outer, roles[0]), (inner, roles[1])]).text == expected)
      #expect(assemble([(inner, roles[1]), (outer.reversed(), roles[0])]).text == expected)
    }
  }

  @Test func islandsInHolesToAnyDepth() {
    let rings = [0, 1, 2, 3, 4].map { square($0, $0, 10 - 2 * $0) }
    let area = assemble(rings.shuffled().map { ($0, .empty) })
    #expect(area.geometry.polygonEnds.count == 3)
    #expect(area.size == 100 - 64 + 36 - 16 + 4)
  }

  @Test func ringsThatShareAnEdgeMerge() {
    let area = assemble([(square(0, 0, 10), .outer), (square(10, 0, 10), .outer)])
    #expect(area.text == "((0 0,10 0,20 0,20 10,10 10,0 10,0 0))")
    let holes = assemble([
      (square(0, 0, 10), .outer), (square(2, 2, 2), .inner), (square(4, 2, 2), .inner),
    ])
    #expect(holes.geometry.partEnds.count == 2)
    #expect(holes.size == 92)
    #expect(!holes.result.isPartial)
  }

  @Test func figureOfEightBecomesTwoPolygons() {
    let area = assemble([way([(0, 0), (4, 0), (2, 2), (0, 4), (4, 4), (2, 2), (0, 0)])])
    #expect(area.geometry.polygonEnds.count == 2)
    #expect(area.size == 8)
  }

  @Test func holeTouchingItsOuterInOneVertex() {
    let outer = [(0, 0), (5, 0), (10, 0), (10, 10), (0, 10), (0, 0)]
    let hole = [(5, 0), (6, 4), (4, 4), (5, 0)]
    let area = assemble([(outer, .outer), (hole, .inner)])
    #expect(area.geometry.polygonEnds == [2])
    #expect(area.size == 96)
  }

  @Test func holeTouchingItsOuterInTwoVerticesCutsItApart() {
    let outer = [(0, 0), (5, 0), (10, 0), (10, 10), (5, 10), (0, 10), (0, 0)]
    let hole = [(5, 0), (6, 5), (5, 10), (4, 5), (5, 0)]
    let area = assemble([(outer, .outer), (hole, .inner)])
    #expect(area.geometry.polygonEnds.count == 2)
    #expect(area.size == 90)
  }

  @Test func chainOfHolesEnclosesAnIsland() {
    let outer = square(-10, -10, 20)
    let first = [(0, -4), (4, 0), (4, -4), (0, -4)]
    let second = [(4, 0), (0, 4), (4, 4), (4, 0)]
    let third = [(0, 4), (-4, 0), (0, -4), (-5, -5), (-5, 5), (0, 4)]
    let area = assemble([(outer, .outer), (first, .inner), (second, .inner), (third, .inner)])
    #expect(area.geometry.polygonEnds.count == 2)
    #expect(area.text.contains("((-4 0,0 -4,4 0,0 4,-4 0))"))
  }

  @Test func strayInnerRingIsLeftOut() {
    let stray = [(20, 20), (21, 20), (21, 21), (20, 20)]
    let area = assemble([(square(0, 0, 10), .outer), (stray, .inner)])
    #expect(area.size == 100)
    #expect(area.kinds.contains(.strayInnerRing))
    #expect(assemble([(stray, .inner)]).size == 0.5)
  }

  @Test func openPartsAreLeftOut() {
    let area = assemble([
      (square(0, 0, 10), .outer), ([(20, 0), (30, 0), (30, 10)], .outer),
      ([(10, 10), (15, 15)], .outer),
    ])
    #expect(area.size == 100)
    #expect(area.result.isPartial)
    #expect(area.kinds.contains(.openRing))
    #expect(!assemble([way([(0, 0), (5, 0), (5, 5)])]).result.hasArea)
    let chord = assemble([(square(0, 0, 10), .outer), ([(0, 0), (5, 5), (10, 10)], .outer)])
    #expect(!chord.result.hasArea)
  }

  @Test func crossingRingsGiveNoArea() {
    let bowTie = [(0, 0), (4, 4), (4, 0), (0, 4), (0, 0)]
    let alone = assemble([way(bowTie)])
    #expect(!alone.result.hasArea)
    #expect(alone.problems.contains { $0.kind == .intersection && $0.position == point(2, 2) })
    let beside = assemble([(bowTie, .outer), (square(10, 10, 5), .outer)])
    #expect(beside.size == 25)
    #expect(beside.result.isPartial)
  }

  @Test func holesOfABrokenOuterDoNotBecomeAreas() {
    let bowTie = [(0, 0), (40, 40), (40, 0), (0, 40), (0, 0)]
    let area = assemble([(bowTie, .outer), (square(2, 15, 4), .inner)])
    #expect(!area.result.hasArea)
  }

  @Test func touchingWithinASegmentIsAConflict() {
    let first = square(0, 0, 10)
    let second = [(5, 10), (7, 15), (3, 15), (5, 10)]
    #expect(!assemble([(first, .outer), (second, .outer)]).result.hasArea)
    let repaired = assemble([(first, .outer), (second, .outer)], repair: .full)
    #expect(repaired.size == 110)
    #expect(repaired.result.isPartial)
  }

  @Test func repeatedSegmentsCancel() {
    let ring = square(0, 0, 10)
    #expect(!assemble([(ring, .outer), (ring, .outer)]).result.hasArea)
    #expect(assemble([(ring, .outer), (ring, .outer)], repair: .full).size == 100)
    #expect(assemble([(ring, .outer), (ring, .outer), (ring, .outer)]).size == 100)
    let spike = [(0, 0), (0, 5), (0, 9), (0, 5), (5, 5), (5, 0), (0, 0)]
    #expect(assemble([way(spike)]).size == 25)
    #expect(!assemble([way(spike)], repair: .none).result.hasArea)
  }

  @Test func shortGapIsClosedOnlyWhenAsked() {
    let open = [(40, 0), (0, 0), (0, 40), (40, 40), (40, 2)]
    #expect(!assemble([way(open)]).result.hasArea)
    #expect(assemble([way(open)], repair: .full).size == 1600)
  }

  @Test(arguments: 0..<60) func orderDirectionSplittingAndTurningDoNotMatter(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let lines = nestedSquares(&random)
    let size = assemble(lines.map { ($0, .empty) }).size
    var pieces: [(Line, RingRole)] = []
    for line in lines {
      let cut = Int.random(in: 1..<line.count - 1, using: &random)
      pieces.append((Array(line[...cut]), .empty))
      pieces.append((Array(line[cut...].reversed()), .empty))
    }
    pieces.shuffle(using: &random)
    #expect(assemble(pieces).size == size)
    let turned = pieces.map { ($0.0.map { (-$0.1, $0.0) }, $0.1) }
    #expect(assemble(turned).size == size)
  }

  @Test func wideWorld() {
    let world = [(-180, -90), (180, -90), (180, 90), (-180, 90), (-180, -90)]
    #expect(assemble([way(world)]).size == 360 * 180)
  }
}
