// Questions people really ask, with the code that answers them and the query it writes.

import OSMModel
import OverpassQuery
import Testing

/// Checks the text after the settings, and that the parser takes it for the same query.
func expect(
  _ query: SetQuery, _ expected: String, _ location: SourceLocation = #_sourceLocation
) throws {
  let built = try query.build()
  let text = try built.ql()
  #expect(
    text.replacing("[out:json];", with: "") == expected, sourceLocation: location)
  let errors = built.check().filter { $0.severity == .error }
  #expect(errors.isEmpty, "\(text)", sourceLocation: location)
  for text in [text, try built.ql(.pretty), try built.xml()] {
    let parsed = Query.parsing(text)
    #expect(parsed.query == built, sourceLocation: location)
    #expect(!parsed.diagnostics.contains { $0.severity == .error }, sourceLocation: location)
  }
}

@Suite struct WorkedExamplesTests {
  @Test("Which pubs are there in a city?")
  func pubsInACity() throws {
    let pubs = Query.elements().tag("amenity", "pub")
    try expect(
      pubs.within(Query.area(named: "Dublin")).out(.body, .center),
      #"area["name"="Dublin"];nwr["amenity"="pub"](area);out center;"#)
  }

  @Test("What lies within 200 m of any railway station?")
  func everythingNearASet() throws {
    let stations = Query.nodes().tag("railway", "station")
      .boundingBox(south: 60.1, west: 24.8, north: 60.3, east: 25.1)
    try expect(
      Query.elements().around(stations, radius: 200).out(.body, .geom),
      #"node["railway"="station"](60.1,24.8,60.3,25.1);nwr(around:200);out geom;"#)
  }

  @Test("Which restaurants in town are farther than 500 m from a bus stop?")
  func farFromASet() throws {
    let town = Query.area(named: "Kuopio")
    let restaurants = Query.nodes().tag("amenity", "restaurant").within(town)
    let stops = Query.nodes().tag("highway", "bus_stop").within(town)
    try expect(
      (restaurants - restaurants.around(stops, radius: 500)).out(),
      #"area["name"="Kuopio"];node["amenity"="restaurant"](area)->.a;"#
        + #"node["highway"="bus_stop"](area)->.b;(.a;-node.a(around.b:500););out;"#)
  }

  @Test("Which relations are bus routes, together with their members and all nodes?")
  func relationsWithMembers() throws {
    let routes = Query.relations().tag("route", "bus").tag("ref", "550")
    try expect(
      routes.with(.down).out(),
      #"relation["route"="bus"]["ref"="550"];(._;>;);out;"#)
  }

  @Test("At which stops does a line halt?")
  func membersByRole() throws {
    let line = ElementSet(ids: [ElementID(.relation, 34_914)])
    try expect(
      line.members(.node, role: "stop").out(),
      #"relation(34914);node(r:"stop");out;"#)
  }

  @Test("Which bus routes serve a stop?")
  func relationsOfANode() throws {
    let stop = Query.nodes().ids([25_291_537])
    try expect(
      stop.relationsContaining().tag("route", "bus").out(.tags),
      #"node(25291537);relation(bn)["route"="bus"];out tags;"#)
  }

  @Test("Which ways have no tag at all?")
  func waysWithoutAnyTag() throws {
    let ways = Query.ways().boundingBox(south: 60, west: 24, north: 60.1, east: 24.1)
    try expect(
      ways.where(ElementValue.tagCount.equals(0)).out(.body, .geom),
      #"way(60,24,60.1,24.1)(if:count_tags()==0);out geom;"#)
  }

  @Test("Which streets have no name?")
  func withoutATag() throws {
    let streets = Query.ways().tag("highway", "residential").withoutTag("name")
    try expect(
      streets.within(Query.area(of: ElementID(.relation, 36_990))).out(.ids),
      #"way["highway"="residential"][!"name"](area:3600036990);out ids;"#)
  }

  @Test("How many schools are there, and how many of them have a wheelchair ramp?")
  func counts() throws {
    let schools = Query.elements().tag("amenity", "school")
      .within(Query.area(named: "Bremen", tags: ["admin_level": "4"]))
    try expect(
      schools.count().count(schools.tag("ramp:wheelchair", "yes")),
      #"area["name"="Bremen"]["admin_level"="4"];nwr["amenity"="school"](area);out count;"#
        + #"nwr._["ramp:wheelchair"="yes"];out count;"#)
  }

  @Test("What has been changed since the first of May?")
  func changedSince() throws {
    let shops = Query.elements().tag("shop")
      .boundingBox(south: 43.72, west: 7.4, north: 43.76, east: 7.45)
    try expect(
      shops.newer(than: "2024-05-01").out(.meta),
      #"nwr["shop"](43.72,7.4,43.76,7.45)(newer:"2024-05-01T00:00:00Z");out meta;"#)
  }

  @Test("Which nodes does a way consist of, and which are its ends?")
  func nodesOfAWay() throws {
    let way = Query.ways().ids([8_042_215])
    try expect(
      way.nodesOfWays().out(.skel).out(way.nodesOfWays(at: [1, -1]), .ids),
      "way(8042215)->.a;node(w.a);out skel;node(w.a:1,-1);out ids;")
  }

  @Test("Where do footways meet primary roads?")
  func commonNodes() throws {
    let town = Query.area(named: "Monaco")
    let roads = Query.ways().tag("highway", "primary").within(town)
    let paths = Query.ways().tag("highway", "footway").within(town)
    try expect(
      (roads.nodesOfWays() & paths.nodesOfWays()).out(),
      #"area["name"="Monaco"]->.a;way["highway"="footway"](area.a);node(w)->.b;"#
        + #"way["highway"="primary"](area.a);node.b(w);out;"#)
  }

  @Test("Which buildings stand on the border of two districts?")
  func acrossABoundary() throws {
    let border = Query.relations().ids([5_608]).members(.way, role: "outer")
    try expect(
      Query.ways().tag("building").around(border, radius: 0).out(.ids, .center),
      #"relation(5608);way(r:"outer");way["building"](around:0);out ids center;"#)
  }

  @Test("In which countries, states and towns does a position lie?")
  func whereAmI() throws {
    try expect(
      Query.areas(latitude: 43.7311, longitude: 7.4197).tag("admin_level").out(.tags),
      #"is_in(43.7311,7.4197);area._["admin_level"];out tags;"#)
  }

  @Test("Which outline belongs to the town around a position?")
  func outlineOfAnArea() throws {
    let towns = Query.areas(latitude: 43.7311, longitude: 7.4197).tag("admin_level", "8")
    try expect(
      towns.pivots(.relation).out(.body, .geom),
      #"is_in(43.7311,7.4197);area._["admin_level"="8"];relation(pivot);out geom;"#)
  }

  @Test("Which benches stand in parks?")
  func withinWays() throws {
    let parks = Query.ways().tag("leisure", "park")
      .boundingBox(south: 60.1, west: 24.8, north: 60.3, east: 25.1)
    try expect(
      Query.nodes().tag("amenity", "bench").within(parks).out(),
      #"way["leisure"="park"](60.1,24.8,60.3,25.1);node["amenity"="bench"](area);out;"#)
  }

  @Test("Which drinking water or toilets are there along a hiking route?")
  func alongARoute() throws {
    let route = Query.relations().ids([2_689_634]).members(.way)
    let useful = Query.nodes().tag("amenity", oneOf: ["drinking_water", "toilets"])
    try expect(
      useful.around(route, radius: 250).out(),
      #"relation(2689634);way(r);node["amenity"~"^(drinking_water|toilets)$"](around:250);out;"#)
  }

  @Test("Which villages have a shop and a doctor within 2 km?")
  func nearBoth() throws {
    let region = Query.area(named: "Kainuu")
    let shops = Query.nodes().tag("shop", "supermarket").within(region)
    let doctors = Query.nodes().tag("amenity", "doctors").within(region)
    let villages = Query.nodes().tag("place", "village")
    try expect(
      villages.around(shops, radius: 2000).around(doctors, radius: 2000).out(.tags),
      #"area["name"="Kainuu"];node["shop"="supermarket"](area)->.a;"#
        + #"node["amenity"="doctors"](area);"#
        + #"node["place"="village"](around.a:2000)(around:2000);out tags;"#)
  }

  @Test("Which streets are longer than a kilometre and have few tags?")
  func byValues() throws {
    let streets = Query.ways().tag("highway")
      .boundingBox(south: 43.72, west: 7.4, north: 43.76, east: 7.45)
    try expect(
      streets.where(.length > 1000 && .tagCount < 3).out(.tags),
      #"way["highway"](43.72,7.4,43.76,7.45)(if:length()>1000&&count_tags()<3);out tags;"#)
  }

  @Test("Which junctions join at least four streets?")
  func junctions() throws {
    let streets = Query.ways().tag("highway")
      .boundingBox(south: 43.72, west: 7.4, north: 43.76, east: 7.45)
    try expect(
      streets.nodesShared(byWays: 4).out(),
      #"way["highway"](43.72,7.4,43.76,7.45);node(way_cnt:4-);out;"#)
  }

  @Test("What did one mapper change last, apart from buildings?")
  func byUser() throws {
    let work = Query.elements().boundingBox(south: 43.72, west: 7.4, north: 43.76, east: 7.45)
      .edited(byUsers: ["A. Mapper"])
    try expect(
      (work - Query.ways().tag("building")).out(.meta),
      #"nwr(43.72,7.4,43.76,7.45)(user:"A. Mapper");(._;-way._["building"];);out meta;"#)
  }

  @Test("What was there in 2015, cafés and bars, at most 100 of them?")
  func inThePast() throws {
    let area = Query.area(of: ElementID(.relation, 36_990))
    let cafes = Query.nodes().tag("amenity", "cafe")
    let bars = Query.nodes().tag("amenity", "bar")
    try expect(
      (cafes.within(area) + bars.within(area)).out(order: .quadtile, limit: 100)
        .date("2015-01-01").timeout(seconds: 60),
      #"[out:json][timeout:60][date:"2015-01-01T00:00:00Z"];"#
        + #"(node["amenity"="cafe"](area:3600036990);node["amenity"="bar"](area:3600036990););"#
        + "out qt 100;")
  }

  @Test("Which pubs serve food, if the town has more than ten?")
  func dependingOnACount() throws {
    let pubs = Query.nodes().tag("amenity", "pub").within(Query.area(named: "Galway"))
    try expect(
      pubs.tag("food", "yes").where(.count(.nodes, in: pubs) > 10).out(),
      #"area["name"="Galway"];node["amenity"="pub"](area);"#
        + #"node._["food"="yes"](if:count(nodes)>10);out;"#)
  }
}
