// Exports: decoding an answer, and what it says about itself.

import COverpassKit
import OverpassKit

/// A response, with the texts C borrows from it.
final class ResponseHandle: Sendable {
  let response: Response
  let header: [StableText?]
  let remarks: [StableText]
  let diagnostics: [StableText]
  let messages: [MessageTexts]

  init(_ response: Response) {
    self.response = response
    let header = response.header
    self.header = [
      header.version, header.generator, header.timestamp, header.areasTimestamp, header.copyright,
    ].map { $0.map(StableText.init) }
    remarks = response.remarks.map(StableText.init)
    messages = response.messages.map(MessageTexts.init)
    diagnostics = response.diagnostics.map { StableText($0.text) }
  }
}

func give(
  _ out: UnsafeMutablePointer<OpaquePointer?>!, _ err: UnsafeMutablePointer<opk_error>!,
  _ decode: () throws(BoundaryError) -> Response
) -> opk_status {
  unsafe boundary(err) { () throws(BoundaryError) in
    guard let out = unsafe out else { throw .misuse("out is NULL") }
    unsafe out.pointee = nil
    unsafe out.pointee = unsafe makeHandle(ResponseHandle(try decode()))
  }
}

/// The body of the decoders of bytes.
private func decode(
  _ bytes: UnsafePointer<UInt8>?, _ len: Int, _ opt: UnsafePointer<opk_decode_options>?,
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ err: UnsafeMutablePointer<opk_error>?,
  _ body: (UnsafeBufferPointer<UInt8>, Decoding) throws(AnswerError) -> Response
) -> opk_status {
  unsafe give(out, err) { () throws(BoundaryError) in
    guard len >= 0, unsafe bytes != nil || len == 0 else { throw .misuse("bytes is NULL") }
    let decoding = try unsafe Decoding(opt)
    do throws(AnswerError) {
      return try unsafe body(UnsafeBufferPointer(start: bytes, count: len), decoding)
    } catch {
      throw BoundaryError(error)
    }
  }
}

@_cdecl("opk_response_decode_json") @implementation
public func opk_response_decode_json(
  _ bytes: UnsafePointer<UInt8>!, _ len: Int, _ opt: UnsafePointer<opk_decode_options>!,
  _ out: UnsafeMutablePointer<OpaquePointer?>!, _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe decode(bytes, len, opt, out, err) { input, decoding throws(AnswerError) in
    do throws(DecodeError) {
      return try unsafe OverpassJSON.decode(
        input, options: decoding.options, progress: decoding.progress)
    } catch {
      throw .decode(error)
    }
  }
}

@_cdecl("opk_response_decode_xml") @implementation
public func opk_response_decode_xml(
  _ bytes: UnsafePointer<UInt8>!, _ len: Int, _ opt: UnsafePointer<opk_decode_options>!,
  _ out: UnsafeMutablePointer<OpaquePointer?>!, _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe decode(bytes, len, opt, out, err) { input, decoding throws(AnswerError) in
    do throws(DecodeError) {
      return try unsafe OverpassXML.decode(
        input, options: decoding.options, progress: decoding.progress)
    } catch {
      throw .decode(error)
    }
  }
}

@_cdecl("opk_response_decode") @implementation
public func opk_response_decode(
  _ bytes: UnsafePointer<UInt8>!, _ len: Int, _ opt: UnsafePointer<opk_decode_options>!,
  _ out: UnsafeMutablePointer<OpaquePointer?>!, _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe decode(bytes, len, opt, out, err) { input, decoding throws(AnswerError) in
    try unsafe OverpassAnswer.decode(
      input, options: decoding.options, progress: decoding.progress)
  }
}

@_cdecl("opk_response_decode_file") @implementation
public func opk_response_decode_file(
  _ path: UnsafePointer<CChar>!, _ opt: UnsafePointer<opk_decode_options>!,
  _ out: UnsafeMutablePointer<OpaquePointer?>!, _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe give(out, err) { () throws(BoundaryError) in
    guard let path = unsafe path else { throw .misuse("path is NULL") }
    let decoding = try unsafe Decoding(opt)
    do throws(AnswerError) {
      return try unsafe OverpassAnswer.decode(
        contentsOf: String(cString: path), options: decoding.options, progress: decoding.progress)
    } catch {
      throw BoundaryError(error)
    }
  }
}

@_cdecl("opk_response_decode_fd") @implementation
public func opk_response_decode_fd(
  _ descriptor: Int32, _ opt: UnsafePointer<opk_decode_options>!,
  _ out: UnsafeMutablePointer<OpaquePointer?>!, _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe give(out, err) { () throws(BoundaryError) in
    guard descriptor >= 0 else { throw .misuse("the descriptor is negative") }
    let decoding = try unsafe Decoding(opt)
    do throws(AnswerError) {
      return try OverpassAnswer.decode(
        descriptor: descriptor, options: decoding.options, progress: decoding.progress)
    } catch {
      throw BoundaryError(error)
    }
  }
}

@_cdecl("opk_response_free") @implementation
public func opk_response_free(_ response: OpaquePointer!) {
  unsafe freeHandle(response, ResponseHandle.self)
}

@_cdecl("opk_response_is_complete") @implementation
public func opk_response_is_complete(_ response: OpaquePointer!) -> Int32 {
  switch unsafe object(response, ResponseHandle.self)?.response.completeness {
  case .complete: 1
  case .unknown: -1
  case .partial, nil: 0
  }
}

@_cdecl("opk_response_truncated_at") @implementation
public func opk_response_truncated_at(_ response: OpaquePointer!) -> Int64 {
  unsafe object(response, ResponseHandle.self)?.response.truncatedAt.map { Int64($0) } ?? -1
}

@_cdecl("opk_response_header") @implementation
public func opk_response_header(_ response: OpaquePointer!, _ field: Int32) -> opk_str {
  guard let handle = unsafe object(response, ResponseHandle.self), field >= 1,
    Int(field) <= handle.header.count
  else { return unsafe noText }
  return unsafe handle.header[Int(field) - 1]?.borrowed ?? noText
}

@_cdecl("opk_response_remark_count") @implementation
public func opk_response_remark_count(_ response: OpaquePointer!) -> Int {
  unsafe object(response, ResponseHandle.self)?.remarks.count ?? 0
}

@_cdecl("opk_response_remark") @implementation
public func opk_response_remark(_ response: OpaquePointer!, _ index: Int) -> opk_str {
  guard let handle = unsafe object(response, ResponseHandle.self),
    handle.remarks.indices.contains(index)
  else { return unsafe noText }
  return unsafe handle.remarks[index].borrowed
}

@_cdecl("opk_response_diagnostic_count") @implementation
public func opk_response_diagnostic_count(_ response: OpaquePointer!) -> Int {
  unsafe object(response, ResponseHandle.self)?.diagnostics.count ?? 0
}

@_cdecl("opk_response_diagnostic") @implementation
public func opk_response_diagnostic(_ response: OpaquePointer!, _ index: Int) -> opk_str {
  guard let handle = unsafe object(response, ResponseHandle.self),
    handle.diagnostics.indices.contains(index)
  else { return unsafe noText }
  return unsafe handle.diagnostics[index].borrowed
}
