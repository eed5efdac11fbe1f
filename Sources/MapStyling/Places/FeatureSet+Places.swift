// The finder of places: what there is near a position, the nearest first.

import OSMGeometry
import OSMModel

extension FeatureSet {
  /// The amenities, shops and sights near a position, the nearest first; those at the same distance in
  /// the order of the answer.
  ///
  /// ```swift
  /// let here = Coordinate(longitudeE7: 249_384_000, latitudeE7: 601_699_000)
  /// for place in FeatureSet(dataset).places(near: here, languages: ["fi", "en"]) {
  ///   print(place.title, Int(place.distance), place.fee, place.wheelchair)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - position: where from; there are no places near a position that is not valid.
  ///   - languages: for names and descriptions.
  ///   - radius: metres; `nil` for places however far away.
  ///   - kindKeys: the keys that make a feature a place, the first that it has tells its kind.
  /// - Complexity: O(n + k log k) for n features, of which k are places, and the geometry of those.
  public func places(
    near position: Coordinate, languages: LanguagePreference = [], radius: Double? = nil,
    kindKeys: [String] = PlaceKind.keys
  ) -> [NearbyPlace] {
    let keys = PlaceKeys(kindKeys: kindKeys, languages, in: dataset.strings)
    var assembler = makeAssembler()
    var geometry = Geometry()
    var found: [NearbyPlace] = []
    for index in 0..<count {
      let tags = feature(index).tags
      guard let kind = keys.kind(of: tags, dataset.strings) else { continue }
      let info = assembler.geometry(of: index, into: &geometry)
      guard let coordinate = geometry.pointOnSurface,
        let way = Geodesic(from: position, to: coordinate),
        radius.map({ way.distance <= $0 }) ?? true
      else { continue }
      found.append(place(index, kind, tags, keys, coordinate, info.placeholder, way))
    }
    found.sort { ($0.distance, $0.feature) < ($1.distance, $1.feature) }
    return found
  }

  private func place(
    _ index: Int, _ kind: PlaceKind, _ tags: FeatureTags, _ keys: PlaceKeys,
    _ coordinate: Coordinate, _ placeholder: Placeholder, _ way: Geodesic
  ) -> NearbyPlace {
    let name = keys.name.value(in: tags, dataset.strings).map { dataset.strings.string($0) }
    let description = keys.description.value(in: tags, dataset.strings)
    let fee = keys.fee(of: tags, dataset.strings)
    let access = keys.wheelchair(of: tags, kind)
    return NearbyPlace(
      element: feature(index).id, feature: index, title: name ?? kind.title, isNamed: name != nil,
      kind: kind, description: description.map { dataset.strings.string($0) },
      coordinate: coordinate, placeholder: placeholder, fee: fee.fee, feeText: fee.text,
      charge: keys.charge(of: tags, dataset.strings), wheelchair: access.place,
      toiletsWheelchair: access.toilets,
      openingHours: keys.openingHours(of: tags, dataset.strings), distance: way.distance,
      bearing: way.bearing)
  }
}

extension PlaceKind {
  /// The keys of places unless others are asked for.
  public static let keys = ["amenity", "shop", "tourism"]
}

extension Dataset {
  /// The places among the features of this data; see ``OSMGeometry/FeatureSet/places(near:languages:radius:kindKeys:)``.
  public func places(
    near position: Coordinate, languages: LanguagePreference = [], radius: Double? = nil,
    kindKeys: [String] = PlaceKind.keys
  ) -> [NearbyPlace] {
    FeatureSet(self).places(
      near: position, languages: languages, radius: radius, kindKeys: kindKeys)
  }
}
