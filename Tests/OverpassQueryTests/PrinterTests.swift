// Both printers on every construct of the language.

import OSMModel
import OverpassQuery
import Testing

@Suite struct PrinterTests {
  static let cafes = Query.Statement.query(.init(.node, [.tag(.equals("amenity", "cafe"))]))
  static let moment = Query.Timestamp(year: 2020, month: 1, day: 2, hour: 3, minute: 4, second: 5)

  /// Statements with their texts in Overpass QL and in the XML form.
  static let statements: [(Query.Statement, String, String)] = [
    (
      cafes, #"node["amenity"="cafe"];"#,
      #"<query type="node"><has-kv k="amenity" v="cafe"/></query>"#
    ),
    (
      .query(.init(.way, [.ids([5])], into: "a")), "way(5)->.a;",
      #"<id-query type="way" ref="5" into="a"/>"#
    ),
    (
      .query(.init(.nwr, [.ids([5, 6])])), "nwr(id:5,6);",
      #"<query type="nwr"><id-query ref="5" ref_1="6"/></query>"#
    ),
    (
      .query(.init(.node, [.set("a"), .set("b"), .tag(.absent("name"))])), #"node.a.b[!"name"];"#,
      #"<query type="node"><item from="a"/><item from="b"/>"#
        + #"<has-kv k="name" modv="not" regv=".*"/></query>"#
    ),
    (
      .query(.init(.way, [.recurse(.init(.bn, from: "n", .positions([1, -1])))])),
      "way(bn.n:1,-1);", #"<recurse type="node-way" from="n" pos="1,-1"/>"#
    ),
    (
      .query(.init(.node, [.recurse(.init(.wayCount, .count(2, nil)))])), "node(way_cnt:2-);",
      #"<recurse type="way-count" lower="2"/>"#
    ),
    (
      .query(.init(.node, [.recurse(.init(.wayLink, .count(2, 5)))])), "node(way_link:2-5);",
      #"<recurse type="way-link" lower="2" upper="5"/>"#
    ),
    (
      .query(.init(.relation, [.recurse(.init(.bw, .role("")))])), #"relation(bw:"");"#,
      #"<recurse type="way-relation" role="" role-restricted="yes"/>"#
    ),
    (
      .query(.init(.nwr, [.recurse(.init(.r)), .related(.upRelations, "a")])), "nwr(r)(<<.a);",
      #"<query type="nwr"><recurse type="relation-nwr"/><recurse type="up-rel" from="a"/></query>"#
    ),
    (
      .query(
        .init(
          .node,
          [
            .around(.init(radiusMeters: 50, center: .set("a"))), .area(.set("b")),
            .area(.id(3_600_000_001)),
            .pivot("c"),
          ])), "node(around.a:50)(area.b)(area:3600000001)(pivot.c);",
      #"<query type="node"><around from="a" radius="50"/><area-query from="b"/>"#
        + #"<area-query ref="3600000001"/><pivot from="c"/></query>"#
    ),
    (
      .query(
        .init(
          .node,
          [
            .newer(moment), .changed(.automatic), .changed(.initial), .changed(.since(moment)),
            .users(["a", "b\""]), .userIDs([1, 2], touched: true), .userIDs([2, 2]),
          ])),
      #"node(newer:"2020-01-02T03:04:05Z")(changed)(changed:"init")"#
        + #"(changed:"2020-01-02T03:04:05Z")(user:"a","b\"")(uid_touched:1,2)(uid:2,2);"#,
      #"<query type="node"><newer than="2020-01-02T03:04:05Z"/><changed/><changed since="init"/>"#
        + #"<changed since="2020-01-02T03:04:05Z" until="2020-01-02T03:04:05Z"/>"#
        + #"<user name="a" name_1="b&quot;"/><user uid="1" uid_1="2" criterion="touched"/>"#
        + #"<user uid="2" uid_1="2" uid_2="2"/></query>"#
    ),
    (.item(from: "a", into: "b"), ".a->.b;", #"<item from="a" into="b"/>"#),
    (
      .union([.item(), .recurse(.down)], into: "a"), "(._;>;)->.a;",
      #"<union into="a"><item/><recurse type="down"/></union>"#
    ),
    (
      .difference(.item(from: "a"), minus: .item(from: "b")), "(.a;- .b;);",
      #"<difference><item from="a"/><item from="b"/></difference>"#
    ),
    (
      .recurse(.downRelations, from: "a", into: "b"), ".a >>->.b;",
      #"<recurse type="down-rel" from="a" into="b"/>"#
    ),
    (
      .foreach(from: "a", into: "b", [.out(.init(.ids))]), "foreach.a->.b{out ids;}",
      #"<foreach from="a" into="b"><print mode="ids_only"/></foreach>"#
    ),
    (
      .for(.tag(.fixed("x")), from: "a", into: "b", []), #"for.a->.b(t["x"]){}"#,
      #"<for from="a" into="b"><eval-value><eval-fixed v="x"/></eval-value></for>"#
    ),
    (
      .complete(limit: 7, from: "a", into: "b", [.recurse(.up)]), "complete(7).a->.b{<;}",
      #"<complete from="a" into="b" maxnum="7"><recurse type="up"/></complete>"#
    ),
    (
      .if(.count("a", .nodes), then: [.out(.init())], else: [.out(.init(.count))]),
      "if(a.count(nodes)){out;}else{out count;}",
      #"<if><eval-set-count from="a" type="nodes"/><print/><else/><print mode="count"/></if>"#
    ),
    (
      .retro(.fixed("2020-01-01T00:00:00Z"), [cafes]),
      #"retro("2020-01-01T00:00:00Z"){node["amenity"="cafe"];}"#,
      #"<retro><eval-fixed v="2020-01-01T00:00:00Z"/>"#
        + #"<query type="node"><has-kv k="amenity" v="cafe"/></query></retro>"#
    ),
    (
      .compare(delta: .tag(.fixed("x")), from: "a", into: "b", [.out(.init())]),
      #".a compare(delta:t["x"])->.b{out;}"#,
      #"<compare from="a" into="b"><eval-value><eval-fixed v="x"/></eval-value><print/></compare>"#
    ),
    (.compare(), "compare;", "<compare/>"),
    (
      .timeline(ElementID(.relation, 5), version: 2, into: "a"), "timeline(relation,5,2)->.a;",
      #"<timeline type="relation" ref="5" version="2" into="a"/>"#
    ),
    (
      .local(.llb, box(1, 2, 3, 4), from: "a", into: "b"), ".a local llb(1,2,3,4)->.b;",
      #"<localize from="a" into="b" type="llb" s="1" w="2" n="3" e="4"/>"#
    ),
    (
      .make(
        type: "stat",
        [
          .tag("total", .count(.default, .nwr)), .tag("name:de", .fixed("x")), .id(.fixed("7")),
          .generic(from: "a", .aggregate(.u, .default, .tag(.generic))),
        ]), #"make stat total=count(nwr),"name:de"="x",::id=7,a::=u(t[::]);"#,
      #"<make type="stat"><set-prop keytype="tag" k="total"><eval-set-count type="nwr"/></set-prop>"#
        + #"<set-prop keytype="tag" k="name:de"><eval-fixed v="x"/></set-prop>"#
        + #"<set-prop keytype="id"><eval-fixed v="7"/></set-prop>"#
        + #"<set-prop keytype="generic" from="a"><eval-union><eval-value><eval-generic/>"#
        + #"</eval-value></eval-union></set-prop></make>"#
    ),
    (
      .convert(
        type: "item", [.generic(.generic), .omit("name"), .geometry(.element(.geom))], from: "a"),
      ".a convert item ::=::,!name,::geom=geom();",
      #"<convert from="a" type="item"><set-prop keytype="generic"><eval-generic/></set-prop>"#
        + #"<set-prop keytype="tag" k="name"/>"#
        + #"<set-prop keytype="geometry"><eval-geometry/></set-prop></convert>"#
    ),
    (
      .isIn(Coordinate(longitudeE7: 20_000_000, latitudeE7: 15_000_000), into: "a"),
      "is_in(1.5,2)->.a;", #"<coord-query lat="1.5" lon="2" into="a"/>"#
    ),
    (.isIn(from: "a"), ".a is_in;", #"<coord-query from="a"/>"#),
    (.mapToArea(from: "a", into: "b"), ".a map_to_area->.b;", #"<map-to-area from="a" into="b"/>"#),
    (
      .out(
        .init(
          .meta, .geom, order: .quadtile, limit: 5, omitsIDs: true,
          boundingBox: box(1, 2, 3, 4), from: "a")), ".a out meta noids geom(1,2,3,4) qt 5;",
      #"<print from="a" mode="meta" order="quadtile" limit="5" geometry="full" ids="no""#
        + #" s="1" w="2" n="3" e="4"/>"#
    ),
  ]

  static func box(_ south: Int32, _ west: Int32, _ north: Int32, _ east: Int32) -> BoundingBox {
    BoundingBox(
      southE7: south * 10_000_000, westE7: west * 10_000_000, northE7: north * 10_000_000,
      eastE7: east * 10_000_000)
  }

  @Test(arguments: statements.indices)
  func statement(_ index: Int) throws {
    let (statement, ql, xml) = PrinterTests.statements[index]
    let query = Query(statements: [statement])
    #expect(try query.ql() == ql)
    #expect(try query.xml() == "<osm-script>" + xml + "</osm-script>")
  }

  @Test func settings() throws {
    var settings = Query.Settings(
      output: .csv(
        .init(
          columns: [.special("id"), .special("count:nodes"), .tag("name"), .tag("addr:city")],
          hasHeader: false, separator: ";")),
      timeoutSeconds: 25, maxsizeBytes: 1000, boundingBox: PrinterTests.box(1, 2, 3, 4),
      time: .date(PrinterTests.moment))
    #expect(
      try Query(settings: settings).ql()
        == #"[out:csv(::id,::"count:nodes","name","addr:city";false;";")][timeout:25][maxsize:1000]"#
        + #"[bbox:1,2,3,4][date:"2020-01-02T03:04:05Z"];"#)
    settings.output = .xml
    settings.time = .adiff(from: PrinterTests.moment, to: PrinterTests.moment)
    #expect(
      try Query(settings: settings).ql()
        == #"[out:xml][timeout:25][maxsize:1000][bbox:1,2,3,4]"#
        + #"[adiff:"2020-01-02T03:04:05Z","2020-01-02T03:04:05Z"];"#)
    #expect(
      try Query(settings: settings).xml()
        == #"<osm-script output="xml" timeout="25" element-limit="1000" bbox="1,2,3,4""#
        + #" from="2020-01-02T03:04:05Z" date="2020-01-02T03:04:05Z" augmented="deletions"/>"#)
  }

  @Test func pretty() throws {
    let query = Query(
      settings: .init(output: .json, timeoutSeconds: 25),
      statements: [
        .union([PrinterTests.cafes, .difference(.item(from: "a"), minus: .item())], into: "b"),
        .if(
          .binary(.greater, .count("b", .nodes), .fixed("3")), then: [.out(.init(from: "b"))],
          else: [.out(.init(.count))]),
      ])
    #expect(
      try query.ql(.pretty) == """
        [out:json][timeout:25];
        (
          node["amenity"="cafe"];
          (
            .a;
            - ._;
          );
        )->.b;
        if(b.count(nodes) > 3) {
          .b out;
        } else {
          out count;
        }

        """)
    #expect(
      try query.xml(.pretty).hasPrefix("<osm-script output=\"json\" timeout=\"25\">\n  <union"))
  }

  @Test func whatXMLCannotSay() throws {
    for filter in [Query.TagFilter.equals("a", ""), .notEquals("a", ""), .equals("a", "\u{FFFE}")] {
      let query = Query(statements: [.query(.init(.node, [.tag(filter), .ids([1])]))])
      #expect(try query.ql().isEmpty == false)
      let error = #expect(throws: QueryError.self) { try query.xml() }
      #expect(error?.kind == .notExpressibleInXML)
    }
  }
}
