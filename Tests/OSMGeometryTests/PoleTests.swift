// Areas around a pole: taken to the pole, cut at ±180°, valid, and as large as the ring says.

import OSMModel
import OverpassTestSupport
import Testing

@testable import OSMGeometry

@Suite struct PoleTests {
  /// A ring around a pole as way 1 of nodes 1, 2, …
  private func cap(_ ring: [(Double, Double)], from first: Int = 1, way number: Int = 1) -> String {
    let points = ring.enumerated().map {
      "{\"type\":\"node\",\"id\":\(first + $0),\"lon\":\($1.0),\"lat\":\($1.1)}"
    }
    let ids = ring.indices.map { first + $0 } + [first]
    return (points + [way(number, ids, ["natural": "glacier"])]).joined(separator: ",")
  }

  @Test func antarctica() throws {
    let ring: [(Double, Double)] = [(-150, -70), (-50, -72), (50, -70), (150, -74)]
    let expected =
      "POLYGON((-180 -90,180 -90,180 -72,150 -74,50 -70,-50 -72,-150 -70,-180 -72,-180 -90))"
    #expect(try features(cap(ring))["way/1"] == expected)
    #expect(try features(cap(ring.reversed()))["way/1"] == expected)
    let north = try features(cap(ring.map { ($0.0, -$0.1) }))
    #expect(
      north["way/1"]
        == "POLYGON((-180 72,-150 70,-50 72,50 70,150 74,180 72,180 90,-180 90,-180 72))")
    var kept = FeatureOptions()
    kept.cutsAntimeridian = false
    #expect(try features(cap(ring), kept).geometries["way/1"]?.coordinates.count == 5)
  }

  @Test func verticesOnTheAntimeridian() throws {
    for start in [-180.0, 180] {
      let built = try features(cap([(start, -80), (-90, -70), (0, -70), (90, -70)]))
      #expect(
        built["way/1"]
          == "POLYGON((-180 -90,180 -90,180 -80,90 -70,0 -70,-90 -70,-180 -80,-180 -90))")
    }
  }

  @Test func holesAroundThePole() throws {
    let outer = cap([(-150, 60), (-50, 60), (50, 60), (150, 60)])
    let inner = cap([(-150, 80), (-50, 80), (50, 80), (150, 80)], from: 11, way: 2)
    let ring = try features(
      [outer, inner, relation(3, "w1 outer,w2 inner", ["type": "multipolygon", "a": "b"])]
        .joined(separator: ","))
    #expect(
      ring["relation/3"]
        == "POLYGON((-180 60,-150 60,-50 60,50 60,150 60,180 60,180 80,150 80,50 80,-50 80,-150 80,"
        + "-180 80,-180 60))")
    let lake = nodes([21: (-10, 70), 22: (10, 70), 23: (0, 75)])
    let island = try features(
      [
        outer, lake, way(4, [21, 22, 23, 21]),
        relation(3, "w1 outer,w4 inner", ["type": "multipolygon", "a": "b"]),
      ].joined(separator: ","))
    #expect(island.geometries["relation/3"]?.partEnds.count == 2)
    #expect(abs((island.size("relation/3") ?? 0) - (360 * 30 - 50)) < 1e-6)
  }

  /// Rings that wind around a pole keep their size on the ellipsoid.
  @Test(arguments: 0..<40) func sizesStay(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let count = Int.random(in: 4...60, using: &random)
    let south = Bool.random(using: &random)
    let start = Double.random(in: -180..<180, using: &random)
    let ring = (0..<count).map { index -> (Double, Double) in
      let turned = start + 360 * Double(index) / Double(count)
      let latitude = Double.random(in: 5..<85, using: &random)
      return (turned > 180 ? turned - 360 : turned, south ? -latitude : latitude)
    }
    let built = try features(cap(ring))
    var options = FeatureOptions()
    options.cutsAntimeridian = false
    options.keepsInvalidRings = true
    let kept = try features(cap(ring), options)
    let geometry = try #require(built.geometries["way/1"])
    let area = try #require(geometry.area)
    let expected = try #require(kept.geometries["way/1"]?.area)
    // The point where the ring is cut is rounded to a centimetre and lies on a straight line of the
    // map, which the geodesic is not.
    #expect(abs(area - expected) < 1e-6 * expected)
    #expect(geometry.coordinates.contains { abs($0.latitudeE7) == 900_000_000 })
    #expect(built.infos["way/1"]?.isTainted == false)
    for part in geometry.partEnds.indices {
      Array(geometry.part(part)).withUnsafeBufferPointer { #expect(ringIsSimple($0)) }
    }
  }

  /// A sector between two meridians that ends at the pole.
  @Test func sectorsAtThePole() throws {
    let built = try features(cap([(170, 80), (-170, 80), (-170, 90), (170, 90)]))
    #expect(built.size("way/1") == 200)
    #expect(built.geometries["way/1"]?.polygonEnds.count == 2)
    let point = try features(cap([(10, 80), (20, 80), (15, 90)]))
    #expect(point["way/1"] == "POLYGON((10 80,20 80,15 90,10 80))")
  }

  /// Whatever crosses the antimeridian anywhere: no crash, and what is given as an area is sound.
  @Test(arguments: 0..<100) func randomRingsOfTheWorld(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let ring = (0..<Int.random(in: 3...9, using: &random)).map { _ in
      (
        Double(Int.random(in: -18...18, using: &random) * 10),
        Double(Int.random(in: -9...9, using: &random) * 10)
      )
    }
    let built = try features(cap(ring))
    guard let geometry = built.geometries["way/1"], geometry.kind != .lineString,
      geometry.kind != .multiLineString
    else { return }
    for part in geometry.partEnds.indices {
      Array(geometry.part(part)).withUnsafeBufferPointer { #expect(ringIsSimple($0)) }
    }
  }
}
