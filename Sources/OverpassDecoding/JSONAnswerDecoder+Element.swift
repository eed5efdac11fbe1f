// One element. Everything but its type may be missing; keys may stand in any order.

import OSMModel

extension JSONAnswerDecoder {
  mutating func decodeElement() throws(Fault) {
    guard scanner.current == UInt8(ascii: "{") else {
      throw scanner.fault("expected an element")
    }
    let offset = scanner.offset
    try scanner.take(UInt8(ascii: "{"), "expected '{'")
    draftTags.truncate(to: 0)
    var draft = try elementType(at: offset)
    if !scanner.takeClosing(UInt8(ascii: "}")) {
      repeat {
        try decodeElementMember(&draft)
      } while try scanner.takeSeparator(
        closing: UInt8(ascii: "}"))
    }
    builder.append(draft, tags: draftTags)
  }

  /// Finds the type. The server prints it first; otherwise the element is scanned for it, then read
  /// from its start.
  @inline(__always)
  private mutating func elementType(at offset: Int) throws(Fault) -> ElementDraft {
    let start = scanner.position
    if scanner.takeKey("\"type\": ") {
      if scanner.takeText("\"node\"") {
        try takeCommaAfterType()
        return ElementDraft(type: .node, typeName: .empty)
      }
      if scanner.takeText("\"way\"") {
        try takeCommaAfterType()
        return ElementDraft(type: .way, typeName: .empty)
      }
      scanner.position = start
    }
    if scanner.current == UInt8(ascii: "\"") {
      let key = try keyName()
      if isKey(key, "type"), scanner.current == UInt8(ascii: "\"") {
        let name = try scanner.string("expected a type")
        let draft = try self.draft(ofType: name)
        try takeCommaAfterType()
        return draft
      }
    }
    scanner.position = start
    return try elementTypeElsewhere(at: offset)
  }

  /// Takes the comma behind the type, unless nothing else follows.
  @inline(__always) private mutating func takeCommaAfterType() throws(Fault) {
    scanner.skipSpace()
    if scanner.current == UInt8(ascii: ",") {
      scanner.position += 1
      scanner.skipSpace()
      guard scanner.current == UInt8(ascii: "\"") else { throw scanner.fault("expected a key") }
    } else if scanner.current != UInt8(ascii: "}") {
      throw scanner.fault("expected ',' or a closing bracket")
    }
  }

  @inline(never)
  private mutating func elementTypeElsewhere(at offset: Int) throws(Fault) -> ElementDraft {
    let start = scanner.position
    var draft: ElementDraft?
    if !scanner.takeClosing(UInt8(ascii: "}")) {
      repeat {
        let key = try keyName()
        if isKey(key, "type"), scanner.current == UInt8(ascii: "\"") {
          draft = try self.draft(ofType: try scanner.string("expected a type"))
        } else {
          try scanner.skipValue(depth: 2, maximumDepth: options.maximumDepth)
        }
      } while try scanner.takeSeparator(closing: UInt8(ascii: "}"))
    }
    guard let draft else {
      throw Fault(kind: .value, message: "an element without a type", offset: offset)
    }
    scanner.position = start
    return draft
  }

  @inline(__always)
  private mutating func draft(ofType name: JSONScanner.RawString) throws(Fault)
    -> ElementDraft
  {
    let type: ElementType =
      if isKey(name, "node") {
        .node
      } else if isKey(name, "way") {
        .way
      } else if isKey(name, "relation") {
        .relation
      } else if isKey(name, "area") {
        .area
      } else {
        .derived
      }
    let typeName: StringID = type.rawValue > 3 ? try intern(name) : .empty
    return ElementDraft(type: type, typeName: typeName)
  }

  @inline(__always)
  private mutating func decodeElementMember(_ draft: inout ElementDraft) throws(Fault) {
    // Keys as the server prints them, the frequent ones first. What follows is checked as ever.
    if scanner.takeKey("\"id\": ") { return try decodeID(&draft) }
    if scanner.takeKey("\"lat\": ") {
      scanner.skipSpace()
      if let value = try coordinate(of: draft) { draft.position.latitudeE7 = value }
      return
    }
    if scanner.takeKey("\"lon\": ") {
      scanner.skipSpace()
      if let value = try coordinate(of: draft) { draft.position.longitudeE7 = value }
      return
    }
    if scanner.takeKey("\"tags\": ") {
      scanner.skipSpace()
      return try decodeTags()
    }
    if draft.type == .way, scanner.takeKey("\"nodes\":") {
      scanner.skipSpace()
      return try decodeRefs()
    }
    return try decodeOtherMember(&draft)
  }

  @inline(__always)
  private mutating func decodeID(_ draft: inout ElementDraft) throws(Fault) {
    scanner.skipSpace()
    if try scanner.takeNull() { return }
    draft.id = try scanner.identifier("an id is a whole number of 64 bits")
  }

  @inline(never)
  private mutating func decodeOtherMember(_ draft: inout ElementDraft) throws(Fault) {
    let key = try keyName()
    // The keys are told apart by length and content; the frequent ones come first.
    switch key.bytes.count {
    case 2 where isKey(key, "id"): try decodeID(&draft)
    case 3 where isKey(key, "lat"):
      if let value = try coordinate(of: draft) { draft.position.latitudeE7 = value }
    case 3 where isKey(key, "lon"):
      if let value = try coordinate(of: draft) { draft.position.longitudeE7 = value }
    case 4 where isKey(key, "tags"): try decodeTags()
    case 5 where draft.type == .way && isKey(key, "nodes"): try decodeRefs()
    case 7 where draft.type == .relation && isKey(key, "members"): try decodeMembers()
    case 8 where isKey(key, "geometry"): try decodeGeometry(of: draft.type)
    case 6 where isKey(key, "center"): try decodeCenter(of: draft)
    case 6 where isKey(key, "bounds"): try decodeBounds(of: draft)
    default: try decodeMetadata(key, of: draft)
    }
  }

  /// A coordinate; `nil` where it is `null` or too large to hold.
  @inline(__always)
  private mutating func coordinate(of draft: ElementDraft) throws(Fault) -> Int32? {
    if try scanner.takeNull() { return nil }
    let offset = scanner.offset
    if let value = try scanner.coordinate() { return value }
    note(.coordinateOutOfRange, at: offset, element: ElementID(draft.type, draft.id))
    return nil
  }

  // MARK: Tags and refs

  private mutating func decodeTags() throws(Fault) {
    if try scanner.takeNull() { return }
    try scanner.take(UInt8(ascii: "{"), "expected an object of tags")
    draftTags.truncate(to: 0)
    if scanner.takeClosing(UInt8(ascii: "}")) { return }
    repeat {
      let key = try intern(try scanner.string("expected a key"))
      try scanner.takeColon()
      let value = try intern(try scanner.string("expected the text of a tag"))
      draftTags.append(Tag(key: key, value: value))
    } while try scanner.takeSeparator(closing: UInt8(ascii: "}"))
    draftTags.removeRepeatedKeys()
  }

  private mutating func decodeRefs() throws(Fault) {
    if try scanner.takeNull() { return }
    try scanner.take(UInt8(ascii: "["), "expected a list of node ids")
    // A repeated key replaces what the first one gave.
    builder.ways.refs.truncate(to: Int(builder.ways.refEnds.last ?? 0))
    if scanner.takeClosing(UInt8(ascii: "]")) { return }
    repeat {
      builder.ways.refs.append(try scanner.identifier("a node id is a whole number of 64 bits"))
    } while try scanner.takeSeparator(closing: UInt8(ascii: "]"))
  }
}
