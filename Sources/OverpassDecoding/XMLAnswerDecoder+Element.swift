// One element of an XML document: its attributes and the parts inside of it.

import OSMModel

/// An element while it is read.
struct XMLElementDraft {
  var draft = ElementDraft(type: .node, typeName: .empty)
  /// Passed over when it ends: JOSM marks what the user deleted and keeps it in the file.
  var isDropped = false
  /// A way: where its positions start, and how many `nd` it has had.
  var firstPosition = 0
  var vertices = 0
  var hasPositions = false
  /// The member being read.
  var member = Member(type: .node, ref: 0, role: .empty)
  var memberPosition = Coordinate.undefined
  var memberStart = 0
  var memberVertices = 0
  /// Something derived: its geometry.
  var shape = XMLShape()
  /// The geometries around the group being read.
  var outerShapes: [XMLShape] = []
  var hasParts = false
}

extension XMLAnswerDecoder {
  @inline(__always)
  mutating func startElement(_ name: XMLText, _ attributes: XMLAttributes) throws(Fault) -> Place {
    let type: ElementType =
      if name == "node" {
        .node
      } else if name == "way" {
        .way
      } else if name == "relation" {
        .relation
      } else if name == "area" {
        .area
      } else {
        .derived
      }
    draftTags.truncate(to: 0)
    element.draft = ElementDraft(type: type, typeName: .empty)
    element.isDropped = false
    element.vertices = 0
    element.hasPositions = false
    switch type {
    case .way: element.firstPosition = builder.ways.inlinePositions.count
    case .area, .derived:
      element.shape = XMLShape()
      element.outerShapes.removeAll()
      element.hasParts = false
    default: break
    }
    var metadata = Metadata()
    for attribute in attributes {
      try readAttribute(attribute.name, attribute.value, &metadata)
    }
    if isDeletedState { metadata.isVisible = metadata.isVisible ?? false }
    if type.rawValue <= 3, !element.isDropped, !metadata.isEmpty {
      builder.setMetadata(metadata, of: type)
    }
    return .element
  }

  @inline(__always)
  private mutating func readAttribute(_ name: XMLText, _ value: XMLText, _ metadata: inout Metadata)
    throws(Fault)
  {
    switch name.first {
    case UInt8(ascii: "i") where name == "id":
      guard let id = value.identifier else {
        throw failure(.value, "an id is a whole number of 64 bits")
      }
      element.draft.id = id
    case UInt8(ascii: "l") where name == "lat":
      if let degrees = try degrees(value) { element.draft.position.latitudeE7 = degrees }
    case UInt8(ascii: "l") where name == "lon":
      if let degrees = try degrees(value) { element.draft.position.longitudeE7 = degrees }
    case UInt8(ascii: "v") where name == "version":
      metadata.version = value.integer.flatMap { Int32(exactly: $0) }
      if metadata.version == nil { note(.invalidMetadata) }
    case UInt8(ascii: "t") where name == "timestamp":
      metadata.timestamp = parseTimestamp(value.bytes)
      if metadata.timestamp == nil { note(.invalidMetadata) }
    case UInt8(ascii: "c") where name == "changeset":
      metadata.changeset = value.integer
      if metadata.changeset == nil { note(.invalidMetadata) }
    case UInt8(ascii: "u") where name == "uid":
      metadata.userID = value.integer
      if metadata.userID == nil { note(.invalidMetadata) }
    case UInt8(ascii: "u") where name == "user":
      metadata.user = builder.strings.intern(value.bytes)
    case UInt8(ascii: "v") where name == "visible":
      if value == "true" || value == "false" {
        metadata.isVisible = value.first == UInt8(ascii: "t")
      } else {
        note(.invalidMetadata)
      }
    case UInt8(ascii: "a") where name == "action":
      element.isDropped = value == "delete"
      metadata.isModified = value == "modify"
    default: break
    }
  }

  /// A coordinate; `nil` where it is too large to hold.
  @inline(__always)
  mutating func degrees(_ value: XMLText) throws(Fault) -> Int32? {
    switch value.degrees {
    case .value(let degrees): return degrees
    case .outOfRange:
      note(.coordinateOutOfRange)
      return nil
    case .malformed: throw failure(.value, "lat and lon are decimal numbers")
    }
  }

  /// `lat` and `lon` of a tag; undefined where one is missing.
  @inline(__always)
  mutating func readPosition(_ attributes: XMLAttributes) throws(Fault) -> Coordinate {
    var position = Coordinate.undefined
    for attribute in attributes {
      if attribute.name == "lat" {
        if let value = try degrees(attribute.value) { position.latitudeE7 = value }
      } else if attribute.name == "lon" {
        if let value = try degrees(attribute.value) { position.longitudeE7 = value }
      }
    }
    let isWhole = position.latitudeE7 != .max && position.longitudeE7 != .max
    return isWhole ? position : .undefined
  }

  mutating func readBounds(_ attributes: XMLAttributes) throws(Fault) -> BoundingBox? {
    guard let south = attributes.value("minlat"), let west = attributes.value("minlon"),
      let north = attributes.value("maxlat"), let east = attributes.value("maxlon"),
      let southE7 = try degrees(south), let westE7 = try degrees(west),
      let northE7 = try degrees(north), let eastE7 = try degrees(east)
    else { return nil }
    return BoundingBox(southE7: southE7, westE7: westE7, northE7: northE7, eastE7: eastE7)
  }

  // MARK: Parts

  @inline(__always)
  mutating func startPart(_ name: XMLText, _ attributes: XMLAttributes) throws(Fault) -> Place {
    let type = element.draft.type
    switch name.first {
    case UInt8(ascii: "n") where type == .way && name == "nd": try readVertex(attributes)
    case UInt8(ascii: "t") where name == "tag": readTag(attributes)
    case UInt8(ascii: "m") where type == .relation && name == "member":
      try startMember(attributes)
      return .member
    case UInt8(ascii: "b") where name == "bounds":
      if let box = try readBounds(attributes), !element.isDropped {
        builder.setBounds(box, of: type)
        element.hasParts = true
      }
    case UInt8(ascii: "c") where name == "center":
      let center = try readPosition(attributes)
      if !center.isUndefined, !element.isDropped {
        builder.setCenter(center, of: type)
        element.hasParts = true
      }
    default:
      if type.rawValue > 3 { return try startInShape(name, attributes) }
    }
    return .ignored
  }

  @inline(__always)
  private mutating func readTag(_ attributes: XMLAttributes) {
    var key: StringID?
    var value = StringID.empty
    for attribute in attributes {
      if attribute.name == "k" {
        key = builder.strings.intern(attribute.value.bytes)
      } else if attribute.name == "v" {
        value = builder.strings.intern(attribute.value.bytes)
      }
    }
    if let key { draftTags.append(Tag(key: key, value: value)) }
  }

  /// An `nd` of a way. One without position was clipped away, if others have one.
  @inline(__always)
  private mutating func readVertex(_ attributes: XMLAttributes) throws(Fault) {
    var position = Coordinate.undefined
    for attribute in attributes {
      switch attribute.name.first {
      case UInt8(ascii: "r") where attribute.name == "ref":
        guard let ref = attribute.value.identifier else {
          throw failure(.value, "a node id is a whole number of 64 bits")
        }
        builder.ways.refs.append(ref)
      case UInt8(ascii: "l") where attribute.name == "lat":
        if let value = try degrees(attribute.value) { position.latitudeE7 = value }
      case UInt8(ascii: "l") where attribute.name == "lon":
        if let value = try degrees(attribute.value) { position.longitudeE7 = value }
      default: break
      }
    }
    if position.latitudeE7 != .max, position.longitudeE7 != .max {
      if !element.hasPositions {
        element.hasPositions = true
        builder.ways.inlinePositions.pad(
          to: element.firstPosition + element.vertices, with: .undefined)
      }
      builder.ways.inlinePositions.append(position)
    } else if element.hasPositions {
      builder.ways.inlinePositions.append(.undefined)
    }
    element.vertices += 1
  }

  // MARK: Members

  private mutating func startMember(_ attributes: XMLAttributes) throws(Fault) {
    var type: ElementType?
    var ref: Int64?
    var role = StringID.empty
    for attribute in attributes {
      if attribute.name == "type" {
        type = try memberType(attribute.value)
      } else if attribute.name == "ref" {
        ref = attribute.value.identifier
        if ref == nil { throw failure(.value, "a member's ref is a whole number of 64 bits") }
      } else if attribute.name == "role" {
        role = builder.strings.intern(attribute.value.bytes)
      }
    }
    guard let type, let ref else { throw failure(.value, "a member without type or ref") }
    element.member = Member(type: type, ref: ref, role: role)
    element.memberPosition = try readPosition(attributes)
    element.memberStart = builder.relations.inlinePositions.count
    element.memberVertices = 0
  }

  private func memberType(_ name: XMLText) throws(Fault) -> ElementType {
    if name == "way" { return .way }
    if name == "node" { return .node }
    if name == "relation" { return .relation }
    throw failure(.value, "a member is a node, a way or a relation")
  }

  /// An `nd` inside of a member; without position it was clipped away.
  mutating func readMemberVertex(_ attributes: XMLAttributes) throws(Fault) {
    builder.relations.inlinePositions.append(try readPosition(attributes))
    element.memberVertices += 1
  }

  mutating func endMember() {
    var geometry = PositionRange.absent
    if element.memberVertices > 0 {
      geometry = PositionRange(
        start: UInt32(truncatingIfNeeded: element.memberStart),
        count: UInt32(truncatingIfNeeded: element.memberVertices))
    }
    builder.appendMember(
      element.member, position: element.memberPosition, geometry: geometry)
  }

  // MARK: The end

  mutating func endElement(_ name: XMLText) throws(Fault) {
    let type = element.draft.type
    if element.isDropped {
      element.isDropped = false
      note(.deletedByEditor)
      return builder.dropUnfinishedRow()
    }
    if type == .way, element.hasPositions {
      let range = PositionRange(
        start: UInt32(truncatingIfNeeded: element.firstPosition),
        count: UInt32(truncatingIfNeeded: element.vertices))
      builder.ways.geometries.set(range, at: builder.ways.count)
    }
    if type.rawValue > 3 {
      let geometry = element.shape.geometry
      // Tags that are no elements may stand here too; they have neither id nor content.
      if type == .derived, element.draft.id == ElementID.unknownNumber, draftTags.isEmpty,
        !element.hasParts, geometry.kind == .none
      {
        return
      }
      element.draft.typeName = builder.strings.intern(name.bytes)
      if geometry.kind != .none { builder.setDerivedGeometry(geometry) }
    }
    draftTags.removeRepeatedKeys()
    let row = builder.nextRow(of: type)
    builder.append(element.draft, tags: draftTags)
    if hasActions { recordState(ElementIndex(type, row)) }
    try checkLimits(row)
  }

  @inline(__always) private mutating func checkLimits(_ row: Int) throws(Fault) {
    elementCount += 1
    if elementCount > options.maximumElements {
      throw failure(.limit, "the answer has more elements than allowed (max_elements)")
    }
    if builder.strings.isFull {
      throw failure(.limit, "the answer has more text than allowed (max_text_bytes)")
    }
    // Checked now and then to stop early; the check that counts comes at the end.
    if row & 0xFFFF == 0, builder.isOverfull {
      throw failure(.limit, "more than 2^32 elements, tags, refs, members or bytes of text")
    }
  }
}
