// Answers and files compressed with bzip2, as OSM archives keep them.

import CBzip2
import OSMModel

enum Bzip2 {
  /// `BZh`, the size of the blocks, and the mark of the first block or of the end.
  static func isCompressed(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard bytes.count >= 4, bytes.starts(with: [0x42, 0x5A, 0x68]),
      (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(bytes[3])
    else { return false }
    return bytes.count == 4 || bytes[4] == 0x31 || bytes[4] == 0x17
  }

  /// The decompressed bytes, and whether the stream ends where it should. Several streams behind
  /// each other are one, as parallel compressors write them.
  static func decompress(
    _ input: UnsafeBufferPointer<UInt8>, maximumBytes: Int
  ) throws(DecodeError) -> Gzip.Output {
    var output = Column<UInt8>()
    var stream = bz_stream()
    guard BZ2_bzDecompressInit(&stream, 0, 0) == BZ_OK else {
      throw DecodeError(.compression, "libbz2 could not be set up")
    }
    defer { BZ2_bzDecompressEnd(&stream) }
    var consumed = 0
    // libbz2 counts in 32 bits, so large inputs are handed over in pieces.
    let piece = 1 << 30
    let block = 1 << 20
    while true {
      if stream.avail_in == 0 {
        let count = min(piece, input.count - consumed)
        guard count > 0, let base = input.baseAddress else {
          return Gzip.Output(bytes: output, isWhole: false)
        }
        stream.next_in = UnsafeMutableRawPointer(mutating: base + consumed)
          .assumingMemoryBound(to: CChar.self)
        stream.avail_in = UInt32(truncatingIfNeeded: count)
        consumed += count
      }
      var status: Int32
      repeat {
        output.reserve(output.count + block)
        let room = output.spareCapacity
        let given = min(room.count, piece)
        stream.next_out = room.baseAddress.map {
          UnsafeMutableRawPointer($0).assumingMemoryBound(to: CChar.self)
        }
        stream.avail_out = UInt32(truncatingIfNeeded: given)
        status = BZ2_bzDecompress(&stream)
        output.commit(given - Int(stream.avail_out))
        guard output.count <= maximumBytes else {
          throw DecodeError(.limit, "the answer is larger than \(maximumBytes) bytes (max_bytes)")
        }
        // Output may be waiting although all input was taken.
      } while status == BZ_OK && stream.avail_out == 0
      if status == BZ_OK { continue }
      guard status == BZ_STREAM_END else {
        throw DecodeError(
          .compression,
          "damaged bzip2 data near byte \(consumed - Int(stream.avail_in)) of the compressed input")
      }
      let rest = input.count - consumed + Int(stream.avail_in)
      let next = UnsafeBufferPointer(rebasing: input[(input.count - rest)...])
      guard isCompressed(next) else { return Gzip.Output(bytes: output, isWhole: true) }
      BZ2_bzDecompressEnd(&stream)
      stream = bz_stream()
      guard BZ2_bzDecompressInit(&stream, 0, 0) == BZ_OK else {
        throw DecodeError(.compression, "libbz2 could not be set up")
      }
      consumed = input.count - rest
    }
  }
}
