// Exports: building a query, and printing it.

import COverpassKit
import OverpassKit

/// A query being built, or one that was read from text. It belongs to one thread.
final class QueryHandle {
  indirect enum Content {
    case builder(QueryBuilder)
    case query(Query)
    case outputs(SetQuery)
  }

  var content: Content

  init(_ content: Content) { self.content = content }

  func query() throws(BoundaryError) -> Query {
    switch content {
    case .query(let query): return query
    case .builder(let builder):
      do throws(QueryError) { return try builder.build() } catch { throw BoundaryError(error) }
    case .outputs(let outputs):
      do throws(QueryError) { return try outputs.build() } catch { throw BoundaryError(error) }
    }
  }
}

extension BoundaryError {
  init(_ error: QueryError) {
    let status =
      switch error.kind {
      case .noElementType: OPK_ERR_QUERY_NO_TYPE
      case .unrestricted: OPK_ERR_QUERY_NO_FILTER
      case .invalidTimeout, .invalidMaxsize, .invalidLimit: OPK_ERR_QUERY_SETTING
      case .invalidBoundingBox, .invalidPosition, .invalidDistance, .invalidPolygon:
        OPK_ERR_QUERY_COORDINATE
      case .notExpressibleInXML, .notExpressibleInQL: OPK_ERR_QUERY_UNSUPPORTED
      default: OPK_ERR_QUERY_VALUE
      }
    self.init(status, error.message)
  }
}

/// Replaces the builder by a changed one, unless the change is at fault.
private func change(
  _ query: OpaquePointer?, _ err: UnsafeMutablePointer<opk_error>?,
  _ body: (QueryBuilder) throws(BoundaryError) -> QueryBuilder
) -> opk_status {
  unsafe boundary(err) { () throws(BoundaryError) in
    guard let handle = unsafe object(query, QueryHandle.self) else {
      throw .misuse("query is NULL")
    }
    guard case .builder(let builder) = handle.content else {
      throw .misuse("filters and places belong to queries of opk_query_new")
    }
    let changed = try body(builder)
    if let error = changed.error { throw BoundaryError(error) }
    handle.content = .builder(changed)
  }
}

/// Changes settings, which all kinds of queries have.
private func changeSettings(
  _ query: OpaquePointer?, _ err: UnsafeMutablePointer<opk_error>?,
  _ body: (QueryBuilder) -> QueryBuilder
) -> opk_status {
  unsafe boundary(err) { () throws(BoundaryError) in
    guard let handle = unsafe object(query, QueryHandle.self) else {
      throw .misuse("query is NULL")
    }
    let changed = body(QueryBuilder())
    if let error = changed.error { throw BoundaryError(error) }
    let settings = changed.settings
    switch handle.content {
    case .builder(let builder): handle.content = .builder(body(builder))
    case .query(var parsed):
      parsed.settings.timeoutSeconds = settings.timeoutSeconds ?? parsed.settings.timeoutSeconds
      parsed.settings.maxsizeBytes = settings.maxsizeBytes ?? parsed.settings.maxsizeBytes
      handle.content = .query(parsed)
    case .outputs(var outputs):
      if let seconds = settings.timeoutSeconds { outputs = outputs.timeout(seconds: Int(seconds)) }
      if let bytes = settings.maxsizeBytes { outputs = outputs.maxsize(bytes: bytes) }
      handle.content = .outputs(outputs)
    }
  }
}

/// A text from C, which has to be UTF-8.
func text(_ pointer: UnsafePointer<CChar>?, _ name: String) throws(BoundaryError) -> String {
  guard let pointer = unsafe pointer else { throw .misuse("\(name) is NULL") }
  guard let text = unsafe String(validatingCString: pointer) else {
    throw BoundaryError(OPK_ERR_QUERY_VALUE, "the \(name) is not UTF-8")
  }
  return text
}

func ignoresCase(_ flags: UInt32) throws(BoundaryError) -> Bool {
  guard flags & ~UInt32(OPK_TAG_IGNORE_CASE) == 0 else {
    throw .misuse("unknown flags for a tag filter")
  }
  return flags != 0
}

@_cdecl("opk_query_new") @implementation
public func opk_query_new(_ types: UInt32) -> OpaquePointer! {
  let known = UInt8(OPK_NODES | OPK_WAYS | OPK_RELATIONS)
  let chosen = QueryBuilder.ElementTypes(rawValue: UInt8(truncatingIfNeeded: types) & known)
  return unsafe makeHandle(QueryHandle(.builder(QueryBuilder(chosen))))
}

@_cdecl("opk_query_clone") @implementation
public func opk_query_clone(_ query: OpaquePointer!) -> OpaquePointer! {
  unsafe object(query, QueryHandle.self).map { unsafe makeHandle(QueryHandle($0.content)) }
}

@_cdecl("opk_query_free") @implementation
public func opk_query_free(_ query: OpaquePointer!) { unsafe freeHandle(query, QueryHandle.self) }

/// A tag filter as C states it.
struct TagComparison {
  var comparison: Int
  var key: String
  var value: String
  var ignoresCase: Bool

  init(
    _ comparison: Int32, _ key: UnsafePointer<CChar>?, _ value: UnsafePointer<CChar>?,
    _ flags: UInt32
  ) throws(BoundaryError) {
    self.comparison = Int(comparison)
    self.key = try unsafe text(key, "key")
    ignoresCase = try OverpassKitC.ignoresCase(flags)
    guard (OPK_TAG_EXISTS...OPK_TAG_NOT_MATCHES).contains(self.comparison) else {
      throw .misuse("there is no comparison \(comparison)")
    }
    let needsValue = self.comparison != OPK_TAG_EXISTS && self.comparison != OPK_TAG_NOT_EXISTS
    self.value = unsafe needsValue ? try text(value, "value") : ""
  }

  func applied(to builder: QueryBuilder) -> QueryBuilder {
    switch comparison {
    case OPK_TAG_NOT_EXISTS: return builder.withoutTag(key)
    case OPK_TAG_EQUALS:
      return ignoresCase
        ? builder.tag(key, oneOf: [value], ignoringCase: true) : builder.tag(key, value)
    case OPK_TAG_NOT_EQUALS:
      return ignoresCase
        ? builder.tag(key, noneOf: [value], ignoringCase: true) : builder.tag(key, not: value)
    case OPK_TAG_CONTAINS: return builder.tag(key, contains: value, ignoringCase: ignoresCase)
    case OPK_TAG_NOT_CONTAINS:
      return builder.tag(
        key, notMatching: Query.escapedForRegex(value), ignoringCase: ignoresCase)
    case OPK_TAG_STARTS_WITH: return builder.tag(key, startsWith: value, ignoringCase: ignoresCase)
    case OPK_TAG_MATCHES: return builder.tag(key, matching: value, ignoringCase: ignoresCase)
    case OPK_TAG_NOT_MATCHES: return builder.tag(key, notMatching: value, ignoringCase: ignoresCase)
    default: return builder.tag(key)
    }
  }
}

@_cdecl("opk_query_add_tag") @implementation
public func opk_query_add_tag(
  _ query: OpaquePointer!, _ comparison: Int32, _ key: UnsafePointer<CChar>!,
  _ value: UnsafePointer<CChar>!, _ flags: UInt32, _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe change(query, err) { builder throws(BoundaryError) in
    try unsafe TagComparison(comparison, key, value, flags).applied(to: builder)
  }
}

@_cdecl("opk_query_add_tag_one_of") @implementation
public func opk_query_add_tag_one_of(
  _ query: OpaquePointer!, _ key: UnsafePointer<CChar>!,
  _ values: UnsafePointer<UnsafePointer<CChar>?>!, _ count: Int, _ flags: UInt32,
  _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe change(query, err) { builder throws(BoundaryError) in
    let key = try unsafe text(key, "key")
    let ignoring = try ignoresCase(flags)
    let list = try unsafe texts(values, count, "values")
    return builder.tag(key, oneOf: list, ignoringCase: ignoring)
  }
}

@_cdecl("opk_query_set_bbox") @implementation
public func opk_query_set_bbox(
  _ query: OpaquePointer!, _ south: Double, _ west: Double, _ north: Double, _ east: Double,
  _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe change(query, err) { $0.boundingBox(south: south, west: west, north: north, east: east) }
}

@_cdecl("opk_query_set_bbox_center") @implementation
public func opk_query_set_bbox_center(
  _ query: OpaquePointer!, _ lat: Double, _ lon: Double, _ width_m: Double, _ height_m: Double,
  _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe change(query, err) {
    $0.boundingBox(
      centerLatitude: lat, longitude: lon, widthMeters: width_m, heightMeters: height_m)
  }
}

@_cdecl("opk_query_set_around") @implementation
public func opk_query_set_around(
  _ query: OpaquePointer!, _ lat: Double, _ lon: Double, _ radius_m: Double,
  _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe change(query, err) { $0.around(latitude: lat, longitude: lon, radius: radius_m) }
}

@_cdecl("opk_query_new_amenity") @implementation
public func opk_query_new_amenity(
  _ key: UnsafePointer<CChar>!, _ value: UnsafePointer<CChar>!, _ lat: Double, _ lon: Double,
  _ radius_m: Double, _ out: UnsafeMutablePointer<OpaquePointer?>!,
  _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe boundary(err) { () throws(BoundaryError) in
    guard let out = unsafe out else { throw .misuse("out is NULL") }
    unsafe out.pointee = nil
    let builder = unsafe Query.amenity(
      try text(value, "value"), key: key == nil ? "amenity" : try text(key, "key"), latitude: lat,
      longitude: lon, radius: radius_m)
    if let error = builder.error { throw BoundaryError(error) }
    unsafe out.pointee = unsafe makeHandle(QueryHandle(.builder(builder)))
  }
}

@_cdecl("opk_query_set_timeout") @implementation
public func opk_query_set_timeout(
  _ query: OpaquePointer!, _ seconds: Int64, _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe changeSettings(query, err) { $0.timeout(seconds: Int(seconds)) }
}

@_cdecl("opk_query_set_maxsize") @implementation
public func opk_query_set_maxsize(
  _ query: OpaquePointer!, _ bytes: Int64, _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe changeSettings(query, err) { $0.maxsize(bytes: bytes) }
}

@_cdecl("opk_query_set_output") @implementation
public func opk_query_set_output(
  _ query: OpaquePointer!, _ output: Int32, _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe change(query, err) { builder throws(BoundaryError) in
    switch Int(output) {
    case OPK_OUTPUT_STANDARD: return builder.output(.standard)
    case OPK_OUTPUT_CENTER: return builder.output(.center)
    case OPK_OUTPUT_GEOMETRY: return builder.output(.geometry)
    case OPK_OUTPUT_RECURSE_DOWN: return builder.output(.recurseDown)
    case OPK_OUTPUT_RECURSE_UP: return builder.output(.recurseUp)
    case OPK_OUTPUT_RECURSE_UP_AND_DOWN: return builder.output(.recurseUpAndDown)
    default: throw .misuse("there is no output \(output)")
    }
  }
}
