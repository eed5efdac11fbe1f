// Overpass JSON: any bytes decode or fail with an error inside the input; a cut answer keeps no part
// of an unfinished element.

import FuzzSupport
import OverpassKit

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var input = ByteReader(UnsafeBufferPointer(start: start, count: count))
  let options = decodeOptions(input.byte())
  let bytes = input.bytes()
  do throws(DecodeError) {
    let response = try OverpassJSON.decode(bytes, options: options)
    walk(response)
  } catch {
    if let offset = error.offset {
      require(offset >= 0 && offset <= bytes.count, "an error outside of the input: \(error)")
    }
  }
  return 0
}
