// Exports: responses made of other responses.

import COverpassKit
import OverpassKit

/// The responses behind a list of handles.
private func responses(
  _ list: UnsafePointer<OpaquePointer?>?, _ count: Int, _ name: String
) throws(BoundaryError) -> [Response] {
  guard count >= 0, unsafe list != nil || count == 0 else { throw .misuse("\(name) is NULL") }
  let handles = unsafe UnsafeBufferPointer(start: list, count: count)
  var result: [Response] = []
  for index in handles.indices {
    guard let handle = unsafe object(handles[index], ResponseHandle.self) else {
      throw .misuse("\(name)[\(index)] is NULL")
    }
    result.append(handle.response)
  }
  return result
}

extension BoundaryError {
  fileprivate init(_ error: ResponseError) {
    switch error {
    case .hasChanges, .hasNoChanges: self.init(OPK_ERR_MISUSE, error.message)
    case .limit: self.init(OPK_ERR_LIMIT, error.message)
    }
  }
}

/// Runs what makes a response.
private func make(_ body: () throws(ResponseError) -> Response) throws(BoundaryError) -> Response {
  do throws(ResponseError) { return try body() } catch { throw BoundaryError(error) }
}

@_cdecl("opk_response_merge") @implementation
public func opk_response_merge(
  _ list: UnsafePointer<OpaquePointer?>!, _ count: Int,
  _ out: UnsafeMutablePointer<OpaquePointer?>!, _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe give(out, err) { () throws(BoundaryError) in
    let parts = try unsafe responses(list, count, "responses")
    return try make { () throws(ResponseError) in try Response.merging(parts) }
  }
}
