// What the tags of a place say, read by the numbers that one dataset gives to keys and values.

import OSMGeometry
import OSMModel

/// The keys and values that tell about places, looked up once per dataset.
struct PlaceKeys {
  let name: LocalizedKey
  let description: LocalizedKey
  /// In order of preference.
  private let kinds: [(key: StringID, name: String)]
  private let fee: StringID
  private let conditionalFee: StringID
  private let charge: StringID
  private let openingHours: StringID
  private let wheelchair: StringID
  private let toiletsWheelchair: StringID
  private let yes: StringID
  private let no: StringID
  private let limited: StringID
  private let designated: StringID

  init(
    kindKeys: [String], _ languages: LanguagePreference, in strings: borrowing StringTable
  ) {
    name = LocalizedKey("name", languages, in: strings)
    description = LocalizedKey("description", languages, in: strings)
    var kinds: [(key: StringID, name: String)] = []
    for key in kindKeys {
      if let found = strings.find(key) { kinds.append((found, key)) }
    }
    self.kinds = kinds
    fee = strings.find("fee") ?? .absent
    conditionalFee = strings.find("fee:conditional") ?? .absent
    charge = strings.find("charge") ?? .absent
    openingHours = strings.find("opening_hours") ?? .absent
    wheelchair = strings.find("wheelchair") ?? .absent
    toiletsWheelchair = strings.find("toilets:wheelchair") ?? .absent
    yes = strings.find("yes") ?? .absent
    no = strings.find("no") ?? .absent
    limited = strings.find("limited") ?? .absent
    designated = strings.find("designated") ?? .absent
  }

  /// What the element is, by the first of the keys that it has; `amenity=no` is nothing.
  func kind(of tags: FeatureTags, _ strings: borrowing StringTable) -> PlaceKind? {
    for kind in kinds {
      guard let value = tags.value(ofKey: kind.key), value != no, strings.saysSomething(value)
      else {
        continue
      }
      return PlaceKind(key: kind.name, value: strings.string(value))
    }
    return nil
  }

  /// Whether one has to pay. A fee at certain times (`fee:conditional`) is neither yes nor no.
  func fee(
    of tags: FeatureTags, _ strings: borrowing StringTable
  ) -> (fee: NearbyPlace.Fee, text: String?) {
    if let conditions = text(conditionalFee, in: tags, strings) { return (.unknown, conditions) }
    switch tags.value(ofKey: fee) {
    case yes: return (.yes, nil)
    case no: return (.no, nil)
    default: return (.unknown, text(fee, in: tags, strings))
    }
  }

  func charge(of tags: FeatureTags, _ strings: borrowing StringTable) -> String? {
    text(charge, in: tags, strings)
  }

  func openingHours(of tags: FeatureTags, _ strings: borrowing StringTable) -> String? {
    text(openingHours, in: tags, strings)
  }

  /// Of toilets, `toilets:wheelchair` tells where `wheelchair` does not. Of other places it only tells
  /// about the toilets there: a restaurant behind steps may have accessible ones.
  func wheelchair(of tags: FeatureTags, _ kind: PlaceKind) -> (
    place: WheelchairAccess, toilets: WheelchairAccess
  ) {
    let toilets = access(tags.value(ofKey: toiletsWheelchair))
    let place = access(tags.value(ofKey: wheelchair))
    let isToilets = kind.key == "amenity" && kind.value == "toilets"
    return (place == .unknown && isToilets ? toilets : place, toilets)
  }

  /// `designated` is made for wheelchairs (OSM wiki, "Key:wheelchair").
  private func access(_ value: StringID?) -> WheelchairAccess {
    switch value {
    case yes, designated: .yes
    case no: .no
    case limited: .limited
    default: .unknown
    }
  }

  private func text(
    _ key: StringID, in tags: FeatureTags, _ strings: borrowing StringTable
  ) -> String? {
    guard let value = tags.value(ofKey: key), strings.saysSomething(value) else { return nil }
    return strings.string(value)
  }
}
