// Documents in words, to compare them and to see where they differ.

import OSMModel

/// A document in words, one line per element and change.
///
/// An empty list of positions reads like none: the server prints one in JSON for a way of which it
/// knows no node, and nothing in XML. What is not exact leaves out the order of tags and `visible`.
public func lines(of document: OSMDocument, isExact: Bool = true) -> [String] {
  var result = ["\(document.header)"]
  result += document.remarks
  let data = document.dataset
  for position in 0..<data.count {
    guard let element = data.element(at: position) else { continue }
    result.append(data.line(of: element, isExact: isExact))
  }
  result += document.actions.map { "\($0)" }
  return result
}

extension Dataset {
  fileprivate func line(of element: ElementIndex, isExact: Bool) -> String {
    let row = element.row
    var parts = [typeName(element), number(element).map { "\($0)" } ?? "-"]
    switch element.type {
    case .node:
      parts.append(text(nodes.positions[row]))
      if nodes.elements.isRepeated(row) { parts.append("repeated") }
    case .way:
      parts.append("\(Array(ways.refs(row)))")
      parts.append(text(ways.inlineGeometry(row)))
    case .relation:
      for index in relations.memberRange(row) {
        let member = relations.members[index]
        parts.append(
          "\(member.type) \(member.ref) '\(strings.string(member.role))' "
            + text(relations.inlineGeometry(member: index)))
      }
    case .area, .derived: parts.append("\(derived.geometries[row])")
    }
    let texts = tags(element).map { "\(strings.string($0.key))=\(strings.string($0.value))" }
    parts += isExact ? texts : texts.sorted()
    let metadata = metadata(element)
    parts.append(
      "v\(metadata.version ?? -1) t\(metadata.timestamp ?? -1) c\(metadata.changeset ?? -1)"
        + " u\(metadata.userID ?? -2) \(metadata.user.map { strings.string($0) } ?? "-")")
    if metadata.isModified { parts.append("modified") }
    if isExact { parts.append("\(metadata.isVisible.map { "\($0)" } ?? "-")") }
    let (center, box) = withElements(element.type) { ($0.centers[row], $0.bounds[row]) }
    parts.append("\(center.map { text($0) } ?? "-") \(box.map { "\($0)" } ?? "-")")
    return parts.joined(separator: " | ")
  }

  private func text(_ position: Coordinate) -> String {
    position.isUndefined ? "?" : "\(position.longitudeE7),\(position.latitudeE7)"
  }

  private func text(_ positions: UnsafeBufferPointer<Coordinate>?) -> String {
    guard let positions, !positions.isEmpty else { return "-" }
    return positions.map { text($0) }.joined(separator: " ")
  }
}
