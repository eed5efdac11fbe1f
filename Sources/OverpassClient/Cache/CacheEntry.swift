// One answer on disk: written while it comes, read by mapping.
//
//   8 bytes  "OPKCACH1"
//   8 bytes  number of bytes of the answer
//   8 bytes  when it came, in seconds since 1970
//   8 bytes  CRC-32 of the answer
//   then the answer as it came
//
// Numbers are little-endian.

import CZlib
import OSMModel

/// An answer on its way to the disk. It disappears with the object unless it is committed.
final class CacheEntry {
  static let temporarySuffix = ".part"

  private let path: String
  private let temporary: String
  private let limit: Int
  private var descriptor: Int32
  private var count = 0
  private var checksum: UInt = 0
  /// Once writing failed, nothing is kept.
  private var isSound = true

  /// - Parameter limit: the largest answer that is kept.
  init?(path: String, limit: Int) {
    self.path = path
    self.limit = limit
    let name = String(UInt64.random(in: UInt64.min...UInt64.max), radix: 36)
    temporary = path + "." + name + CacheEntry.temporarySuffix
    descriptor = open(temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return nil }
    [UInt8](repeating: 0, count: CacheHead.size).withUnsafeBytes { put($0) }
  }

  deinit {
    guard descriptor >= 0 else { return }
    close(descriptor)
    unlink(temporary)
  }

  /// Adds the next bytes of the answer.
  func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard isSound, bytes.count <= limit - count else { return isSound = false }
    checksum = CacheHead.checksum(checksum, bytes)
    count += bytes.count
    put(UnsafeRawBufferPointer(bytes))
  }

  private func put(_ bytes: UnsafeRawBufferPointer) {
    var rest = bytes
    while rest.count > 0 {
      let written = write(descriptor, rest.baseAddress, rest.count)
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { return isSound = false }
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(written))
    }
  }

  /// Puts the answer in its place, where it replaces an older one.
  /// - Parameter time: seconds since 1970.
  func commit(time: Double) {
    guard isSound, descriptor >= 0 else { return }
    let head = CacheHead(count: count, time: time, checksum: checksum).bytes
    guard head.withUnsafeBytes({ pwrite(descriptor, $0.baseAddress, $0.count, 0) }) == head.count
    else { return }
    let status = close(descriptor)
    descriptor = -1
    if status != 0 || rename(temporary, path) != 0 { unlink(temporary) }
  }
}

/// An answer from the disk.
final class CachedAnswer {
  /// When it came, in seconds since 1970.
  let time: Double
  private let memory: UnsafeMutableRawPointer
  private let size: Int

  /// `nil` for a file that is not there, not whole or not what was written. It cannot shrink later:
  /// entries are replaced, never changed.
  init?(_ path: String) {
    // A pipe would otherwise be waited for.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_size >= CacheHead.size
    else { return nil }
    let size = Int(status.st_size)
    guard let memory = mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0),
      memory != UnsafeMutableRawPointer(bitPattern: -1)
    else { return nil }
    self.memory = memory
    self.size = size
    let head = CacheHead(UnsafeRawBufferPointer(start: memory, count: CacheHead.size))
    time = head?.time ?? 0
    guard let head, head.count == size - CacheHead.size,
      head.checksum == CacheHead.checksum(0, bytes)
    else { return nil }
  }

  deinit { munmap(memory, size) }

  var bytes: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(
      start: UnsafePointer((memory + CacheHead.size).assumingMemoryBound(to: UInt8.self)),
      count: size - CacheHead.size)
  }
}

/// What stands in front of the answer.
private struct CacheHead {
  static let size = 32
  private static let magic = Array("OPKCACH1".utf8)

  var count: Int
  var time: Double
  var checksum: UInt

  init(count: Int, time: Double, checksum: UInt) {
    self.count = count
    self.time = time
    self.checksum = checksum
  }

  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count == CacheHead.size, bytes.starts(with: CacheHead.magic) else { return nil }
    func number(_ place: Int) -> UInt64 {
      UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
    }
    count = Int(truncatingIfNeeded: number(8))
    time = Double(Int64(bitPattern: number(16)))
    checksum = UInt(truncatingIfNeeded: number(24))
  }

  var bytes: [UInt8] {
    var result = CacheHead.magic
    // Beyond the seconds that 64 bits count there is no clock.
    let seconds = Int64(exactly: time.rounded(.down)) ?? 0
    for number in [
      UInt64(truncatingIfNeeded: count), UInt64(bitPattern: seconds),
      UInt64(truncatingIfNeeded: checksum),
    ] {
      withUnsafeBytes(of: number.littleEndian) { result += $0 }
    }
    return result
  }

  /// Continues a CRC-32.
  static func checksum(_ start: UInt, _ bytes: UnsafeBufferPointer<UInt8>) -> UInt {
    var sum = start
    var rest = bytes
    while rest.count > 0 {
      // zlib counts in 32 bits.
      let part = rest.prefix(1 << 30)
      sum = crc32(sum, UnsafeBufferPointer(rebasing: part).baseAddress, UInt32(part.count))
      rest = UnsafeBufferPointer(rebasing: rest.dropFirst(part.count))
    }
    return sum
  }
}
