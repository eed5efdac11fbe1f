// A file as memory. Mapping leaves the pages to the system's cache instead of copying them.

import OSMModel

/// A file mapped for reading, or read into memory where it cannot be mapped (pipes, devices).
struct MappedFile: ~Copyable {
  private var mapping: UnsafeMutableRawPointer?
  private var mappedCount = 0
  private var copy = Column<UInt8>()

  init(_ path: String) throws(DecodeError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw DecodeError(.fileOpen, "\(path): \(Self.errorText(errno))")
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw DecodeError(.fileRead, "\(path): \(Self.errorText(errno))")
    }
    if status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 {
      let count = Int(status.st_size)
      if let memory = mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0),
        memory != UnsafeMutableRawPointer(bitPattern: -1)
      {
        // Advice only: the scanner reads from start to end.
        _ = madvise(memory, count, MADV_SEQUENTIAL)
        mapping = memory
        mappedCount = count
        return
      }
    }
    try readAll(descriptor, path)
  }

  deinit {
    if let mapping { munmap(mapping, mappedCount) }
  }

  var bytes: UnsafeBufferPointer<UInt8> {
    guard let mapping else { return copy.buffer }
    return UnsafeBufferPointer(
      start: UnsafePointer(mapping.assumingMemoryBound(to: UInt8.self)), count: mappedCount)
  }

  private mutating func readAll(_ descriptor: Int32, _ path: String) throws(DecodeError) {
    while true {
      copy.reserve(copy.count + 65_536)
      let room = copy.spareCapacity
      let count = read(descriptor, room.baseAddress, room.count)
      if count < 0 {
        if errno == EINTR { continue }
        throw DecodeError(.fileRead, "\(path): \(Self.errorText(errno))")
      }
      if count == 0 { return }
      copy.commit(count)
    }
  }

  private static func errorText(_ code: Int32) -> String {
    strerror(code).map { String(cString: $0) } ?? "error \(code)"
  }
}
