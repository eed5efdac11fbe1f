// zlib and libbz2 behind one protocol.

import CBzip2
import CZlib
import OSMModel

/// gzip, as servers send it and archives keep it.
struct GzipInflater: Inflating, ~Copyable {
  static var compression: Compression { .gzip }
  /// zlib refuses a stream that was moved in memory.
  private let stream: UnsafeMutablePointer<z_stream>

  init?() {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    let windowBitsForGzip: Int32 = 15 + 16
    let status = inflateInit2_(
      stream, windowBitsForGzip, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard status == Z_OK else {
      stream.deallocate()
      return nil
    }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  mutating func inflate(_ input: UnsafeBufferPointer<UInt8>, into output: inout Column<UInt8>)
    -> InflateStep
  {
    let room = output.spareCapacity
    // zlib counts in 32 bits.
    let given = min(input.count, 1 << 30)
    let space = min(room.count, 1 << 30)
    stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
    stream.pointee.avail_in = UInt32(truncatingIfNeeded: given)
    stream.pointee.next_out = room.baseAddress
    stream.pointee.avail_out = UInt32(truncatingIfNeeded: space)
    let status = CZlib.inflate(stream, Z_NO_FLUSH)
    output.commit(space - Int(stream.pointee.avail_out))
    let taken = given - Int(stream.pointee.avail_in)
    switch status {
    case Z_STREAM_END: return InflateStep(taken: taken, state: .ended)
    case Z_OK: return InflateStep(taken: taken, state: .more)
    // No progress was possible: there is no input left, or no room.
    case Z_BUF_ERROR where taken == given || space == 0:
      return InflateStep(taken: taken, state: .more)
    default: return InflateStep(taken: taken, state: .damaged)
    }
  }
}

/// bzip2, as OSM archives keep their files.
struct Bzip2Inflater: Inflating, ~Copyable {
  static var compression: Compression { .bzip2 }
  /// libbz2 refuses a stream that was moved in memory.
  private let stream: UnsafeMutablePointer<bz_stream>

  init?() {
    stream = .allocate(capacity: 1)
    stream.initialize(to: bz_stream())
    guard BZ2_bzDecompressInit(stream, 0, 0) == BZ_OK else {
      stream.deallocate()
      return nil
    }
  }

  deinit {
    BZ2_bzDecompressEnd(stream)
    stream.deallocate()
  }

  mutating func inflate(_ input: UnsafeBufferPointer<UInt8>, into output: inout Column<UInt8>)
    -> InflateStep
  {
    let room = output.spareCapacity
    // libbz2 counts in 32 bits.
    let given = min(input.count, 1 << 30)
    let space = min(room.count, 1 << 30)
    stream.pointee.next_in = input.baseAddress.map {
      UnsafeMutableRawPointer(mutating: $0).assumingMemoryBound(to: CChar.self)
    }
    stream.pointee.avail_in = UInt32(truncatingIfNeeded: given)
    stream.pointee.next_out = room.baseAddress.map {
      UnsafeMutableRawPointer($0).assumingMemoryBound(to: CChar.self)
    }
    stream.pointee.avail_out = UInt32(truncatingIfNeeded: space)
    let status = BZ2_bzDecompress(stream)
    output.commit(space - Int(stream.pointee.avail_out))
    let taken = given - Int(stream.pointee.avail_in)
    switch status {
    case BZ_STREAM_END: return InflateStep(taken: taken, state: .ended)
    case BZ_OK: return InflateStep(taken: taken, state: .more)
    default: return InflateStep(taken: taken, state: .damaged)
    }
  }
}
