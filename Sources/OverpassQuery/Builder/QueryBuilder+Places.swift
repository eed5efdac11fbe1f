// Where the builder looks: boxes, circles, polygons, areas, and single elements by number.

import OSMModel

extension QueryBuilder {
  /// Elements in or touching a box. `west > east` crosses the antimeridian.
  public func boundingBox(
    south: Double, west: Double, north: Double, east: Double
  ) -> QueryBuilder {
    with { builder throws(QueryError) in
      builder.setArea(
        .boundingBox(try BoundingBox(south: south, west: west, north: north, east: east)))
    }
  }

  public func boundingBox(_ box: BoundingBox) -> QueryBuilder {
    with { builder throws(QueryError) in
      try Validator(hasGlobalBoundingBox: false).check(box, of: "the query")
      builder.setArea(.boundingBox(box))
    }
  }

  /// Elements in or touching a box around a centre; see
  /// ``OSMModel/BoundingBox/init(centerLatitude:longitude:widthMeters:heightMeters:)``.
  public func boundingBox(
    centerLatitude latitude: Double, longitude: Double, widthMeters: Double, heightMeters: Double
  ) -> QueryBuilder {
    with { builder throws(QueryError) in
      builder.setArea(
        .boundingBox(
          try BoundingBox(
            centerLatitude: latitude, longitude: longitude, widthMeters: widthMeters,
            heightMeters: heightMeters)))
    }
  }

  /// Elements within a distance of a position.
  ///
  /// - Parameter radius: metres, 0 or more.
  public func around(latitude: Double, longitude: Double, radius: Double) -> QueryBuilder {
    with { builder throws(QueryError) in
      guard let position = Coordinate(longitude: longitude, latitude: latitude) else {
        throw QueryError(
          .invalidPosition, "around latitude \(latitude), longitude \(longitude): out of range")
      }
      try builder.setAround([position], radius)
    }
  }

  /// Elements within a distance of a line.
  public func around(line: [Coordinate], radius: Double) -> QueryBuilder {
    with { builder throws(QueryError) in try builder.setAround(line, radius) }
  }

  private mutating func setAround(_ line: [Coordinate], _ radius: Double) throws(QueryError) {
    let filter = Query.Filter.around(.init(radiusMeters: radius, center: .line(line)))
    try Validator(hasGlobalBoundingBox: false).check(filter, on: .node)
    setArea(filter)
  }

  /// Elements in or touching a polygon of at least three corners; it closes itself.
  public func polygon(_ corners: [Coordinate]) -> QueryBuilder {
    with { builder throws(QueryError) in
      let filter = Query.Filter.polygon(corners)
      try Validator(hasGlobalBoundingBox: false).check(filter, on: .node)
      builder.setArea(filter)
    }
  }

  /// Elements in the area with this number; see ``Query/areaID(of:)``.
  public func area(id: Int64) -> QueryBuilder {
    with { builder throws(QueryError) in
      let filter = Query.Filter.area(.id(id))
      try Validator(hasGlobalBoundingBox: false).check(filter, on: .node)
      builder.setArea(filter)
    }
  }

  /// Elements with one of these numbers.
  public func ids(_ numbers: [Int64]) -> QueryBuilder {
    with { builder throws(QueryError) in
      let filter = Query.Filter.ids(numbers)
      try Validator(hasGlobalBoundingBox: false).check(filter, on: .node)
      builder.append(filter)
    }
  }
}

extension Query {
  /// The number of the area that the server makes from a way or relation; `nil` for other types and
  /// for numbers out of range.
  ///
  /// Source: Overpass QL, "Map way/relation to area"
  public static func areaID(of element: ElementID) -> Int64? {
    let offset: Int64
    switch element.type {
    case .way: offset = 2_400_000_000
    case .relation: offset = 3_600_000_000
    case .node, .area, .derived: return nil
    }
    let (sum, overflow) = element.number.addingReportingOverflow(offset)
    return element.number > 0 && !overflow ? sum : nil
  }
}
