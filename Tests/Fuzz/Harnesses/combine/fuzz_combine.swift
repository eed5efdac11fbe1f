// Responses made of others: merged, changed, filtered. An input holds documents between bytes 0x1E.

import FuzzSupport
import OverpassKit

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var input = ByteReader(UnsafeBufferPointer(start: start, count: count))
  var options = decodeOptions(0)
  options.allowTruncated = true
  let filter = filter(&input)
  var responses: [Response] = []
  for part in input.bytes().split(separator: 0x1E) {
    if let response = try? OverpassAnswer.decode(Array(part), options: options) {
      responses.append(response)
    }
  }
  let changes = responses.filter { !$0.actions.isEmpty }
  let parts = responses.filter { $0.actions.isEmpty }
  require(changes.isEmpty || (try? Response.merging(responses)) == nil, "changes are merged")
  guard let merged = try? Response.merging(parts),
    let twice = try? Response.merging([merged, merged])
  else {
    require(false, "answers are not merged")
    return 0
  }
  checkFinding(merged)
  for part in parts {
    forEachIdentified(part) { id in
      require(merged.dataset.find(id) != nil, "\(id) is lost in merging")
    }
  }
  if isIdentified(merged) {
    require(twice.dataset.count == merged.dataset.count, "merging twice adds elements")
  }
  if let changed = try? merged.applying(changes) {
    checkFinding(changed)
    require(changed.actions.isEmpty, "changes are left")
  } else {
    require(false, "changes are not applied")
  }
  checkFilter(filter, merged)
  return 0
}

private func filter(_ input: inout ByteReader) -> ElementFilter {
  let keys = ["name", "amenity", "highway", "type", ""]
  var filter = ElementFilter()
  let choice = input.byte()
  if choice & 1 != 0 {
    filter.types = Set(ElementType.allCases.filter { choice >> $0.rawValue & 1 != 0 })
  }
  if choice & 64 != 0 {
    let key = keys[input.below(keys.count)]
    filter.tags.append(choice & 128 != 0 ? .exists(key: key) : .notExists(key: key))
  }
  let sides = input.byte()
  if sides & 1 != 0 {
    let west = Int32(clamping: Int(input.byte()) * 14_000_000 - 1_800_000_000)
    let south = Int32(clamping: Int(input.byte()) * 7_000_000 - 900_000_000)
    filter.box = BoundingBox(
      southE7: south, westE7: west, northE7: 900_000_000, eastE7: sides & 2 != 0 ? -west : west)
  }
  return filter
}

/// Elements that a filter takes are as they were, and those that refer to others keep them.
private func checkFilter(_ filter: ElementFilter, _ response: Response) {
  var filter = filter
  guard let part = try? response.filtered(by: filter) else {
    return require(false, "an answer is not filtered")
  }
  checkFinding(part)
  require(part.dataset.count <= response.dataset.count, "a filter adds elements")
  filter.keepsReferences = true
  guard let whole = try? response.filtered(by: filter) else {
    return require(false, "an answer is not filtered")
  }
  require(whole.dataset.count >= part.dataset.count, "keeping references loses elements")
  for node in whole.dataset.ways.refs.buffer
  where response.dataset.find(ElementID(.node, node)) != nil {
    require(whole.dataset.find(ElementID(.node, node)) != nil, "the node \(node) is lost")
  }
}

/// Every element is found at its own place.
private func checkFinding(_ response: Response) {
  let data = response.dataset
  for position in 0..<data.count {
    guard let element = data.element(at: position) else {
      require(false, "nothing at \(position)")
      continue
    }
    require(data.position(of: element) == position, "not at its own place: \(element)")
  }
  forEachIdentified(response) { require(data.find($0) != nil, "\($0) is not found") }
}

private func forEachIdentified(_ response: Response, _ body: (ElementID) -> Void) {
  let data = response.dataset
  for position in 0..<data.count {
    guard let element = data.element(at: position), element.type != .derived,
      let number = data.number(element)
    else { continue }
    body(ElementID(element.type, number))
  }
}

private func isIdentified(_ response: Response) -> Bool {
  let data = response.dataset
  return (0..<data.count).allSatisfy { position in
    guard let element = data.element(at: position) else { return false }
    return element.type != .derived && data.number(element) != nil
  }
}
