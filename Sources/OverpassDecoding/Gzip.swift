// Answers compressed with gzip, as servers send them and archives keep them.

import CZlib
import OSMModel

enum Gzip {
  static func isCompressed(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    bytes.count >= 2 && bytes[0] == 0x1F && bytes[1] == 0x8B
  }

  /// What came out.
  struct Output: ~Copyable {
    var bytes: Column<UInt8>
    /// Whether the stream ends where it should.
    var isWhole: Bool
  }

  /// The decompressed bytes, and whether the stream ends where it should. Several members behind
  /// each other are one stream. Source: RFC 1952 §2.2.
  static func decompress(
    _ input: UnsafeBufferPointer<UInt8>, maximumBytes: Int
  ) throws(DecodeError) -> Output {
    var output = Column<UInt8>()
    var stream = z_stream()
    let windowBitsForGzip: Int32 = 15 + 16
    guard
      inflateInit2_(
        &stream, windowBitsForGzip, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { throw DecodeError(.compression, "zlib could not be set up") }
    defer { inflateEnd(&stream) }
    var consumed = 0
    var status = Z_OK
    // zlib counts in 32 bits, so large inputs are handed over in pieces.
    let piece = 1 << 30
    let block = 1 << 20
    while true {
      if stream.avail_in == 0 {
        let count = min(piece, input.count - consumed)
        guard count > 0, let base = input.baseAddress else {
          return Output(bytes: output, isWhole: false)
        }
        stream.next_in = UnsafeMutablePointer(mutating: base + consumed)
        stream.avail_in = UInt32(truncatingIfNeeded: count)
        consumed += count
      }
      output.reserve(output.count + block)
      let room = output.spareCapacity
      let given = min(room.count, piece)
      stream.next_out = room.baseAddress
      stream.avail_out = UInt32(truncatingIfNeeded: given)
      status = inflate(&stream, Z_NO_FLUSH)
      output.commit(given - Int(stream.avail_out))
      guard output.count <= maximumBytes else {
        throw DecodeError(.limit, "the answer is larger than \(maximumBytes) bytes (max_bytes)")
      }
      switch status {
      case Z_STREAM_END:
        let rest = input.count - consumed + Int(stream.avail_in)
        let next = UnsafeBufferPointer(rebasing: input[(input.count - rest)...])
        guard isCompressed(next) else { return Output(bytes: output, isWhole: true) }
        inflateReset(&stream)
      case Z_OK: continue
      case Z_BUF_ERROR where stream.avail_in == 0: continue
      default:
        throw DecodeError(
          .compression,
          "damaged gzip data near byte \(consumed - Int(stream.avail_in)) of the compressed input")
      }
    }
  }
}
