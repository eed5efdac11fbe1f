// Recognition by content (JSON, XML, HTML, gzip, bzip2), replies of servers and the status page: any
// bytes are told apart and read without harm.

import FuzzSupport
import OverpassKit

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var input = ByteReader(UnsafeBufferPointer(start: start, count: count))
  let choice = input.byte()
  let options = decodeOptions(choice)
  let bytes = input.bytes()
  do throws(AnswerError) {
    walk(try OverpassAnswer.decode(bytes, options: options))
  } catch {
    if case .server(let error) = error { _ = error.text + (error.message?.text ?? "") }
  }
  let statuses: [Int?] = [200, nil, 400, 429, 500, 503, 504, 302]
  let types: [String?] = [
    nil, "application/json", "application/osm3s+xml", "text/csv; charset=utf-8",
  ]
  bytes.withUnsafeBufferPointer { buffer in
    _ = OverpassAnswer.format(of: buffer)
    _ = ServerError.classify(
      status: statuses[Int(choice) % statuses.count],
      contentType: types[Int(choice >> 3) % types.count], body: buffer, options: options)
  }
  let text = String(decoding: bytes, as: UTF8.self)
  for message in ServerMessage.messages(inRemark: text) { _ = message.text }
  _ = ServerMessage(text)
  _ = try? ServerStatus(text)
  return 0
}
