// The finder of places: what it says, in which order, and what it does not claim.

import MapStyling
import OSMGeometry
import OSMModel
import OverpassDecoding
import OverpassTestSupport
import Testing

/// The data of an answer given as the inside of its `elements` array.
private func dataset(_ elements: String) throws -> Dataset {
  try OverpassJSON.decode(Array("{\"elements\":[\(elements)]}".utf8)).dataset
}

/// Nodes 1, 2, 3 … ten metres or so apart towards the north, with these tags.
private func places(
  _ tags: KeyValuePairs<String, String>..., languages: LanguagePreference = [],
  kindKeys: [String] = PlaceKind.keys
) throws -> [NearbyPlace] {
  let elements = tags.enumerated().map { place, tags in
    let list = tags.map { "\"\($0)\":\"\($1)\"" }.joined(separator: ",")
    return
      "{\"type\":\"node\",\"id\":\(place + 1),\"lon\":0,\"lat\":0.000\(place + 1),\"tags\":{\(list)}}"
  }
  return try dataset(elements.joined(separator: ",")).places(
    near: here, languages: languages, kindKeys: kindKeys)
}

private let here = Coordinate(longitudeE7: 0, latitudeE7: 0)

@Suite struct PlaceTests {
  @Test func nameThenPlainNameThenKind() throws {
    let found = try places(
      ["amenity": "cafe", "name": "Plain", "name:fi": "Suomi", "name:en": "English"],
      ["amenity": "cafe", "name": "Plain"], ["amenity": "toilets"],
      ["amenity": "drinking_water", "name": " "], languages: ["fi", "en"])
    #expect(found.map(\.title) == ["Suomi", "Plain", "Toilets", "Drinking water"])
    #expect(found.map(\.isNamed) == [true, true, false, false])
    #expect(found[0].kindTitle == "Café")
    #expect(found[2].kind == PlaceKind(key: "amenity", value: "toilets"))
  }

  @Test func nearestFirstAndTiesInTheOrderOfTheAnswer() throws {
    let data = try dataset(
      """
      {"type":"node","id":1,"lat":0.002,"lon":0,"tags":{"amenity":"bench"}},
      {"type":"node","id":2,"lat":0,"lon":0.001,"tags":{"amenity":"bench"}},
      {"type":"node","id":3,"lat":-0.002,"lon":0,"tags":{"amenity":"bench"}},
      {"type":"node","id":4,"lat":0,"lon":0,"tags":{"amenity":"bench"}},
      {"type":"node","id":5,"lat":0,"lon":-0.001,"tags":{"amenity":"bench"}}
      """)
    let found = data.places(near: here)
    #expect(found.map(\.element.number) == [4, 2, 5, 1, 3])
    #expect(found[0].distance == 0)
    #expect(found[0].bearing == nil)
    #expect(found.dropFirst().map(\.bearing) == [90, 270, 0, 180])
    #expect(abs(found[1].distance - 111.31949079) < 1e-6)
    #expect(data.places(near: here, radius: 111.32).map(\.element.number) == [4, 2, 5])
    #expect(data.places(near: here, radius: 0).map(\.element.number) == [4])
    #expect(data.places(near: .undefined).isEmpty)
  }

  @Test func feesAreWhatTheTagsSay() throws {
    let found = try places(
      ["amenity": "toilets", "fee": "yes", "charge": "0.50 EUR"],
      ["amenity": "toilets", "fee": "no"],
      ["amenity": "toilets"], ["amenity": "toilets", "charge": "1 EUR"],
      ["amenity": "toilets", "fee": "Mo-Fr 08:00-18:00"],
      ["amenity": "toilets", "fee": "no", "fee:conditional": "yes @ (Sa,Su)"],
      ["amenity": "toilets", "fee": ""])
    #expect(found.map(\.fee) == [.yes, .no, .unknown, .unknown, .unknown, .unknown, .unknown])
    #expect(found.map(\.charge) == ["0.50 EUR", nil, nil, "1 EUR", nil, nil, nil])
    #expect(
      found.map(\.feeText) == [nil, nil, nil, nil, "Mo-Fr 08:00-18:00", "yes @ (Sa,Su)", nil])
  }

  @Test func wheelchairsAreWhatTheTagsSay() throws {
    let found = try places(
      ["amenity": "toilets", "wheelchair": "yes"], ["amenity": "toilets", "wheelchair": "limited"],
      ["amenity": "toilets", "wheelchair": "no"], ["amenity": "toilets"],
      ["amenity": "toilets", "toilets:wheelchair": "yes"],
      ["amenity": "toilets", "wheelchair": "no", "toilets:wheelchair": "yes"],
      ["amenity": "restaurant", "toilets:wheelchair": "yes"],
      ["amenity": "toilets", "wheelchair": "designated"],
      ["amenity": "toilets", "wheelchair": "perhaps", "toilets:wheelchair": "no"])
    #expect(
      found.map(\.wheelchair) == [
        .yes, .limited, .no, .unknown, .yes, .no, .unknown, .yes, .no,
      ])
    #expect(found[6].toiletsWheelchair == .yes)
    #expect(found[5].toiletsWheelchair == .yes)
    #expect(found[3].toiletsWheelchair == .unknown)
  }

  @Test func descriptionsAndOpeningHours() throws {
    let found = try places(
      [
        "amenity": "toilets", "description": "Behind the church", "description:fi": "Kirkon takana",
        "opening_hours": "Mo-Su 06:00-22:00; PH off",
      ], ["amenity": "toilets"], languages: ["fi"])
    #expect(found[0].description == "Kirkon takana")
    #expect(found[0].openingHours == "Mo-Su 06:00-22:00; PH off")
    #expect(found[1].description == nil)
    #expect(found[1].openingHours == nil)
  }

  @Test func kindsAreTheFirstKeyThatSaysOne() throws {
    let found = try places(
      ["tourism": "museum", "shop": "books"], ["amenity": "no", "shop": "bakery"],
      ["highway": "bus_stop"], ["disused:amenity": "cafe"], ["amenity": "no"],
      ["leisure": "playground"])
    #expect(found.map(\.kind.value) == ["books", "bakery"])
    let other = try places(["leisure": "playground"], ["amenity": "cafe"], kindKeys: ["leisure"])
    #expect(other.map(\.kind.key) == ["leisure"])
    #expect(try places(["amenity": "cafe"], kindKeys: []).isEmpty)
  }

  @Test(
    arguments: [
      ("amenity", "toilets", "Toilets"), ("amenity", "drinking_water", "Drinking water"),
      ("amenity", "atm", "ATM"), ("amenity", "yes", "Amenity"),
      ("amenity", "cafe;bar", "Café, bar"),
      ("amenity", "bar; bar", "Bar"), ("shop", "clothes", "Clothes shop"),
      ("shop", "bakery", "Bakery"), ("shop", "yes", "Shop"),
      ("shop", "convenience", "Convenience store"),
      ("shop", "department_store", "Department store"), ("tourism", "picnic_site", "Picnic site"),
      ("amenity", ";", "Amenity"), ("public_transport", "yes", "Public transport"),
      ("amenity", "šatna", "Šatna"),
    ])
  func kindsInWords(key: String, value: String, title: String) {
    #expect(PlaceKind(key: key, value: value).title == title)
  }

  @Test func areasAreAtAPositionOnTheirSurface() throws {
    // A horseshoe, whose middle lies outside of it.
    let data = try dataset(
      """
      {"type":"way","id":1,"tags":{"amenity":"school"},"geometry":[{"lat":0,"lon":0},
      {"lat":0,"lon":0.01},{"lat":0.01,"lon":0.01},{"lat":0.01,"lon":0.009},{"lat":0.001,"lon":0.009},
      {"lat":0.001,"lon":0.001},{"lat":0.01,"lon":0.001},{"lat":0.01,"lon":0},{"lat":0,"lon":0}]},
      {"type":"way","id":2,"center":{"lat":0.02,"lon":0.02},"tags":{"amenity":"cafe"}},
      {"type":"way","id":3,"tags":{"amenity":"cafe"}}
      """)
    let found = data.places(near: here)
    #expect(found.map(\.element.number) == [1, 2])
    #expect(found.map(\.placeholder) == [.none, .center])
    let (x, y) = (found[0].coordinate.longitude, found[0].coordinate.latitude)
    #expect((0..<0.001).contains(y) || (0..<0.001).contains(x) || (0.009..<0.01).contains(x))
    #expect((0..<0.01).contains(x) && (0..<0.01).contains(y))
  }

  /// Whatever the tags are, a claim needs its tag.
  @Test(arguments: [UInt64(1), 2, 3, 4])
  func nothingIsClaimedWithoutItsTag(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let keys = [
      "amenity", "shop", "tourism", "name", "name:fi", "fee", "charge", "wheelchair",
      "toilets:wheelchair", "opening_hours", "description", "fee:conditional",
    ]
    let values = ["yes", "no", "limited", "toilets", "0.50 EUR", "", " ", "cafe;bar", "24/7", "ä"]
    for _ in 0..<200 {
      var tags: [String: String] = [:]
      for key in keys where Bool.random(using: &random) {
        tags[key] = values.randomElement(using: &random)
      }
      let list = tags.map { "\"\($0)\":\"\($1)\"" }.joined(separator: ",")
      let data = try dataset(
        "{\"type\":\"node\",\"id\":1,\"lon\":1,\"lat\":1,\"tags\":{\(list)}}")
      for place in data.places(near: here, languages: ["fi"]) {
        #expect(tags[place.kind.key] == place.kind.value)
        if place.fee != .unknown { #expect(tags["fee"] == (place.fee == .yes ? "yes" : "no")) }
        if let charge = place.charge { #expect(tags["charge"] == charge) }
        if let hours = place.openingHours { #expect(tags["opening_hours"] == hours) }
        if let text = place.description { #expect(tags["description"] == text) }
        if place.wheelchair != .unknown {
          let word = ["", "yes", "no", "limited"][Int(place.wheelchair.rawValue)]
          #expect(
            tags["wheelchair"] == word
              || (place.kind.value == "toilets" && tags["toilets:wheelchair"] == word))
        }
        if place.isNamed { #expect([tags["name"], tags["name:fi"]].contains(place.title)) }
        #expect(!place.title.isEmpty)
      }
    }
  }
}
