import FeatureFormats
import MapStyling
import OSMGeometry
import OverpassTestSupport
import Testing

private func svg(_ picture: SVGPicture) throws -> String { text(in: try picture.svg()) }

@Suite struct SVGPictureTests {
  @Test func aPictureOfNothing() throws {
    var picture = SVGPicture(try features(""))
    picture.background = nil
    picture.attribution = nil
    picture.width = 100
    picture.height = 50
    #expect(
      try svg(picture) == """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 50" width="100" height="50" role="img" font-family="system-ui, sans-serif">
        <title>Map of 0 features</title>
        </svg>

        """)
  }

  @Test func eachKindHasAGroup() throws {
    let text = try svg(SVGPicture(try features(oneOfEach)))
    #expect(text.contains("<title>Map of 4 features</title>"))
    #expect(text.contains("fill-rule=\"evenodd\"") && text.contains("stroke-linecap=\"round\""))
    #expect(text.contains("<title>A (node/1)</title>") && text.contains("<title>way/3</title>"))
    #expect(text.contains("© OpenStreetMap contributors"))
    // Of the last one, only the centre is known.
    #expect(text.contains("opacity=\"0.4\"><title>way/4</title>"))
    let order = ["<title>way/3", "<title>way/2", "<title>A (node/1)"].map { part in
      text.utf8.count - (text.split(separator: part, maxSplits: 1).last?.utf8.count ?? 0)
    }
    #expect(order == order.sorted(), "areas, lines, points")
  }

  @Test func positionsFillThePicture() throws {
    // A square of 0.02 degrees around the equator: nearly a square in the projection.
    let corners = [(0, 0), (0.02, 0), (0.02, 0.02), (0, 0.02)].enumerated()
      .map { node($0 + 1, "\"a\":\"b\"", lat: $1.1, lon: $1.0) }.joined(separator: ",")
    var picture = SVGPicture(try features(corners))
    picture.width = 200
    picture.height = 100
    let text = try svg(picture)
    // 18 pixels of room above and below, centred from left to right; north is up.
    #expect(text.contains("<circle cx=\"68\" cy=\"82\" r=\"5\"><title>node/1</title>"))
    #expect(text.contains("<circle cx=\"132\" cy=\"18\" r=\"5\"><title>node/3</title>"))
  }

  @Test func theAntimeridianIsNoEdge() throws {
    var picture = SVGPicture(
      try features(
        node(1, "\"a\":\"b\"", lat: 0, lon: 179.99) + ","
          + node(2, "\"a\":\"b\"", lat: 0, lon: -179.99)))
    picture.width = 136
    picture.height = 100
    let text = try svg(picture)
    #expect(text.contains("cx=\"18\"") && text.contains("cx=\"118\""))
  }

  @Test func aPointAloneIsInTheMiddle() throws {
    let text = try svg(SVGPicture(try features(node(1, "\"a\":\"b\""))))
    #expect(text.contains("<circle cx=\"320\" cy=\"210\""))
  }

  @Test func holesAreInTheirPath() throws {
    let text = try svg(
      SVGPicture(
        try features(
          """
          {"type":"relation","id":1,"tags":{"type":"multipolygon","natural":"water"},"members":[
          {"type":"way","ref":1,"role":"outer","geometry":[{"lat":0,"lon":0},{"lat":0,"lon":9},
          {"lat":9,"lon":9},{"lat":9,"lon":0},{"lat":0,"lon":0}]},
          {"type":"way","ref":2,"role":"inner","geometry":[{"lat":3,"lon":3},{"lat":3,"lon":6},
          {"lat":6,"lon":6},{"lat":6,"lon":3},{"lat":3,"lon":3}]}]}
          """)))
    let path = try #require(text.split(separator: "<path d=\"").dropFirst().first)
    #expect(path.prefix { $0 != "\"" }.filter { $0 == "M" }.count == 2)
    #expect(path.prefix { $0 != "\"" }.filter { $0 == "Z" }.count == 2)
  }

  @Test func whatFallsTogetherIsOnePoint() throws {
    let positions = (0..<5000).map { #"{"lat":\#(Double($0) * 1e-7),"lon":0}"# }
    let far = #"{"type":"node","id":1,"lat":10,"lon":10,"tags":{"a":"b"}}"#
    let line =
      #"{"type":"way","id":2,"tags":{"highway":"path"},"geometry":[\#(positions.joined(separator: ","))]}"#
    let text = try svg(SVGPicture(try features(far + "," + line)))
    #expect(text.utf8.count < 1600)
    #expect(text.contains("h0\"><title>way/2</title>"))
  }

  @Test func coloursFollowATag() throws {
    let set = try features(oneOfEach)
    var picture = SVGPicture(set)
    picture.appearance.colors = TagColors("amenity", ["toilets": try MapColor("teal")])
    let text = try svg(picture)
    #expect(text.contains("fill=\"teal\"><title>A (node/1)</title>"))
    #expect(text.contains("stroke=\"#8a8f98\"><title>way/2</title>"))
    #expect(text.contains("fill=\"#8a8f98\" stroke=\"#8a8f98\"><title>way/3</title>"))
  }

  @Test func theLimitIsKept() throws {
    var picture = SVGPicture(try features(oneOfEach))
    picture.limit = 1
    #expect(try svg(picture).contains("<title>Map of 1 feature</title>"))
    picture.limit = -1
    #expect(try svg(picture).contains("<title>Map of 0 features</title>"))
  }

  @Test func sizesThatCannotBe() throws {
    for (width, height) in [(0, 100), (100, 31), (10_001, 100), (Int.min, Int.max)] {
      var picture = SVGPicture(try features(oneOfEach))
      picture.width = width
      picture.height = height
      #expect(fault { () throws(MapStyleError) in _ = try picture.svg() } == .value)
    }
  }

  @Test(arguments: hostileTexts)
  func textsAreNoMarkup(_ value: String) throws {
    var buffer = #"{"type":"node","id":1,"lat":0,"lon":0,"tags":{"name":"#
    buffer += quoted(value) + "}}"
    var picture = SVGPicture(try features(buffer))
    picture.attribution = MapAttribution(value)
    let text = try svg(picture)
    #expect(text.filter { $0 == "<" }.count == 13)
    #expect(!text.utf8.contains { $0 < 0x20 && $0 != 0x0A })
    #expect(!text.contains("\u{FFFE}"))
  }
}

/// A text as JSON.
func quoted(_ text: String) -> String {
  var result = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"", "\\": result += "\\" + String(scalar)
    case _ where scalar.value < 0x20:
      let digits = String(scalar.value, radix: 16)
      result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result + "\""
}
