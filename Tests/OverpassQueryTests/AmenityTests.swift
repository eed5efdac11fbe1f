// The question of an amenities app, in both forms.

import OverpassQuery
import Testing

@Suite struct AmenityTests {
  private let toilets = Query.amenity(
    "toilets", latitude: 60.1699, longitude: 24.9384, radius: 500)

  @Test func asOverpassQL() throws {
    #expect(
      try toilets.ql()
        == #"[out:json];nwr["amenity"="toilets"](around:500,60.1699,24.9384);out geom;"#)
  }

  /// The whole body of a request with the content type `text/xml`; bugs.md B023: nothing may stand
  /// before `<osm-script`.
  @Test func asABodyOfXML() throws {
    let body = try toilets.timeout(seconds: 25).xml()
    #expect(
      body == """
        <osm-script output="json" timeout="25"><query type="nwr"><has-kv k="amenity" v="toilets"/>\
        <around radius="500" lat="60.1699" lon="24.9384"/></query><print geometry="full"/></osm-script>
        """)
  }

  @Test func bothFormsSayTheSame() throws {
    let query = try toilets.build()
    #expect(try Query.parse(try query.xml()) == query)
    #expect(try Query.parse(try query.ql()) == query)
  }

  @Test func valuesAreEscapedAndChecked() throws {
    let odd = Query.amenity(
      "a&\"<b>", key: "shop", latitude: 0, longitude: 0, radius: 1)
    #expect(try odd.xml().contains(#"<has-kv k="shop" v="a&amp;&quot;&lt;b&gt;"/>"#))
    #expect(throws: QueryError.self) {
      try Query.amenity("", latitude: 0, longitude: 0, radius: 1).build()
    }
    for (latitude, radius) in [(91.0, 1.0), (.nan, 1.0), (0.0, -1.0), (0.0, .infinity)] {
      #expect(throws: QueryError.self) {
        try Query.amenity("cafe", latitude: latitude, longitude: 0, radius: radius).build()
      }
    }
  }
}
