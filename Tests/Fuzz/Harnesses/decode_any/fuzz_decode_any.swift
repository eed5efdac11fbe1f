// Recognition by content (JSON, XML, HTML, gzip, bzip2), replies of servers and the status page: any
// bytes are told apart and read without harm, and come to the same in portions of any size.

import FuzzSupport
@_spi(Testing) import OverpassDecoding
import OverpassKit

/// What decoding gives, in words.
private func outcome(_ decode: () throws(AnswerError) -> Response) -> String {
  do throws(AnswerError) {
    let response = try decode()
    walk(response)
    let data = response.dataset
    return "\(data.count) \(data.strings.count) \(response.diagnostics.count) "
      + "\(response.remarks.count) \(response.truncatedAt ?? -1)"
  } catch {
    switch error {
    case .server(let error): return error.text + (error.message?.text ?? "")
    case .decode(let error): return "\(error.kind) \(error.message) \(error.offset ?? -1)"
    }
  }
}

/// Decodes portions whose size changes from one to the next.
private func decodeInPortions(
  _ bytes: [UInt8], _ options: DecodeOptions, firstSize: Int
) throws(AnswerError) -> Response {
  var decoder = AnswerDecoder(options: options, portion: 1)
  var size = firstSize
  var start = 0
  while start < bytes.count {
    size = size * 7 % 61 + 1
    let end = min(start + size, bytes.count)
    try decoder.push(Array(bytes[start..<end]))
    start = end
  }
  return try decoder.finish()
}

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var input = ByteReader(UnsafeBufferPointer(start: start, count: count))
  let choice = input.byte()
  let options = decodeOptions(choice)
  let bytes = input.bytes()
  let whole = outcome { () throws(AnswerError) in
    try OverpassAnswer.decode(bytes, options: options)
  }
  let inPortions = outcome { () throws(AnswerError) in
    try decodeInPortions(bytes, options, firstSize: Int(choice) + 1)
  }
  require(whole == inPortions, "\(whole) at once, \(inPortions) in portions")
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
