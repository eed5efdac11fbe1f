// Exports: the elements of a response, read in place.

import COverpassKit
import OverpassKit

private func dataset(_ response: OpaquePointer?) -> Dataset? {
  object(response, ResponseHandle.self)?.response.dataset
}

@_cdecl("opk_response_element_count") @implementation
public func opk_response_element_count(_ response: OpaquePointer!, _ type: UInt32) -> Int {
  guard let dataset = dataset(response) else { return 0 }
  if type == 0 { return dataset.count }
  return dataset.order.lazy.filter { UInt32($0.type.rawValue) == type }.reduce(0) { $0 + $1.count }
}

@_cdecl("opk_response_find") @implementation
public func opk_response_find(_ response: OpaquePointer!, _ type: UInt32, _ id: Int64) -> Int64 {
  guard let dataset = dataset(response), let rawType = UInt8(exactly: type),
    let type = ElementType(rawValue: rawType), let index = dataset.find(ElementID(type, id)),
    let position = dataset.position(of: index)
  else { return -1 }
  return Int64(position)
}

@_cdecl("opk_response_element") @implementation
public func opk_response_element(
  _ response: OpaquePointer!, _ index: Int, _ out: UnsafeMutablePointer<opk_element>!
) -> opk_status {
  guard let dataset = dataset(response), let out, let element = dataset.element(at: index) else {
    return opk_status(OPK_ERR_MISUSE)
  }
  writeStruct(cElement(element, in: dataset), to: out)
  return opk_status(OPK_OK)
}

/// The element as C sees it; its pointers go into the dataset's columns.
private func cElement(_ element: ElementIndex, in dataset: Dataset) -> opk_element {
  var result = opk_element()
  let row = element.row
  result.type = UInt32(element.type.rawValue)
  result.position = cPosition(.undefined)
  dataset.withElements(element.type) { table in
    if table.ids[row] != ElementID.unknownNumber {
      result.id = table.ids[row]
      result.has |= UInt32(OPK_HAS_ID)
    }
    let tags = table.tags(row)
    result.tags = rebound(tags.baseAddress)
    result.tag_count = tags.count
    result.center = cPosition(table.centers[row] ?? .undefined)
    if table.centers[row] != nil { result.has |= UInt32(OPK_HAS_CENTER) }
    let box = table.bounds[row]
    result.southwest = cPosition(box?.southWest ?? .undefined)
    result.northeast = cPosition(box?.northEast ?? .undefined)
    if box != nil { result.has |= UInt32(OPK_HAS_BOUNDS) }
    fill(&result, with: table.metadata[row], dataset.strings)
  }
  switch element.type {
  case .node:
    result.type_name = text("node")
    let position = dataset.nodes.positions[row]
    result.position = cPosition(position)
    if !position.isUndefined { result.has |= UInt32(OPK_HAS_POSITION) }
  case .way:
    result.type_name = text("way")
    let refs = dataset.ways.refs(row)
    result.nodes = refs.baseAddress
    result.node_count = refs.count
    if let geometry = dataset.ways.inlineGeometry(row) {
      result.has |= UInt32(OPK_HAS_GEOMETRY)
      result.geometry = rebound(geometry.baseAddress)
      result.geometry_count = geometry.count
    }
  case .relation:
    result.type_name = text("relation")
    let members = dataset.relations.members(row)
    result.members = rebound(members.baseAddress)
    result.member_count = members.count
  case .area, .derived:
    result.type_name = text(dataset.derived.typeNames[row], in: dataset.strings)
    if dataset.derived.geometries[row].kind != .none { result.has |= UInt32(OPK_HAS_GEOMETRY) }
  }
  return result
}

private func fill(
  _ result: inout opk_element, with metadata: Metadata, _ strings: borrowing StringTable
) {
  if let version = metadata.version {
    result.version = version
    result.has |= UInt32(OPK_HAS_VERSION)
  }
  if let timestamp = metadata.timestamp {
    result.timestamp = timestamp
    result.has |= UInt32(OPK_HAS_TIMESTAMP)
  }
  if let changeset = metadata.changeset {
    result.changeset = changeset
    result.has |= UInt32(OPK_HAS_CHANGESET)
  }
  if let userID = metadata.userID {
    result.uid = userID
    result.has |= UInt32(OPK_HAS_UID)
  }
  if let user = metadata.user {
    result.user = text(user, in: strings)
    result.has |= UInt32(OPK_HAS_USER)
  }
  if let isVisible = metadata.isVisible {
    result.visible = isVisible ? 1 : 0
    result.has |= UInt32(OPK_HAS_VISIBLE)
  }
}

func cPosition(_ position: Coordinate) -> opk_position {
  opk_position(lon_e7: position.longitudeE7, lat_e7: position.latitudeE7)
}

/// Column values and their C structs have the same layout; Tests/ABI asserts it.
func rebound<From, To>(_ pointer: UnsafePointer<From>?) -> UnsafePointer<To>? {
  pointer.map { UnsafeRawPointer($0).assumingMemoryBound(to: To.self) }
}

@_cdecl("opk_response_member_geometry") @implementation
public func opk_response_member_geometry(
  _ response: OpaquePointer!, _ index: Int, _ member: Int, _ count: UnsafeMutablePointer<Int>!
) -> UnsafePointer<opk_position>! {
  count?.pointee = 0
  guard let dataset = dataset(response), let element = dataset.element(at: index),
    element.type == .relation, member >= 0
  else { return nil }
  let range = dataset.relations.memberRange(element.row)
  guard member < range.count,
    let positions = dataset.relations.inlineGeometry(member: range.lowerBound + member)
  else { return nil }
  count?.pointee = positions.count
  return rebound(positions.baseAddress)
}

@_cdecl("opk_response_derived_geometry") @implementation
public func opk_response_derived_geometry(
  _ response: OpaquePointer!, _ index: Int, _ out: UnsafeMutablePointer<OpaquePointer?>!,
  _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  boundary(err) { () throws(BoundaryError) in
    guard let out else { throw .misuse("out is NULL") }
    out.pointee = nil
    guard let dataset = dataset(response), let element = dataset.element(at: index) else {
      throw .misuse("there is no element \(index)")
    }
    guard element.type == .derived else { return }
    let geometry = dataset.derived.geometries[element.row]
    if geometry.kind != .none { out.pointee = makeHandle(GeometryHandle(geometry)) }
  }
}

@_cdecl("opk_response_string_count") @implementation
public func opk_response_string_count(_ response: OpaquePointer!) -> Int {
  dataset(response).map { $0.strings.count } ?? 0
}

@_cdecl("opk_response_string") @implementation
public func opk_response_string(_ response: OpaquePointer!, _ number: UInt32) -> opk_str {
  guard let dataset = dataset(response), Int(number) < dataset.strings.count else { return noText }
  return text(StringID(number), in: dataset.strings)
}
