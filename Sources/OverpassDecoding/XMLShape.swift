// Geometries of derived elements in Overpass XML: `vertex`, `linestring`, `point` and `group`.
// Source: Overpass API, output_xml.cc, print_geometry.

import OSMModel

/// A geometry while it is read.
struct XMLShape {
  /// Positions of vertices directly inside.
  private var vertices: [Coordinate] = []
  /// What `linestring`s hold. The server prints a polygon's rings so.
  private var lineCoordinates: [Coordinate] = []
  private var lineEnds: [Int] = []
  private var point: Coordinate?
  private var members: [Geometry] = []
  private var isInLine = false

  /// Takes the geometry of a group that ended.
  mutating func append(_ member: Geometry) {
    if member.kind != .none { members.append(member) }
  }

  mutating func startLine() { isInLine = true }

  mutating func endLine() {
    isInLine = false
    lineEnds.append(lineCoordinates.count)
  }

  mutating func append(_ position: Coordinate) {
    guard !position.isUndefined else { return }
    if isInLine { lineCoordinates.append(position) } else { vertices.append(position) }
  }

  mutating func setPoint(_ position: Coordinate) {
    if !position.isUndefined { point = position }
  }

  /// The geometry that was read; of kind `none` if there was none.
  var geometry: Geometry {
    var result = Geometry()
    if !members.isEmpty {
      result.kind = .geometryCollection
      result.members = members
    } else if !lineCoordinates.isEmpty {
      result.kind = .polygon
      result.coordinates = lineCoordinates
      result.partEnds = lineEnds
      result.polygonEnds = [lineEnds.count]
    } else if !vertices.isEmpty {
      result.kind = .lineString
      result.coordinates = vertices
      result.partEnds = [vertices.count]
    } else if let point {
      result = Geometry(point: point)
    }
    return result
  }
}

extension XMLAnswerDecoder {
  mutating func startInShape(_ name: XMLText, _ attributes: XMLAttributes) throws(Fault) -> Place {
    if name == "vertex" {
      element.shape.append(try readPosition(attributes))
    } else if name == "point" {
      element.shape.setPoint(try readPosition(attributes))
    } else if name == "linestring" {
      element.shape.startLine()
      return .line
    } else if name == "group" {
      element.outerShapes.append(element.shape)
      element.shape = XMLShape()
      return .group
    }
    return .ignored
  }

  mutating func endGroup() {
    guard var outer = element.outerShapes.popLast() else { return }
    outer.append(element.shape.geometry)
    element.shape = outer
  }
}
