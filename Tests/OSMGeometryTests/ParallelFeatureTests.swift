// Many features at once: kinds and problems are the same, and in the same order, as one by one.

import OSMGeometry
import OSMModel
import OverpassTestSupport
import Testing

@Suite struct ParallelFeatureTests {
  @Test func sameAsOneByOne() throws {
    var random = SeededGenerator(seed: 3)
    var elements = [corners]
    for id in 1...9_000 {
      let line = (0..<4).map { _ in Int.random(in: 1...5, using: &random) }
      elements.append(
        way(id, line + [line[0]], Bool.random(using: &random) ? ["building": "a"] : [:]))
    }
    let set = try features(elements.joined(separator: ",")).set
    #expect(set.count > 8_000)
    var assembler = set.makeAssembler()
    assembler.collectsProblems = true
    var geometry = Geometry()
    let kinds = (0..<set.count).map { assembler.geometry(of: $0, into: &geometry).kind }
    #expect(set.kinds() == kinds)
    #expect(set.kinds(first: 10) == Array(kinds.prefix(10)))
    #expect(set.kinds(first: -1).isEmpty)
    #expect(assembler.problems.count > 1_000)
    #expect(set.problems() == assembler.problems + set.ownProblems())
  }
}
