import FeatureFormats
import OSMModel
import OverpassTestSupport
import Testing

private func hex(_ geometry: Geometry) -> String {
  let digits = Array("0123456789abcdef")
  var text = ""
  for byte in bytes(in: WKBWriter.bytes(of: geometry)) {
    text.append(digits[Int(byte >> 4)])
    text.append(digits[Int(byte & 15)])
  }
  return text
}

private func at(_ longitude: Int32, _ latitude: Int32) -> Coordinate {
  Coordinate(longitudeE7: longitude * 10_000_000, latitudeE7: latitude * 10_000_000)
}

/// 1.0, 2.0 and 0.0 as little-endian doubles.
private let one = "000000000000f03f"
private let two = "0000000000000040"
private let zero = "0000000000000000"

@Suite struct WKBWriterTests {
  @Test func points() {
    #expect(hex(Geometry(point: at(1, 2))) == "0101000000" + one + two)
    var points = Geometry()
    points.kind = .multiPoint
    points.coordinates = [at(1, 2), at(0, 1)]
    #expect(
      hex(points) == "010400000002000000" + "0101000000" + one + two + "0101000000" + zero + one)
  }

  @Test func lines() {
    var line = Geometry()
    line.kind = .lineString
    line.coordinates = [at(0, 0), at(1, 2)]
    line.partEnds = [2]
    let body = "02000000" + "02000000" + zero + zero + one + two
    #expect(hex(line) == "01" + body)
    line.kind = .multiLineString
    #expect(hex(line) == "0105000000" + "01000000" + "01" + body)
  }

  @Test func polygons() {
    var area = Geometry()
    area.kind = .polygon
    area.coordinates = [at(0, 0), at(1, 0), at(1, 1), at(0, 0)]
    area.partEnds = [4]
    area.polygonEnds = [1]
    let ring = "04000000" + zero + zero + one + zero + one + one + zero + zero
    #expect(hex(area) == "0103000000" + "01000000" + ring)
    area.kind = .multiPolygon
    #expect(hex(area) == "0106000000" + "01000000" + "0103000000" + "01000000" + ring)
  }

  @Test func collections() {
    #expect(hex(Geometry()) == "010700000000000000")
    var collection = Geometry()
    collection.kind = .geometryCollection
    collection.members = [Geometry(point: at(1, 2))]
    #expect(hex(collection) == "010700000001000000" + "0101000000" + one + two)
  }
}
