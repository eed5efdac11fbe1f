// CSV: any bytes with any separator become a table in which each cell can be asked for.

import FuzzSupport
import OverpassKit

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var input = ByteReader(UnsafeBufferPointer(start: start, count: count))
  let options = decodeOptions(input.byte())
  let choice = input.byte()
  var layout = OverpassCSV.Layout()
  let separators = ["\t", ",", ";", "|", "\"", "ab", "", "\n"]
  layout.separator = separators[Int(choice) % separators.count]
  layout.hasHead = choice & 8 == 0
  if choice & 16 != 0 {
    layout.columns = ["id", "lat", "lon", "timestamp", "type"].map { .field($0) } + [.tag("name")]
  }
  let bytes = input.bytes()
  do throws(AnswerError) {
    let table = try OverpassCSV.decode(bytes, layout: layout, options: options)
    for column in table.columns {
      require(table.column(column) != nil, "a column is not found")
    }
    for row in 0..<table.rowCount {
      for column in 0..<max(table.columns.count, table.cellCount(row: row)) {
        _ = table.number(row: row, column: column)
        _ = table.string(row: row, column: column)
      }
    }
  } catch {
    if case .decode(let error) = error, let offset = error.offset {
      require(offset >= 0 && offset <= bytes.count, "an error outside of the input: \(error)")
    }
  }
  return 0
}
