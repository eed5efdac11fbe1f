// Decodes one answer, and prints one line: seconds, elements, bytes of anonymous memory after and at
// the peak of decoding.
// usage: DecodeBenchmark FILE THREADS cpu|wall|mapped
//   cpu     from memory; seconds of the process's processors
//   wall    from memory; seconds by the clock
//   mapped  from the mapped file; seconds of the process's processors

import OverpassKit

/// Seconds of a clock.
func seconds(_ clock: clockid_t) -> Double {
  var time = timespec()
  clock_gettime(clock, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Memory of the process that no file stands behind, in bytes.
func anonymousMemory() -> Int {
  guard let status = fopen("/proc/self/status", "r") else { return 0 }
  defer { fclose(status) }
  var line = [CChar](repeating: 0, count: 256)
  while fgets(&line, 256, status) != nil {
    let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard text.hasPrefix("RssAnon:") else { continue }
    return (Int(text.filter(\.isNumber)) ?? 0) * 1024
  }
  return 0
}

let arguments = CommandLine.arguments
guard arguments.count == 4, let threads = Int(arguments[2]) else {
  print("usage: DecodeBenchmark FILE THREADS cpu|wall|mapped")
  exit(2)
}
let path = arguments[1]
let clock = arguments[3] == "wall" ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID
var options = DecodeOptions()
options.maximumThreads = threads

var bytes = Column<UInt8>()
if arguments[3] != "mapped", let file = fopen(path, "rb") {
  fseek(file, 0, SEEK_END)
  let size = ftell(file)
  rewind(file)
  bytes.reserve(size)
  bytes.commit(fread(bytes.spareCapacity.baseAddress, 1, size, file))
  fclose(file)
}

let memoryBefore = anonymousMemory()
var peak = 0
let start = seconds(clock)
let response =
  arguments[3] == "mapped"
  ? try OverpassAnswer.decode(contentsOf: path, options: options) { _ in
    peak = max(peak, anonymousMemory())
    return true
  }
  : try OverpassAnswer.decode(bytes.buffer, options: options)
let used = seconds(clock) - start
let memory = anonymousMemory() - memoryBefore
print("\(used) \(response.dataset.count) \(memory) \(max(peak - memoryBefore, memory))")
