// Exports: printing queries, reading them from text, checking them.

import COverpassKit
import OverpassKit

private func render(
  _ query: OpaquePointer?, _ flags: UInt32, _ out: UnsafeMutablePointer<OpaquePointer?>?,
  _ err: UnsafeMutablePointer<opk_error>?,
  _ print: (Query, Query.Layout) throws(QueryError) -> String
) -> opk_status {
  unsafe boundary(err) { () throws(BoundaryError) in
    guard let out = unsafe out else { throw .misuse("out is NULL") }
    unsafe out.pointee = nil
    guard let handle = unsafe object(query, QueryHandle.self) else {
      throw .misuse("query is NULL")
    }
    guard flags & ~UInt32(OPK_RENDER_PRETTY) == 0 else {
      throw .misuse("unknown flags for printing")
    }
    let query = try handle.query()
    let text: String
    do throws(QueryError) {
      text = try print(query, flags == 0 ? .compact : .pretty)
    } catch {
      throw BoundaryError(error)
    }
    unsafe out.pointee = makeHandle(BytesHandle(text))
  }
}

@_cdecl("opk_query_render_ql") @implementation
public func opk_query_render_ql(
  _ query: OpaquePointer!, _ flags: UInt32, _ out: UnsafeMutablePointer<OpaquePointer?>!,
  _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe render(query, flags, out, err) { query, layout throws(QueryError) in
    try query.ql(layout)
  }
}

@_cdecl("opk_query_render_xml") @implementation
public func opk_query_render_xml(
  _ query: OpaquePointer!, _ flags: UInt32, _ out: UnsafeMutablePointer<OpaquePointer?>!,
  _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe render(query, flags, out, err) { query, layout throws(QueryError) in
    try query.xml(layout)
  }
}

/// The bytes of a text from C.
func bytes(_ text: UnsafePointer<CChar>?, _ len: Int) throws(BoundaryError) -> [UInt8] {
  guard len >= 0, unsafe text != nil || len == 0 else { throw .misuse("text is NULL") }
  let raw = unsafe UnsafeRawBufferPointer(start: text, count: len)
  return unsafe Array(raw)
}

@_cdecl("opk_query_parse") @implementation
public func opk_query_parse(
  _ text: UnsafePointer<CChar>!, _ len: Int, _ out: UnsafeMutablePointer<OpaquePointer?>!,
  _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe boundary(err) { () throws(BoundaryError) in
    guard let out = unsafe out else { throw .misuse("out is NULL") }
    unsafe out.pointee = nil
    let text = try unsafe bytes(text, len)
    do throws(QuerySyntaxError) {
      unsafe out.pointee = makeHandle(QueryHandle(.query(try Query.parse(utf8: text))))
    } catch {
      throw BoundaryError(error)
    }
  }
}

extension BoundaryError {
  init(_ error: QuerySyntaxError) {
    self.init(OPK_ERR_QUERY_SYNTAX, error.first?.message ?? "this is no query")
    offset = error.first?.position?.offset
    line = error.first?.position?.line
    column = error.first?.position?.column
  }
}

/// Diagnostics, with the texts C borrows from them.
final class DiagnosticsHandle: Sendable {
  struct Entry: Sendable {
    let diagnostic: Diagnostic
    let message: StableText
    let found: StableText?
    let expected: StableText?
    let suggestion: StableText?
  }

  let entries: [Entry]

  init(_ diagnostics: [Diagnostic]) {
    entries = diagnostics.map { each in
      Entry(
        diagnostic: each, message: StableText(each.message), found: each.found.map(StableText.init),
        expected: each.expected.isEmpty
          ? nil : StableText(each.expected.joined(separator: "\n")),
        suggestion: each.suggestion.map(StableText.init))
    }
  }
}

@_cdecl("opk_query_check") @implementation
public func opk_query_check(
  _ query: OpaquePointer!, _ out: UnsafeMutablePointer<OpaquePointer?>!,
  _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe boundary(err) { () throws(BoundaryError) in
    guard let out = unsafe out else { throw .misuse("out is NULL") }
    unsafe out.pointee = nil
    guard let handle = unsafe object(query, QueryHandle.self) else {
      throw .misuse("query is NULL")
    }
    unsafe out.pointee = makeHandle(DiagnosticsHandle(try handle.query().check()))
  }
}

@_cdecl("opk_query_check_text") @implementation
public func opk_query_check_text(
  _ text: UnsafePointer<CChar>!, _ len: Int, _ out: UnsafeMutablePointer<OpaquePointer?>!,
  _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe boundary(err) { () throws(BoundaryError) in
    guard let out = unsafe out else { throw .misuse("out is NULL") }
    unsafe out.pointee = nil
    let text = String(decoding: try unsafe bytes(text, len), as: UTF8.self)
    unsafe out.pointee = makeHandle(DiagnosticsHandle(Query.checkText(text)))
  }
}

@_cdecl("opk_diagnostics_count") @implementation
public func opk_diagnostics_count(_ diagnostics: OpaquePointer!) -> Int {
  unsafe object(diagnostics, DiagnosticsHandle.self)?.entries.count ?? 0
}

@_cdecl("opk_diagnostics_get") @implementation
public func opk_diagnostics_get(
  _ diagnostics: OpaquePointer!, _ index: Int, _ out: UnsafeMutablePointer<opk_diagnostic>!
) -> opk_status {
  guard let handle = unsafe object(diagnostics, DiagnosticsHandle.self), let out = unsafe out,
    handle.entries.indices.contains(index)
  else { return opk_status(OPK_ERR_MISUSE) }
  let entry = handle.entries[index]
  var result = unsafe opk_diagnostic()
  unsafe result.is_error = entry.diagnostic.severity == .error ? 1 : 0
  unsafe result.code = UInt32(entry.diagnostic.code.rawValue)
  unsafe result.line = UInt32(clamping: entry.diagnostic.position?.line ?? 0)
  unsafe result.column = UInt32(clamping: entry.diagnostic.position?.column ?? 0)
  unsafe result.length = UInt32(clamping: entry.diagnostic.length)
  unsafe result.byte_offset = entry.diagnostic.position.map { Int64($0.offset) } ?? -1
  unsafe result.message = entry.message.borrowed
  unsafe result.found = entry.found?.borrowed ?? noText
  unsafe result.expected = entry.expected?.borrowed ?? noText
  unsafe result.suggestion = entry.suggestion?.borrowed ?? noText
  unsafe writeStruct(result, to: out)
  return opk_status(OPK_OK)
}

@_cdecl("opk_diagnostics_free") @implementation
public func opk_diagnostics_free(_ diagnostics: OpaquePointer!) {
  unsafe freeHandle(diagnostics, DiagnosticsHandle.self)
}
