// The XML form of queries: what holds for Overpass QL holds for it. The text is taken as XML whatever
// it begins with, so that no time is lost on the other language.

import FuzzSupport
import OverpassKit

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var text = Array(UnsafeBufferPointer(start: start, count: count))
  if text.first != UInt8(ascii: "<") { text.insert(UInt8(ascii: "<"), at: 0) }
  exercise(query: text)
  return 0
}
