import FeatureFormats
import OSMGeometry
import OSMModel
import OverpassTestSupport
import Testing

private func table(
  _ answer: String, _ columns: [String], as format: FeatureFormat = .csv,
  keepsFormulas: Bool = false
) throws -> String {
  try written(answer, as: format) {
    $0.table = try TableLayout(columns)
    $0.keepsFormulas = keepsFormulas
  }
}

@Suite struct TableWriterTests {
  @Test func fieldsAndTags() throws {
    let answer =
      #"{"elements":[{"type":"node","id":7,"lon":-1.5,"lat":2,"version":3,"timestamp":"2024-03-31T02:30:00Z","changeset":4,"uid":5,"user":"u","tags":{"a":"b","lon":"c"}}]}"#
    let fields = TableField.allCases.map(\.name)
    #expect(
      try table(answer, fields + ["a", "tag:lon", "none"])
        == fields.joined(separator: ",") + ",a,tag:lon,none\r\n"
        + #"node,7,3,2024-03-31T02:30:00Z,4,5,u,-1.5,2,POINT (-1.5 2),"{""a"":""b"",""lon"":""c""}","#
        + "\"© OpenStreetMap contributors, ODbL\",b,c,\r\n")
  }

  @Test func positionsLieOnTheGeometry() throws {
    let rows = try table(variety, ["osm_id", "lon", "lat"]).split(separator: "\r\n")
    #expect(rows[1] == "1,1,2" && rows[2].hasPrefix("2,0.5,0.5") && rows.count == 6)
  }

  @Test func tabsAndPlainLineBreaks() throws {
    let answer = nodes(tags: [#""a":"x,y","b":"1\t2""#])
    #expect(try table(answer, ["a", "b"], as: .tsv) == "a\tb\nx,y\t\"1\t2\"\n")
  }

  @Test func withoutHeadings() throws {
    let text = try written(nodes(tags: [#""a":"b""#]), as: .csv) {
      $0.table = try TableLayout(["a"])
      $0.omitsHeadings = true
    }
    #expect(text == "b\r\n")
  }

  /// RFC 4180 §2: quotes around separators, line breaks and quotes.
  @Test(arguments: [
    (#"plain"#, "plain"), (#"a,b"#, "\"a,b\""), (#"a\"b"#, "\"a\"\"b\""), (#"a\nb"#, "\"a\nb\""),
    (#"a\r\nb"#, "\"a\r\nb\""), ("", "\"\""), (#" a "#, " a "), (#"a\u0000b"#, "a\u{FFFD}b"),
    (#"\u001b[31m"#, "\u{FFFD}[31m"), ("😀", "😀"), (#"\u202eabc"#, "\u{202E}abc"), ("'", "'"),
  ])
  func quotes(value: String, expected: String) throws {
    let text = try table(nodes(tags: ["\"a\":\"\(value)\",\"z\":\"1\""]), ["z", "a"])
    #expect(text == "z,a\r\n1,\(expected)\r\n")
  }

  /// OWASP, "CSV Injection".
  @Test(arguments: [
    ("=1+2", "'=1+2"), ("+1+2", "'+1+2"), ("-1+2", "'-1+2"), ("@SUM(1)", "'@SUM(1)"),
    (#"\t=1"#, "'\t=1"), (#"\r=1"#, "\"'\r=1\""), (#"\n=1"#, "\"'\n=1\""), ("-", "'-"),
    ("=a,b", "\"'=a,b\""), ("＝1", "'＝1"), ("＠x", "'＠x"), ("-1", "-1"), ("+49.5", "+49.5"),
    ("-1.", "'-1."), ("-.5", "'-.5"), ("-1.2.3", "'-1.2.3"), ("+49 30", "'+49 30"), ("1-2", "1-2"),
    ("－1", "'－1"),
  ])
  func formulas(value: String, expected: String) throws {
    let answer = nodes(tags: ["\"a\":\"\(value)\""])
    #expect(try table(answer, ["osm_id", "a"]) == "osm_id,a\r\n1,\(expected)\r\n")
    let kept = try table(answer, ["osm_id", "a"], keepsFormulas: true)
    #expect(!kept.contains("'"))
  }

  @Test func headingsAreCellsToo() throws {
    let answer = nodes(tags: [#""=cmd|' /C calc'!A0":"x","a\"b":"y""#])
    let text = try written(answer, as: .csv)
    #expect(text.hasPrefix("osm_type,osm_id,lon,lat,'=cmd|' /C calc'!A0,\"a\"\"b\"\r\n"))
  }

  @Test func aRowIsNeverAnEmptyLine() throws {
    #expect(try table(nodes(tags: [#""a":"b""#, #""c":"d""#]), ["a"]) == "a\r\nb\r\n\"\"\r\n")
  }

  @Test func columnsByHowOftenTheyOccur() throws {
    let answer = nodes(tags: [
      #""b":"1","a":"1","osm_id":"x""#, #""b":"2","tag:z":"1""#, #""b":"3","a":"1""#,
    ])
    #expect(
      try written(answer, as: .csv).hasPrefix(
        "osm_type,osm_id,lon,lat,b,a,tag:osm_id,tag:tag:z\r\nnode,1,1,2,1,1,x,\r\n"))
  }

  /// Keys are compared by their bytes: two spellings of é are two keys, and an accent behind `tag:`
  /// belongs to the key.
  @Test func keysAreBytes() throws {
    let (one, two) = ("\u{E9}", "e\u{301}")
    let answer = nodes(tags: ["\"\(one)\":\"1\",\"\(two)\":\"2\",\"\u{301}\":\"3\""])
    let text = try table(answer, [one, "tag:\(two)", "tag:\u{301}"])
    #expect(text.utf8.elementsEqual("\(one),tag:\(two),tag:\u{301}\r\n1,2,3\r\n".utf8))
    let all = try written(answer, as: .csv)
    #expect(
      all.utf8.elementsEqual(
        "osm_type,osm_id,lon,lat,\(two),\(one),\u{301}\r\nnode,1,1,2,2,1,3\r\n".utf8))
  }

  @Test func manyKeysShareAColumn() throws {
    let limit = TableLayout.mostKeys
    for (count, last) in [(limit, "k\(limit + 99)"), (limit + 1, "osm_tags")] {
      let tags = (0..<count).map { "\"k\($0 + 100)\":\"v\"" }.joined(separator: ",")
      let heading = try #require(
        try written(nodes(tags: [tags]), as: .tsv).split(separator: "\n").first)
      let columns = heading.split(separator: "\t")
      #expect(columns.count == 4 + count && columns.last ?? "" == last)
    }
    let nameless = try written(nodes(tags: [#""":"x""#]), as: .tsv)
    #expect(nameless.hasSuffix("osm_tags\nnode\t1\t1\t2\t\"{\"\"\"\":\"\"x\"\"}\"\n"))
  }

  @Test(arguments: [
    ([], "a table without columns"), (["a", "osm_id", "a"], "the column a twice"),
    (["lon", "tag:lon", "lon"], "the column lon twice"),
    (["a", "tag:a"], "the column tag:a twice"),
    ([""], "a column without a name"), (["tag:"], "a column without a name"),
  ])
  func columnsThatMakeNoTable(columns: [String], message: String) {
    #expect { try TableLayout(columns) } throws: { ($0 as? TableLayoutError)?.message == message }
  }

  @Test func typesOfColumns() throws {
    let answer = nodes(tags: [
      #""i":"1","r":"1","t":"1","z":"007","big":"1234567890123456789","p":"+1","e":"""#,
      #""i":"-20","r":"-0.5","t":"x","z":"8","big":"1","p":"1","f":"0.12345678901234567""#,
    ])
    let columns = [
      "osm_id", "osm_timestamp", "lon", "lat", "wkt", "osm_user", "i", "r", "t", "z", "big", "p",
      "e", "f", "none",
    ]
    let types = [
      "Integer64", "DateTime", "CoordX", "CoordY", "WKT", "String", "Integer64", "Real", "String",
      "String", "String", "String", "String", "String", "String",
    ]
    #expect(
      try table(answer, columns, as: .columnTypes)
        == types.map { "\"\($0)\"" }.joined(separator: ",") + "\n")
  }
}
