// Statements of Overpass QL, apart from the query statement.

import OSMModel

extension QLParser {
  /// The words a statement can begin with.
  static let keywords = [
    "node", "way", "relation", "rel", "nwr", "nw", "nr", "wr", "area", "derived", "out", "foreach",
    "for", "complete", "if", "retro", "timeline", "compare", "make", "convert", "is_in",
    "map_to_area", "local",
  ]

  /// Reads statements up to a closing sign, which stays.
  mutating func parseStatements(until closing: QLToken.Kind, depth: Int) -> [Query.Statement] {
    var statements: [Query.Statement] = []
    while !isAt(.end), !isAt(closing) {
      let start = index
      do throws(Abandoned) {
        statements.append(try parseStatement(depth: depth))
      } catch {
        synchronize()
      }
      // Whatever went wrong, there is progress.
      if index == start { advance() }
    }
    return statements
  }

  mutating func parseStatement(depth: Int) throws(Abandoned) -> Query.Statement {
    guard depth < Query.Limits.nesting else {
      report(
        .tooDeep, "statements are nested more than \(Query.Limits.nesting) levels deep", at: current
      )
      index = tokens.count - 1
      throw Abandoned()
    }
    let first = current
    statementOffsets.append(Int(first.start))
    switch first.kind {
    case .openParenthesis: return try parseUnionOrDifference(depth: depth)
    case .less, .doubleLess, .greater, .doubleGreater: return try parseRecursion(from: .default)
    case .dot:
      advance()
      let from = Query.SetName(try parseIdentifier("the name of a set"))
      return try parseStatement(of: from, depth: depth)
    case .word: break
    case .openBracket:
      report(
        .misplacedSettings, "settings stand only at the beginning, before the first semicolon",
        at: first)
      throw Abandoned()
    case .semicolon:
      report(.unexpected, "a semicolon without a statement", at: first)
      advance()
      // The next statement begins right here.
      if isAt(.end) || isAt(.closeParenthesis) || isAt(.closeBrace) { throw Abandoned() }
      return try parseStatement(depth: depth + 1)
    default:
      reportUnexpected("a statement")
      throw Abandoned()
    }
    switch spelling(first) {
    case "foreach": return try parseForeach(depth: depth)
    case "for": return try parseFor(depth: depth)
    case "complete": return try parseComplete(depth: depth)
    case "if": return try parseIf(depth: depth)
    case "retro": return try parseRetro(depth: depth)
    case "timeline": return try parseTimeline()
    case "make": return try parseMake()
    case "out", "convert", "is_in", "map_to_area", "local", "compare":
      return try parseStatement(of: .default, depth: depth)
    default: return try parseQueryStatement()
    }
  }

  /// Reads what can stand behind `.name`, or without it for the default set.
  private mutating func parseStatement(
    of from: Query.SetName, depth: Int
  ) throws(Abandoned) -> Query.Statement {
    let first = current
    switch first.kind {
    case .less, .doubleLess, .greater, .doubleGreater: return try parseRecursion(from: from)
    case .openBracket, .openParenthesis:
      report(
        .unexpected, "a set is filtered by a query: “nwr.\(from)” and then the filters", at: first,
        suggestion: "nwr.\(from)")
      throw Abandoned()
    case .word: break
    default:
      let into = try parseInto()
      try endStatement(after: "“.\(from)”")
      return .item(from: from, into: into)
    }
    switch spelling(first) {
    case "out": return try parseOut(from: from)
    case "convert": return try parseConvert(from: from)
    case "is_in": return try parseIsIn(from: from)
    case "map_to_area":
      advance()
      let into = try parseInto()
      try endStatement(after: "“map_to_area”")
      return .mapToArea(from: from, into: into)
    case "local": return try parseLocal(from: from)
    case "compare": return try parseCompare(from: from, depth: depth)
    case let word:
      if word == "make" || QLParser.keywords.contains(word) {
        report(.unexpected, "“\(word)” takes no set in front of it", at: first)
      } else {
        reportUnexpected("“;”", after: "“.\(from)”")
      }
      throw Abandoned()
    }
  }

  /// Reads the semicolon at the end of a statement. If the next statement begins instead, only the
  /// semicolon is missing.
  mutating func endStatement(after context: String) throws(Abandoned) {
    if isAt(.semicolon) { return advance() }
    reportUnexpected("“;”", after: context)
    guard isAt(.word), QLParser.keywords.contains(spelling(current)) else { throw Abandoned() }
  }

  // MARK: Sets

  private mutating func parseUnionOrDifference(depth: Int) throws(Abandoned) -> Query.Statement {
    let opening = current
    advance()
    var members: [Query.Statement] = []
    if !isAt(.closeParenthesis), !isAt(.end) {
      do throws(Abandoned) {
        members.append(try parseMember("a union or difference", depth))
      } catch {
        synchronize()
      }
    }
    if isAt(.minus) {
      advance()
      let right = try parseMember("a difference", depth)
      if !isAt(.closeParenthesis), !isAt(.end) {
        report(.unexpected, "a difference has exactly two operands", at: current)
        _ = parseStatements(until: .closeParenthesis, depth: depth + 1)
      }
      let into = try endSet(opening, "difference")
      guard let left = members.first else { throw Abandoned() }
      return .difference(left, minus: right, into: into)
    }
    while !isAt(.closeParenthesis), !isAt(.end) {
      let start = index
      do throws(Abandoned) {
        members.append(try parseMember("a union", depth))
      } catch {
        synchronize()
      }
      if index == start { advance() }
    }
    return .union(members, into: try endSet(opening, "union"))
  }

  private mutating func parseMember(
    _ whole: String, _ depth: Int
  ) throws(Abandoned) -> Query.Statement {
    let start = current
    let statement = try parseStatement(depth: depth + 1)
    if statement.into == nil {
      report(
        .misplacedStatement, "“\(statement.keyword)” has no result and cannot stand in \(whole)",
        at: start)
    }
    return statement
  }

  private mutating func endSet(
    _ opening: QLToken, _ name: String
  ) throws(Abandoned) -> Query.SetName {
    guard isAt(.closeParenthesis) else {
      report(
        .unexpectedEnd, "expected “)” to close the \(name), found \(quoted(current))", at: current,
        expected: ["“)”"])
      throw Abandoned()
    }
    advance()
    let into = try parseInto()
    try endStatement(after: "the \(name)")
    return into
  }

  private mutating func parseRecursion(from: Query.SetName) throws(Abandoned) -> Query.Statement {
    let recursion: Query.Recursion =
      switch current.kind {
      case .less: .up
      case .doubleLess: .upRelations
      case .greater: .down
      default: .downRelations
      }
    advance()
    let into = try parseInto()
    try endStatement(after: "“\(recursion.rawValue)”")
    return .recurse(recursion, from: from, into: into)
  }

  // MARK: Blocks

  /// `{…}`, or `(…)` as it was written formerly, and a semicolon that may follow.
  private mutating func parseBlock(
    depth: Int, maySeparate: Bool = true
  ) throws(Abandoned) -> [Query.Statement] {
    let closing: QLToken.Kind
    switch current.kind {
    case .openBrace: closing = .closeBrace
    case .openParenthesis: closing = .closeParenthesis
    default:
      reportUnexpected("“{”")
      throw Abandoned()
    }
    advance()
    let statements = parseStatements(until: closing, depth: depth + 1)
    guard isAt(closing) else {
      reportUnexpected(closing == .closeBrace ? "“}”" : "“)”")
      throw Abandoned()
    }
    advance()
    if maySeparate, isAt(.semicolon) { advance() }
    return statements
  }

  private mutating func parseForeach(depth: Int) throws(Abandoned) -> Query.Statement {
    advance()
    let from = try parseFrom()
    let into = try parseInto()
    return .foreach(from: from, into: into, try parseBlock(depth: depth))
  }

  private mutating func parseFor(depth: Int) throws(Abandoned) -> Query.Statement {
    advance()
    let from = try parseFrom()
    let into = try parseInto()
    let evaluator = try parseParenthesisedEvaluator(
      .element, "the evaluator of for", [.string, .container])
    return .for(evaluator, from: from, into: into, try parseBlock(depth: depth))
  }

  private mutating func parseComplete(depth: Int) throws(Abandoned) -> Query.Statement {
    advance()
    var limit: Int?
    if isAt(.openParenthesis) {
      advance()
      let (text, token) = try parseText("a number")
      limit = Int(text)
      if limit == nil || !(1...1_048_576).contains(limit ?? 0) {
        report(
          .invalidValue, "“complete” repeats 1 to 1048576 times, not \(text) times", at: token)
      }
      try expect(.closeParenthesis, "“)”", after: "the number")
    }
    let from = try parseFrom()
    let into = try parseInto()
    return .complete(limit: limit, from: from, into: into, try parseBlock(depth: depth))
  }

  private mutating func parseIf(depth: Int) throws(Abandoned) -> Query.Statement {
    advance()
    let condition = try parseParenthesisedEvaluator(.none, "the condition of if", [.string])
    let then = try parseBlock(depth: depth, maySeparate: false)
    var otherwise: [Query.Statement] = []
    if isAt(word: "else") {
      advance()
      if isAt(word: "if") {
        // The server wants a block here; say so instead of complaining about the word.
        report(
          .unexpected, "“else” takes a block: else { if (…) { … } }", at: current,
          expected: ["“{”"])
        throw Abandoned()
      }
      otherwise = try parseBlock(depth: depth, maySeparate: false)
    }
    if isAt(.semicolon) { advance() }
    return .if(condition, then: then, else: otherwise)
  }

  private mutating func parseRetro(depth: Int) throws(Abandoned) -> Query.Statement {
    advance()
    let moment = try parseParenthesisedEvaluator(.none, "the time of retro", [.string])
    return .retro(moment, try parseBlock(depth: depth))
  }

  private mutating func parseCompare(
    from: Query.SetName, depth: Int
  ) throws(Abandoned) -> Query.Statement {
    advance()
    var delta: Query.Evaluator?
    if isAt(.openParenthesis) {
      advance()
      if isAt(word: "delta") {
        advance()
        try expect(.colon, "“:”", after: "“delta”")
        delta = try parseEvaluator(.element, "the evaluator of compare", [.string])
      }
      try expect(.closeParenthesis, "“)”", after: "“compare(”")
    }
    let into = try parseInto()
    var body: [Query.Statement] = []
    if isAt(.openBrace) || isAt(.openParenthesis) {
      body = try parseBlock(depth: depth)
    } else {
      try endStatement(after: "“compare”")
    }
    return .compare(delta: delta, from: from, into: into, body)
  }

  private mutating func parseParenthesisedEvaluator(
    _ context: EvaluatorContext, _ place: String, _ types: [Query.Evaluator.ValueType]
  ) throws(Abandoned) -> Query.Evaluator {
    try expect(.openParenthesis, "“(”")
    let evaluator = try parseEvaluator(context, place, types)
    try expect(.closeParenthesis, "“)”")
    return evaluator
  }

  // MARK: Others

  private mutating func parseTimeline() throws(Abandoned) -> Query.Statement {
    advance()
    try expect(.openParenthesis, "“(”", after: "“timeline”")
    let (word, typeToken) = try parseText("the type of an element")
    let type: ElementType
    switch word {
    case "node": type = .node
    case "way": type = .way
    case "rel", "relation": type = .relation
    default:
      report(
        .invalidValue, "“\(word)” is no type of an element", at: typeToken,
        expected: ["node", "way", "relation"],
        suggestion: closest(to: word, among: ["node", "way", "relation"]))
      type = .node
    }
    try expect(.comma, "“,”", after: "the type")
    let (reference, _) = try parsePositiveNumber("the number of an element")
    var version: Int64?
    if isAt(.comma) {
      advance()
      version = try parsePositiveNumber("the version of an element").value
    }
    try expect(.closeParenthesis, "“)”", after: "“timeline”")
    let into = try parseInto()
    try endStatement(after: "“timeline”")
    return .timeline(ElementID(type, reference), version: version, into: into)
  }

  private mutating func parsePositiveNumber(
    _ what: String
  ) throws(Abandoned) -> (value: Int64, token: QLToken) {
    let (text, token) = try parseText(what)
    guard let value = Int64(text), value > 0 else {
      report(.invalidValue, "\(what) is a positive whole number, not “\(text)”", at: token)
      return (1, token)
    }
    return (value, token)
  }

  private mutating func parseIsIn(from: Query.SetName) throws(Abandoned) -> Query.Statement {
    advance()
    var position: Coordinate?
    if isAt(.openParenthesis) {
      advance()
      let latitude = try parseDegrees()
      try expect(.comma, "“,”", after: "the latitude")
      let longitude = try parseDegrees()
      try expect(.closeParenthesis, "“)”", after: "the longitude")
      position = coordinate(latitude, longitude)
    }
    let into = try parseInto()
    try endStatement(after: "“is_in”")
    return .isIn(position, from: from, into: into)
  }

  private mutating func parseLocal(from: Query.SetName) throws(Abandoned) -> Query.Statement {
    advance()
    var detail = Query.LocalDetail.l
    if isAt(.word) {
      let names = Query.LocalDetail.allCases.map(\.rawValue)
      if let known = Query.LocalDetail(rawValue: spelling(current)) {
        detail = known
      } else {
        report(
          .unknownOption, "“\(spelling(current))” is no option of “local”", at: current,
          expected: names)
      }
      advance()
    }
    let box = isAt(.openParenthesis) ? try parseBox() : nil
    let into = try parseInto()
    try endStatement(after: "“local”")
    return .local(detail, box, from: from, into: into)
  }
}
