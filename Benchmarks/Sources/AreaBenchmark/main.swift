// Builds the area of relations with 1000 and with 10 000 ways: ten times the ways may take at most
// twelve times as long.
// usage: AreaBenchmark

import OverpassKit

func cpuSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// An answer with one multipolygon.
func answer(_ ways: [[(x: Int, y: Int)]]) -> [UInt8] {
  var members: [String] = []
  for (number, way) in ways.enumerated() {
    let line = way.map { "{\"lat\":\(Double($0.y) * 1e-6),\"lon\":\(Double($0.x) * 1e-6)}" }
    members.append(
      "{\"type\":\"way\",\"ref\":\(number),\"role\":\"\",\"geometry\":[\(line.joined(separator: ","))]}"
    )
  }
  return Array(
    "{\"elements\":[{\"type\":\"relation\",\"id\":1,\"tags\":{\"type\":\"multipolygon\",\"a\":\"b\"},\"members\":[\(members.joined(separator: ","))]}]}"
      .utf8)
}

/// One ring of many ways of ten segments, with teeth.
func longRing(_ count: Int) -> [[(x: Int, y: Int)]] {
  let half = count / 2
  func there(_ step: Int) -> (x: Int, y: Int) { (step * 10, 5_000 + step % 2 * 7) }
  func back(_ step: Int) -> (x: Int, y: Int) {
    (step * 10, step == 0 || step == half * 10 ? there(step).y : step % 2 * 7)
  }
  var ways = (0..<half).map { way in (0...10).map { there(way * 10 + $0) } }
  ways += (0..<count - half).map { way in (0...10).map { back(way * 10 + $0) } }
  return ways
}

/// One square with a hole for each further way.
func manyHoles(_ count: Int) -> [[(x: Int, y: Int)]] {
  var side = 1
  while side * side < count { side += 1 }
  func square(_ x: Int, _ y: Int, _ size: Int) -> [(x: Int, y: Int)] {
    [(x, y), (x + size, y), (x + size, y + size), (x, y + size), (x, y)]
  }
  return [square(-10, -10, side * 20 + 20)]
    + (0..<count - 1).map { square($0 % side * 20, $0 / side * 20, 10) }
}

for (name, shape) in [("one ring", longRing), ("holes", manyHoles)] {
  var seconds: [Double] = []
  for count in [1_000, 10_000] {
    let dataset = try OverpassJSON.decode(answer(shape(count))).dataset
    var runs: [Double] = []
    for _ in 0..<5 {
      let start = cpuSeconds()
      let features = FeatureSet(dataset)
      var geometry = Geometry()
      let info = features.geometry(of: 0, into: &geometry)
      runs.append(cpuSeconds() - start)
      precondition(!info.isTainted && geometry.kind == .polygon)
    }
    seconds.append(runs.sorted()[2])
  }
  let (small, large) = (Int(seconds[0] * 1e6), Int(seconds[1] * 1e6))
  let ratio = (seconds[1] / seconds[0] * 10).rounded() / 10
  print(
    "\(name): 1000 ways \(small) µs, 10 000 ways \(large) µs, \(ratio) x (aim: at most 12)")
}
