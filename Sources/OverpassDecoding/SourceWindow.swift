// The part of an answer that is still of interest while it comes in portions.

import OSMModel

/// Keeps the last bytes of a stream, and counts the lines of those before, so that an error still has
/// a line and a column when most of the answer is gone.
struct SourceWindow: ~Copyable {
  private var kept = Column<UInt8>()
  /// Bytes of the answer that are gone, their lines, and where the last of those lines begins.
  private(set) var start = 0
  private var lines = 0
  private var lineStart = 0

  /// What is kept; valid until the window changes.
  var bytes: UnsafeBufferPointer<UInt8> { kept.buffer }
  /// All bytes that came so far.
  var end: Int { start + kept.count }

  mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) { kept.append(contentsOf: bytes) }

  /// Counts bytes that never were in the window, because they were dealt with in place. The window
  /// must be empty.
  mutating func pass(_ bytes: UnsafeBufferPointer<UInt8>) {
    var place = bytes[...]
    while let index = place.firstIndex(of: UInt8(ascii: "\n"), in: bytes) {
      lines += 1
      lineStart = start + index + 1
      place = bytes[(index + 1)...]
    }
    start += bytes.count
  }

  /// Forgets the first bytes.
  mutating func drop(_ count: Int) {
    var all = Column<UInt8>()
    swap(&all, &kept)
    let bytes = all.buffer
    let cut = min(max(count, 0), bytes.count)
    pass(UnsafeBufferPointer(rebasing: bytes[..<cut]))
    guard cut < bytes.count else { return }
    all.removeFirst(cut)
    swap(&all, &kept)
  }

  /// Forgets what stands before a place of the answer.
  mutating func drop(before offset: Int) { drop(offset - start) }

  /// An error at a place that is still in the window.
  func error(_ fault: Fault) -> DecodeError {
    var error = DecodeError(fault.kind, "\(fault.message)")
    let offset = min(max(fault.offset, start), end)
    var line = lines + 1
    var lineStart = self.lineStart
    let bytes = kept.buffer
    for index in 0..<offset - start where bytes[index] == UInt8(ascii: "\n") {
      line += 1
      lineStart = start + index + 1
    }
    error.offset = offset
    error.line = line
    error.column = offset - lineStart + 1
    return error
  }
}

extension Slice where Base == UnsafeBufferPointer<UInt8> {
  /// `firstIndex(of:)` at the speed of `memchr`.
  fileprivate func firstIndex(of byte: UInt8, in whole: UnsafeBufferPointer<UInt8>) -> Int? {
    guard let base = whole.baseAddress, !isEmpty,
      let hit = memchr(base + startIndex, Int32(byte), count)
    else { return nil }
    return UnsafeRawPointer(hit) - UnsafeRawPointer(base)
  }
}
