// The statements `out`, `make` and `convert` in Overpass QL, and positions in plain argument lists.

import OSMModel

extension QLParser {
  private static let options = [
    "ids", "skel", "body", "tags", "meta", "count", "geom", "bb", "center", "noids", "asc", "qt",
  ]

  mutating func parseOut(from: Query.SetName) throws(Abandoned) -> Query.Statement {
    advance()
    var out = Query.Out(from: from)
    var hasVerbosity = false
    var hasGeometry = false
    while !isAt(.end), !isAt(.semicolon) {
      let token = current
      switch token.kind {
      case .word:
        let word = spelling(token)
        if let verbosity = Query.Out.Verbosity(rawValue: word) {
          if hasVerbosity { warnOverridden(out.verbosity.rawValue, word, token) }
          out.verbosity = verbosity
          hasVerbosity = true
        } else if let order = Query.Out.Order(rawValue: word) {
          out.order = order
        } else if let geometry = Query.Out.Geometry(rawValue: word) {
          if hasGeometry { warnOverridden(out.geometry.rawValue, word, token) }
          out.geometry = geometry
          hasGeometry = true
        } else if word == "noids" {
          out.omitsIDs = true
        } else if QLParser.keywords.contains(word) {
          // Rather a forgotten semicolon than a wrong option.
          try endStatement(after: "“out”")
          return .out(out)
        } else {
          report(
            .unknownOption, "“\(word)” is no option of “out”", at: token,
            expected: QLParser.options,
            suggestion: closest(to: word, among: QLParser.options))
        }
        advance()
      case .number:
        out.limit = parseOutLimit(token)
        advance()
      case .openParenthesis: out.boundingBox = try parseBox()
      default:
        reportUnexpected("an option of “out”", "“;”")
        throw Abandoned()
      }
    }
    try endStatement(after: "“out”")
    return .out(out)
  }

  private mutating func warnOverridden(_ first: String, _ second: String, _ token: QLToken) {
    guard first != second else { return }
    warn(.overridden, "“\(second)” replaces “\(first)” before it", at: token)
  }

  private mutating func parseOutLimit(_ token: QLToken) -> Int64? {
    let digits = spelling(token).prefix { $0 != "." && $0 != "e" }
    guard !token.isNegative, let limit = Int64(digits), limit <= Int64(UInt32.max) else {
      report(.invalidValue, "“\(spelling(token))” is no number of elements", at: token)
      return nil
    }
    if digits.utf8.count != Int(token.end - token.start) {
      warn(.inexactNumber, "the server reads “\(spelling(token))” as \(limit)", at: token)
    }
    return limit
  }

  // MARK: Positions

  /// `(south,west,north,east)`
  mutating func parseBox() throws(Abandoned) -> BoundingBox? {
    let opening = current
    advance()
    var values: [Double] = []
    for position in 0..<4 {
      if position > 0 { try expect(.comma, "“,”", after: "a number of the bounding box") }
      values.append(try parseDegrees())
    }
    try expect(.closeParenthesis, "“)”", after: "the bounding box")
    var box: BoundingBox?
    check(at: opening) { _ throws(QueryError) in
      box = try BoundingBox(south: values[0], west: values[1], north: values[2], east: values[3])
    }
    return box
  }

  mutating func parseDegrees() throws(Abandoned) -> Double {
    if isAt(.openBrace) {
      reportUnexpected("a number")
      throw Abandoned()
    }
    let (text, token) = try parseText("a number")
    return number(text, at: token)
  }

  /// A number for the server's `atof`, which takes anything else for 0.
  mutating func number(_ text: String, at token: QLToken) -> Double {
    if let value = decimal(text) { return value }
    warn(.inexactNumber, "“\(text)” is no number; the server takes it for 0", at: token)
    return 0
  }

  func coordinate(_ latitude: Double, _ longitude: Double) -> Coordinate? {
    Coordinate(longitude: longitude, latitude: latitude)
  }

  // MARK: Make and convert

  mutating func parseMake() throws(Abandoned) -> Query.Statement {
    advance()
    let type = try parseIdentifier("the type of the new element")
    let properties = try parseProperties(of: "make", .none)
    let into = try parseInto()
    try endStatement(after: "“make”")
    return .make(type: type, properties, into: into)
  }

  mutating func parseConvert(from: Query.SetName) throws(Abandoned) -> Query.Statement {
    advance()
    let type = try parseIdentifier("the type of the new elements")
    let properties = try parseProperties(of: "convert", .element)
    let into = try parseInto()
    try endStatement(after: "“convert”")
    return .convert(type: type, properties, from: from, into: into)
  }

  private mutating func parseProperties(
    of statement: String, _ context: EvaluatorContext
  ) throws(Abandoned) -> [Query.Property] {
    let first = current
    let tree = try parseTree()
    guard tree.top != 0 else { return [] }
    var properties: [Query.Property] = []
    var isWhole = true
    for node in tree.list(tree.top) {
      if let property = convertProperty(tree, node, of: statement, context) {
        properties.append(property)
      } else {
        isWhole = false
      }
    }
    if isWhole {
      check(at: first) { validator throws(QueryError) in
        try validator.checkKeys(of: properties, in: statement)
      }
    }
    return properties
  }

  private mutating func convertProperty(
    _ tree: ExpressionTree, _ index: Int, of statement: String, _ context: EvaluatorContext
  ) -> Query.Property? {
    let node = tree[index]
    if node.token.kind == .bang, node.left == 0, node.right != 0, tree.isLeaf(node.right) {
      return .omit(decode(tree[node.right].token))
    }
    guard node.token.kind == .assign, node.left != 0, node.right != 0 else {
      report(
        .unexpected, "a property of “\(statement)” is written key=value or !key", at: node.token)
      return nil
    }
    let target = tree[node.left]
    if target.token.kind == .doubleColon {
      return convertSpecialProperty(tree, node, target, of: statement, context)
    }
    guard tree.isLeaf(node.left) else {
      report(
        .unexpected,
        "a key with other signs than letters, digits and underscores needs quotation marks",
        at: target.token)
      return nil
    }
    let key = decode(target.token)
    guard
      let value = convert(tree, node.right, context, "the value of “\(key)”", [.string], depth: 0)
    else { return nil }
    return .tag(key, value)
  }

  private mutating func convertSpecialProperty(
    _ tree: ExpressionTree, _ node: ExpressionTree.Node, _ target: ExpressionTree.Node,
    of statement: String, _ context: EvaluatorContext
  ) -> Query.Property? {
    if target.right != 0 {
      let name = tree[target.right].token
      switch spelling(name) {
      case "id":
        return convert(tree, node.right, context, "the value of ::id", [.string], depth: 0)
          .map { .id($0) }
      case "geom":
        return convert(tree, node.right, context, "the value of ::geom", [.geometry], depth: 0)
          .map { .geometry($0) }
      case let other:
        report(
          .unknownOption, "“::\(other)” cannot be set; there are ::id and ::geom", at: name,
          expected: ["id", "geom"], suggestion: closest(to: other, among: ["id", "geom"]))
        return nil
      }
    }
    var from: Query.SetName?
    if target.left != 0 {
      from = Query.SetName(spelling(tree[target.left].token))
      let name = from ?? .default
      guard
        check(
          at: tree[target.left].token, { validator throws(QueryError) in try validator.check(name) }
        )
      else { return nil }
    } else if context == .none {
      report(
        .invalidEvaluator, "“\(statement)” needs the name of a set in front of “::=”",
        at: target.token)
      return nil
    }
    return convert(tree, node.right, context, "the value of ::", [.string], depth: 0)
      .map { .generic(from: from, $0) }
  }
}
