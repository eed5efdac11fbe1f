// Distances and bearings against GeographicLib's Python code, and their invariants.

import OSMGeometry
import OSMModel
import OverpassTestSupport
import Testing

private struct Inverse {
  let from: Coordinate
  let to: Coordinate
  let distance: Double
  let bearing: Double

  init(_ x: Int32, _ y: Int32, _ u: Int32, _ v: Int32, _ distance: Double, _ bearing: Double) {
    from = Coordinate(longitudeE7: x, latitudeE7: y)
    to = Coordinate(longitudeE7: u, latitudeE7: v)
    self.distance = distance
    self.bearing = bearing
  }
}

private let lines: [Inverse] = [
  Inverse(249384000, 601699000, 249500000, 601700000, 644.0536489555333, 89.00375640829172),
  Inverse(0, 0, 10000000, 10000000, 156899.56829134026, 45.18804022935887),
  Inverse(0, 0, -10000000, 10000000, 156899.56829134026, 314.8119597706411),
  Inverse(0, 0, 10000000, -10000000, 156899.56829134026, 134.81195977064112),
  Inverse(0, 0, -10000000, -10000000, 156899.56829134026, 225.18804022935888),
  Inverse(1799900000, -170000000, -1799900000, -170100000, 2400.0462313800385, 117.46189091912373),
  Inverse(-1799900000, -170000000, 1799900000, -169900000, 2400.145952942796, 297.45477723659),
  Inverse(0, 0, 900000000, 0, 10018754.171394622, 90.0),
  Inverse(0, 0, -900000000, 0, 10018754.171394622, 270.0),
  Inverse(70000000, 510000000, 70000001, 510000000, 0.007019767786662955, 89.9999999611427),
  Inverse(70000000, 510000000, 70000000, 509999999, 0.011124828215904813, 180.0),
  Inverse(70000000, 510000000, 69999999, 510000001, 0.013154426726402088, 327.7480701049913),
  Inverse(120000000, 900000000, 500000000, 100000000, 8896110.896078352, 142.0),
  Inverse(120000000, -900000000, 500000000, 100000000, 11107820.562547095, 38.0),
  Inverse(500000000, 100000000, 120000000, 900000000, 8896110.896078352, 0.0),
  Inverse(500000000, 100000000, 500000000, -300000000, 4425968.231174754, 180.0),
  Inverse(0, -300000000, 1799000000, 299000000, 19992090.302326925, 170.99456996551856),
  Inverse(100000000, 899999000, -1700000000, 899999000, 22.338795912566848, 0.0),
  Inverse(0, 400000000, -1790000000, -399000000, 19936949.665372528, 283.1311464894524),
  Inverse(-1800000000, 100000000, 1800000000, 110000000, 110611.18656206313, 0.0),
  Inverse(1607369726, 332269300, 1730265750, -726978124, 11785948.307498498, 176.2040405800674),
  Inverse(283207870, 736848185, -676344263, -820923749, 18069503.192206662, 207.3669020707403),
  Inverse(-1798059896, -587373597, 1046784052, 359465703, 12583461.73621675, 301.2136978821894),
  Inverse(219726626, 731509110, 1356097729, -98644200, 11798122.239458462, 69.91528637010786),
  Inverse(-428249008, 753862716, -1705984031, -314385326, 14386968.28473235, 299.1161489819522),
  Inverse(299557270, 822100395, -949137265, 667286881, 3172018.612175143, 317.0624593028498),
  Inverse(-21855904, 256001659, 516062976, 564694964, 5467703.203001748, 36.21182294941052),
  Inverse(-1395370230, -485568129, 619862217, 288879510, 17156631.698340215, 227.4617829481844),
  Inverse(1204431486, 828990731, 1330549866, -329797882, 12877205.058767999, 168.22792195600513),
  Inverse(1047134114, 825213867, 820132034, 572507821, 2899562.2308168993, 208.45484075665735),
  Inverse(-1421574521, 12034863, -358686229, -699994989, 10744004.32828079, 160.64935653846422),
  Inverse(-244618048, 818594053, -39300199, 828255142, 321973.3801352353, 60.56955070682075),
  Inverse(-724167940, 56086375, 1204849139, -698608179, 12809503.486083519, 184.8778308197602),
  Inverse(1445143493, -476597733, 1209686297, 463477845, 10664681.152914314, 343.831470018072),
  Inverse(1620558612, -274688060, -1381021982, -801896296, 6452444.566973798, 169.96303834822763),
  Inverse(727888015, -468625690, 1755821414, 507469349, 14590530.754912624, 55.44014741344493),
  Inverse(-252181563, 145184728, 1776518489, -483982991, 15705308.24079553, 204.2433817157396),
  Inverse(410409896, 336698895, 968414826, 598751066, 4947285.139059302, 36.45346156827078),
  Inverse(1659617284, 181667329, -1677928518, 460384619, 3923229.83377722, 32.20431345764445),
  Inverse(-247900079, -374090477, 784484726, 22749248, 11335088.599793982, 96.46148637696527),
  Inverse(-392936626, -32533113, -393005278, -32609602, 1139.101165807526, 222.0537601364203),
  Inverse(448158612, 657317645, 448110811, 657248269, 804.0631186600986, 195.83293400962623),
  Inverse(912235164, 623225824, 912234803, 623226296, 5.583485504335619, 340.41574195450875),
  Inverse(-857223761, 15628677, -857226463, 15623202, 67.59530403614633, 206.41151704178915),
  Inverse(865569486, -349274814, 873089615, -358854622, 126342.83918533094, 147.4888665234661),
  Inverse(-889339248, -436768602, -889339238, -436768602, 0.08064021948748931, 90.00000034529519),
  Inverse(695499884, 641726060, 695562051, 641706308, 374.0153579678193, 126.06437075352662),
  Inverse(-90967139, 10470630, -90965122, 10446428, 268.55272249432596, 175.2048125954014),
]

/// The smaller angle between two directions, in degrees.
private func turn(_ a: Double, _ b: Double) -> Double {
  let difference = abs(a - b).truncatingRemainder(dividingBy: 360)
  return min(difference, 360 - difference)
}

@Suite struct GeodesicTests {
  @Test func distancesAndBearingsAreThoseOfGeographicLib() throws {
    for line in lines {
      let found = try #require(Geodesic(from: line.from, to: line.to))
      #expect(abs(found.distance - line.distance) < 1e-6 + line.distance * 1e-14, "\(line)")
      let bearing = try #require(found.bearing)
      // Across a line of a nanometre per radian, directions are known to as much.
      let tolerance = max(1e-9, 1e-6 / line.distance)
      #expect(turn(bearing, line.bearing) < tolerance, "\(line) \(bearing)")
    }
  }

  @Test func theSamePositionHasNoBearing() {
    let places: [(Int32, Int32)] = [(0, 0), (249_384_000, 601_699_000), (0, 900_000_000)]
    for (x, y) in places {
      let position = Coordinate(longitudeE7: x, latitudeE7: y)
      let found = Geodesic(from: position, to: position)
      #expect(found?.distance == 0)
      #expect(found?.bearing == nil)
    }
    let (east, west) = (
      Coordinate(longitudeE7: 1_800_000_000, latitudeE7: 5),
      Coordinate(longitudeE7: -1_800_000_000, latitudeE7: 5)
    )
    #expect(Geodesic(from: east, to: west)?.distance == 0)
    #expect(Geodesic(from: east, to: west)?.bearing == nil)
    let pole = Coordinate(longitudeE7: 70_000_000, latitudeE7: -900_000_000)
    let samePole = Coordinate(longitudeE7: 0, latitudeE7: -900_000_000)
    #expect(Geodesic(from: pole, to: samePole)?.distance == 0)
    #expect(Geodesic(from: pole, to: samePole)?.bearing == nil)
  }

  @Test func positionsThatAreNotValidGiveNothing() {
    let position = Coordinate(longitudeE7: 0, latitudeE7: 0)
    #expect(Geodesic(from: position, to: .undefined) == nil)
    #expect(Geodesic(from: .undefined, to: position) == nil)
  }

  @Test(arguments: [UInt64(1), 2, 3])
  func mirroredLinesHaveMirroredBearings(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      let y = Int32.random(in: 0...450_000_000, using: &random)
      let x = Int32.random(in: -900_000_000...900_000_000, using: &random)
      let (u, v) = (
        x + Int32.random(in: 1...800_000_000, using: &random),
        Int32.random(in: -800_000_000...800_000_000, using: &random)
      )
      func line(_ mirrorX: Int32, _ mirrorY: Int32) throws -> Geodesic {
        try #require(
          Geodesic(
            from: Coordinate(longitudeE7: mirrorX * x, latitudeE7: mirrorY * y),
            to: Coordinate(longitudeE7: mirrorX * u, latitudeE7: mirrorY * v)))
      }
      let plain = try line(1, 1)
      let bearing = try #require(plain.bearing)
      #expect((0..<180).contains(bearing))
      let west = try line(-1, 1)
      let westward = try #require(west.bearing)
      #expect(abs(west.distance - plain.distance) < 1e-6)
      #expect(turn(westward, 360 - bearing) < 1e-9)
      let south = try line(1, -1)
      let southward = try #require(south.bearing)
      #expect(turn(southward, 180 - bearing) < 1e-9)
      let back = try #require(
        Geodesic(
          from: Coordinate(longitudeE7: u, latitudeE7: v),
          to: Coordinate(longitudeE7: x, latitudeE7: y)))
      #expect(abs(back.distance - plain.distance) < 1e-6)
    }
  }
}
