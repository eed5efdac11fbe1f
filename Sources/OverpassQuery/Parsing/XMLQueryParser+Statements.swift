// Statements of the XML form.

import OSMModel

extension XMLQueryParser {
  static let statementNames = [
    "query", "id-query", "recurse", "item", "union", "difference", "foreach", "for", "complete",
    "if", "retro", "compare", "timeline", "localize", "make", "convert", "coord-query",
    "map-to-area", "print", "bbox-query", "polygon-query", "around", "area-query", "pivot", "user",
  ]

  mutating func convertStatements(_ indices: [Int], depth: Int) -> [Query.Statement] {
    var statements: [Query.Statement] = []
    for index in indices {
      if collector.isFull { break }
      if let statement = convertStatement(index, depth: depth) { statements.append(statement) }
    }
    return statements
  }

  mutating func convertStatement(_ index: Int, depth: Int) -> Query.Statement? {
    let element = element(index)
    guard depth < Query.Limits.nesting else {
      report(
        .tooDeep, "statements are nested more than \(Query.Limits.nesting) levels deep",
        at: element.offset)
      return nil
    }
    statementOffsets.append(element.offset)
    switch element.name {
    case "query": return convertQuery(element)
    case "id-query": return convertIDQuery(element)
    case "recurse": return convertRecurse(element)
    case "bbox-query", "polygon-query", "around", "area-query", "pivot":
      return convertLoneFilter(index, .node)
    case "user":
      let kinds = Query.ElementKind.allCases.map { ($0.rawValue, $0) }
      return convertLoneFilter(index, choice("type", of: element, kinds, default: .node))
    case "item": return convertItem(element)
    case "union":
      allow(["into"], in: element)
      checkText(element)
      return .union(
        convertMembers(element, depth: depth), into: setName("into", of: element))
    case "difference": return convertDifference(element, depth: depth)
    case "foreach":
      allow(["from", "into"], in: element)
      checkText(element)
      return .foreach(
        from: setName("from", of: element), into: setName("into", of: element),
        convertStatements(element.children, depth: depth + 1))
    case "for":
      allow(["from", "into"], in: element)
      guard
        let (evaluator, body) = convertBody(
          element, .element, [.string, .container], depth: depth)
      else { return nil }
      return .for(
        evaluator, from: setName("from", of: element), into: setName("into", of: element), body)
    case "complete":
      allow(["from", "into", "maxnum"], in: element)
      checkText(element)
      let limit = number("maxnum", of: element)
      if let limit, !(1...1_048_576).contains(limit) {
        report(
          .invalidValue, "“complete” repeats 1 to 1048576 times, not \(limit) times", at: "maxnum",
          of: element)
      }
      return .complete(
        limit: limit.flatMap { Int(exactly: $0) }, from: setName("from", of: element),
        into: setName("into", of: element),
        convertStatements(element.children, depth: depth + 1))
    case "if": return convertIf(element, depth: depth)
    case "retro":
      allow([], in: element)
      return convertBody(element, .none, [.string], depth: depth).map { .retro($0, $1) }
    case "compare": return convertCompare(element, depth: depth)
    case "timeline": return convertTimeline(element)
    case "localize": return convertLocalize(element)
    case "make", "convert": return convertMake(element, depth: depth)
    case "coord-query": return convertCoordQuery(element)
    case "map-to-area":
      allow(["from", "into"], in: element)
      checkEmpty(element)
      return .mapToArea(from: setName("from", of: element), into: setName("into", of: element))
    case "print": return convertPrint(element)
    case "make-area":
      report(
        .misplacedStatement, "“make-area” can only stand in the rules of a server",
        at: element.offset, length: element.name.utf8.count + 1)
      return nil
    default:
      let isKnown = isEvaluator(element) || XMLQueryParser.filterNames.contains(element.name)
      report(
        isKnown ? .misplacedStatement : .unknownElement,
        isKnown
          ? "“\(element.name)” is no statement" : "there is no element “\(element.name)”",
        at: element.offset, length: element.name.utf8.count + 1, found: element.name,
        expected: XMLQueryParser.statementNames,
        suggestion: isKnown ? nil : closest(to: element.name, among: XMLQueryParser.statementNames))
      return nil
    }
  }

  // MARK: Sets

  private mutating func convertMembers(_ element: XMLElement, depth: Int) -> [Query.Statement] {
    var members: [Query.Statement] = []
    for child in element.children {
      guard let statement = convertStatement(child, depth: depth + 1) else { continue }
      if statement.into == nil {
        let inner = self.element(child)
        report(
          .misplacedStatement,
          "“\(inner.name)” has no result and cannot stand in “\(element.name)”", at: inner.offset,
          length: inner.name.utf8.count + 1)
      }
      members.append(statement)
    }
    return members
  }

  private mutating func convertDifference(_ element: XMLElement, depth: Int) -> Query.Statement? {
    allow(["into"], in: element)
    checkText(element)
    let members = convertMembers(element, depth: depth)
    guard element.children.count == 2 else {
      report(
        .unexpected, "a difference has exactly two operands, not \(element.children.count)",
        at: element.offset, length: element.name.utf8.count + 1)
      return nil
    }
    guard members.count == 2 else { return nil }
    return .difference(members[0], minus: members[1], into: setName("into", of: element))
  }

  private mutating func convertItem(_ element: XMLElement) -> Query.Statement {
    allow(["from", "into", "set"], in: element)
    checkEmpty(element)
    guard let set = value("set", of: element), set != "_" else {
      return .item(from: setName("from", of: element), into: setName("into", of: element))
    }
    if value("from", of: element) != nil || value("into", of: element) != nil {
      report(.unexpected, "“set” excludes “from” and “into”", at: "set", of: element)
    }
    let name = setName("set", of: element)
    return .item(from: name, into: name)
  }

  // MARK: Blocks

  /// An evaluator and the statements behind it.
  private mutating func convertBody(
    _ element: XMLElement, _ context: EvaluatorContext, _ types: [Query.Evaluator.ValueType],
    depth: Int
  ) -> (Query.Evaluator, [Query.Statement])? {
    checkText(element)
    guard let first = element.children.first, isEvaluator(self.element(first)) else {
      report(
        .unexpected, "“\(element.name)” needs an evaluator as its first element",
        at: element.offset, length: element.name.utf8.count + 1)
      _ = convertStatements(element.children, depth: depth + 1)
      return nil
    }
    let evaluator = convertEvaluator(first, context, "the evaluator of “\(element.name)”", types)
    let body = convertStatements(Array(element.children.dropFirst()), depth: depth + 1)
    return evaluator.map { ($0, body) }
  }

  private mutating func convertIf(_ element: XMLElement, depth: Int) -> Query.Statement? {
    allow([], in: element)
    var element = element
    var otherwise: [Int] = []
    if let mark = element.children.firstIndex(where: { self.element($0).name == "else" }) {
      checkEmpty(self.element(element.children[mark]))
      otherwise = Array(element.children[(mark + 1)...])
      element.children = Array(element.children[..<mark])
    }
    let then = convertBody(element, .none, [.string], depth: depth)
    let rest = convertStatements(otherwise, depth: depth + 1)
    return then.map { .if($0.0, then: $0.1, else: rest) }
  }

  private mutating func convertCompare(_ element: XMLElement, depth: Int) -> Query.Statement? {
    allow(["from", "into"], in: element)
    checkText(element)
    let from = setName("from", of: element)
    let into = setName("into", of: element)
    guard let first = element.children.first, isEvaluator(self.element(first)) else {
      return .compare(
        from: from, into: into, convertStatements(element.children, depth: depth + 1))
    }
    return convertBody(element, .element, [.string], depth: depth)
      .map { .compare(delta: $0, from: from, into: into, $1) }
  }

  // MARK: Others

  private mutating func convertTimeline(_ element: XMLElement) -> Query.Statement? {
    allow(["into", "type", "ref", "version"], in: element)
    checkEmpty(element)
    let types: [(String, ElementType)] = [
      ("node", .node), ("way", .way), ("relation", .relation),
    ]
    let type = choice("type", of: element, types, default: .area)
    let reference = number("ref", of: element) ?? 0
    let statement = Query.Statement.timeline(
      ElementID(type, reference), version: number("version", of: element),
      into: setName("into", of: element))
    guard
      check(element, { validator throws(QueryError) in try validator.check(statement, depth: 0) })
    else { return nil }
    return statement
  }

  private mutating func convertLocalize(_ element: XMLElement) -> Query.Statement {
    allow(["from", "into", "type", "s", "n", "w", "e"], in: element)
    checkEmpty(element)
    let details = Query.LocalDetail.allCases.map { ($0.rawValue, $0) }
    return .local(
      choice("type", of: element, details, default: .l), box(element, isRequired: false),
      from: setName("from", of: element), into: setName("into", of: element))
  }

  private mutating func convertCoordQuery(_ element: XMLElement) -> Query.Statement {
    allow(["from", "into", "lat", "lon"], in: element)
    checkEmpty(element)
    let position = position(element)
    return .isIn(
      position, from: setName("from", of: element), into: setName("into", of: element))
  }

  /// The position in `lat` and `lon`; `nil` if there is none or it is wrong.
  mutating func position(_ element: XMLElement) -> Coordinate? {
    let latitude = decimalValue("lat", of: element)
    let longitude = decimalValue("lon", of: element)
    if latitude == nil, longitude == nil { return nil }
    guard let latitude, let longitude,
      let position = Coordinate(longitude: longitude, latitude: latitude)
    else {
      report(
        .invalidValue, "“\(element.name)” needs “lat” from -90 to 90 and “lon” from -180 to 180",
        at: element.offset, length: element.name.utf8.count + 1, expected: ["lat", "lon"])
      return nil
    }
    return position
  }

  private mutating func convertPrint(_ element: XMLElement) -> Query.Statement {
    allow(["from", "ids", "mode", "order", "limit", "geometry", "s", "n", "w", "e"], in: element)
    checkEmpty(element)
    var out = Query.Out(from: setName("from", of: element))
    let modes = Query.Out.Verbosity.allCases.map { ($0.xmlName.description, $0) }
    out.verbosity = choice("mode", of: element, modes, default: .body)
    let geometries = Query.Out.Geometry.allCases.map { ($0.xmlName.description, $0) }
    out.geometry = choice("geometry", of: element, geometries, default: .none)
    out.order = choice("order", of: element, [("id", .id), ("quadtile", .quadtile)], default: .id)
    out.omitsIDs = choice("ids", of: element, [("yes", false), ("no", true)], default: false)
    out.limit = number("limit", of: element)
    if let limit = out.limit, limit < 0 || limit > Int64(UInt32.max) {
      report(.invalidValue, "“\(limit)” is no number of elements", at: "limit", of: element)
    }
    out.boundingBox = box(element, isRequired: false)
    return .out(out)
  }

  // MARK: Make and convert

  private mutating func convertMake(_ element: XMLElement, depth: Int) -> Query.Statement? {
    let isConvert = element.name == "convert"
    allow(isConvert ? ["from", "into", "type"] : ["into", "type"], in: element)
    checkText(element)
    guard let type = value("type", of: element), !type.isEmpty else {
      report(
        .missingAttribute, "“\(element.name)” needs the attribute “type”", at: element.offset,
        length: element.name.utf8.count + 1, expected: ["type"])
      return nil
    }
    var properties: [Query.Property] = []
    let errors = collector.errorCount
    for child in element.children {
      let inner = self.element(child)
      guard inner.name == "set-prop" else {
        report(
          .misplacedStatement, "“\(inner.name)” cannot stand in “\(element.name)”",
          at: inner.offset, length: inner.name.utf8.count + 1)
        continue
      }
      if let property = convertProperty(inner, isConvert ? .element : .none) {
        properties.append(property)
      }
    }
    let into = setName("into", of: element)
    let statement: Query.Statement =
      isConvert
      ? .convert(type: type, properties, from: setName("from", of: element), into: into)
      : .make(type: type, properties, into: into)
    guard collector.errorCount == errors,
      check(
        element, { validator throws(QueryError) in try validator.check(statement, depth: depth) })
    else { return nil }
    return statement
  }

  private mutating func convertProperty(
    _ element: XMLElement, _ context: EvaluatorContext
  ) -> Query.Property? {
    allow(["k", "keytype", "from"], in: element)
    checkText(element)
    enum KeyType { case tag, id, geometry, generic }
    let types: [(String, KeyType)] = [
      ("tag", .tag), ("id", .id), ("geometry", .geometry), ("generic", .generic),
    ]
    let type = choice("keytype", of: element, types, default: .tag)
    let key = value("k", of: element) ?? ""
    if type == .tag, key.isEmpty {
      report(
        .missingAttribute, "“set-prop” needs the attribute “k”", at: element.offset,
        length: element.name.utf8.count + 1, expected: ["k"])
      return nil
    }
    guard let child = element.children.first else {
      if type == .tag { return .omit(key) }
      report(
        .unexpected, "“set-prop” needs an evaluator", at: element.offset,
        length: element.name.utf8.count + 1)
      return nil
    }
    for extra in element.children.dropFirst() {
      report(.unexpected, "“set-prop” takes one evaluator", at: self.element(extra).offset)
    }
    guard
      let evaluator = convertEvaluator(
        child, context, "the value of a property", type == .geometry ? [.geometry] : [.string])
    else { return nil }
    return switch type {
    case .tag: .tag(key, evaluator)
    case .id: .id(evaluator)
    case .geometry: .geometry(evaluator)
    case .generic:
      .generic(
        from: value("from", of: element) == nil ? nil : setName("from", of: element), evaluator)
    }
  }
}
