// Decodes one Overpass JSON answer from memory several times and prints CPU seconds, one run a line.
// usage: DecodeBenchmark FILE RUNS

import OverpassKit

func cpuSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

let arguments = CommandLine.arguments
guard arguments.count == 3, let runs = Int(arguments[2]), let file = fopen(arguments[1], "rb") else {
  print("usage: DecodeBenchmark FILE RUNS")
  exit(2)
}
fseek(file, 0, SEEK_END)
let size = ftell(file)
rewind(file)
var bytes = Column<UInt8>()
bytes.reserve(size)
bytes.commit(fread(bytes.spareCapacity.baseAddress, 1, size, file))

for _ in 0..<runs {
  let start = cpuSeconds()
  let response = try OverpassJSON.decode(bytes.buffer)
  print("\(cpuSeconds() - start) \(response.dataset.count)")
}
