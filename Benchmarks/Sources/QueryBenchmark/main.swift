// Parses and prints query texts of growing size and prints MB/s: both should stay the same.
// usage: QueryBenchmark

import OverpassKit

func cpuSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// The median of five runs.
func median(_ body: () throws -> Void) rethrows -> Double {
  var seconds: [Double] = []
  for _ in 0..<5 {
    let start = cpuSeconds()
    try body()
    seconds.append(cpuSeconds() - start)
  }
  return seconds.sorted()[2]
}

func megabytesPerSecond(_ bytes: Int, _ seconds: Double) -> Int { Int(Double(bytes) / 1e6 / seconds) }

for megabytes in [1, 2, 4] {
  var text = "[out:json][timeout:180];(\n"
  var number = 0
  while text.utf8.count < megabytes * 1_000_000 {
    number += 1
    text += "  nwr[\"addr:street\"=\"Street \(number)\"][name~\"^a|b\",i](around:50,52.\(number),13.4);\n"
  }
  text += ");\nout center;\n"
  let bytes = Array(text.utf8)
  let query = try Query.parse(utf8: bytes)
  let ql = try query.qlBytes()
  let xml = try query.xmlBytes()
  let parseQL = try median { _ = try Query.parse(utf8: bytes) }
  let printQL = try median { _ = try query.qlBytes() }
  let parseXML = try median { _ = try Query.parse(utf8: xml) }
  let printXML = try median { _ = try query.xmlBytes() }
  print(
    "\(megabytes) MB of Overpass QL: parse \(megabytesPerSecond(bytes.count, parseQL)) MB/s,",
    "print \(megabytesPerSecond(ql.count, printQL)) MB/s;",
    "as XML: parse \(megabytesPerSecond(xml.count, parseXML)) MB/s,",
    "print \(megabytesPerSecond(xml.count, printXML)) MB/s")
}
