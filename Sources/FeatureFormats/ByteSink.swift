// Where written bytes go: into memory, into a file, or to the caller.

import OSMModel

/// Why bytes could not be written.
public struct WriteError: Error, Sendable, Equatable {
  public enum Kind: Sendable, Equatable {
    /// The file could not be created.
    case open
    /// The file or the caller did not take the bytes.
    case write
  }

  public var kind: Kind
  public var message: String

  public init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }
}

/// Takes bytes in the order they are written.
public protocol ByteSink: ~Copyable {
  mutating func write(_ bytes: UnsafeBufferPointer<UInt8>) throws(WriteError)
}

/// Keeps the bytes in memory.
public struct MemorySink: ByteSink, ~Copyable {
  public private(set) var bytes = Column<UInt8>()

  public init() {}

  public mutating func write(_ block: UnsafeBufferPointer<UInt8>) throws(WriteError) {
    bytes.append(contentsOf: block)
  }

  /// The bytes, handed over without a copy.
  public consuming func takeBytes() -> Column<UInt8> { bytes }
}

/// Writes to an open file descriptor, which stays open.
public struct DescriptorSink: ByteSink {
  private let descriptor: Int32
  private let name: String

  /// - Parameter name: what error messages call the file.
  public init(_ descriptor: Int32, name: String = "output") {
    self.descriptor = descriptor
    self.name = name
  }

  public mutating func write(_ bytes: UnsafeBufferPointer<UInt8>) throws(WriteError) {
    guard let start = bytes.baseAddress else { return }
    var written = 0
    while written < bytes.count {
      let count = systemWrite(descriptor, start + written, bytes.count - written)
      if count < 0 {
        if errno == EINTR { continue }
        throw WriteError(.write, "\(name): \(systemErrorText(errno))")
      }
      written += count
    }
  }
}

/// The C function, whose name the method above hides.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}

/// Creates or replaces a file, hands its sink to `body` and closes it. A regular file that could not
/// be written whole is removed; devices and pipes are left alone.
public func withFileSink(
  _ path: String, _ body: (inout DescriptorSink) throws(WriteError) -> Void
) throws(WriteError) {
  let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
  guard descriptor >= 0 else { throw WriteError(.open, "\(path): \(systemErrorText(errno))") }
  var status = stat()
  let isRegular = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  var sink = DescriptorSink(descriptor, name: path)
  do throws(WriteError) {
    try body(&sink)
  } catch {
    close(descriptor)
    if isRegular { unlink(path) }
    throw error
  }
  guard close(descriptor) == 0 else {
    throw WriteError(.write, "\(path): \(systemErrorText(errno))")
  }
}

func systemErrorText(_ code: Int32) -> String {
  strerror(code).map { String(cString: $0) } ?? "error \(code)"
}
