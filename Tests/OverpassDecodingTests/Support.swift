import OSMModel
import OverpassDecoding
import OverpassTestSupport

/// Decodes text that stands in the test.
func decode(_ text: String, _ change: (inout DecodeOptions) -> Void = { _ in }) throws -> Response {
  var options = DecodeOptions()
  change(&options)
  return try OverpassJSON.decode(Array(text.utf8), options: options)
}

/// What decoding fails with; `nil` when it succeeds.
func decodeError(_ bytes: [UInt8], _ change: (inout DecodeOptions) -> Void = { _ in })
  -> DecodeError?
{
  var options = DecodeOptions()
  change(&options)
  do throws(DecodeError) {
    _ = try OverpassJSON.decode(bytes, options: options)
    return nil
  } catch {
    return error
  }
}

extension Dataset {
  func tagTexts(_ index: ElementIndex) -> [String: String] {
    var result: [String: String] = [:]
    for tag in tags(index) { result[strings.string(tag.key)] = strings.string(tag.value) }
    return result
  }
}

/// A response in words, to compare responses of different formats.
func lines(of response: Response, isExact: Bool = true) -> [String] {
  lines(
    of: OSMDocument(
      response.dataset, header: response.header, remarks: response.remarks,
      actions: response.actions), isExact: isExact)
}
