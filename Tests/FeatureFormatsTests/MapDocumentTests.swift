import FeatureFormats
import OSMGeometry
import OSMModel
import OverpassTestSupport
import Testing

private let hostile =
  #""name":"<a> & \"b\" 'c' ]]>\u0000\u001f\uffff\n\t\r😀\u202e","website":"HTTPS://é.org:80/a b?c=<&d>%zz%41#x#y","@id":"=1""#

@Suite struct GPXWriterTests {
  @Test func sectionsInTheOrderOfTheSchema() throws {
    let text = try written(variety, as: .gpx) {
      $0.head.generator = "g"
      $0.head.copyright = "c & d"
      $0.head.timestamp = "2024-03-31T02:30:00Z"
      $0.head.remarks = ["r1", "r2"]
    }
    #expect(
      text.hasPrefix(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <gpx version="1.1" creator="g" xmlns="http://www.topografix.com/GPX/1/1">
        <metadata>
        <desc>r1&#10;r2</desc>
        <copyright author="c &amp; d"/>
        <time>2024-03-31T02:30:00Z</time>
        <bounds minlat="0" minlon="-180" maxlat="9" maxlon="179.9999999"/>
        </metadata>
        <wpt lat="2" lon="1">
        <time>2024-03-31T02:30:00Z</time>
        <name>a</name>
        <desc>name=a</desc>
        <link href="https://www.openstreetmap.org/node/1"/>
        </wpt>
        <wpt lat="2" lon="1">
        <name>q</name>
        </wpt>
        <trk>
        <name>way/2</name>
        """))
    // The line over the antimeridian: no longitude of 180.
    #expect(
      text.contains(
        """
        <trkseg>
        <trkpt lat="0" lon="179"/>
        <trkpt lat="1" lon="179.9999999"/>
        </trkseg>
        <trkseg>
        <trkpt lat="1" lon="-180"/>
        <trkpt lat="2" lon="-179"/>
        </trkseg>
        """))
    #expect(text.components(of: "<trk>") == 4 && text.components(of: "<trkseg>") == 6)
    #expect(!text.contains("<rte>"))
  }

  @Test func linesAsRoutes() throws {
    let text = try written(variety, as: .gpx) { $0.linesAreRoutes = true }
    // A line over the antimeridian is two; areas stay tracks.
    #expect(text.components(of: "<rte>") == 4 && text.components(of: "<trk>") == 1)
    #expect(text.components(of: "<rtept ") == 8)
    let parts = ["</wpt>\n<rte>", "</rte>\n<trk>"]
    #expect(parts.allSatisfy { text.components(of: $0) == 1 })
  }

  @Test func hostileTexts() throws {
    let text = try written(nodes(tags: [hostile]), as: .gpx)
    #expect(
      text.contains(
        "<name>&lt;a&gt; &amp; &quot;b&quot; 'c' ]]&gt;\u{FFFD}\u{FFFD}\u{FFFD}&#10;&#9;&#13;😀\u{202E}</name>"
      ))
    #expect(
      text.contains(
        #"<link href="HTTPS://%C3%A9.org:80/a%20b?c=%3C&amp;d%3E%25zz%41#x%23y"/>"#))
  }

  @Test(arguments: [
    "javascript:alert(1)", "http://", "https:///x", "http://a:b/", "http://a@b/", "http://a b/",
    "www.example.org", "http://:80/", "http://<b>/", "",
  ])
  func addressesThatAreNone(_ address: String) throws {
    let text = try written(nodes(tags: [#""website":"\#(address)""#]), as: .gpx)
    #expect(text.components(of: "<link ") == 1)
  }

  @Test func symbolsNamesAndComments() throws {
    let text = try written(
      nodes(tags: [
        #""amenity":"cafe","ref":"A 1","description":"good""#, #""shop":"hats","name":"""#,
        #""amenity":"bench""#,
      ]), as: .gpx)
    #expect(
      text.contains(
        "<name>A 1</name>\n<cmt>good</cmt>\n<desc>amenity=cafe&#10;ref=A 1&#10;description=good</desc>"
      ))
    #expect(text.contains("<sym>Restaurant</sym>\n</wpt>"))
    #expect(text.contains("<name>node/2</name>") && text.contains("<sym>Shopping Center</sym>"))
    #expect(text.components(of: "<sym>") == 2)
  }
}

@Suite struct KMLWriterTests {
  @Test func geometries() throws {
    let text = try written(variety, as: .kml) { $0.head.timestamp = "<t>" }
    for part in [
      "<description>© OpenStreetMap contributors, ODbL</description>",
      "<Data name=\"timestamp\"><value>&lt;t&gt;</value></Data>",
      "<Placemark id=\"node-1\">\n<name>a</name>",
      "<Point><coordinates>1,2</coordinates></Point>\n</Placemark>",
      "<LineString><coordinates>0,0 1,1</coordinates></LineString>",
      "<outerBoundaryIs><LinearRing><coordinates>0,0 9,0 9,9 0,0</coordinates></LinearRing></outerBoundaryIs>",
      "<innerBoundaryIs><LinearRing><coordinates>4,2 5,3 5,2 4,2</coordinates></LinearRing></innerBoundaryIs>",
      "<MultiGeometry>\n<LineString><coordinates>179,0 180,1</coordinates></LineString>\n",
      "<Placemark>\n<name>q</name>",
      "<MultiGeometry>\n<Point><coordinates>1,2</coordinates></Point>\n<LineString><coordinates>3,4 5,6</coordinates></LineString>\n</MultiGeometry>",
    ] { #expect(text.contains(part), "\(part)") }
    #expect(text.components(of: "<Placemark") == 5)
  }

  @Test func hostileTexts() throws {
    let text = try written(nodes(tags: [hostile, #""a\"<":"""#]), as: .kml)
    #expect(
      text.contains(
        "<Data name=\"name\"><value>&lt;a&gt; &amp; &quot;b&quot; 'c' ]]&gt;\u{FFFD}\u{FFFD}\u{FFFD}&#10;&#9;&#13;😀\u{202E}</value></Data>"
      ))
    // A tag that looks like one of our fields.
    #expect(text.contains("<Data name=\"@@id\"><value>=1</value></Data>"))
    #expect(text.contains("<Data name=\"a&quot;&lt;\"><value></value></Data>"))
  }
}

extension String {
  /// How often a text occurs.
  fileprivate func components(of part: String) -> Int {
    let bytes = Array(utf8)
    let wanted = Array(part.utf8)
    return bytes.indices.count { bytes[$0...].starts(with: wanted) }
  }
}
