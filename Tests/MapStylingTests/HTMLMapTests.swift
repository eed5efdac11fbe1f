import FeatureFormats
import OSMGeometry
import OverpassDecoding
import OverpassTestSupport
import Testing

@testable import MapStyling

private let library = MapLibreFiles(
  script: Array("/* library */".utf8), styleSheet: Array("/* sheet */".utf8),
  licence: Array("A licence".utf8))

private func page(_ style: MapStyle, _ change: (inout HTMLMap) -> Void = { _ in }) -> String {
  var map = HTMLMap(style, library: library)
  change(&map)
  return text(in: map.html())
}

/// What stands between two texts.
private func part(_ text: String, after start: String, before end: String) throws -> String {
  let rest = try #require(text.split(separator: start, maxSplits: 1).dropFirst().first)
  return String(rest.split(separator: end, maxSplits: 1, omittingEmptySubsequences: false)[0])
}

@Suite struct HTMLMapTests {
  @Test func allOfItIsInside() throws {
    var style = try MapStyle("A map")
    try style.add(try features(oneOfEach), named: "found")
    let page = page(style)
    #expect(page.hasPrefix("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">"))
    #expect(page.contains("<title>A map</title>"))
    for text in ["/* library */", "/* sheet */", "A licence"] { #expect(page.contains(text)) }
    #expect(page.contains("4 features"))
    #expect(page.contains(#"{"bounds":[13.4,52.5,13.412,52.503]}"#))
    // Nothing is fetched: no element names another document.
    for text in ["<link", " src=", "@import", "url(http"] {
      #expect(!page.contains(text), "\(text)")
    }
  }

  @Test func theStyleIsTheOneThatIsWrittenToFiles() throws {
    var style = try MapStyle("<A>")
    try style.add(try features(oneOfEach), named: "found")
    let data = try part(
      page(style), after: #"<script type="application/json" id="style">"#, before: "</script>")
    #expect(!data.contains("<"))
    #expect(data.split(separator: "\\u003c").joined(separator: "<") == json(style))
  }

  @Test func thePolicyNamesTheScriptsByTheirHashes() throws {
    let page = page(try MapStyle("A"))
    let policy = try part(page, after: "Content-Security-Policy\" content=\"", before: "\">")
    // printf '/* library */' | openssl dgst -sha256 -binary | base64
    #expect(policy.contains("&#39;sha256-SIGCBCvP7Tvzzo+F56Q1QL1Hbb/2M8Othkny45IvdD8=&#39;"))
    #expect(policy.contains("default-src &#39;none&#39;"))
    #expect(policy.contains("img-src data: blob:; connect-src data: blob:;"))
    #expect(!policy.contains("unsafe-eval"))
    #expect(
      !policy.split(separator: ";").contains { $0.contains("script-src") && $0.contains("unsafe") })
  }

  @Test func thePolicyLetsTilesAndDataIn() throws {
    var style = try MapStyle("A")
    try style.add(
      RasterBasemap(
        "a",
        tiles: [
          "https://a.example.org:8080/{z}/{x}/{y}.png", "https://B.example.org/{z}/{x}/{y}.png",
          "data:image/png;base64,AAAA",
        ]))
    try style.add(geoJSON: "https://c.example.org/x.json", named: "b")
    try style.add(geoJSON: "x.json", named: "c")
    try style.setGlyphs("https://d.example.org/{fontstack}/{range}.pbf")
    let policy = try part(page(style), after: "Security-Policy\" content=\"", before: "\">")
    let hosts =
      "https://a.example.org:8080 https://b.example.org https://c.example.org &#39;self&#39; "
      + "https://d.example.org"
    #expect(policy.contains("img-src data: blob: \(hosts);"))
    #expect(policy.contains("connect-src data: blob: \(hosts);"))
  }

  @Test func thePanelShowsWhatThereIs() throws {
    var style = try MapStyle("A")
    try style.add(try features(oneOfEach), named: "found")
    let first = page(style) {
      $0.timestamp = "2024-03-31T02:30:00Z"
      $0.notes = ["runtime error: a < b"]
    }
    #expect(first.contains("4 features, data of 2024-03-31 02:30 UTC"))
    #expect(first.contains("<p class=\"note\">runtime error: a &lt; b</p>"))
    #expect(first.contains("points <b>2</b>") && first.contains("lines <b>1</b>"))
    #expect(first.contains("areas <b>1</b>") && first.contains("known (1)"))
    #expect(!first.contains("<fieldset>") && !first.contains("<h2>"))
    let other = page(style) { $0.timestamp = "2024-03-31T02:30:00+01" }
    #expect(other.contains("data of 2024-03-31T02:30:00+01</p>"))
    try style.add(geoJSON: "x.json", named: "others")
    try style.add(RasterBasemap("Streets", tiles: ["https://a.org/{z}/{x}/{y}"]))
    let second = page(style)
    #expect(second.contains("<h2>found</h2>") && second.contains("<h2>others</h2>"))
    #expect(second.contains("value=\"Streets\" checked> Streets</label>"))
  }

  @Test func theLegendOfATagCounts() throws {
    var style = try MapStyle("A")
    let set = try features(oneOfEach)
    var appearance = FeatureAppearance()
    appearance.colors = TagColors("amenity", of: set)
    try style.add(set, named: "found", appearance: appearance)
    let page = page(style)
    #expect(page.contains("<li class=\"key\">amenity</li>"))
    #expect(
      page.contains("<span>cafe</span> <b>1</b>") && page.contains("<span>toilets</span> <b>1</b>"))
    #expect(page.contains("other or none <b>2</b>"))
  }

  @Test(arguments: hostileTexts)
  func textsAreNoMarkup(_ value: String) throws {
    let element =
      #"{"type":"node","id":1,"lat":0,"lon":0,"tags":{\#(quoted(value)):\#(quoted(value))}}"#
    let set = try features(element)
    func made(_ text: String, _ set: FeatureSet, _ key: String) throws -> String {
      let printable = String(
        String.UnicodeScalarView(
          text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }))
      var style = try MapStyle("x" + printable)
      var appearance = FeatureAppearance()
      appearance.colors = TagColors(key, of: set)
      appearance.labels = FeatureAppearance.Labels()
      appearance.labels?.keys = [key]
      try style.add(
        set, named: "s" + printable, appearance: appearance,
        attribution: MapAttribution(text, link: nil))
      try style.add(
        RasterBasemap(
          "b" + printable, tiles: ["https://a.org/{z}/{x}/{y}"], attribution: MapAttribution(text)))
      return page(style) {
        $0.title = text
        $0.timestamp = text
        $0.notes = [text]
      }
    }
    let plain = try made(
      "plain", try features(node(1, #""plain":"plain""#, lat: 0, lon: 0)), "plain")
    let hostile = try made(value, set, value)
    // As many elements as there are with a text of letters alone.
    #expect(hostile.filter { $0 == "<" }.count == plain.filter { $0 == "<" }.count)
    #expect(!hostile.utf8.contains { $0 < 0x20 && $0 != 0x0A })
  }
}

@Suite struct RandomTextTests {
  private static let pieces =
    hostileTexts + [
      "<", ">", "\"", "'", "&", "script", "/script", "!--", "style", "\\u003c", " ", "a",
    ]

  private func randomText(_ generator: inout SeededGenerator) -> String {
    (0..<Int.random(in: 1...6, using: &generator))
      .map { _ in RandomTextTests.pieces.randomElement(using: &generator) ?? "" }.joined()
  }

  @Test(arguments: 0..<60 as Range<UInt64>)
  func pagesPicturesAndStylesHoldTextsAsTexts(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let texts = (0..<8).map { _ in randomText(&generator) }
    let set = try features(
      (0..<4).map { number in
        #"{"type":"node","id":\#(number + 1),"lat":0,"lon":\#(number),"tags":{"name":\#(quoted(texts[number])),\#(quoted("k" + texts[4])):\#(quoted(texts[5]))}}"#
      }.joined(separator: ","))
    var style = try MapStyle()
    var appearance = FeatureAppearance()
    appearance.colors = TagColors("name", of: set)
    try style.add(
      set, named: "found", appearance: appearance, attribution: MapAttribution("a" + texts[6]))
    let written = json(style)
    #expect(written == json(style))
    // A style is JSON, all of it; it is only no answer.
    do throws(DecodeError) {
      _ = try OverpassJSON.decode(Array(written.utf8))
    } catch {
      #expect(error.kind == .notOverpass, "\(error)")
    }
    let page = page(style) {
      $0.title = texts[7]
      $0.notes = [texts[0]]
    }
    let elements = page.lowercased().split(separator: "<").map {
      $0.prefix { $0 != ">" && $0 != " " }
    }
    let allowed: Set<Substring> = [
      "!doctype", "html", "head", "meta", "title", "/title", "style", "/style", "/head", "body",
      "div", "details", "summary", "/summary", "p", "/p", "noscript", "/noscript", "ul", "/ul",
      "li",
      "i", "/i", "b", "/b", "/li", "span", "/span", "/details", "script", "/script", "/body",
      "/html",
      "/div",
    ]
    let scripts = elements.filter { $0 == "script" }.count
    #expect(scripts == 5 && elements.filter { $0 == "/script" }.count == 5)
    // The page's own script compares numbers; nothing else has the character.
    #expect(elements.allSatisfy { $0.isEmpty || allowed.contains($0) })
    let picture = text(in: try SVGPicture(set).svg())
    let names = Set(picture.split(separator: "<").map { $0.prefix { $0 != ">" && $0 != " " } })
    #expect(
      names.isSubset(of: [
        "svg", "title", "/title", "rect", "g", "circle", "/circle", "/g", "text", "/text", "/svg",
        "rect width=\"100%\"",
      ]), "\(names)")
  }
}

@Suite struct EmbeddedTextTests {
  private func embedded(_ text: String, _ append: (inout TextBuffer, [UInt8]) -> Void) -> String {
    var buffer = TextBuffer()
    append(&buffer, Array(text.utf8))
    return String(decoding: buffer.bytes.buffer, as: UTF8.self)
  }

  @Test func scriptsDoNotEndEarly() {
    func script(_ text: String) -> String { embedded(text) { $0.append(script: $1) } }
    #expect(script("a = '</script>'") == #"a = '\x3C/script>'"#)
    #expect(script("/<!--/; '<SCRIPT'") == #"/\x3C!--/; '\x3CSCRIPT'"#)
    #expect(script("a < b; c<d; '</scrip'") == "a < b; c<d; '</scrip'")
    #expect(script("a\r\nb\rc\nd<") == "a\nb\nc\nd<")
    #expect(script("a\u{0}b") == "a\u{FFFD}b")
  }

  @Test func sheetsAndLicencesDoNotEndEarly() {
    #expect(
      embedded("a::after { content: '</style>' }") { $0.append(styleSheet: $1) }
        == #"a::after { content: '\3C /style>' }"#)
    #expect(embedded("a </script> <b>") { $0.append(licence: $1) } == "a &lt;/script> <b>")
  }

  @Test func theNameOfAScript() {
    let name = Array("alert('Hello, world.');".utf8).withUnsafeBufferPointer(scriptHash)
    // printf … | openssl dgst -sha256 -binary | base64
    #expect(name == "'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='")
  }
}
