// Maps of any texts: a part is refused or drawn; whatever the data holds, a page has the elements that
// it has for data of letters alone, and no text ends the script or element it stands in.

import FuzzSupport
import OverpassKit

private let library = MapLibreFiles(script: [0x3B], styleSheet: [0x3B], licence: [0x3B])

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var input = ByteReader(UnsafeBufferPointer(start: start, count: count))
  let choice = input.byte()
  let bytes = input.bytes()
  let text = String(decoding: bytes, as: UTF8.self)
  let parts = text.split(separator: "\n", maxSplits: 3, omittingEmptySubsequences: false)
    .map(String.init)
  let name = parts.count > 1 ? parts[0] : "name"
  let template = parts.count > 2 ? parts[1] : "https://a.org/{z}/{x}/{y}"
  let answer = parts.last.map { Array($0.utf8) } ?? []
  let response =
    (try? OverpassJSON.decode(answer)) ?? (try? OverpassJSON.decode(whole(text)))
  guard let response else { return 0 }
  let features = FeatureSet(response.dataset)

  var appearance = FeatureAppearance()
  if choice & 1 != 0 { appearance.colors = TagColors("name", of: features) }
  if choice & 2 != 0 { appearance.labels = FeatureAppearance.Labels() }
  if choice & 4 != 0 { appearance.labels?.keys = [name] }
  if choice & 8 != 0, let color = try? MapColor(name) { appearance.points?.color = color }
  guard var style = (try? MapStyle(name)) ?? (try? MapStyle("a map")) else { return 0 }
  var basemap = RasterBasemap(name, tiles: [template])
  basemap.attribution = MapAttribution(text, link: choice & 16 != 0 ? template : nil)
  try? style.add(basemap)
  try? style.add(geoJSON: template, named: "by URL")
  try? style.setGlyphs(template)
  try? style.add(
    features, named: "features", appearance: appearance, attribution: MapAttribution("a" + text))

  let json = style.json()
  do throws(DecodeError) {
    // A style is JSON; it is no answer, which is found out after all of it was read.
    _ = try OverpassJSON.decode(Array(json.buffer))
  } catch {
    require(error.kind == .notOverpass, "a style that is no JSON: \(error)")
  }

  var map = HTMLMap(style, library: library)
  map.title = text
  map.timestamp = name
  map.notes = response.remarks
  let html = map.html()
  let page = String(decoding: html.buffer, as: UTF8.self)
  for (word, number) in [("<script", 5), ("</script", 5), ("<style", 2), ("</style", 2), ("<!", 1)]
  {
    require(occurrences(of: word, in: page) == number, "\(word) does not occur \(number) times")
  }
  require(occurrences(of: "<img", in: page) == 0, "an image")

  var picture = SVGPicture(features)
  picture.appearance = appearance
  picture.attribution = MapAttribution("a" + text)
  if let svg = try? picture.svg() {
    let drawn = String(decoding: svg.buffer, as: UTF8.self)
    require(occurrences(of: "<script", in: drawn) == 0, "a script in a picture")
    require(occurrences(of: "<svg", in: drawn) == 1, "a picture in a picture")
  }
  return 0
}

/// An answer with one feature whose tags have a text.
private func whole(_ text: String) -> [UInt8] {
  var quoted = "\""
  for scalar in text.unicodeScalars {
    if scalar == "\"" || scalar == "\\" { quoted += "\\" }
    quoted.unicodeScalars.append(scalar.value < 0x20 ? " " : scalar)
  }
  quoted += "\""
  return Array(
    """
    {"elements":[{"type":"node","id":1,"lat":1,"lon":2,"tags":{\(quoted):\(quoted),"name":\(quoted)}}]}
    """.utf8)
}

/// How often a word in lower case occurs, in whatever case.
private func occurrences(of word: String, in text: String) -> Int {
  let (word, bytes) = (Array(word.utf8), Array(text.utf8))
  guard let first = word.first else { return 0 }
  var found = 0
  for start in bytes.indices where bytes[start] == first && start + word.count <= bytes.count {
    let matches = word.indices.allSatisfy { offset in
      let byte = bytes[start + offset]
      return ((0x41...0x5A).contains(byte) ? byte | 0x20 : byte) == word[offset]
    }
    if matches { found += 1 }
  }
  return found
}
