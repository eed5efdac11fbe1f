// Documents written back: what a format can say is read as the same, and written the same again.
// Features in all formats: well-formed whatever they are made of.

import FuzzSupport
import OverpassKit

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var input = ByteReader(UnsafeBufferPointer(start: start, count: count))
  var options = decodeOptions(0)
  let choice = input.byte()
  options.allowTruncated = choice & 1 != 0
  guard let response = try? OverpassAnswer.decode(input.bytes(), options: options) else { return 0 }
  checkFeatures(response, choice)
  for format in DocumentFormat.allCases {
    var writer = DocumentWriter(response.document, format: format)
    writer.threads = 1
    let isSayable = (try? writer.check()) != nil
    writer.allowsLoss = true
    let text = bytes(writer)
    guard let again = try? decode(text, format) else {
      require(false, "what was written is not read")
      continue
    }
    guard isSayable else { continue }
    require(again.dataset.count == response.dataset.count, "elements are lost")
    require(again.actions == response.actions, "changes are lost")
    var second = DocumentWriter(again.document, format: format)
    second.threads = 1
    require(bytes(second) == text, "what was written is not written the same again")
    guard response.actions.isEmpty, format == .osmXML else { continue }
    // JSON says all that XML can say.
    var before = response.document
    let after = again.document
    before.header.version = after.header.version
    require(
      bytes(DocumentWriter(before, format: .overpassJSON))
        == bytes(DocumentWriter(after, format: .overpassJSON)), "XML and JSON differ")
  }
  return 0
}

private func bytes(_ writer: DocumentWriter) -> [UInt8] {
  var writer = writer
  writer.allowsLoss = true
  var sink = MemorySink()
  guard (try? writer.write(to: &sink)) != nil else { return [] }
  let column = sink.takeBytes()
  return Array(column.buffer)
}

private func decode(_ bytes: [UInt8], _ format: DocumentFormat) throws -> Response {
  format == .overpassJSON ? try OverpassJSON.decode(bytes) : try OverpassXML.decode(bytes)
}
