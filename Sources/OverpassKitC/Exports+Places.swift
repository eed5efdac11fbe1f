// Exports: the finder of places.

import COverpassKit
import OverpassKit

/// Places, with their texts at fixed places in memory.
final class PlacesHandle: Sendable {
  struct Item: Sendable {
    let place: NearbyPlace
    let title: StableText
    let kindKey: StableText
    let kind: StableText
    let kindTitle: StableText
    let description: StableText?
    let charge: StableText?
    let feeText: StableText?
    let openingHours: StableText?

    init(_ place: NearbyPlace) {
      self.place = place
      title = StableText(place.title)
      kindKey = StableText(place.kind.key)
      kind = StableText(place.kind.value)
      kindTitle = StableText(place.kindTitle)
      description = place.description.map { StableText($0) }
      charge = place.charge.map { StableText($0) }
      feeText = place.feeText.map { StableText($0) }
      openingHours = place.openingHours.map { StableText($0) }
    }
  }

  let items: [Item]

  init(_ places: [NearbyPlace]) { items = places.map(Item.init) }
}

@_cdecl("opk_places_find") @implementation
public func opk_places_find(
  _ features: OpaquePointer!, _ lat: Double, _ lon: Double,
  _ opt: UnsafePointer<opk_place_options>!, _ out: UnsafeMutablePointer<OpaquePointer?>!,
  _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe boundary(err) { () throws(BoundaryError) in
    guard let out = unsafe out else { throw .misuse("out is NULL") }
    unsafe out.pointee = nil
    guard let set = unsafe object(features, FeaturesHandle.self)?.features else {
      throw .misuse("features is NULL")
    }
    var defaults = unsafe opk_place_options()
    unsafe defaults.radius_m = .nan
    let given = try unsafe readOptions(opt, over: defaults)
    guard let position = Coordinate(longitude: lon, latitude: lat) else {
      throw .misuse("latitude \(lat), longitude \(lon): out of range")
    }
    guard unsafe !(given.radius_m < 0) else {
      throw .misuse(unsafe "a radius of \(given.radius_m) m; it has to be 0 or more")
    }
    let languages = try unsafe languages(given.languages, given.language_count)
    let kindKeys =
      unsafe given.kind_keys == nil && given.kind_key_count == 0
      ? PlaceKind.keys : try texts(given.kind_keys, given.kind_key_count, "kind_keys")
    let places = unsafe set.places(
      near: position, languages: languages, radius: given.radius_m.isNaN ? nil : given.radius_m,
      kindKeys: kindKeys)
    unsafe out.pointee = unsafe makeHandle(PlacesHandle(places))
  }
}

@_cdecl("opk_places_count") @implementation
public func opk_places_count(_ places: OpaquePointer!) -> Int {
  unsafe object(places, PlacesHandle.self)?.items.count ?? 0
}

@_cdecl("opk_places_get") @implementation
public func opk_places_get(
  _ places: OpaquePointer!, _ index: Int, _ out: UnsafeMutablePointer<opk_nearby_place>!
) -> opk_status {
  guard let handle = unsafe object(places, PlacesHandle.self), let out = unsafe out,
    handle.items.indices.contains(index)
  else { return opk_status(OPK_ERR_MISUSE) }
  let item = handle.items[index]
  let place = item.place
  var result = unsafe opk_nearby_place()
  unsafe result.type = UInt32(place.element.type.rawValue)
  unsafe result.id = place.element.number == ElementID.unknownNumber ? 0 : place.element.number
  unsafe result.feature_index = place.feature
  unsafe result.position = cPosition(place.coordinate)
  unsafe result.distance_m = place.distance
  unsafe result.bearing_deg = place.bearing ?? .nan
  unsafe result.origin = UInt32(place.placeholder.rawValue)
  unsafe result.is_named = place.isNamed ? 1 : 0
  unsafe result.fee = UInt32(place.fee.rawValue)
  unsafe result.wheelchair = UInt32(place.wheelchair.rawValue)
  unsafe result.toilets_wheelchair = UInt32(place.toiletsWheelchair.rawValue)
  unsafe result.title = unsafe item.title.borrowed
  unsafe result.kind_key = unsafe item.kindKey.borrowed
  unsafe result.kind = unsafe item.kind.borrowed
  unsafe result.kind_title = unsafe item.kindTitle.borrowed
  unsafe result.description = unsafe item.description?.borrowed ?? noText
  unsafe result.charge = unsafe item.charge?.borrowed ?? noText
  unsafe result.fee_text = unsafe item.feeText?.borrowed ?? noText
  unsafe result.opening_hours = unsafe item.openingHours?.borrowed ?? noText
  unsafe writeStruct(result, to: out)
  return opk_status(OPK_OK)
}

@_cdecl("opk_places_free") @implementation
public func opk_places_free(_ places: OpaquePointer!) {
  unsafe freeHandle(places, PlacesHandle.self)
}
