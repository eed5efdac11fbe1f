// The geometry elements of KML. Source: OGC 07-147r2, clause 10.

import OSMModel

extension TextBuffer {
  /// Appends a geometry element; altitudes are left out, so that all lies on the ground.
  mutating func append(kml geometry: Geometry) {
    switch geometry.kind {
    case .none: return
    case .point:
      guard let position = geometry.coordinates.first else { return }
      append("<Point><coordinates>")
      append(kml: position)
      append("</coordinates></Point>\n")
    case .lineString: appendKMLLines(geometry)
    case .polygon: appendKMLPolygon(geometry, geometry.partEnds.indices)
    case .multiPoint:
      append("<MultiGeometry>\n")
      for position in geometry.coordinates { append(kml: Geometry(point: position)) }
      append("</MultiGeometry>\n")
    case .multiLineString:
      append("<MultiGeometry>\n")
      appendKMLLines(geometry)
      append("</MultiGeometry>\n")
    case .multiPolygon:
      append("<MultiGeometry>\n")
      for polygon in geometry.polygonEnds.indices {
        appendKMLPolygon(geometry, geometry.ringRange(polygon))
      }
      append("</MultiGeometry>\n")
    case .geometryCollection:
      append("<MultiGeometry>\n")
      for member in geometry.members { append(kml: member) }
      append("</MultiGeometry>\n")
    }
  }

  private mutating func appendKMLLines(_ geometry: Geometry) {
    for part in geometry.partEnds.indices {
      append("<LineString>")
      appendKMLPositions(geometry.part(part))
      append("</LineString>\n")
    }
  }

  private mutating func appendKMLPolygon(_ geometry: Geometry, _ rings: Range<Int>) {
    append("<Polygon>\n")
    for ring in rings {
      let isOuter = ring == rings.lowerBound
      append(isOuter ? "<outerBoundaryIs><LinearRing>" : "<innerBoundaryIs><LinearRing>")
      appendKMLPositions(geometry.part(ring))
      append(isOuter ? "</LinearRing></outerBoundaryIs>\n" : "</LinearRing></innerBoundaryIs>\n")
    }
    append("</Polygon>\n")
  }

  private mutating func appendKMLPositions(_ positions: ArraySlice<Coordinate>) {
    append("<coordinates>")
    var isFirst = true
    for position in positions {
      if !isFirst { append(" ") }
      isFirst = false
      append(kml: position)
    }
    append("</coordinates>")
  }

  @inline(__always) private mutating func append(kml position: Coordinate) {
    append(degreesE7: position.longitudeE7)
    append(",")
    append(degreesE7: position.latitudeE7)
  }
}
