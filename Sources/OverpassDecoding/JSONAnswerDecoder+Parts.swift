// The larger parts of an element: members, geometry, centre, bounds, metadata.

import OSMModel

extension JSONAnswerDecoder {
  // MARK: Members

  mutating func decodeMembers() throws(Fault) {
    if try scanner.takeNull() { return }
    try scanner.take(UInt8(ascii: "["), "expected a list of members")
    builder.relations.members.truncate(to: Int(builder.relations.memberEnds.last ?? 0))
    if scanner.takeClosing(UInt8(ascii: "]")) { return }
    repeat { try decodeMember() } while try scanner.takeSeparator(closing: UInt8(ascii: "]"))
  }

  private mutating func decodeMember() throws(Fault) {
    let offset = scanner.offset
    guard scanner.current == UInt8(ascii: "{") else { throw scanner.fault("expected a member") }
    try scanner.take(UInt8(ascii: "{"), "expected '{'")
    var type: ElementType?
    var ref: Int64?
    var role = StringID.empty
    var position = Coordinate.undefined
    var geometry = PositionRange.absent
    if !scanner.takeClosing(UInt8(ascii: "}")) {
      repeat {
        // Keys as the server prints them.
        if scanner.takeKey("\"ref\": ") {
          ref = try memberRef()
          continue
        }
        if scanner.takeKey("\"role\": ") {
          role = try memberRole() ?? role
          continue
        }
        if scanner.takeKey("\"type\": ") {
          type = try memberType()
          continue
        }
        let key = try keyName()
        switch key.bytes.count {
        case 4 where isKey(key, "type"): type = try memberType()
        case 3 where isKey(key, "ref"): ref = try memberRef()
        case 4 where isKey(key, "role"): role = try memberRole() ?? role
        case 3 where isKey(key, "lat"):
          if let value = try optionalCoordinate() { position.latitudeE7 = value }
        case 3 where isKey(key, "lon"):
          if let value = try optionalCoordinate() { position.longitudeE7 = value }
        case 8 where isKey(key, "geometry"):
          geometry = try memberGeometry()
        default: try scanner.skipValue(depth: 4, maximumDepth: options.maximumDepth)
        }
      } while try scanner.takeSeparator(closing: UInt8(ascii: "}"))
    }
    guard let type, let ref else {
      throw Fault(kind: .value, message: "a member without type or ref", offset: offset)
    }
    builder.appendMember(
      Member(type: type, ref: ref, role: role), position: position, geometry: geometry)
  }

  @inline(__always) private mutating func memberRef() throws(Fault) -> Int64 {
    scanner.skipSpace()
    return try scanner.identifier("a member's ref is a whole number of 64 bits")
  }

  @inline(__always) private mutating func memberRole() throws(Fault) -> StringID? {
    scanner.skipSpace()
    if try scanner.takeNull() { return nil }
    return try intern(try scanner.string("expected a role"))
  }

  @inline(__always) private mutating func memberType() throws(Fault) -> ElementType {
    if scanner.takeText("\"way\"") { return .way }
    if scanner.takeText("\"node\"") { return .node }
    return try otherMemberType()
  }

  @inline(never) private mutating func otherMemberType() throws(Fault) -> ElementType {
    scanner.skipSpace()
    let name = try scanner.string("expected the type of a member")
    if isKey(name, "way") { return .way }
    if isKey(name, "node") { return .node }
    if isKey(name, "relation") { return .relation }
    throw scanner.fault("a member is a node, a way or a relation", .value)
  }

  private mutating func memberGeometry() throws(Fault) -> PositionRange {
    guard scanner.current == UInt8(ascii: "[") else {
      try scanner.skipValue(depth: 4, maximumDepth: options.maximumDepth)
      return .absent
    }
    let range = try decodePositions(into: .relations)
    return range.count > 0 ? range : .absent
  }

  // MARK: Positions

  /// Which table's `inlinePositions` positions are appended to.
  enum PositionTarget { case ways, relations }

  /// Reads `[{"lat": …, "lon": …}, null, …]`; `null` is a position outside of the printed box.
  mutating func decodePositions(into target: PositionTarget) throws(Fault) -> PositionRange {
    try scanner.take(UInt8(ascii: "["), "expected a list of positions")
    let start =
      target == .ways
      ? builder.ways.inlinePositions.count : builder.relations.inlinePositions.count
    if scanner.takeClosing(UInt8(ascii: "]")) {
      return PositionRange(start: UInt32(truncatingIfNeeded: start), count: 0)
    }
    repeat {
      let position = try scanner.takeNull() ? .undefined : try decodePosition()
      switch target {
      case .ways: builder.ways.inlinePositions.append(position)
      case .relations: builder.relations.inlinePositions.append(position)
      }
    } while try scanner.takeSeparator(closing: UInt8(ascii: "]"))
    let end =
      target == .ways
      ? builder.ways.inlinePositions.count : builder.relations.inlinePositions.count
    return PositionRange(
      start: UInt32(truncatingIfNeeded: start), count: UInt32(truncatingIfNeeded: end - start))
  }

  @inline(__always)
  private mutating func decodePosition() throws(Fault) -> Coordinate {
    guard scanner.current == UInt8(ascii: "{") else { throw scanner.fault("expected a position") }
    try scanner.take(UInt8(ascii: "{"), "expected '{'")
    var position = Coordinate.undefined
    if scanner.takeClosing(UInt8(ascii: "}")) { return position }
    repeat {
      if scanner.takeKey("\"lat\": ") {
        scanner.skipSpace()
        if let value = try optionalCoordinate() { position.latitudeE7 = value }
        continue
      }
      if scanner.takeKey("\"lon\": ") {
        scanner.skipSpace()
        if let value = try optionalCoordinate() { position.longitudeE7 = value }
        continue
      }
      let key = try keyName()
      if isKey(key, "lat") {
        if let value = try optionalCoordinate() { position.latitudeE7 = value }
      } else if isKey(key, "lon") {
        if let value = try optionalCoordinate() { position.longitudeE7 = value }
      } else {
        try scanner.skipValue(depth: 5, maximumDepth: options.maximumDepth)
      }
    } while try scanner.takeSeparator(closing: UInt8(ascii: "}"))
    let isWhole = position.latitudeE7 != .max && position.longitudeE7 != .max
    return isWhole ? position : .undefined
  }

  /// A coordinate; `nil` where it is `null` or too large to hold.
  @inline(__always)
  mutating func optionalCoordinate() throws(Fault) -> Int32? {
    if try scanner.takeNull() { return nil }
    let offset = scanner.offset
    if let value = try scanner.coordinate() { return value }
    note(.coordinateOutOfRange, at: offset)
    return nil
  }

  /// `geometry` of an element: positions of a way, GeoJSON of something derived. The server prints
  /// none with other elements; what stands there is passed over.
  mutating func decodeGeometry(of type: ElementType) throws(Fault) {
    switch type {
    case .way where scanner.current == UInt8(ascii: "["):
      let range = try decodePositions(into: .ways)
      // Positions none of which is known are no geometry: XML cannot tell the two apart.
      let start = Int(range.start)
      let isKnown = builder.ways.inlinePositions.buffer[start..<start + Int(range.count)]
        .contains { !$0.isUndefined }
      if isKnown { builder.ways.geometries.set(range, at: builder.ways.count) }
    case .area where scanner.current == UInt8(ascii: "{"),
      .derived where scanner.current == UInt8(ascii: "{"):
      let geometry = try decodeGeoJSON(depth: 3)
      builder.setDerivedGeometry(geometry)
    default: try scanner.skipValue(depth: 2, maximumDepth: options.maximumDepth)
    }
  }

  // MARK: Centre and bounds

  mutating func decodeCenter(of draft: ElementDraft) throws(Fault) {
    guard scanner.current == UInt8(ascii: "{") else {
      return try scanner.skipValue(depth: 2, maximumDepth: options.maximumDepth)
    }
    let center = try decodePosition()
    guard !center.isUndefined else { return }
    builder.setCenter(center, of: draft.type)
  }

  mutating func decodeBounds(of draft: ElementDraft) throws(Fault) {
    guard let box = try decodeBox(depth: 2) else { return }
    builder.setBounds(box, of: draft.type)
  }

  /// Reads `{"minlat": …, "minlon": …, "maxlat": …, "maxlon": …}`; `nil` where a side is missing.
  mutating func decodeBox(depth: Int) throws(Fault) -> BoundingBox? {
    guard scanner.current == UInt8(ascii: "{") else {
      try scanner.skipValue(depth: depth, maximumDepth: options.maximumDepth)
      return nil
    }
    try scanner.take(UInt8(ascii: "{"), "expected '{'")
    if scanner.takeClosing(UInt8(ascii: "}")) { return nil }
    var south: Int32?
    var west: Int32?
    var north: Int32?
    var east: Int32?
    repeat {
      let key = try keyName()
      if isKey(key, "minlat") {
        south = try optionalCoordinate()
      } else if isKey(key, "minlon") {
        west = try optionalCoordinate()
      } else if isKey(key, "maxlat") {
        north = try optionalCoordinate()
      } else if isKey(key, "maxlon") {
        east = try optionalCoordinate()
      } else {
        try scanner.skipValue(depth: depth + 1, maximumDepth: options.maximumDepth)
      }
    } while try scanner.takeSeparator(closing: UInt8(ascii: "}"))
    guard let south, let west, let north, let east else { return nil }
    return BoundingBox(southE7: south, westE7: west, northE7: north, eastE7: east)
  }

  // MARK: Metadata

  /// Reads a metadata field, or passes over a key that is not known.
  mutating func decodeMetadata(_ key: JSONScanner.RawString, of draft: ElementDraft) throws(Fault) {
    var field = Metadata()
    let offset = scanner.offset
    if isKey(key, "version") {
      field.version = try optionalInteger().flatMap { Int32(exactly: $0) }
    } else if isKey(key, "timestamp") {
      field.timestamp = try optionalTimestamp()
    } else if isKey(key, "changeset") {
      field.changeset = try optionalInteger()
    } else if isKey(key, "uid") {
      field.userID = try optionalInteger()
    } else if isKey(key, "user") {
      if scanner.current == UInt8(ascii: "\"") {
        field.user = try intern(try scanner.string("expected a user name"))
      } else {
        try scanner.skipValue(depth: 2, maximumDepth: options.maximumDepth)
      }
    } else if isKey(key, "visible") {
      let byte = scanner.current
      try scanner.skipValue(depth: 2, maximumDepth: options.maximumDepth)
      if byte == UInt8(ascii: "t") || byte == UInt8(ascii: "f") {
        field.isVisible = byte == UInt8(ascii: "t")
      }
    } else if isKey(key, "action"), scanner.current == UInt8(ascii: "\"") {
      // Not of any server: the way in which we write what JOSM's files tell.
      field.isModified = isKey(try scanner.string("expected an action"), "modify")
      if !field.isModified { return }
    } else {
      return try scanner.skipValue(depth: 2, maximumDepth: options.maximumDepth)
    }
    guard !field.isEmpty else {
      return note(.invalidMetadata, at: offset, element: ElementID(draft.type, draft.id))
    }
    builder.setMetadata(field, of: draft.type)
  }

  /// A whole number, also when it is written as text; `nil` for anything else.
  private mutating func optionalInteger() throws(Fault) -> Int64? {
    if scanner.current == UInt8(ascii: "\"") {
      return Int64(builder.strings.string(try intern(try scanner.string("expected a number"))))
    }
    guard isNumberStart else {
      try scanner.skipValue(depth: 2, maximumDepth: options.maximumDepth)
      return nil
    }
    let text = try scanner.skipNumber()
    return Int64(String(decoding: text, as: UTF8.self))
  }

  private mutating func optionalTimestamp() throws(Fault) -> Int64? {
    guard scanner.current == UInt8(ascii: "\"") else {
      try scanner.skipValue(depth: 2, maximumDepth: options.maximumDepth)
      return nil
    }
    return parseTimestamp(try scanner.string("expected a time").bytes)
  }
}
