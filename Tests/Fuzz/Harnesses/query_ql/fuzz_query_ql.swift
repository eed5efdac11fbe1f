// Overpass QL: any text gives a query or errors inside the text; a query is printed in each form and
// layout and read as the same.

import FuzzSupport
import OverpassKit

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  exercise(query: Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}
