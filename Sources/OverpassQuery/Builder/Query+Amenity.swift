// The question of an amenities app: what of one kind is there around me?

extension Query {
  /// A builder for "amenity X within R metres of P": nodes, ways and relations, printed with their
  /// positions, so that areas get a position on their surface.
  ///
  /// ```swift
  /// let toilets = Query.amenity("toilets", latitude: 60.1699, longitude: 24.9384, radius: 500)
  /// try toilets.ql()
  /// // [out:json];nwr["amenity"="toilets"](around:500,60.1699,24.9384);out geom;
  /// ```
  ///
  /// ``QueryBuilder/xml(_:)`` of it is a whole document, to be posted as it is with the content type
  /// `text/xml`.
  ///
  /// - Parameters:
  ///   - value: such as `toilets`, `drinking_water`, `cafe`.
  ///   - key: another key whose value is meant, such as `shop` or `tourism`.
  ///   - radius: metres, 0 or more.
  ///
  /// Source: OSM wiki, "Key:amenity"; Overpass QL, "Relative to other elements (around)"
  public static func amenity(
    _ value: String, key: String = "amenity", latitude: Double, longitude: Double, radius: Double
  ) -> QueryBuilder {
    elements().tag(key, value)
      .around(latitude: latitude, longitude: longitude, radius: radius).output(.geometry)
  }
}
