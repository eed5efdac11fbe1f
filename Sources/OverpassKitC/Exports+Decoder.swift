// Exports: decoding in portions.

import COverpassKit
import OverpassKit

/// A decoder that C pushes bytes into.
final class DecoderHandle {
  private var decoder: AnswerDecoder?
  private(set) var byteCount = 0
  private(set) var elementCount = 0

  init(_ options: DecodeOptions) { decoder = AnswerDecoder(options: options) }

  func push(_ bytes: UnsafeBufferPointer<UInt8>) throws(BoundaryError) {
    guard var decoder = decoder.take() else { throw .misuse("the decoder is finished") }
    do throws(AnswerError) {
      try unsafe decoder.push(bytes)
      byteCount = decoder.byteCount
      elementCount = decoder.elementCount
      self.decoder = consume decoder
    } catch {
      // The decoder gives the same error for ever.
      self.decoder = consume decoder
      throw BoundaryError(error)
    }
  }

  func finish() throws(BoundaryError) -> Response {
    guard let decoder = decoder.take() else { throw .misuse("the decoder is finished") }
    elementCount = 0
    do throws(AnswerError) {
      return try decoder.finish()
    } catch {
      throw BoundaryError(error)
    }
  }
}

@_cdecl("opk_decoder_new") @implementation
public func opk_decoder_new(
  _ opt: UnsafePointer<opk_decode_options>!, _ out: UnsafeMutablePointer<OpaquePointer?>!,
  _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe boundary(err) { () throws(BoundaryError) in
    guard let out = unsafe out else { throw .misuse("out is NULL") }
    unsafe out.pointee = nil
    let decoding = try unsafe Decoding(opt)
    unsafe out.pointee = unsafe makeHandle(DecoderHandle(decoding.options))
  }
}

@_cdecl("opk_decoder_push") @implementation
public func opk_decoder_push(
  _ decoder: OpaquePointer!, _ bytes: UnsafePointer<UInt8>!, _ len: Int,
  _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe boundary(err) { () throws(BoundaryError) in
    guard let handle = unsafe object(decoder, DecoderHandle.self) else {
      throw .misuse("decoder is NULL")
    }
    guard len >= 0, unsafe bytes != nil || len == 0 else { throw .misuse("bytes is NULL") }
    try unsafe handle.push(UnsafeBufferPointer(start: bytes, count: len))
  }
}

@_cdecl("opk_decoder_finish") @implementation
public func opk_decoder_finish(
  _ decoder: OpaquePointer!, _ out: UnsafeMutablePointer<OpaquePointer?>!,
  _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe give(out, err) { () throws(BoundaryError) in
    guard let handle = unsafe object(decoder, DecoderHandle.self) else {
      throw .misuse("decoder is NULL")
    }
    return try handle.finish()
  }
}

@_cdecl("opk_decoder_byte_count") @implementation
public func opk_decoder_byte_count(_ decoder: OpaquePointer!) -> UInt64 {
  UInt64(clamping: unsafe object(decoder, DecoderHandle.self)?.byteCount ?? 0)
}

@_cdecl("opk_decoder_element_count") @implementation
public func opk_decoder_element_count(_ decoder: OpaquePointer!) -> UInt64 {
  UInt64(clamping: unsafe object(decoder, DecoderHandle.self)?.elementCount ?? 0)
}

@_cdecl("opk_decoder_free") @implementation
public func opk_decoder_free(_ decoder: OpaquePointer!) {
  unsafe freeHandle(decoder, DecoderHandle.self)
}
