import OSMModel
import Testing

@Suite struct ColumnTests {
  @Test func growsAndKeepsItsValues() {
    var column = Column<Int64>()
    for value in 0..<10_000 { column.append(Int64(value)) }
    #expect(column.count == 10_000)
    #expect((0..<10_000).allSatisfy { column[$0] == Int64($0) })
    column.truncate(to: 3)
    #expect(Array(column.buffer) == [0, 1, 2])
    column.shrink()
    #expect(Array(column.buffer) == [0, 1, 2])
    #expect(column.last == 2)
  }

  @Test func spareCapacityIsKeptOnlyWhenCommitted() {
    var column = Column<UInt8>()
    column.reserve(8)
    column.spareCapacity[0] = 7
    #expect(column.isEmpty == true)
    column.commit(1)
    #expect(Array(column.buffer) == [7])
    column.commit(1_000_000)
    #expect(column.count <= 64)
  }

  @Test func optionalColumnHoldsNothingUntilAValueIsSet() {
    var column = OptionalColumn<Int32>(absent: .min)
    #expect(column[5] == nil)
    #expect(column.isEmpty == true)
    column.set(9, at: 3)
    #expect(column[2] == nil)
    #expect(column[3] == 9)
    #expect(column[4] == nil)
    column.set(1, at: 0)
    #expect(column[0] == 1)
    column.complete(to: 6)
    #expect(column.buffer.count == 6)
  }
}
