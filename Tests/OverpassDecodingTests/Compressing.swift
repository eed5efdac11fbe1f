import CBzip2
import CZlib
import Testing

/// Compresses with gzip.
func gzip(_ bytes: [UInt8]) -> [UInt8] {
  var stream = z_stream()
  deflateInit2_(
    &stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
    Int32(MemoryLayout<z_stream>.size))
  defer { deflateEnd(&stream) }
  var input = bytes
  var output = [UInt8](repeating: 0, count: bytes.count + 1000)
  let count = input.withUnsafeMutableBufferPointer { input in
    output.withUnsafeMutableBufferPointer { output in
      stream.next_in = input.baseAddress
      stream.avail_in = UInt32(input.count)
      stream.next_out = output.baseAddress
      stream.avail_out = UInt32(output.count)
      deflate(&stream, Z_FINISH)
      return Int(stream.total_out)
    }
  }
  return Array(output[0..<count])
}

/// Compresses with bzip2.
func bzip2(_ bytes: [UInt8]) -> [UInt8] {
  var input = bytes.map { CChar(bitPattern: $0) }
  var output = [CChar](repeating: 0, count: bytes.count * 2 + 1000)
  var count = UInt32(output.count)
  let status = BZ2_bzBuffToBuffCompress(
    &output, &count, &input, UInt32(input.count), 9, 0, 0)
  #expect(status == BZ_OK)
  return output[0..<Int(count)].map { UInt8(bitPattern: $0) }
}
