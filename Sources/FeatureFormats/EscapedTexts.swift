// The texts of a dataset as JSON strings, escaped once: each is printed many times.

import OSMModel

/// Every text of a ``StringTable``, quoted and escaped for JSON, in one block.
final class EscapedTexts: Sendable {
  private let bytes: Column<UInt8>
  private let ends: Column<Int>

  init(_ strings: borrowing StringTable) {
    var buffer = TextBuffer()
    var ends = Column<Int>()
    buffer.bytes.reserve(strings.arenaBytes.count + 3 * strings.count)
    ends.reserve(strings.count)
    for number in 0..<strings.count {
      buffer.append(jsonString: strings.bytes(StringID(UInt32(truncatingIfNeeded: number))))
      ends.append(buffer.bytes.count)
    }
    bytes = buffer.bytes
    self.ends = ends
  }

  @inline(__always) subscript(id: StringID) -> UnsafeBufferPointer<UInt8> {
    let number = Int(id.rawValue)
    let start = number == 0 ? 0 : ends[number - 1]
    return UnsafeBufferPointer(rebasing: bytes.buffer[start..<ends[number]])
  }
}
