// Ring assembly of random lines on a small grid, full of touching, crossing and repeated segments:
// whatever comes out must be valid, and cover what the even-odd rule covers.

import OverpassTestSupport
import Testing

@testable import OSMGeometry
@testable import OSMModel

@Suite struct RingAssemblerPropertyTests {
  @Test(arguments: [Repair.none, .largest, .full])
  func randomLines(repair: Repair) {
    var random = SeededGenerator(seed: 7)
    var areas = 0
    for _ in 0..<1_500 {
      let lines = randomGridLines(&random)
      let area = assemble(lines.map { ($0, .outer) }, repair: repair, scale: 1000)
      guard area.result.hasArea else { continue }
      areas += 1
      checkRings(area.geometry)
      if !area.result.isPartial { checkCover(area.geometry, lines, &random) }
    }
    #expect(areas > 150)
  }

  /// Rings are simple, wound by their part, and do not conflict with each other.
  private func checkRings(_ geometry: Geometry) {
    var firstRing = 0
    for end in geometry.polygonEnds {
      for ring in firstRing..<end {
        let positions = Array(geometry.part(ring))
        positions.withUnsafeBufferPointer { buffer in
          #expect(buffer.first == buffer.last)
          #expect(ringIsSimple(buffer))
          #expect(ringIsCounterClockwise(buffer) == (ring == firstRing))
        }
      }
      firstRing = end
    }
    let rings = geometry.partEnds.indices.map { Array(geometry.part($0)) }
    for (number, first) in rings.enumerated() {
      for second in rings[(number + 1)...] {
        for (a, b) in zip(first, first.dropFirst()) {
          for (c, d) in zip(second, second.dropFirst()) {
            #expect(!segmentsConflict(a, b, c, d) && !(a == c && b == d) && !(a == d && b == c))
          }
        }
      }
    }
  }

  /// Random points lie in the area when they lie in it by the even-odd rule.
  private func checkCover(
    _ geometry: Geometry, _ lines: [Line], _ random: inout SeededGenerator
  ) {
    let rings = geometry.partEnds.indices.map { Array(geometry.part($0)) }
    let input = lines.map { line in line.map { point($0.0, $0.1, scale: 1000) } }
    for _ in 0..<20 {
      let sample = Coordinate(
        longitudeE7: Int32.random(in: 0...7_000, using: &random),
        latitudeE7: Int32.random(in: 0...7_000, using: &random))
      let touches = input.contains { line in
        zip(line, line.dropFirst()).contains { orientation($0, $1, sample) == 0 }
      }
      guard !touches else { continue }
      let isExpected = input.reduce(false) { $0 != crossesOddly($1, sample) }
      #expect(rings.reduce(false) { $0 != crossesOddly($1, sample) } == isExpected)
    }
  }

  private func crossesOddly(_ line: [Coordinate], _ point: Coordinate) -> Bool {
    var isOdd = false
    for (a, b) in zip(line, line.dropFirst())
    where (a.latitudeE7 > point.latitudeE7) != (b.latitudeE7 > point.latitudeE7) {
      let (low, high) = a.latitudeE7 < b.latitudeE7 ? (a, b) : (b, a)
      if orientation(low, high, point) > 0 { isOdd.toggle() }
    }
    return isOdd
  }

  private func randomGridLines(_ random: inout SeededGenerator) -> [Line] {
    let size = Int.random(in: 3...6, using: &random)
    return (0..<Int.random(in: 1...4, using: &random)).map { _ in
      if Bool.random(using: &random) { return gridSquare(size, &random) }
      var line = (0..<Int.random(in: 3...6, using: &random)).map { _ in
        (Int.random(in: 0..<size, using: &random), Int.random(in: 0..<size, using: &random))
      }
      if Int.random(in: 0..<10, using: &random) > 0, let first = line.first { line.append(first) }
      return line
    }
  }

  /// A rectangle with a vertex at every grid point, so that rectangles share vertices.
  private func gridSquare(_ size: Int, _ random: inout SeededGenerator) -> Line {
    let (x, y) = (
      Int.random(in: 0..<size - 1, using: &random), Int.random(in: 0..<size - 1, using: &random)
    )
    let (w, h) = (
      Int.random(in: 1..<size - x, using: &random), Int.random(in: 1..<size - y, using: &random)
    )
    var line: Line = []
    for step in 0..<w { line.append((x + step, y)) }
    for step in 0..<h { line.append((x + w, y + step)) }
    for step in 0..<w { line.append((x + w - step, y + h)) }
    for step in 0...h { line.append((x, y + h - step)) }
    return line
  }
}
