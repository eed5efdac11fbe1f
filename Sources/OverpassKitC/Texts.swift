// Texts and blocks of bytes on their way to C.

import COverpassKit
import OSMModel

/// A text at a fixed place in memory, for as long as its owner lives.
@safe final class StableText: @unchecked Sendable {
  private let memory: UnsafeMutableBufferPointer<CChar>

  init(_ text: String) {
    var text = text
    unsafe memory = text.withUTF8 { bytes in
      let memory = UnsafeMutableBufferPointer<CChar>.allocate(capacity: bytes.count + 1)
      for unsafe(index, byte) in unsafe bytes.enumerated() {
        unsafe memory.initializeElement(at: index, to: CChar(bitPattern: byte))
      }
      unsafe memory.initializeElement(at: bytes.count, to: 0)
      return unsafe memory
    }
  }

  deinit { unsafe memory.deallocate() }

  var borrowed: opk_str {
    unsafe opk_str(ptr: UnsafePointer(memory.baseAddress), len: memory.count - 1)
  }
}

/// A block of bytes that C owns.
final class BytesHandle: Sendable {
  let bytes: Column<UInt8>

  init(_ bytes: consuming Column<UInt8>) { self.bytes = bytes }

  convenience init(_ text: String) {
    var column = Column<UInt8>()
    var text = text
    text.withUTF8 { unsafe column.append(contentsOf: $0) }
    self.init(column)
  }
}

var noText: opk_str { unsafe opk_str(ptr: nil, len: 0) }

func text(_ literal: StaticString) -> opk_str {
  unsafe opk_str(
    ptr: UnsafeRawPointer(literal.utf8Start).assumingMemoryBound(to: CChar.self),
    len: literal.utf8CodeUnitCount)
}

func text(_ id: StringID, in strings: borrowing StringTable) -> opk_str {
  let bytes = unsafe strings.bytes(id)
  guard let start = bytes.baseAddress else { return unsafe text("") }
  return unsafe opk_str(
    ptr: UnsafeRawPointer(start).assumingMemoryBound(to: CChar.self), len: bytes.count)
}
