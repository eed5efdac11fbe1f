// A file as memory. Mapping leaves the pages to the system's cache instead of copying them.

import OSMModel

/// A file mapped for reading, or read into memory where it cannot be mapped (pipes, devices).
struct MappedFile: ~Copyable {
  private var mapping: UnsafeMutableRawPointer?
  private var mappedCount = 0
  private var copy = Column<UInt8>()

  init(_ path: String) throws(DecodeError) {
    let file = try InputFile(path)
    if let mapped = MappedFile(mapping: file) {
      self = mapped
      return
    }
    try file.readAll { bytes throws(DecodeError) in copy.append(contentsOf: bytes) }
  }

  /// `nil` where the file cannot be mapped, or was read from already.
  init?(mapping file: borrowing InputFile) {
    var status = stat()
    guard fstat(file.descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_size > 0, lseek(file.descriptor, 0, SEEK_CUR) == 0
    else { return nil }
    let count = Int(status.st_size)
    guard let memory = mmap(nil, count, PROT_READ, MAP_PRIVATE, file.descriptor, 0),
      memory != UnsafeMutableRawPointer(bitPattern: -1)
    else { return nil }
    // Advice only: the scanner reads from start to end.
    _ = madvise(memory, count, MADV_SEQUENTIAL)
    mapping = memory
    mappedCount = count
  }

  deinit {
    if let mapping { munmap(mapping, mappedCount) }
  }

  var bytes: UnsafeBufferPointer<UInt8> {
    guard let mapping else { return copy.buffer }
    return UnsafeBufferPointer(
      start: UnsafePointer(mapping.assumingMemoryBound(to: UInt8.self)), count: mappedCount)
  }
}

/// A descriptor to read from.
struct InputFile: ~Copyable {
  let descriptor: Int32
  /// For messages.
  private let name: String
  private let isOwned: Bool

  /// Opens a file.
  init(_ path: String) throws(DecodeError) {
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    name = path
    isOwned = true
    guard descriptor >= 0 else {
      throw DecodeError(.fileOpen, "\(path): \(Self.errorText(errno))")
    }
  }

  /// Borrows an open descriptor.
  init(descriptor: Int32) {
    self.descriptor = descriptor
    name = "descriptor \(descriptor)"
    isOwned = false
  }

  deinit {
    if isOwned, descriptor >= 0 { close(descriptor) }
  }

  /// Reads to the end and hands on what comes, borrowed for the call.
  func readAll<Failure: Error>(
    failing: (DecodeError) -> Failure,
    _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Void
  ) throws(Failure) {
    var block = Column<UInt8>()
    block.reserve(1 << 18)
    while true {
      let room = block.spareCapacity
      let count = read(descriptor, room.baseAddress, room.count)
      if count < 0 {
        if errno == EINTR { continue }
        throw failing(DecodeError(.fileRead, "\(name): \(Self.errorText(errno))"))
      }
      if count == 0 { return }
      try body(UnsafeBufferPointer(rebasing: UnsafeBufferPointer(room).prefix(count)))
    }
  }

  func readAll(_ body: (UnsafeBufferPointer<UInt8>) throws(DecodeError) -> Void)
    throws(DecodeError)
  {
    try readAll(failing: { $0 }, body)
  }

  private static func errorText(_ code: Int32) -> String {
    strerror(code).map { String(cString: $0) } ?? "error \(code)"
  }
}
