// Checks the objects that OverpassMapKit makes. Prints a line for each check that fails, and how many
// there were; exits with 1 when one failed.

import CoreLocation
import Glibc
import MapKit
import OverpassKit
import OverpassMapKit

nonisolated(unsafe) var passed = 0
nonisolated(unsafe) var failed = 0

func check(_ condition: Bool, _ what: String, line: Int = #line) {
  if condition {
    passed += 1
  } else {
    failed += 1
    print("MapKit: line \(line): \(what)")
  }
}

let answer = """
  {"elements":[
  {"type":"node","id":1,"lat":0,"lon":0},{"type":"node","id":2,"lat":0,"lon":10},
  {"type":"node","id":3,"lat":10,"lon":10},{"type":"node","id":4,"lat":10,"lon":0},
  {"type":"node","id":5,"lat":2,"lon":2},{"type":"node","id":6,"lat":2,"lon":4},
  {"type":"node","id":7,"lat":4,"lon":4},{"type":"node","id":8,"lat":20.5,"lon":-30.25,
  "tags":{"amenity":"toilets","name":"Plain","name:fi":"Vessa"}},
  {"type":"node","id":9,"lat":20,"lon":30},{"type":"node","id":10,"lat":21,"lon":30},
  {"type":"node","id":11,"lat":20,"lon":31},{"type":"node","id":12,"lat":50,"lon":50},
  {"type":"node","id":13,"lat":51,"lon":50},
  {"type":"way","id":1,"nodes":[1,2,3,4,1]},{"type":"way","id":2,"nodes":[5,6,7,5]},
  {"type":"way","id":3,"nodes":[9,10,11,9]},
  {"type":"way","id":4,"nodes":[1,3],"tags":{"highway":"path","name":"Polku"}},
  {"type":"way","id":5,"nodes":[9,10,11,9],"tags":{"building":"yes","name":"Talo"}},
  {"type":"way","id":6,"nodes":[12,13]},
  {"type":"relation","id":1,"members":[{"type":"way","ref":1,"role":"outer"},
  {"type":"way","ref":2,"role":"inner"}],"tags":{"type":"multipolygon","natural":"wood"}},
  {"type":"relation","id":2,"members":[{"type":"way","ref":1,"role":"outer"},
  {"type":"way","ref":2,"role":"inner"},{"type":"way","ref":3,"role":"outer"}],
  "tags":{"type":"multipolygon","natural":"water","name":"Järvi"}},
  {"type":"relation","id":3,"members":[{"type":"way","ref":4,"role":""},
  {"type":"way","ref":6,"role":""}],"tags":{"type":"route","route":"foot","name":"Reitti"}},
  {"type":"thing","id":1,"geometry":{"type":"GeometryCollection","geometries":[
  {"type":"MultiPoint","coordinates":[[5,6],[7,8]]},
  {"type":"LineString","coordinates":[[0,0],[1,0]]}]},"tags":{"name":"Made"}}
  ]}
  """

let features = FeatureSet(try OverpassJSON.decode(Array(answer.utf8)).dataset)
let seen = features.mapKitVisualizations(languages: ["fi"])

func positions(_ shape: MKMultiPoint) -> [[Double]] {
  shape.stubPositions.map { [$0.longitude, $0.latitude] }
}

let expected: Set<ElementID> = [
  ElementID(.node, 8), ElementID(.way, 4), ElementID(.way, 5),
  ElementID(.relation, 1), ElementID(.relation, 2), ElementID(.relation, 3),
]
check(Set(seen.keys) == expected, "the elements, not \(seen.keys)")
check(seen[ElementID(.node, 1)] == nil, "a node of a way is not drawn")
check(seen[ElementID(.way, 1)] == nil, "a way that a relation draws is not drawn")
check(seen[ElementID(.way, 6)] == nil, "a way of a route without tags of its own is not drawn")

if case .annotation(let pin)? = seen[ElementID(.node, 8)] {
  check(pin.coordinate.latitude == 20.5 && pin.coordinate.longitude == -30.25, "where the pin is")
  check(pin.title == "Vessa", "the title in the language asked for")
  check(pin.element == ElementID(.node, 8), "the element of the pin")
  check((pin as MKPointAnnotation).subtitle == nil, "no subtitle")
} else {
  check(false, "an annotation")
}

if case .polyline(let line)? = seen[ElementID(.way, 4)] {
  check(positions(line) == [[0, 0], [10, 10]], "the positions of a line")
  check(line.title == "Polku", "the title of a line")
} else {
  check(false, "a polyline")
}

if case .polygon(let polygon)? = seen[ElementID(.way, 5)] {
  check(polygon.pointCount == 3, "rings are open")
  check(polygon.interiorPolygons == nil, "no holes")
  check(polygon.title == "Talo", "the title of a polygon")
} else {
  check(false, "a polygon")
}

if case .polygon(let wood)? = seen[ElementID(.relation, 1)] {
  check(wood.pointCount == 4, "the exterior")
  check(wood.interiorPolygons?.map(\.pointCount) == [3], "the hole")
  check(wood.title == nil, "no name, no title")
} else {
  check(false, "a polygon with a hole")
}

if case .polygons(let lake)? = seen[ElementID(.relation, 2)] {
  check(lake.polygons.map(\.pointCount).sorted() == [3, 4], "two polygons")
  check(lake.polygons.compactMap(\.interiorPolygons).count == 1, "one with a hole")
  check(lake.title == "Järvi", "the title of several polygons")
} else {
  check(false, "several polygons")
}

if case .polylines(let route)? = seen[ElementID(.relation, 3)] {
  check(route.polylines.map(positions).contains([[0, 0], [10, 10]]), "the lines of a route")
  check(route.polylines.count == 2, "two lines")
  check(route.title == "Reitti", "the title of several lines")
} else {
  check(false, "several polylines")
}

for (id, one) in seen {
  check(one.annotations.count + one.overlays.count == 1, "one object for \(id)")
  check(
    features.mapKitVisualization(of: id)?.overlays.count == one.overlays.count, "alone as among all"
  )
}
check(features.mapKitVisualization(of: ElementID(.way, 1)) == nil, "alone it is not drawn either")

let made = features.visualizations().filter { $0.typeName == "thing" }
check(made.count == 1, "what a query made")
if let first = made.first {
  let collection = MapKitVisualization(first)
  check(collection.annotations.map(\.coordinate.longitude) == [5, 7], "pins of a collection")
  check(collection.annotations.map(\.title) == ["Made", "Made"], "their titles")
  check(collection.overlays.count == 1, "overlays of a collection")
}

let here = Coordinate(longitudeE7: 0, latitudeE7: 0)
if let place = features.places(near: here, languages: ["fi"]).first {
  let pin = ElementAnnotation(place)
  check(pin.title == "Vessa", "the title of a place")
  check(pin.subtitle == "Toilets", "what the place is")
} else {
  check(false, "a place")
}

print("OverpassMapKit: \(passed) passed, \(failed) failed")
exit(failed > 0 ? 1 : 0)
