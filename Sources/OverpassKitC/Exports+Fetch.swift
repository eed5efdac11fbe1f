// Exports: queries on their way.

import COverpassKit
import OverpassKit

/// Options as if none were given: a box that is not a number is none.
private func defaultOptions() -> opk_fetch_options {
  var options = unsafe opk_fetch_options()
  unsafe options.south = .nan
  unsafe options.west = .nan
  unsafe options.north = .nan
  unsafe options.east = .nan
  return unsafe options
}

private func makeFetch(
  _ client: OpaquePointer?, _ query: UnsafePointer<CChar>?, _ len: Int,
  _ opt: UnsafePointer<opk_fetch_options>?
) throws(BoundaryError) -> FetchHandle {
  guard let handle = unsafe object(client, ClientHandle.self) else {
    throw .misuse("client is NULL")
  }
  let bytes = try unsafe bytes(query, len)
  guard let text = String(validating: bytes, as: UTF8.self) else {
    throw BoundaryError(OPK_ERR_QUERY_SYNTAX, "the query is not UTF-8")
  }
  let options = try unsafe readOptions(opt, over: defaultOptions())
  return FetchHandle(handle.client, try unsafe FetchCall(text, options))
}

@_cdecl("opk_fetch_new") @implementation
public func opk_fetch_new(
  _ client: OpaquePointer!, _ query: UnsafePointer<CChar>!, _ len: Int,
  _ opt: UnsafePointer<opk_fetch_options>!, _ out: UnsafeMutablePointer<OpaquePointer?>!,
  _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe boundary(err) { () throws(BoundaryError) in
    guard let out = unsafe out else { throw .misuse("out is NULL") }
    unsafe out.pointee = nil
    unsafe out.pointee = unsafe makeHandle(try makeFetch(client, query, len, opt))
  }
}

@_cdecl("opk_fetch_run") @implementation
public func opk_fetch_run(_ fetch: OpaquePointer!, _ err: UnsafeMutablePointer<opk_error>!)
  -> opk_status
{
  unsafe boundary(err) { () throws(BoundaryError) in
    guard let handle = unsafe object(fetch, FetchHandle.self) else {
      throw .misuse("fetch is NULL")
    }
    try handle.run()
  }
}

@_cdecl("opk_fetch_cancel") @implementation
public func opk_fetch_cancel(_ fetch: OpaquePointer!) {
  unsafe object(fetch, FetchHandle.self)?.cancel()
}

@_cdecl("opk_fetch_response") @implementation
public func opk_fetch_response(
  _ fetch: OpaquePointer!, _ out: UnsafeMutablePointer<OpaquePointer?>!,
  _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe give(out, err) { () throws(BoundaryError) in
    guard let response = unsafe object(fetch, FetchHandle.self)?.outcome?.response else {
      throw .misuse("there is no response")
    }
    return response
  }
}

@_cdecl("opk_fetch_body") @implementation
public func opk_fetch_body(
  _ fetch: OpaquePointer!, _ out: UnsafeMutablePointer<OpaquePointer?>!,
  _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe boundary(err) { () throws(BoundaryError) in
    guard let out = unsafe out else { throw .misuse("out is NULL") }
    unsafe out.pointee = nil
    guard let body = unsafe object(fetch, FetchHandle.self)?.outcome?.body else {
      throw .misuse("there is no body")
    }
    var bytes = Column<UInt8>()
    unsafe body.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
    unsafe out.pointee = unsafe makeHandle(BytesHandle(bytes))
  }
}

@_cdecl("opk_fetch_endpoint") @implementation
public func opk_fetch_endpoint(_ fetch: OpaquePointer!) -> opk_str {
  unsafe object(fetch, FetchHandle.self)?.outcome?.endpoint?.borrowed ?? noText
}

@_cdecl("opk_fetch_is_from_cache") @implementation
public func opk_fetch_is_from_cache(_ fetch: OpaquePointer!) -> Int32 {
  unsafe object(fetch, FetchHandle.self)?.outcome?.isFromCache == true ? 1 : 0
}

@_cdecl("opk_fetch_reply") @implementation
public func opk_fetch_reply(
  _ fetch: OpaquePointer!, _ out: UnsafeMutablePointer<OpaquePointer?>!,
  _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe boundary(err) { () throws(BoundaryError) in
    guard let out = unsafe out else { throw .misuse("out is NULL") }
    unsafe out.pointee = nil
    guard case .server(let error) = unsafe object(fetch, FetchHandle.self)?.outcome?.failure else {
      throw .misuse("no server reported an error")
    }
    unsafe out.pointee = makeHandle(ReplyHandle(error))
  }
}

@_cdecl("opk_fetch_attempt_count") @implementation
public func opk_fetch_attempt_count(_ fetch: OpaquePointer!) -> Int {
  unsafe object(fetch, FetchHandle.self)?.outcome?.attempts.count ?? 0
}

@_cdecl("opk_fetch_get_attempt") @implementation
public func opk_fetch_get_attempt(
  _ fetch: OpaquePointer!, _ index: Int, _ out: UnsafeMutablePointer<opk_fetch_attempt>!
) -> opk_status {
  guard let attempts = unsafe object(fetch, FetchHandle.self)?.outcome?.attempts,
    let out = unsafe out, attempts.indices.contains(index)
  else { return opk_status(OPK_ERR_MISUSE) }
  let attempt = attempts[index]
  var result = unsafe opk_fetch_attempt()
  unsafe result.status = opk_status(truncatingIfNeeded: attempt.status)
  unsafe result.endpoint = attempt.endpoint.borrowed
  unsafe result.url = attempt.url.borrowed
  unsafe result.seconds = attempt.seconds
  unsafe result.message = attempt.message?.borrowed ?? noText
  unsafe writeStruct(result, to: out)
  return opk_status(OPK_OK)
}

@_cdecl("opk_fetch_tile_count") @implementation
public func opk_fetch_tile_count(_ fetch: OpaquePointer!) -> Int {
  unsafe object(fetch, FetchHandle.self)?.outcome?.tiles.count ?? 0
}

@_cdecl("opk_fetch_get_tile") @implementation
public func opk_fetch_get_tile(
  _ fetch: OpaquePointer!, _ index: Int, _ out: UnsafeMutablePointer<opk_fetch_tile>!
) -> opk_status {
  guard let tiles = unsafe object(fetch, FetchHandle.self)?.outcome?.tiles, let out = unsafe out,
    tiles.indices.contains(index)
  else { return opk_status(OPK_ERR_MISUSE) }
  let tile = tiles[index]
  var result = opk_fetch_tile()
  result.depth = UInt32(clamping: tile.depth)
  result.is_answered = tile.isAnswered ? 1 : 0
  result.south = Double(tile.box.southE7) / 1e7
  result.west = Double(tile.box.westE7) / 1e7
  result.north = Double(tile.box.northE7) / 1e7
  result.east = Double(tile.box.eastE7) / 1e7
  unsafe writeStruct(result, to: out)
  return opk_status(OPK_OK)
}

@_cdecl("opk_fetch_free") @implementation
public func opk_fetch_free(_ fetch: OpaquePointer!) {
  unsafe freeHandle(fetch, FetchHandle.self)
}

@_cdecl("opk_client_fetch") @implementation
public func opk_client_fetch(
  _ client: OpaquePointer!, _ query: UnsafePointer<CChar>!, _ len: Int,
  _ opt: UnsafePointer<opk_fetch_options>!, _ out: UnsafeMutablePointer<OpaquePointer?>!,
  _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe give(out, err) { () throws(BoundaryError) in
    let handle = try unsafe makeFetch(client, query, len, opt)
    if case .bytes = handle.form { throw .misuse("a body is no response: use opk_fetch_new") }
    try handle.run()
    guard let response = handle.outcome?.response else { throw .misuse("there is no response") }
    return response
  }
}
