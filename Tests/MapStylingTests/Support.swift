import FeatureFormats
import MapStyling
import OSMGeometry
import OverpassDecoding
import OverpassTestSupport

/// The features of an answer whose elements are given as JSON.
func features(_ elements: String, _ options: FeatureOptions = FeatureOptions()) throws -> FeatureSet
{
  let response = try OverpassJSON.decode(Array("{\"elements\":[\(elements)]}".utf8))
  return FeatureSet(response.dataset, options: options)
}

/// A node at 52.5° north, 13.4° east or nearby.
func node(_ id: Int, _ tags: String, lat: Double = 52.5, lon: Double = 13.4) -> String {
  #"{"type":"node","id":\#(id),"lat":\#(lat),"lon":\#(lon),"tags":{\#(tags)}}"#
}

/// A point, a line, an area, and an area of which only the centre is known.
let oneOfEach = """
  \(node(1, #""amenity":"toilets","name":"A""#)),
  {"type":"way","id":2,"tags":{"highway":"path"},"geometry":[
    {"lat":52.5,"lon":13.4},{"lat":52.501,"lon":13.402}]},
  {"type":"way","id":3,"tags":{"building":"yes"},"geometry":[
    {"lat":52.5,"lon":13.41},{"lat":52.5,"lon":13.412},{"lat":52.502,"lon":13.412},
    {"lat":52.5,"lon":13.41}]},
  {"type":"way","id":4,"tags":{"amenity":"cafe"},"center":{"lat":52.503,"lon":13.403}}
  """

func json(_ style: MapStyle) -> String { text(in: style.json()) }

/// The kind of error that a body throws; `nil` when it throws none.
func fault(_ body: () throws(MapStyleError) -> Void) -> MapStyleError.Kind? {
  do throws(MapStyleError) { try body() } catch { return error.kind }
  return nil
}

/// Texts that end strings, elements or scripts where they are not escaped.
let hostileTexts = [
  "</script><script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onmouseover='x",
  "<!--", "-->", "]]>", "&amp;", "\\", "\u{0}\u{1}\u{1F}\u{7F}", "\u{2028}\u{2029}", "\u{FFFE}",
  "{{x}}", "${x}", "javascript:alert(1)", "مرحبا", "日本語", "e\u{301}",
]
