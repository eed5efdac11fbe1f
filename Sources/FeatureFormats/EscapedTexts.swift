// The texts of a dataset as quoted strings, escaped once: each is printed many times.

import OSMModel

/// Every text of a ``StringTable``, quoted and escaped, in one block.
final class EscapedTexts: Sendable {
  /// What the texts are escaped for.
  enum Syntax { case json, xml }

  private let bytes: Column<UInt8>
  private let ends: Column<Int>

  init(_ strings: borrowing StringTable, for syntax: Syntax = .json) {
    var buffer = TextBuffer()
    var ends = Column<Int>()
    buffer.bytes.reserve(strings.arenaBytes.count + 3 * strings.count)
    ends.reserve(strings.count)
    for number in 0..<strings.count {
      let text = strings.bytes(StringID(UInt32(truncatingIfNeeded: number)))
      switch syntax {
      case .json: buffer.append(jsonString: text)
      case .xml: buffer.append(xmlAttribute: text)
      }
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
