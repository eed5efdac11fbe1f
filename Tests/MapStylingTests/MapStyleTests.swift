import FeatureFormats
import MapStyling
import OSMGeometry
import OverpassTestSupport
import Testing

private let tiles = ["https://tiles.example.org/{z}/{x}/{y}.png"]

@Suite struct MapStyleTests {
  @Test func anEmptyStyleHasABackgroundOnly() throws {
    let style = try MapStyle("Empty")
    #expect(
      json(style) == """
        {"version":8,"name":"Empty",
        "sources":{},
        "layers":[
        {"id":"background","type":"background","paint":{"background-color":"#f7f5f0"}}
        ]}

        """)
  }

  @Test func aBasemapHasTheDefaultsOfTiles() throws {
    var style = try MapStyle("Streets")
    style.background = nil
    try style.add(RasterBasemap("osm", tiles: tiles, attribution: .openStreetMap))
    #expect(
      json(style) == #"""
        {"version":8,"name":"Streets",
        "sources":{
        "osm":{"type":"raster","tiles":["https://tiles.example.org/{z}/{x}/{y}.png"],"tileSize":256,"minzoom":0,"maxzoom":18,"attribution":"<a href=\"https://www.openstreetmap.org/copyright\" target=\"_blank\" rel=\"noopener\">© OpenStreetMap contributors</a>"}},
        "layers":[
        {"id":"osm","type":"raster","source":"osm","paint":{"raster-opacity":1}}
        ]}

        """#)
  }

  @Test func aBasemapHasWhatIsAskedFor() throws {
    var basemap = RasterBasemap("b", tiles: tiles + ["https://b.example.org/{quadkey}"])
    basemap.tileSize = 512
    basemap.minZoom = 3
    basemap.maxZoom = 21
    basemap.scheme = .tms
    basemap.opacity = 0.25
    basemap.isVisible = false
    var style = try MapStyle()
    try style.add(basemap)
    let text = json(style)
    #expect(
      text.contains(
        #""tileSize":512,"minzoom":3,"maxzoom":21,"scheme":"tms"}"#))
    #expect(text.contains(#""layout":{"visibility":"none"},"paint":{"raster-opacity":0.25}"#))
    #expect(text.contains(#"{y}.png","https://b.example.org/{quadkey}"]"#))
  }

  @Test func anyNumberOfBasemapsKeepTheirOrder() throws {
    var style = try MapStyle()
    for number in 0..<100 { try style.add(RasterBasemap("map \(number)", tiles: tiles)) }
    let ids = json(style).split(separator: "\n").filter {
      $0.contains(#""type":"raster","source""#)
    }
    #expect(ids.count == 100)
    #expect(ids.first?.hasPrefix(#"{"id":"map 0""#) == true)
    #expect(ids.last?.hasPrefix(#"{"id":"map 99""#) == true)
  }

  @Test func featuresAreInsideAndHaveALayerPerKind() throws {
    var style = try MapStyle()
    try style.add(try features(oneOfEach), named: "found")
    let text = json(style)
    for layer in ["areas", "outlines", "lines", "points"] {
      #expect(text.contains(#"{"id":"found/\#(layer)","type":"#))
    }
    #expect(!text.contains("found/labels") && !text.contains("found/lineLabels"))
    #expect(text.contains(#""data":{"type":"FeatureCollection""#))
    #expect(text.contains(#""id":"way/3""#))
    #expect(text.contains(#"["match",["geometry-type"],["Polygon","MultiPolygon"],true,false]"#))
    // Of the feature with a mere centre, the circle is faint.
    #expect(text.contains(#""circle-opacity":["case",["has","@geometry"],0.4,1]"#))
    #expect(text.contains(#""@geometry":"center""#))
  }

  @Test func itOpensWhereTheFeaturesAre() throws {
    var style = try MapStyle()
    try style.add(try features(oneOfEach), named: "found")
    let extent = try #require(style.extent())
    #expect(extent.westE7 == 134_000_000 && extent.eastE7 == 134_120_000)
    #expect(json(style).contains("\"center\":[13.406,52.5015],\"zoom\":"))
    try style.setView(latitude: 1, longitude: -2.5, zoom: 3)
    #expect(json(style).contains("\"center\":[-2.5,1],\"zoom\":3"))
  }

  @Test func theBoxHoldsTogetherAcrossTheAntimeridian() throws {
    var style = try MapStyle()
    let both = try features(
      node(1, "\"a\":\"b\"", lat: 0, lon: 179) + "," + node(2, "\"a\":\"b\"", lat: 1, lon: -179))
    try style.add(both, named: "found")
    let extent = try #require(style.extent())
    #expect(extent.westE7 == 1_790_000_000 && extent.eastE7 == 1_810_000_000)
    #expect(extent.view.longitude == 180 && extent.view.zoom > 7)
  }

  @Test func aSinglePointAndTheWholeWorldHaveViews() throws {
    let point = MapExtent(westE7: 0, southE7: 0, eastE7: 0, northE7: 0).view
    #expect(point.zoom == 17 && point.longitude == 0 && abs(point.latitude) < 1e-6)
    let world = MapExtent(
      westE7: -1_800_000_000, southE7: -900_000_000, eastE7: 1_800_000_000, northE7: 900_000_000
    ).view
    #expect(world.zoom >= 0 && world.zoom < 1 && abs(world.latitude) < 1e-6)
  }

  @Test func layersOfAllSourcesAreSortedByKind() throws {
    var style = try MapStyle()
    var labelled = FeatureAppearance()
    labelled.labels = FeatureAppearance.Labels()
    try style.add(try features(oneOfEach), named: "a", appearance: labelled)
    try style.add(geoJSON: "https://example.org/b.geojson", named: "b", appearance: labelled)
    let ids = json(style).split(separator: "\n").filter { $0.hasPrefix(#"{"id":"#) }
      .map { $0.dropFirst(7).prefix { $0 != "\"" } }
    #expect(
      ids == [
        "background", "a/areas", "b/areas", "a/outlines", "b/outlines", "a/lines", "b/lines",
        "a/points", "b/points", "a/lineLabels", "b/lineLabels", "a/labels", "b/labels",
      ])
  }

  @Test func kindsCanBeLeftOut() throws {
    var appearance = FeatureAppearance()
    appearance.areas = nil
    appearance.lines = nil
    appearance.labels = FeatureAppearance.Labels()
    appearance.labels?.keys = ["name:de", "name", "@id"]
    var style = try MapStyle()
    try style.add(geoJSON: "data.geojson", named: "x", appearance: appearance)
    let text = json(style)
    #expect(!text.contains("x/areas") && !text.contains("x/outlines") && !text.contains("x/line"))
    #expect(
      text.contains(
        #""text-field":["coalesce",["get","name:de"],["get","name"],["get","@@id"],""]"#))
  }

  @Test func equalStylesGiveEqualBytes() throws {
    func make() throws -> String {
      var style = try MapStyle("A")
      let set = try features(oneOfEach)
      var appearance = FeatureAppearance()
      appearance.colors = TagColors("amenity", of: set)
      try style.add(RasterBasemap("osm", tiles: tiles))
      try style.add(set, named: "found", appearance: appearance)
      return json(style)
    }
    let first = try make()
    for _ in 0..<5 { #expect(try make() == first) }
  }

  @Test(arguments: hostileTexts)
  func textsOfAllKindsComeOutAsJSON(_ text: String) throws {
    let printable = String(
      String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }))
    var style = try MapStyle("x" + printable)
    var basemap = RasterBasemap("y" + printable, tiles: tiles)
    basemap.attribution = MapAttribution("z" + text)
    try style.add(basemap)
    let written = json(style)
    #expect(!written.utf8.contains { $0 < 0x20 && $0 != 0x0A })
    // Attributions are HTML, in which nothing but our own link is markup.
    let attribution = try #require(written.split(separator: #""attribution":"#).last)
      .prefix { $0 != "}" }
    #expect(!attribution.contains("<"))
  }
}

@Suite struct MapStyleFaultTests {
  @Test func names() throws {
    #expect(fault { () throws(MapStyleError) in _ = try MapStyle("") } == .name)
    #expect(fault { () throws(MapStyleError) in _ = try MapStyle("a\nb") } == .name)
    var style = try MapStyle()
    #expect(
      fault { () throws(MapStyleError) in try style.add(RasterBasemap("", tiles: tiles)) } == .name)
    #expect(fault { () throws(MapStyleError) in try style.add(geoJSON: "a", named: "") } == .name)
  }

  @Test func namesThatAreTaken() throws {
    var style = try MapStyle()
    try style.add(RasterBasemap("a", tiles: tiles))
    try style.add(geoJSON: "f.json", named: "b")
    let before = json(style)
    for name in ["a", "b", "background", "b/points"] {
      #expect(
        fault { () throws(MapStyleError) in try style.add(RasterBasemap(name, tiles: tiles)) }
          == .duplicateName, "\(name)")
    }
    for name in ["a", "b"] {
      #expect(
        fault { () throws(MapStyleError) in try style.add(geoJSON: "g.json", named: name) }
          == .duplicateName)
    }
    // A failure leaves the style as it was.
    #expect(json(style) == before)
  }

  @Test(arguments: [
    "", "tile.png", "/{z}/{x}/{y}.png", "https://a.org/{z}/{x}.png", "https://a.org/tile.png",
    "https://{s}.a.org/{z}/{x}/{y}.png", "https://a.org/{z}/{x}/{-y}.png", "https:///{z}/{x}/{y}",
    "https://a.org/{z}/{x}/{y", "https://a.org/z}/{x}/{y}", "https://a.org/{{z}}/{x}/{y}",
    "https://a.org/{z}/{x}/{y}{r}.png", "https://a.org/{z}/{x}/{y} .png", "{z}/{x}/{y}",
    "javascript://a/{z}/{x}/{y}", "data:text/html,{z}{x}{y}", "https://a.org/{z}/{x}/{y}\n",
    "https://a.org/\"{z}/{x}/{y}", "https://a.org;x/{z}/{x}/{y}", "https:/a.org/{z}/{x}/{y}",
    "https://a.org/{Z}/{X}/{Y}.png", "https://a.org/{z}/{x}/{y}?k={api_key}",
  ])
  func tileTemplatesThatCannotBe(_ template: String) throws {
    var style = try MapStyle()
    #expect(
      fault { () throws(MapStyleError) in
        try style.add(RasterBasemap("a", tiles: tiles + [template]))
      } == .tileTemplate)
  }

  @Test(arguments: [
    "https://a.org/{z}/{x}/{y}.png", "http://localhost:8080/{z}/{y}/{x}", "https://a.org/{quadkey}",
    "HTTPS://A.org/{z}/{x}/{y}{ratio}.png?a=b&c=d", "https://a.org/?bbox={bbox-epsg-3857}",
    "file:///tiles/{z}/{x}/{y}.png", "data:image/png;base64,AAAA", "https://[::1]/{z}/{x}/{y}",
    "pmtiles://a/{z}/{x}/{y}", "https://a.org/{prefix}/{z}/{x}/{y}.jpg",
  ])
  func tileTemplatesThatAreRight(_ template: String) throws {
    var style = try MapStyle()
    #expect(
      fault { () throws(MapStyleError) in try style.add(RasterBasemap("a", tiles: [template])) }
        == nil)
  }

  @Test func noTileTemplateAtAll() throws {
    var style = try MapStyle()
    #expect(
      fault { () throws(MapStyleError) in try style.add(RasterBasemap("a", tiles: [])) }
        == .tileTemplate)
  }

  @Test(arguments: [(-1, 18), (0, 25), (5, 4), (Int.min, Int.max), (25, 25)])
  func zoomsThatCannotBe(_ minimum: Int, _ maximum: Int) throws {
    var basemap = RasterBasemap("a", tiles: tiles)
    basemap.minZoom = minimum
    basemap.maxZoom = maximum
    var style = try MapStyle()
    #expect(fault { () throws(MapStyleError) in try style.add(basemap) } == .zoom)
  }

  @Test func viewsThatCannotBe() throws {
    var style = try MapStyle()
    for (latitude, longitude, zoom) in [
      (91, 0, 1), (0, 181, 1), (0, 0, -1), (0, 0, 25), (.nan, 0, 1), (0, .infinity, 1),
      (0, 0, .nan),
    ] as [(Double, Double, Double)] {
      #expect(
        fault { () throws(MapStyleError) in
          try style.setView(latitude: latitude, longitude: longitude, zoom: zoom)
        } == .zoom)
    }
    #expect(style.view == nil)
  }

  @Test(arguments: [
    "", "#", "#12", "#12345", "#gggggg", "rgb(1,2,3)", "reddish", "red;", "#12345é",
  ])
  func textsThatAreNoColours(_ text: String) {
    #expect(fault { () throws(MapStyleError) in _ = try MapColor(text) } == .color)
  }

  @Test func coloursAreWrittenInLowerCase() throws {
    #expect(try MapColor("#ABC").css == "#abc")
    #expect(try MapColor("Teal").css == "teal")
  }

  @Test func numbersThatCannotBe() throws {
    var style = try MapStyle()
    for change: (inout FeatureAppearance) -> Void in [
      { $0.areas?.opacity = 1.5 }, { $0.areas?.opacity = .nan }, { $0.lines?.width = -1 },
      { $0.points?.radius = .infinity }, { $0.areas?.outlineWidth = 1e9 },
      {
        $0.labels = .init(); $0.labels?.size = 0
      },
      {
        $0.labels = .init(); $0.labels?.keys = []
      },
      {
        $0.labels = .init(); $0.labels?.fonts = [""]
      }, { $0.colors = TagColors("", [:]) },
    ] {
      var appearance = FeatureAppearance()
      change(&appearance)
      #expect(
        fault { () throws(MapStyleError) in
          try style.add(geoJSON: "a", named: "a", appearance: appearance)
        } == .value)
    }
    var basemap = RasterBasemap("a", tiles: tiles)
    basemap.tileSize = 0
    #expect(fault { () throws(MapStyleError) in try style.add(basemap) } == .value)
    basemap.tileSize = 256
    basemap.opacity = -0.1
    #expect(fault { () throws(MapStyleError) in try style.add(basemap) } == .value)
  }

  @Test(arguments: ["javascript:alert(1)", "ftp://a.org", "a.org", "https://", "https://a b", ""])
  func linksThatCannotBe(_ link: String) throws {
    var style = try MapStyle()
    let basemap = RasterBasemap("a", tiles: tiles, attribution: MapAttribution("x", link: link))
    #expect(fault { () throws(MapStyleError) in try style.add(basemap) } == .url)
  }

  @Test func urlsOfDataThatCannotBe() throws {
    var style = try MapStyle()
    for url in ["", "javascript:x", "a b", "https://", "x\"y", "data:application/json,{}"] {
      #expect(
        fault { () throws(MapStyleError) in try style.add(geoJSON: url, named: "a") } == .url,
        "\(url)")
    }
    for url in ["", "https://a.org/{fontstack}.pbf", "{fontstack}/{range}"] {
      #expect(fault { () throws(MapStyleError) in try style.setGlyphs(url) } == .url)
    }
    try style.setGlyphs("https://a.org/{fontstack}/{range}.pbf")
    #expect(json(style).contains(#""glyphs":"https://a.org/{fontstack}/{range}.pbf""#))
  }
}
