// Measures against GeographicLib's Python code (2.x) run with 40 digits, and their invariants.

import OSMModel
import OverpassTestSupport
import Testing

@testable import OSMGeometry

private struct Edge {
  let from: Coordinate
  let to: Coordinate
  let length: Double
  let area: Double

  init(_ x: Int32, _ y: Int32, _ u: Int32, _ v: Int32, _ length: Double, _ area: Double) {
    from = Coordinate(longitudeE7: x, latitudeE7: y)
    to = Coordinate(longitudeE7: u, latitudeE7: v)
    self.length = length
    self.area = area
  }
}

private struct Shape {
  let name: String
  let ring: [(Int, Int)]
  let length: Double
  let area: Double

  init(_ name: String, _ ring: [(Int, Int)], _ length: Double, _ area: Double) {
    (self.name, self.ring, self.length, self.area) = (name, ring, length, area)
  }
}

private let edges: [Edge] = [
  Edge(0, 0, 10000000, 10000000, 156899.56829134, 6154854786.7214372),
  Edge(-300000000, 400000000, -300000000, -400000000, 8859058.060701031, 0.0),
  Edge(0, 0, 1795000000, 2000000, 19964921.47655482, 76221510386393.385),
  Edge(0, -300000000, 1799000000, 299000000, 19992090.30232693, -114721359300439.47),
  Edge(0, 0, 1799000000, 0, 20003008.42150941, -113932312805091.21),
  Edge(0, 0, 900000000, 0, 10018754.17139462, 0.0),
  Edge(120000000, 900000000, 500000000, 100000000, 8896110.896078351, 26920130035438.005),
  Edge(0, -900000000, 1200000000, 900000000, 20003931.45862545, -85010936954014.752),
  Edge(100000000, 899999000, -1700000000, 899999000, 22.33879591182527, -127516405431022.13),
  Edge(50000000, 0, 50001000, 0, 11.13194907932736, 0.0),
  Edge(70000000, 510000000, 70000001, 510000000, 0.007019767766977327, 54957.103044448589),
  Edge(70000000, 510000000, 70000000, 510000001, 0.01112482769265135, 0.0),
  Edge(249000000, 601000000, 249050000, 601030000, 434.8359939512308, 3067274670.2389241),
  Edge(249000000, 601000000, 249169000, 601169000, 2104.466597513821, 10368116404.92443),
  Edge(249000000, 601000000, 249171000, 601171000, 2129.370265635365, 10490826606.631093),
  Edge(249000000, 800000000, 249170000, 800000000, 329.6892528053787, 11858644579.60096),
  Edge(10000000, 899900000, 10160000, 899950000, 558.4699412459475, 11334791506.7729),
  Edge(1799900000, -170000000, -1799900000, -170100000, 2400.046231381949, -4126701562.0433719),
  Edge(0, 0, 1800000000, 0, 20003931.45862545, -127516405431022.13),
  Edge(0, 400000000, 1800000000, -400000000, 20003931.45862545, 127516405431022.13),
  Edge(0, 100000000, 1800000000, 200000000, 16685710.37121944, 127516405431022.13),
  Edge(44124746, -82391710, 44130650, -82382861, 117.5134848055005, -59672470.639774113),
  Edge(371716009, 80092497, 371706589, 80091809, 104.125228138782, -92573889.004802057),
  Edge(941398808, -165922902, 941478988, -166000261, 1210.357279732989, -1615723470.9315106),
  Edge(-386606666, -528084451, -386597914, -528069662, 174.8384897845072, -493099567.51855188),
  Edge(-1663280269, -554943180, -1663721304, -554110489, 9681.378890793018, 25697237397.141473),
  Edge(444031265, -606356209, 444625559, -607078674, 8680.785106027082, -36665498042.781834),
  Edge(28867057, -635970691, 18902555, -628542596, 96773.97713916885, 629669679094.48396),
  Edge(-1113522129, -556066948, -1103873707, -548618792, 103165.186548536, -560700348443.18504),
  Edge(-889945530, 115330190, -886023183, 133113238, 201295.5745112925, 59525826905.129203),
  Edge(-1126617359, 96878401, -1107553165, 143534832, 556289.0944485694, 280329598993.47585),
  Edge(802476697, -481089992, 777490885, -541217902, 691310.2838180627, 1377398989555.3825),
  Edge(-1292034653, -691374258, -1327790015, -672814458, 254495.9312975564, 2350967884908.3615),
  Edge(-1690527266, -139859175, -1885051032, -367909657, 3181641.146021286, 6054248480709.6189),
  Edge(591850609, -317329332, 370802336, -339867269, 2079982.776224948, 8546793526934.0739),
]

private let shapes: [Shape] = [
  Shape(
    "shed",
    [
      (71000263, 512000000), (71000043, 512000083), (70999746, 512000116), (70999893, 511999951),
      (71000084, 511999838),
    ],
    10.0331395577349, 5.319300805758288),
  Shape(
    "house",
    [
      (-709998912, -335000000), (-709999754, -334999644), (-710000523, -334999244),
      (-710000743, -335000000), (-710000448, -335000647), (-709999757, -335000351),
    ],
    49.46309028011499, 128.7406909651519),
  Shape(
    "house in the north",
    [
      (249001138, 679000000), (249000676, 679000440), (248998707, 679000843),
      (248998623, 679000000), (248998866, 678999261), (249001273, 678999171),
    ],
    51.82742878211206, 155.5813197910009),
  Shape(
    "park",
    [
      (23029307, 488000000), (23009210, 488010507), (22990696, 488010615), (22978296, 488000000),
      (22986862, 487985011), (23007057, 487991949),
    ],
    1005.173297833826, 61544.57873326541),
  Shape(
    "lake",
    [
      (124101947, -20000000), (124052732, -19908721), (123945018, -19904826),
      (123949332, -20000000), (123941916, -20100543), (124027299, -20047255),
    ],
    6614.69095663618, 2433699.554589617),
  Shape(
    "town",
    [
      (1397744313, 357000000), (1397471932, 357663805), (1396414560, 357823462),
      (1396256264, 357000000), (1396412303, 356173363), (1397447667, 356370325),
    ],
    53133.16246400348, 186138648.7108468),
  Shape(
    "region",
    [
      (315016123, 620000000), (309403991, 625536117), (297119215, 625925456),
      (289707774, 622326924), (288731258, 617452300), (295372964, 610482698),
      (315905508, 610636448),
    ],
    542318.5400068968, 20330082996.69075),
  Shape(
    "country",
    [
      (-479358319, -100000000), (-511963888, -53028830), (-581381063, 35400645),
      (-642233841, -56257324), (-632424640, -139090579), (-567158081, -174032394),
      (-482958496, -182790214),
    ],
    6632533.823391153, 2786872927084.643),
  Shape(
    "continent",
    [
      (1199933496, 350000000), (1014016417, 518475068), (793231728, 553737898),
      (697451290, 410177847), (515762650, 218149103), (813522448, 219084268),
      (1019554952, 175835837),
    ],
    16280672.5777901, 15036097980118.87),
  Shape(
    "at the pole",
    [
      (151741388, 899900000), (113703520, 899904143), (75964459, 899907266), (44430018, 899900000),
      (77705078, 899893260), (125004042, 899892441),
    ],
    564.3860890289774, 21012.99025408873),
]

private func polygon(_ polygons: [[[(Int, Int)]]]) -> Geometry {
  var geometry = Geometry()
  geometry.kind = polygons.count == 1 ? .polygon : .multiPolygon
  for rings in polygons {
    for ring in rings {
      for (x, y) in ring + ring.prefix(1) {
        geometry.coordinates.append(Coordinate(longitudeE7: Int32(x), latitudeE7: Int32(y)))
      }
      geometry.partEnds.append(geometry.coordinates.count)
    }
    geometry.polygonEnds.append(geometry.partEnds.count)
  }
  return geometry
}

private func relative(_ a: Double?, _ b: Double) -> Double { abs((a ?? .nan) - b) / abs(b) }

@Suite struct MeasureTests {
  @Test func edgesOfAllSizes() {
    for edge in edges {
      let measure = EdgeMeasure(
        from: MeasuredPosition(edge.from), to: MeasuredPosition(edge.to), isAreal: false)
      #expect(abs(measure.length - edge.length) < 1e-6, "\(edge) \(measure)")
      #expect(abs(measure.area - edge.area) < 0.1 + 1e-14 * abs(edge.area), "\(edge) \(measure)")
    }
  }

  @Test func polygonsOfAllSizes() {
    for shape in shapes {
      // Within a kilometre of a pole, zones of all the hemisphere cancel.
      let tolerance = shape.name == "at the pole" ? 1e-6 : 1e-9
      let geometry = polygon([[shape.ring]])
      #expect(relative(geometry.length, shape.length) < 1e-9, "\(shape.name)")
      #expect(relative(geometry.area, shape.area) < tolerance, "\(shape.name)")
      let reversed = polygon([[Array(shape.ring.reversed())]])
      #expect(relative(reversed.area, shape.area) < tolerance, "\(shape.name)")
      for shift in [900_000_000, 1_700_000_000, 3_000_000_000] {
        let moved = polygon([
          [
            shape.ring.map { ring in
              ((ring.0 + shift + 1_800_000_000) % 3_600_000_000 - 1_800_000_000, ring.1)
            }
          ]
        ])
        #expect(relative(moved.area, shape.area) < tolerance, "\(shape.name)")
        #expect(relative(moved.length, shape.length) < 1e-9, "\(shape.name)")
      }
    }
  }

  @Test func aroundThePole() {
    let ring = (0..<8).map {
      (-1_700_000_000 + 450_000_000 * $0, 700_000_000 + 30_000_000 * ($0 % 2))
    }
    let cap = polygon([[ring]])
    #expect(relative(cap.area, 11_977_366_540_026.79) < 1e-12)
    #expect(relative(cap.length, 12_705_458.130_644_94) < 1e-12)
    #expect(cap.boundingBox?.northE7 == 900_000_000)
    #expect((cap.centroid?.latitudeE7 ?? 0) > 890_000_000)
    #expect((cap.pointOnSurface?.latitudeE7 ?? 0) > 700_000_000)
    let south = polygon([[ring.map { ($0.0, -$0.1) }]])
    #expect(relative(south.area, 11_977_366_540_026.79) < 1e-12)
    #expect(south.boundingBox?.southE7 == -900_000_000)
    let world = polygon([
      [
        [
          (-1_800_000_000, -900_000_000), (1_800_000_000, -900_000_000),
          (1_800_000_000, 900_000_000), (-1_800_000_000, 900_000_000),
        ]
      ]
    ])
    #expect(relative(world.area, 510_065_621_724_088.51) < 1e-12)
  }

  @Test func cutAtTheAntimeridian() {
    let d = 10_000_000
    let whole = polygon([
      [[(179 * d, 65 * d), (-178 * d, 66 * d), (-178 * d, 68 * d), (179 * d, 67 * d)]]
    ])
    let (low, high) = ((65 * d) + d / 3, (67 * d) + d / 3)
    let cut = polygon([
      [[(179 * d, 65 * d), (180 * d, low), (180 * d, high), (179 * d, 67 * d)]],
      [[(-180 * d, low), (-178 * d, 66 * d), (-178 * d, 68 * d), (-180 * d, high)]],
    ])
    #expect(relative(cut.area, whole.area ?? 0) < 1e-12)
    #expect(relative(cut.length, whole.length ?? 0) < 1e-12)
    #expect(cut.centroid == whole.centroid)
    let box = BoundingBox(
      southE7: Int32(65 * d), westE7: Int32(179 * d), northE7: Int32(68 * d),
      eastE7: Int32(-178 * d))
    #expect(cut.boundingBox == box)
    #expect(whole.boundingBox == box)
    #expect(whole.pointOnSurface.map { inside($0, cut) } == true)
  }

  @Test func partsSumUp() {
    for shape in shapes {
      let middle = shape.ring.count / 2
      let halves = [Array(shape.ring[...middle]), Array(shape.ring[middle...]) + [shape.ring[0]]]
      // Triangles and more; the diagonal is an edge of both.
      let signed = halves.map { half in
        let geometry = polygon([[half]])
        return RingMeasure(of: 0, in: geometry, seams: AntimeridianSeams(of: geometry)).signedArea
      }
      let tolerance = shape.name == "at the pole" ? 1e-6 : 1e-8
      #expect(relative(abs(signed[0] + signed[1]), shape.area) < tolerance, "\(shape.name)")
    }
  }

  @Test func centroidsAndBoxes() {
    let (x, y) = (100_000_000, 500_000_000)
    func square(_ x: Int, _ y: Int, _ side: Int) -> [(Int, Int)] {
      [(x, y), (x + side, y), (x + side, y + side), (x, y + side)]
    }
    let hollow = polygon([[square(x, y, 6000), square(x + 2000, y + 3000, 2000)]])
    #expect(hollow.centroid == Coordinate(longitudeE7: 100_003_000, latitudeE7: 500_002_875))
    let large = polygon([[square(x, y, 60000), square(x + 20000, y + 30000, 20000)]])
    let centre = large.centroid ?? .undefined
    #expect(abs(centre.longitudeE7 - 100_030_000) <= 1 && abs(centre.latitudeE7 - 500_028_750) <= 2)

    func box(_ longitudes: Int32...) -> [Int32?] {
      var points = Geometry()
      points.kind = .multiPoint
      points.coordinates = longitudes.map {
        Coordinate(longitudeE7: $0 * 10_000_000, latitudeE7: 0)
      }
      return [points.boundingBox?.westE7, points.boundingBox?.eastE7].map {
        $0.map { $0 / 10_000_000 }
      }
    }
    #expect(box(-170, -20, 20, 170) == [-20, -170])
    #expect(box(170, -170) == [170, -170])
    #expect(box(180, -180) == [180, 180])
    #expect(box(-180, 10) == [10, 180])
    #expect(box(-90, 0, 90) == [-90, 90])
  }

  @Test func emptyAndWild() {
    #expect(Geometry().length == nil && Geometry().area == nil && Geometry().centroid == nil)
    #expect(Geometry().pointOnSurface == nil && Geometry().boundingBox == nil)
    var random = SeededGenerator(seed: 3)
    for _ in 0..<20_000 {
      var geometry = Geometry()
      geometry.kind = GeometryKind.allCases.randomElement(using: &random) ?? .none
      let corners: [Int32] = [
        .min, .max, 0, 1, 1_800_000_000, -1_800_000_000, 900_000_000, -900_000_000, 450_000_000,
      ]
      for _ in 0..<Int.random(in: 0...8, using: &random) {
        geometry.coordinates.append(
          Coordinate(
            longitudeE7: corners.randomElement(using: &random) ?? 0,
            latitudeE7: corners.randomElement(using: &random) ?? 0))
      }
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        geometry.partEnds.append(Int.random(in: -1...9, using: &random))
        geometry.polygonEnds.append(Int.random(in: -1...4, using: &random))
      }
      #expect(geometry.length?.isFinite != false && geometry.area?.isFinite != false)
      #expect(geometry.centroid?.isValid != false && geometry.pointOnSurface?.isValid != false)
      #expect(geometry.boundingBox?.isValid != false)
    }
  }

  @Test func pointsOnStarsAndCombs() {
    var random = SeededGenerator(seed: 11)
    for number in 0..<2_000 {
      let size = Int.random(in: 50...40_000_000, using: &random)
      let (x, y) = (Int.random(in: 0...900_000_000, using: &random), 300_000_000)
      var rings: [[(Int, Int)]] = []
      if number % 2 == 0 {
        let ring = (0..<Int.random(in: 5...30, using: &random)).map { _ in
          (Double.random(in: 0..<6.283, using: &random), Double.random(in: 0.6...1, using: &random))
        }.sorted { $0.0 < $1.0 }
        rings = [
          ring.map { (x + Int(Double(size) * $1 * cos($0)), y + Int(Double(size) * $1 * sin($0))) }
        ]
      } else {
        let (teeth, w) = (Int.random(in: 1...9, using: &random), size / 20 + 2)
        var ring = [(x, y), (x + 2 * teeth * w, y)]
        for tooth in (0..<teeth).reversed() {
          let height = y + size / 4 + 9 + Int.random(in: 0...size, using: &random)
          ring += [(x + (2 * tooth + 2) * w, height), (x + (2 * tooth + 1) * w, height)]
          ring += [(x + (2 * tooth + 1) * w, y + 8), (x + 2 * tooth * w, y + 8)]
        }
        rings = [ring, [(x + 1, y + 1), (x + 1, y + 7), (x + 2 * teeth * w - 1, y + 6)]]
      }
      let geometry = polygon([rings])
      guard let point = geometry.pointOnSurface else {
        Issue.record("none")
        continue
      }
      #expect(inside(point, geometry), "\(number) \(rings) \(point)")
    }
  }

  /// Strictly inside by the even-odd rule, in whole numbers.
  private func inside(_ point: Coordinate, _ geometry: Geometry) -> Bool {
    var isInside = false
    for ring in geometry.partEnds.indices {
      let part = geometry.part(ring)
      for (a, b) in zip(part, part.dropFirst()) {
        let side = orientation(a, b, point)
        if side == 0, point.latitudeE7 >= min(a.latitudeE7, b.latitudeE7),
          point.latitudeE7 <= max(a.latitudeE7, b.latitudeE7),
          point.longitudeE7 >= min(a.longitudeE7, b.longitudeE7),
          point.longitudeE7 <= max(a.longitudeE7, b.longitudeE7)
        {
          return false
        }
        if (a.latitudeE7 > point.latitudeE7) != (b.latitudeE7 > point.latitudeE7),
          (side > 0) == (b.latitudeE7 > a.latitudeE7)
        {
          isInside.toggle()
        }
      }
    }
    return isInside
  }
}
