// Finding many rows by id, and work on several threads.

import OverpassTestSupport
import Synchronization
import Testing

@testable import OSMModel

@Suite struct RowFinderTests {
  private func table(_ ids: [Int64]) -> ElementTable {
    var table = ElementTable()
    for id in ids { table.ids.append(id) }
    if ids != ids.sorted() {
      for row in ids.indices.sorted(by: { ids[$0] < ids[$1] }) {
        table.rowsByID.append(UInt32(row))
      }
    }
    return table
  }

  @Test(arguments: 0..<60) func agreesWithSingleLookUps(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let width: Int64 = [10, 1000, 1 << 40, Int64.max].randomElement(using: &random) ?? 10
    var ids = Array(
      Set(
        (0..<Int.random(in: 0...300, using: &random)).map { _ in
          Int64.random(in: -width...width, using: &random)
        }))
    // Old ids are dense, new ones far away.
    if Bool.random(using: &random) { ids += (0..<200).map { Int64($0) * 3 - 7_000_000 } }
    ids = Array(Set(ids))
    if Bool.random(using: &random) { ids.sort() } else { ids.shuffle(using: &random) }
    let table = table(ids)
    for lookUps in [0, ids.count] {
      let finder = RowFinder(table, lookUps: lookUps)
      let hint = Int.random(in: 0..<1_000, using: &random)
      for id in ids + ids.map({ $0 &+ 1 }) + [0, .min, .max] {
        #expect(finder.row(ofID: id, in: table, after: hint) == table.row(ofID: id))
      }
    }
  }

  @Test func emptyTable() {
    let table = ElementTable()
    #expect(RowFinder(table, lookUps: 5).row(ofID: 1, in: table, after: 0) == nil)
  }

  @Test(arguments: [0, 1, 7, 1000, 100_001]) func everyNumberOnce(count: Int) {
    let sum = Atomic<Int>(0)
    let calls = Atomic<Int>(0)
    inParallel(count, share: 10) { range in
      sum.wrappingAdd(range.reduce(0, +), ordering: .relaxed)
      calls.wrappingAdd(range.count, ordering: .relaxed)
    }
    #expect(calls.load(ordering: .relaxed) == count)
    #expect(sum.load(ordering: .relaxed) == count * (count - 1) / 2)
  }
}
