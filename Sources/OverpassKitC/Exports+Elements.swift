// Exports: the elements of a response, read in place.

import COverpassKit
import OverpassKit

private func dataset(_ response: OpaquePointer?) -> Dataset? {
  unsafe object(response, ResponseHandle.self)?.response.dataset
}

@_cdecl("opk_response_element_count") @implementation
public func opk_response_element_count(_ response: OpaquePointer!, _ type: UInt32) -> Int {
  guard let dataset = unsafe dataset(response) else { return 0 }
  if type == 0 { return dataset.count }
  return dataset.order.lazy.filter { UInt32($0.type.rawValue) == type }.reduce(0) { $0 + $1.count }
}

@_cdecl("opk_response_find") @implementation
public func opk_response_find(_ response: OpaquePointer!, _ type: UInt32, _ id: Int64) -> Int64 {
  guard let dataset = unsafe dataset(response), let rawType = UInt8(exactly: type),
    let type = ElementType(rawValue: rawType), let index = dataset.find(ElementID(type, id)),
    let position = dataset.position(of: index)
  else { return -1 }
  return Int64(position)
}

@_cdecl("opk_response_element") @implementation
public func opk_response_element(
  _ response: OpaquePointer!, _ index: Int, _ out: UnsafeMutablePointer<opk_element>!
) -> opk_status {
  guard let dataset = unsafe dataset(response), let out = unsafe out,
    let element = dataset.element(at: index)
  else {
    return opk_status(OPK_ERR_MISUSE)
  }
  unsafe writeStruct(cElement(element, in: dataset), to: out)
  return opk_status(OPK_OK)
}

/// The element as C sees it; its pointers go into the dataset's columns.
private func cElement(_ element: ElementIndex, in dataset: Dataset) -> opk_element {
  var result = unsafe opk_element()
  let row = element.row
  unsafe result.type = UInt32(element.type.rawValue)
  unsafe result.position = cPosition(.undefined)
  dataset.withElements(element.type) { table in
    if table.ids[row] != ElementID.unknownNumber {
      unsafe result.id = table.ids[row]
      unsafe result.has |= UInt32(OPK_HAS_ID)
    }
    let tags = unsafe table.tags(row)
    unsafe result.tags = unsafe rebound(tags.baseAddress)
    unsafe result.tag_count = tags.count
    unsafe result.center = cPosition(table.centers[row] ?? .undefined)
    if table.centers[row] != nil { unsafe result.has |= UInt32(OPK_HAS_CENTER) }
    let box = table.bounds[row]
    unsafe result.southwest = cPosition(box?.southWest ?? .undefined)
    unsafe result.northeast = cPosition(box?.northEast ?? .undefined)
    if box != nil { unsafe result.has |= UInt32(OPK_HAS_BOUNDS) }
    unsafe fill(&result, with: table.metadata[row], dataset.strings)
  }
  switch element.type {
  case .node:
    unsafe result.type_name = unsafe text("node")
    let position = dataset.nodes.positions[row]
    unsafe result.position = cPosition(position)
    if !position.isUndefined { unsafe result.has |= UInt32(OPK_HAS_POSITION) }
  case .way:
    unsafe result.type_name = unsafe text("way")
    let refs = unsafe dataset.ways.refs(row)
    unsafe result.nodes = refs.baseAddress
    unsafe result.node_count = refs.count
    if let geometry = unsafe dataset.ways.inlineGeometry(row) {
      unsafe result.has |= UInt32(OPK_HAS_GEOMETRY)
      unsafe result.geometry = unsafe rebound(geometry.baseAddress)
      unsafe result.geometry_count = geometry.count
    }
  case .relation:
    unsafe result.type_name = unsafe text("relation")
    let members = unsafe dataset.relations.members(row)
    unsafe result.members = unsafe rebound(members.baseAddress)
    unsafe result.member_count = members.count
  case .area, .derived:
    unsafe result.type_name = unsafe text(dataset.derived.typeNames[row], in: dataset.strings)
    if dataset.derived.geometries[row].kind != .none {
      unsafe result.has |= UInt32(OPK_HAS_GEOMETRY)
    }
  }
  return unsafe result
}

private func fill(
  _ result: inout opk_element, with metadata: Metadata, _ strings: borrowing StringTable
) {
  if let version = metadata.version {
    unsafe result.version = version
    unsafe result.has |= UInt32(OPK_HAS_VERSION)
  }
  if let timestamp = metadata.timestamp {
    unsafe result.timestamp = timestamp
    unsafe result.has |= UInt32(OPK_HAS_TIMESTAMP)
  }
  if let changeset = metadata.changeset {
    unsafe result.changeset = changeset
    unsafe result.has |= UInt32(OPK_HAS_CHANGESET)
  }
  if let userID = metadata.userID {
    unsafe result.uid = userID
    unsafe result.has |= UInt32(OPK_HAS_UID)
  }
  if let user = metadata.user {
    unsafe result.user = unsafe text(user, in: strings)
    unsafe result.has |= UInt32(OPK_HAS_USER)
  }
  if let isVisible = metadata.isVisible {
    unsafe result.visible = isVisible ? 1 : 0
    unsafe result.has |= UInt32(OPK_HAS_VISIBLE)
  }
}

func cPosition(_ position: Coordinate) -> opk_position {
  opk_position(lon_e7: position.longitudeE7, lat_e7: position.latitudeE7)
}

/// Column values and their C structs have the same layout; Tests/ABI asserts it.
func rebound<From, To>(_ pointer: UnsafePointer<From>?) -> UnsafePointer<To>? {
  unsafe pointer.map { unsafe UnsafeRawPointer($0).assumingMemoryBound(to: To.self) }
}

@_cdecl("opk_response_member_geometry") @implementation
public func opk_response_member_geometry(
  _ response: OpaquePointer!, _ index: Int, _ member: Int, _ count: UnsafeMutablePointer<Int>!
) -> UnsafePointer<opk_position>! {
  unsafe count?.pointee = 0
  guard let dataset = unsafe dataset(response), let element = dataset.element(at: index),
    element.type == .relation, member >= 0
  else { return nil }
  let range = dataset.relations.memberRange(element.row)
  guard member < range.count,
    let positions = unsafe dataset.relations.inlineGeometry(member: range.lowerBound + member)
  else { return nil }
  unsafe count?.pointee = positions.count
  return unsafe rebound(positions.baseAddress)
}

@_cdecl("opk_response_derived_geometry") @implementation
public func opk_response_derived_geometry(
  _ response: OpaquePointer!, _ index: Int, _ out: UnsafeMutablePointer<OpaquePointer?>!,
  _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  unsafe boundary(err) { () throws(BoundaryError) in
    guard let out = unsafe out else { throw .misuse("out is NULL") }
    unsafe out.pointee = nil
    guard let dataset = unsafe dataset(response), let element = dataset.element(at: index) else {
      throw .misuse("there is no element \(index)")
    }
    guard element.type == .derived else { return }
    let geometry = dataset.derived.geometries[element.row]
    if geometry.kind != .none { unsafe out.pointee = unsafe makeHandle(GeometryHandle(geometry)) }
  }
}

@_cdecl("opk_response_string_count") @implementation
public func opk_response_string_count(_ response: OpaquePointer!) -> Int {
  unsafe dataset(response).map { $0.strings.count } ?? 0
}

@_cdecl("opk_response_string") @implementation
public func opk_response_string(_ response: OpaquePointer!, _ number: UInt32) -> opk_str {
  guard let dataset = unsafe dataset(response), Int(number) < dataset.strings.count else {
    return unsafe noText
  }
  return unsafe text(StringID(number), in: dataset.strings)
}
