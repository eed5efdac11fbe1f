// Exports: the wizard's searches, macros, and the numbers of areas.

import COverpassKit
import OverpassKit

@_cdecl("opk_area_id") @implementation
public func opk_area_id(_ type: UInt32, _ id: Int64) -> Int64 {
  guard let raw = UInt8(exactly: type), let type = ElementType(rawValue: raw) else { return -1 }
  return Query.areaID(of: ElementID(type, id)) ?? -1
}

/// A list of texts from C.
func texts(
  _ list: UnsafePointer<UnsafePointer<CChar>?>?, _ count: Int, _ name: String
) throws(BoundaryError) -> [String] {
  guard count >= 0, unsafe list != nil || count == 0 else { throw .misuse("\(name) is NULL") }
  let pointers = unsafe UnsafeBufferPointer(start: list, count: count)
  var result: [String] = []
  for index in pointers.indices { unsafe result.append(try text(pointers[index], name)) }
  return result
}

private func preset(_ given: opk_preset) throws(BoundaryError) -> Query.WizardPreset {
  let keys = try unsafe texts(given.keys, given.tag_count, "keys")
  let values = try unsafe texts(given.values, given.tag_count, "values")
  let known = UInt8(OPK_NODES | OPK_WAYS | OPK_RELATIONS)
  return unsafe Query.WizardPreset(
    name: try text(given.name, "name"), terms: try texts(given.terms, given.term_count, "terms"),
    types: QueryBuilder.ElementTypes(rawValue: UInt8(truncatingIfNeeded: given.types) & known),
    tags: zip(keys, values).map { (key: $0, value: $1) })
}

@_cdecl("opk_query_wizard") @implementation
public func opk_query_wizard(
  _ search: UnsafePointer<CChar>!, _ presets: UnsafePointer<opk_preset>!, _ preset_count: Int,
  _ out: UnsafeMutablePointer<OpaquePointer?>!, _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe boundary(err) { () throws(BoundaryError) in
    guard let out = unsafe out else { throw .misuse("out is NULL") }
    unsafe out.pointee = nil
    let search = try unsafe text(search, "search")
    guard preset_count >= 0, unsafe presets != nil || preset_count == 0 else {
      throw .misuse("presets is NULL")
    }
    // The structs may be longer than this library knows them: their own size is the stride.
    var known: [Query.WizardPreset] = []
    var next = unsafe UnsafeRawPointer(presets)
    for _ in 0..<preset_count {
      guard let place = unsafe next else { break }
      let each = unsafe place.assumingMemoryBound(to: opk_preset.self)
      unsafe known.append(try preset(try readOptions(each, over: opk_preset())))
      unsafe next = unsafe place + Int(place.load(as: UInt32.self))
    }
    do throws(QuerySyntaxError) {
      unsafe out.pointee = unsafe makeHandle(BytesHandle(try Query.wizard(search, presets: known)))
    } catch {
      throw BoundaryError(error)
    }
  }
}

private func box(_ south: Double, _ west: Double, _ north: Double, _ east: Double)
  throws(BoundaryError) -> BoundingBox?
{
  if south.isNaN && west.isNaN && north.isNaN && east.isNaN { return nil }
  do throws(QueryError) {
    return try BoundingBox(south: south, west: west, north: north, east: east)
  } catch {
    throw BoundaryError(error)
  }
}

private func expander(_ given: opk_macro_options) throws(BoundaryError) -> MacroExpander {
  let known = UInt32(OPK_MACROS_REMOVE_UNKNOWN | OPK_MACROS_REFUSE_AMBIGUITY)
  guard unsafe given.flags & ~known == 0 else { throw .misuse("unknown flags for macros") }
  var expander = MacroExpander()
  expander.removesUnknown = unsafe given.flags & UInt32(OPK_MACROS_REMOVE_UNKNOWN) != 0
  expander.refusesAmbiguity = unsafe given.flags & UInt32(OPK_MACROS_REFUSE_AMBIGUITY) != 0
  expander.boundingBox = try unsafe box(given.south, given.west, given.north, given.east)
  if unsafe !given.center_lat.isNaN || !given.center_lon.isNaN {
    guard let center = unsafe Coordinate(longitude: given.center_lon, latitude: given.center_lat)
    else {
      throw BoundaryError(OPK_ERR_QUERY_COORDINATE, "the center is out of range")
    }
    expander.center = center
  }
  if unsafe given.now != .min {
    var time: [UInt8] = []
    unsafe appendTimestamp(given.now, to: &time)
    expander.now = Query.Timestamp(dateOrTime: String(decoding: time, as: UTF8.self))
  }
  let names = try unsafe texts(given.names, given.constant_count, "names")
  let values = try unsafe texts(given.values, given.constant_count, "values")
  for (name, value) in zip(names, values) { expander.constants[name] = value }
  return expander
}

/// Asks the caller's geocoder.
private func places(_ name: String, _ given: opk_macro_options) -> [MacroExpander.Place] {
  guard let geocode = unsafe given.geocode else { return [] }
  var empty = opk_place()
  empty.struct_size = UInt32(MemoryLayout<opk_place>.size)
  empty.importance = .nan
  empty.lat = .nan
  empty.lon = .nan
  empty.south = .nan
  empty.west = .nan
  empty.north = .nan
  empty.east = .nan
  var found = [opk_place](repeating: empty, count: 16)
  let count = unsafe found.withUnsafeMutableBufferPointer { buffer in
    unsafe name.withCString { unsafe geocode(given.context, $0, buffer.baseAddress, buffer.count) }
  }
  return found.prefix(max(count, 0)).map { place in
    let type = UInt8(exactly: place.type).flatMap { ElementType(rawValue: $0) }
    return MacroExpander.Place(
      element: type.map { ElementID($0, place.id) }, name: name,
      importance: place.importance.isNaN ? -.infinity : place.importance,
      position: Coordinate(longitude: place.lon, latitude: place.lat),
      boundingBox: try? BoundingBox(
        south: place.south, west: place.west, north: place.north, east: place.east))
  }
}

@_cdecl("opk_query_expand_macros") @implementation
public func opk_query_expand_macros(
  _ text: UnsafePointer<CChar>!, _ len: Int, _ opt: UnsafePointer<opk_macro_options>!,
  _ out: UnsafeMutablePointer<OpaquePointer?>!, _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe boundary(err) { () throws(BoundaryError) in
    guard let out = unsafe out else { throw .misuse("out is NULL") }
    unsafe out.pointee = nil
    let text = unsafe String(decoding: try bytes(text, len), as: UTF8.self)
    var unknown = unsafe opk_macro_options()
    unsafe unknown.south = .nan
    unsafe unknown.west = .nan
    unsafe unknown.north = .nan
    unsafe unknown.east = .nan
    unsafe unknown.center_lat = .nan
    unsafe unknown.center_lon = .nan
    unsafe unknown.now = .min
    let given = try unsafe readOptions(opt, over: unknown)
    let expander = try unsafe expander(given)
    do throws(QuerySyntaxError) {
      let result = try unsafe expander.expand(
        text, geocode: given.geocode == nil ? nil : { name in unsafe places(name, given) })
      unsafe out.pointee = unsafe makeHandle(BytesHandle(result.text))
    } catch {
      throw BoundaryError(error)
    }
  }
}
