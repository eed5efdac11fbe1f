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

/// The response behind a handle.
private func response(_ handle: OpaquePointer?) throws(BoundaryError) -> Response {
  guard let handle = unsafe object(handle, ResponseHandle.self) else {
    throw .misuse("response is NULL")
  }
  return handle.response
}

@_cdecl("opk_response_apply") @implementation
public func opk_response_apply(
  _ base: OpaquePointer!, _ list: UnsafePointer<OpaquePointer?>!, _ count: Int,
  _ out: UnsafeMutablePointer<OpaquePointer?>!, _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe give(out, err) { () throws(BoundaryError) in
    let base = try unsafe response(base)
    let changes = try unsafe responses(list, count, "changes")
    return try make { () throws(ResponseError) in try base.applying(changes) }
  }
}

@_cdecl("opk_response_filter") @implementation
public func opk_response_filter(
  _ whole: OpaquePointer!, _ opt: UnsafePointer<opk_filter_options>!,
  _ out: UnsafeMutablePointer<OpaquePointer?>!, _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe give(out, err) { () throws(BoundaryError) in
    let whole = try unsafe response(whole)
    let filter = try unsafe filter(opt)
    return try make { () throws(ResponseError) in try whole.filtered(by: filter) }
  }
}

private func filter(_ opt: UnsafePointer<opk_filter_options>?) throws(BoundaryError)
  -> ElementFilter
{
  let given = try unsafe readOptions(opt, over: opk_filter_options())
  var filter = ElementFilter()
  let bits = unsafe given.types
  guard bits < 32 else { throw .misuse("unknown element types for a filter") }
  if bits != 0 {
    filter.types = Set(ElementType.allCases.filter { bits >> UInt32($0.rawValue - 1) & 1 != 0 })
  }
  let flags = unsafe given.flags
  let known = UInt32(OPK_FILTER_BOX | OPK_FILTER_KEEP_REFERENCES)
  guard flags & ~known == 0 else { throw .misuse("unknown flags for a filter") }
  filter.keepsReferences = flags & UInt32(OPK_FILTER_KEEP_REFERENCES) != 0
  if flags & UInt32(OPK_FILTER_BOX) != 0 {
    guard
      let southWest = unsafe Coordinate(longitude: given.west, latitude: given.south),
      let northEast = unsafe Coordinate(longitude: given.east, latitude: given.north),
      southWest.latitudeE7 <= northEast.latitudeE7
    else { throw .misuse("the box of a filter is out of range") }
    filter.box = BoundingBox(
      southE7: southWest.latitudeE7, westE7: southWest.longitudeE7,
      northE7: northEast.latitudeE7, eastE7: northEast.longitudeE7)
  }
  guard unsafe given.tag_count >= 0, unsafe given.tags != nil || given.tag_count == 0 else {
    throw .misuse("tags is NULL")
  }
  let conditions = unsafe UnsafeBufferPointer(start: given.tags, count: given.tag_count)
  for index in conditions.indices { unsafe filter.tags.append(try condition(conditions[index])) }
  return filter
}

private func condition(_ given: opk_tag_condition) throws(BoundaryError) -> TagCondition {
  let key = try unsafe text(given.key, "key")
  let values = try unsafe texts(given.values, given.value_count, "values")
  switch unsafe Int(given.comparison) {
  case OPK_TAG_EXISTS where values.isEmpty: return .exists(key: key)
  case OPK_TAG_NOT_EXISTS where values.isEmpty: return .notExists(key: key)
  case OPK_TAG_EQUALS where !values.isEmpty: return .oneOf(key: key, values: values)
  case OPK_TAG_NOT_EQUALS where !values.isEmpty: return .noneOf(key: key, values: values)
  case OPK_TAG_EXISTS, OPK_TAG_NOT_EXISTS:
    throw .misuse("a condition on the key \(key) alone takes no values")
  case OPK_TAG_EQUALS, OPK_TAG_NOT_EQUALS:
    throw .misuse("a condition on the key \(key) without values")
  default: throw unsafe .misuse("a filter has no comparison \(given.comparison)")
  }
}
