// Helpers for tests of ring assembly: lines of small whole numbers, areas and their text.

import OverpassTestSupport

@testable import OSMGeometry
@testable import OSMModel

typealias Line = [(Int, Int)]

func way(_ line: Line) -> (Line, RingRole) { (line, .outer) }

func square(_ x: Int, _ y: Int, _ side: Int) -> Line {
  [(x, y), (x + side, y), (x + side, y + side), (x, y + side), (x, y)]
}

/// A position in whole degrees.
func point(_ x: Int, _ y: Int, scale: Int = 10_000_000) -> Coordinate {
  Coordinate(longitudeE7: Int32(x * scale), latitudeE7: Int32(y * scale))
}

struct AssembledArea {
  var geometry: Geometry
  var result: AssemblyResult
  var problems: [Problem]
  var scale: Int

  var kinds: Set<ProblemKind> { Set(problems.map(\.kind)) }

  /// Polygons in the manner of WKT.
  var text: String {
    var ring = 0
    return geometry.polygonEnds.map { end in
      let rings = (ring..<end).map { index in
        let points = geometry.part(index).map {
          "\(Int($0.longitudeE7) / scale) \(Int($0.latitudeE7) / scale)"
        }
        return "(\(points.joined(separator: ",")))"
      }
      ring = end
      return "(\(rings.joined(separator: ",")))"
    }.joined(separator: ",")
  }

  /// Square degrees; holes count negative, as they run clockwise.
  var size: Double { geometry.partEnds.indices.reduce(0) { $0 + signedArea(geometry.part($1)) } }
}

func signedArea(_ ring: ArraySlice<Coordinate>) -> Double {
  zip(ring, ring.dropFirst()).reduce(0) { sum, pair in
    sum + pair.0.longitude * pair.1.latitude - pair.1.longitude * pair.0.latitude
  } / 2
}

func assemble(
  _ ways: [(Line, RingRole)], repair: Repair = .largest, scale: Int = 10_000_000
) -> AssembledArea {
  var assembler = RingAssembler()
  assembler.collectsProblems = true
  assembler.begin(ElementID(.relation, 1))
  for (index, (line, role)) in ways.enumerated() {
    assembler.addWay(id: Int64(index + 1), role: role)
    line.map { point($0.0, $0.1, scale: scale) }.withUnsafeBufferPointer { assembler.addLine($0) }
  }
  var geometry = Geometry()
  let result = assembler.assemble(into: &geometry, repair: repair)
  return AssembledArea(
    geometry: geometry, result: result, problems: assembler.problems, scale: scale)
}

/// Squares in squares and beside each other that neither cross nor share edges.
func nestedSquares(_ random: inout SeededGenerator) -> [Line] {
  var lines: [Line] = []
  func fill(_ x: Int, _ y: Int, _ side: Int, _ depth: Int) {
    guard side >= 3, depth < 4 else { return }
    lines.append(square(x, y, side))
    let inner = side / 2 - 1
    for (dx, dy) in [(1, 1), (side / 2, 1), (1, side / 2), (side / 2, side / 2)]
    where inner >= 1 && Bool.random(using: &random) {
      fill(x + dx, y + dy, inner - 1, depth + 1)
    }
  }
  fill(0, 0, 60, 0)
  return lines
}
