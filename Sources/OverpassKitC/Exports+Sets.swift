// Exports: sets of elements as values.

import COverpassKit
import OverpassKit

/// A set; it never changes.
final class SetHandle: Sendable {
  let set: ElementSet

  init(_ set: ElementSet) { self.set = set }
}

/// Gives C a set, unless it is at fault.
func giveSet(
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ err: UnsafeMutablePointer<opk_error>?,
  _ make: () throws(BoundaryError) -> ElementSet
) -> opk_status {
  unsafe boundary(err) { () throws(BoundaryError) in
    guard let out = unsafe out else { throw .misuse("out is NULL") }
    unsafe out.pointee = nil
    let set = try make()
    if let error = set.error { throw BoundaryError(error) }
    unsafe out.pointee = unsafe makeHandle(SetHandle(set))
  }
}

/// Gives C a set made from another.
private func derive(
  _ set: OpaquePointer?, _ out: UnsafeMutablePointer<OpaquePointer?>?,
  _ err: UnsafeMutablePointer<opk_error>?,
  _ make: (ElementSet) throws(BoundaryError) -> ElementSet
) -> opk_status {
  unsafe giveSet(out, err) { () throws(BoundaryError) in try unsafe make(try elements(set)) }
}

func elements(_ set: OpaquePointer?) throws(BoundaryError) -> ElementSet {
  guard let handle = unsafe object(set, SetHandle.self) else { throw .misuse("set is NULL") }
  return handle.set
}

/// The types in a bit set from C; all of them for 0.
private func types(_ bits: UInt32) throws(BoundaryError) -> QueryBuilder.ElementTypes {
  guard bits & ~UInt32(OPK_NODES | OPK_WAYS | OPK_RELATIONS) == 0 else {
    throw .misuse("unknown element types")
  }
  return bits == 0 ? .all : QueryBuilder.ElementTypes(rawValue: UInt8(truncatingIfNeeded: bits))
}

private func elementID(_ type: UInt32, _ id: Int64) throws(BoundaryError) -> ElementID {
  guard let raw = UInt8(exactly: type), let type = ElementType(rawValue: raw), type != .derived
  else { throw .misuse("there is no element type \(type)") }
  return ElementID(type, id)
}

@_cdecl("opk_set_from_query") @implementation
public func opk_set_from_query(
  _ query: OpaquePointer!, _ out: UnsafeMutablePointer<OpaquePointer?>!,
  _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe giveSet(out, err) { () throws(BoundaryError) in
    guard let handle = unsafe object(query, QueryHandle.self) else {
      throw .misuse("query is NULL")
    }
    guard case .builder(let builder) = handle.content else {
      throw .misuse("only a query of opk_query_new is a set")
    }
    return builder.elements
  }
}

@_cdecl("opk_set_from_ids") @implementation
public func opk_set_from_ids(
  _ types: UnsafePointer<UInt32>!, _ ids: UnsafePointer<Int64>!, _ count: Int,
  _ out: UnsafeMutablePointer<OpaquePointer?>!, _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe giveSet(out, err) { () throws(BoundaryError) in
    guard count >= 0, unsafe count == 0 || (types != nil && ids != nil) else {
      throw .misuse("types or ids is NULL")
    }
    var list: [ElementID] = []
    for index in 0..<count { unsafe list.append(try elementID(types[index], ids[index])) }
    return ElementSet(ids: list)
  }
}

@_cdecl("opk_set_area_named") @implementation
public func opk_set_area_named(
  _ name: UnsafePointer<CChar>!, _ keys: UnsafePointer<UnsafePointer<CChar>?>!,
  _ values: UnsafePointer<UnsafePointer<CChar>?>!, _ tag_count: Int,
  _ out: UnsafeMutablePointer<OpaquePointer?>!, _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe giveSet(out, err) { () throws(BoundaryError) in
    let name = try unsafe text(name, "name")
    let keys = try unsafe texts(keys, tag_count, "keys")
    let values = try unsafe texts(values, tag_count, "values")
    return Query.areas { area in
      zip(keys, values).reduce(area.tag("name", name)) { $0.tag($1.0, $1.1) }
    }
  }
}

@_cdecl("opk_set_area_of") @implementation
public func opk_set_area_of(
  _ type: UInt32, _ id: Int64, _ out: UnsafeMutablePointer<OpaquePointer?>!,
  _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe giveSet(out, err) { () throws(BoundaryError) in Query.area(of: try elementID(type, id)) }
}

@_cdecl("opk_set_areas_at") @implementation
public func opk_set_areas_at(
  _ lat: Double, _ lon: Double, _ out: UnsafeMutablePointer<OpaquePointer?>!,
  _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe giveSet(out, err) { () throws(BoundaryError) in Query.areas(latitude: lat, longitude: lon)
  }
}

@_cdecl("opk_set_free") @implementation
public func opk_set_free(_ set: OpaquePointer!) { unsafe freeHandle(set, SetHandle.self) }

@_cdecl("opk_set_compose") @implementation
public func opk_set_compose(
  _ first: OpaquePointer!, _ operation: Int32, _ second: OpaquePointer!,
  _ out: UnsafeMutablePointer<OpaquePointer?>!, _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe derive(first, out, err) { first throws(BoundaryError) in
    let second = try unsafe elements(second)
    switch Int(operation) {
    case OPK_SET_UNION: return first.union(second)
    case OPK_SET_DIFFERENCE: return first.subtracting(second)
    case OPK_SET_INTERSECTION: return first.intersection(second)
    case OPK_SET_WITHIN: return first.within(second)
    default: throw .misuse("there is no operation \(operation)")
    }
  }
}

@_cdecl("opk_set_around") @implementation
public func opk_set_around(
  _ set: OpaquePointer!, _ other: OpaquePointer!, _ radius_m: Double,
  _ out: UnsafeMutablePointer<OpaquePointer?>!, _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe derive(set, out, err) { set throws(BoundaryError) in
    unsafe set.around(try elements(other), radius: radius_m)
  }
}

@_cdecl("opk_set_only") @implementation
public func opk_set_only(
  _ set: OpaquePointer!, _ types: UInt32, _ out: UnsafeMutablePointer<OpaquePointer?>!,
  _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe derive(set, out, err) { set throws(BoundaryError) in
    guard types != 0 else { throw BoundaryError(OPK_ERR_QUERY_NO_TYPE, "no type is chosen") }
    return set.only(try OverpassKitC.types(types))
  }
}

@_cdecl("opk_set_tag") @implementation
public func opk_set_tag(
  _ set: OpaquePointer!, _ comparison: Int32, _ key: UnsafePointer<CChar>!,
  _ value: UnsafePointer<CChar>!, _ flags: UInt32, _ out: UnsafeMutablePointer<OpaquePointer?>!,
  _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe derive(set, out, err) { set throws(BoundaryError) in
    let filter = try unsafe TagComparison(comparison, key, value, flags)
    return set.tags { filter.applied(to: $0) }
  }
}

@_cdecl("opk_set_tag_one_of") @implementation
public func opk_set_tag_one_of(
  _ set: OpaquePointer!, _ key: UnsafePointer<CChar>!,
  _ values: UnsafePointer<UnsafePointer<CChar>?>!, _ count: Int, _ flags: UInt32,
  _ out: UnsafeMutablePointer<OpaquePointer?>!, _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe derive(set, out, err) { set throws(BoundaryError) in
    let key = try unsafe text(key, "key")
    let ignoring = try ignoresCase(flags)
    let list = try unsafe texts(values, count, "values")
    return set.tags { $0.tag(key, oneOf: list, ignoringCase: ignoring) }
  }
}

@_cdecl("opk_set_where") @implementation
public func opk_set_where(
  _ set: OpaquePointer!, _ condition: UnsafePointer<CChar>!,
  _ names: UnsafePointer<UnsafePointer<CChar>?>!, _ sets: UnsafePointer<OpaquePointer?>!,
  _ set_count: Int, _ out: UnsafeMutablePointer<OpaquePointer?>!,
  _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe derive(set, out, err) { set throws(BoundaryError) in
    let condition = try unsafe text(condition, "condition")
    let names = try unsafe texts(names, set_count, "names")
    guard unsafe sets != nil || set_count == 0 else { throw .misuse("sets is NULL") }
    var named: [String: ElementSet] = [:]
    for index in names.indices { named[names[index]] = unsafe try elements(sets[index]) }
    return set.where(ql: condition, sets: named)
  }
}

@_cdecl("opk_set_recurse") @implementation
public func opk_set_recurse(
  _ set: OpaquePointer!, _ recursion: Int32, _ keep: Int32,
  _ out: UnsafeMutablePointer<OpaquePointer?>!, _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe derive(set, out, err) { set throws(BoundaryError) in
    let kind: Query.Recursion
    switch Int(recursion) {
    case OPK_RECURSE_DOWN: kind = .down
    case OPK_RECURSE_DOWN_RELATIONS: kind = .downRelations
    case OPK_RECURSE_UP: kind = .up
    case OPK_RECURSE_UP_RELATIONS: kind = .upRelations
    default: throw .misuse("there is no recursion \(recursion)")
    }
    return keep == 0 ? set.recurse(kind) : set.with(kind)
  }
}

@_cdecl("opk_set_step") @implementation
public func opk_set_step(
  _ set: OpaquePointer!, _ step: Int32, _ types: UInt32, _ role: UnsafePointer<CChar>!,
  _ out: UnsafeMutablePointer<OpaquePointer?>!, _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe derive(set, out, err) { set throws(BoundaryError) in
    let chosen = try OverpassKitC.types(types)
    let role = unsafe role == nil ? nil : try text(role, "role")
    switch Int(step) {
    case OPK_STEP_WAY_NODES: return set.nodesOfWays()
    case OPK_STEP_MEMBERS: return set.members(chosen, role: role)
    case OPK_STEP_WAYS: return set.waysContaining()
    case OPK_STEP_RELATIONS: return set.relationsContaining(role: role)
    case OPK_STEP_AREAS: return set.asAreas()
    case OPK_STEP_ENCLOSING: return set.enclosingAreas()
    case OPK_STEP_PIVOTS: return set.pivots(types == 0 ? [.way, .relation] : chosen)
    default: throw .misuse("there is no step \(step)")
    }
  }
}

@_cdecl("opk_set_changed") @implementation
public func opk_set_changed(
  _ set: OpaquePointer!, _ from: UnsafePointer<CChar>!, _ to: UnsafePointer<CChar>!,
  _ out: UnsafeMutablePointer<OpaquePointer?>!, _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe derive(set, out, err) { set throws(BoundaryError) in
    let from = try unsafe text(from, "from")
    guard unsafe to != nil else { return set.changed(since: from) }
    return unsafe set.changed(from: from, to: try text(to, "to"))
  }
}

@_cdecl("opk_set_edited_by") @implementation
public func opk_set_edited_by(
  _ set: OpaquePointer!, _ users: UnsafePointer<UnsafePointer<CChar>?>!, _ count: Int,
  _ ever: Int32, _ out: UnsafeMutablePointer<OpaquePointer?>!,
  _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe derive(set, out, err) { set throws(BoundaryError) in
    unsafe set.edited(byUsers: try texts(users, count, "users"), ever: ever != 0)
  }
}

@_cdecl("opk_query_new_outputs") @implementation
public func opk_query_new_outputs() -> OpaquePointer! {
  unsafe makeHandle(QueryHandle(.outputs(SetQuery())))
}

@_cdecl("opk_query_add_output") @implementation
public func opk_query_add_output(
  _ query: OpaquePointer!, _ set: OpaquePointer!, _ opt: UnsafePointer<opk_out_options>!,
  _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe boundary(err) { () throws(BoundaryError) in
    guard let handle = unsafe object(query, QueryHandle.self) else {
      throw .misuse("query is NULL")
    }
    guard case .outputs(let outputs) = handle.content else {
      throw .misuse("outputs are added to a query of opk_query_new_outputs")
    }
    let given = try unsafe readOptions(opt, over: opk_out_options())
    let verbosities: [Query.Out.Verbosity] = [.body, .ids, .skel, .tags, .meta, .count]
    let geometries: [Query.Out.Geometry] = [.none, .center, .geom, .bb]
    guard let verbosity = verbosities.element(at: given.verbosity) else {
      throw .misuse("there is no verbosity \(given.verbosity)")
    }
    guard let geometry = geometries.element(at: given.geometry) else {
      throw .misuse("there is no geometry \(given.geometry)")
    }
    let changed = unsafe outputs.out(
      try elements(set), verbosity, geometry, order: given.by_place == 0 ? .id : .quadtile,
      limit: given.limit == 0 ? nil : Int(given.limit))
    if let error = changed.error { throw BoundaryError(error) }
    handle.content = .outputs(changed)
  }
}

extension Array {
  fileprivate func element(at index: UInt32) -> Element? {
    Int(index) < count ? self[Int(index)] : nil
  }
}
