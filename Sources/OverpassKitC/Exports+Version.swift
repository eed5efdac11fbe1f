// Exports: version, status names, blocks of bytes.

import COverpassKit
import OSMModel

private let versionText = StableText(
  "\(OPK_VERSION_MAJOR).\(OPK_VERSION_MINOR).\(OPK_VERSION_PATCH)")

@_cdecl("opk_version_string") @implementation
public func opk_version_string() -> UnsafePointer<CChar>! { unsafe versionText.borrowed.ptr }

@_cdecl("opk_version") @implementation
public func opk_version() -> UInt32 {
  UInt32(OPK_VERSION_MAJOR * 10_000 + OPK_VERSION_MINOR * 100 + OPK_VERSION_PATCH)
}

@_cdecl("opk_abi_version") @implementation
public func opk_abi_version() -> UInt32 { UInt32(OPK_ABI_VERSION) }

@_cdecl("opk_x_live_handles") @implementation
public func opk_x_live_handles() -> Int64 { Int64(liveHandleCount()) }

/// The statuses and their names, as in the header.
private let statusNames: [(code: Int, name: StaticString)] = [
  (OPK_OK, "OPK_OK"),
  (OPK_ERR_QUERY_NO_TYPE, "OPK_ERR_QUERY_NO_TYPE"),
  (OPK_ERR_QUERY_NO_FILTER, "OPK_ERR_QUERY_NO_FILTER"),
  (OPK_ERR_QUERY_SETTING, "OPK_ERR_QUERY_SETTING"),
  (OPK_ERR_QUERY_COORDINATE, "OPK_ERR_QUERY_COORDINATE"),
  (OPK_ERR_QUERY_VALUE, "OPK_ERR_QUERY_VALUE"),
  (OPK_ERR_QUERY_UNSUPPORTED, "OPK_ERR_QUERY_UNSUPPORTED"),
  (OPK_ERR_QUERY_SYNTAX, "OPK_ERR_QUERY_SYNTAX"),
  (OPK_ERR_DECODE_SYNTAX, "OPK_ERR_DECODE_SYNTAX"),
  (OPK_ERR_DECODE_TRUNCATED, "OPK_ERR_DECODE_TRUNCATED"),
  (OPK_ERR_DECODE_NOT_OVERPASS, "OPK_ERR_DECODE_NOT_OVERPASS"),
  (OPK_ERR_DECODE_VALUE, "OPK_ERR_DECODE_VALUE"),
  (OPK_ERR_DECODE_FORMAT, "OPK_ERR_DECODE_FORMAT"),
  (OPK_ERR_DECODE_COMPRESSION, "OPK_ERR_DECODE_COMPRESSION"),
  (OPK_ERR_DECODE_TEXT, "OPK_ERR_DECODE_TEXT"),
  (OPK_ERR_SERVER_BAD_REQUEST, "OPK_ERR_SERVER_BAD_REQUEST"),
  (OPK_ERR_SERVER_RATE_LIMITED, "OPK_ERR_SERVER_RATE_LIMITED"),
  (OPK_ERR_SERVER_BUSY, "OPK_ERR_SERVER_BUSY"),
  (OPK_ERR_SERVER_TIMEOUT, "OPK_ERR_SERVER_TIMEOUT"),
  (OPK_ERR_SERVER_MEMORY, "OPK_ERR_SERVER_MEMORY"),
  (OPK_ERR_SERVER_RUNTIME, "OPK_ERR_SERVER_RUNTIME"),
  (OPK_ERR_SERVER_OTHER, "OPK_ERR_SERVER_OTHER"),
  (OPK_ERR_SERVER_REFUSED, "OPK_ERR_SERVER_REFUSED"),
  (OPK_ERR_FILE_OPEN, "OPK_ERR_FILE_OPEN"),
  (OPK_ERR_FILE_READ, "OPK_ERR_FILE_READ"),
  (OPK_ERR_FILE_WRITE, "OPK_ERR_FILE_WRITE"),
  (OPK_ERR_TRANSPORT_UNAVAILABLE, "OPK_ERR_TRANSPORT_UNAVAILABLE"),
  (OPK_ERR_TRANSPORT_RESOLVE, "OPK_ERR_TRANSPORT_RESOLVE"),
  (OPK_ERR_TRANSPORT_CONNECT, "OPK_ERR_TRANSPORT_CONNECT"),
  (OPK_ERR_TRANSPORT_TLS, "OPK_ERR_TRANSPORT_TLS"),
  (OPK_ERR_TRANSPORT_TIMEOUT, "OPK_ERR_TRANSPORT_TIMEOUT"),
  (OPK_ERR_TRANSPORT_INTERRUPTED, "OPK_ERR_TRANSPORT_INTERRUPTED"),
  (OPK_ERR_TRANSPORT_OTHER, "OPK_ERR_TRANSPORT_OTHER"),
  (OPK_ERR_CLIENT_APPLICATION, "OPK_ERR_CLIENT_APPLICATION"),
  (OPK_ERR_CLIENT_ENDPOINT, "OPK_ERR_CLIENT_ENDPOINT"),
  (OPK_ERR_CLIENT_QUERY, "OPK_ERR_CLIENT_QUERY"),
  (OPK_ERR_WRITE_LOSS, "OPK_ERR_WRITE_LOSS"),
  (OPK_ERR_MAP_NAME, "OPK_ERR_MAP_NAME"),
  (OPK_ERR_MAP_DUPLICATE, "OPK_ERR_MAP_DUPLICATE"),
  (OPK_ERR_MAP_TILES, "OPK_ERR_MAP_TILES"),
  (OPK_ERR_MAP_ZOOM, "OPK_ERR_MAP_ZOOM"),
  (OPK_ERR_MAP_COLOR, "OPK_ERR_MAP_COLOR"),
  (OPK_ERR_MAP_URL, "OPK_ERR_MAP_URL"),
  (OPK_ERR_MAP_VALUE, "OPK_ERR_MAP_VALUE"),
  (OPK_ERR_LIMIT, "OPK_ERR_LIMIT"),
  (OPK_ERR_CANCELLED, "OPK_ERR_CANCELLED"),
  (OPK_ERR_MISUSE, "OPK_ERR_MISUSE"),
]

@_cdecl("opk_status_name") @implementation
public func opk_status_name(_ status: opk_status) -> UnsafePointer<CChar>! {
  for (code, name) in statusNames where code == Int(status) { return unsafe text(name).ptr }
  return nil
}

@_cdecl("opk_bytes_data") @implementation
public func opk_bytes_data(_ bytes: OpaquePointer!) -> UnsafePointer<UInt8>! {
  unsafe object(bytes, BytesHandle.self).map { unsafe $0.bytes.buffer.baseAddress } ?? nil
}

@_cdecl("opk_bytes_size") @implementation
public func opk_bytes_size(_ bytes: OpaquePointer!) -> Int {
  unsafe object(bytes, BytesHandle.self).map { $0.bytes.count } ?? 0
}

@_cdecl("opk_bytes_free") @implementation
public func opk_bytes_free(_ bytes: OpaquePointer!) { unsafe freeHandle(bytes, BytesHandle.self) }
