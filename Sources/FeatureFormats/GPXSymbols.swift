// Symbols of waypoints by tags, by the names that devices of Garmin have for them; others show a flag.

import OSMGeometry
import OSMModel

/// Finds the symbol of a waypoint. Source: OSM wiki, "Map features", for the tags.
struct GPXSymbols: Sendable {
  private struct Rule: Sendable {
    let key: StringID
    /// `nil` for any value.
    let value: StringID?
    let symbol: StaticString
  }

  private let rules: [Rule]

  /// Keeps those rules whose tags occur at all.
  init(_ strings: borrowing StringTable) {
    var rules: [Rule] = []
    for (key, value, symbol) in GPXSymbols.table {
      guard let key = strings.find(key) else { continue }
      if let value {
        guard let value = strings.find(value) else { continue }
        rules.append(Rule(key: key, value: value, symbol: symbol))
      } else {
        rules.append(Rule(key: key, value: nil, symbol: symbol))
      }
    }
    self.rules = rules
  }

  func symbol(_ tags: FeatureTags) -> StaticString? {
    rules.first { rule in
      guard let value = tags.value(ofKey: rule.key) else { return false }
      return rule.value == nil || rule.value == value
    }?.symbol
  }

  /// The first rule that fits counts.
  private static let table: [(key: StaticString, value: StaticString?, symbol: StaticString)] = [
    ("amenity", "atm", "Bank"),
    ("amenity", "bank", "Bank"),
    ("amenity", "bar", "Bar"),
    ("amenity", "biergarten", "Bar"),
    ("amenity", "cafe", "Restaurant"),
    ("amenity", "cinema", "Movie Theater"),
    ("amenity", "clinic", "Medical Facility"),
    ("amenity", "drinking_water", "Drinking Water"),
    ("amenity", "fast_food", "Fast Food"),
    ("amenity", "fuel", "Gas Station"),
    ("amenity", "hospital", "Medical Facility"),
    ("amenity", "library", "Library"),
    ("amenity", "parking", "Parking Area"),
    ("amenity", "pharmacy", "Pharmacy"),
    ("amenity", "place_of_worship", "Church"),
    ("amenity", "police", "Police Station"),
    ("amenity", "post_office", "Post Office"),
    ("amenity", "pub", "Bar"),
    ("amenity", "restaurant", "Restaurant"),
    ("amenity", "school", "School"),
    ("amenity", "shower", "Shower"),
    ("amenity", "telephone", "Telephone"),
    ("amenity", "theatre", "Live Theater"),
    ("amenity", "toilets", "Restroom"),
    ("tourism", "camp_site", "Campground"),
    ("tourism", "hotel", "Lodging"),
    ("tourism", "hostel", "Lodging"),
    ("tourism", "guest_house", "Lodging"),
    ("tourism", "information", "Information"),
    ("tourism", "museum", "Museum"),
    ("tourism", "picnic_site", "Picnic Area"),
    ("tourism", "viewpoint", "Scenic Area"),
    ("tourism", "zoo", "Zoo"),
    ("aeroway", "aerodrome", "Airport"),
    ("highway", "bus_stop", "Ground Transportation"),
    ("highway", "trailhead", "Trail Head"),
    ("leisure", "golf_course", "Golf Course"),
    ("leisure", "park", "Park"),
    ("leisure", "swimming_area", "Swimming Area"),
    ("man_made", "tower", "Tall Tower"),
    ("natural", "peak", "Summit"),
    ("railway", "station", "Ground Transportation"),
    ("shop", nil, "Shopping Center"),
  ]
}
