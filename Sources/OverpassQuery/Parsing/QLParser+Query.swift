// The query statement and its tag filters in Overpass QL.

import OSMModel

extension QLParser {
  mutating func parseQueryStatement() throws(Abandoned) -> Query.Statement {
    let typeToken = current
    let word = spelling(typeToken)
    let kind: Query.ElementKind
    if let known = Query.ElementKind(rawValue: word == "rel" ? "relation" : word) {
      kind = known
    } else {
      let similar = closest(to: word, among: QLParser.keywords)
      report(
        .unknownStatement, "“\(word)” is no statement and no type of elements", at: typeToken,
        expected: Query.ElementKind.allCases.map(\.rawValue), suggestion: similar)
      kind = .nwr
    }
    advance()
    var query = Query.QueryStatement(kind)
    while true {
      switch current.kind {
      case .openBracket: if let filter = try parseTagFilter() { query.filters.append(.tag(filter)) }
      case .openParenthesis: if let filter = try parseFilter(kind) { query.filters.append(filter) }
      case .dot: query.filters.append(.set(try parseFrom()))
      default:
        query.into = try parseInto()
        let restricted = hasGlobalBoundingBox || query.filters.contains { !$0.isDroppedByServer }
        // A filter that could not be read has been reported and may have been the restriction.
        if !restricted, collector.errorCount == 0 {
          report(
            .unrestricted,
            "“\(word)” without any filter, set or area would ask for the whole planet",
            at: typeToken)
        }
        try endStatement(after: "the query")
        return .query(query)
      }
    }
  }

  // MARK: Tags

  /// `["key"]`, `[!"key"]`, `["key"="value"]`, `[~"key"~"value",i]` and so on.
  private mutating func parseTagFilter() throws(Abandoned) -> Query.TagFilter? {
    let opening = current
    advance()
    let hasKeyPattern = isAt(.tilde)
    if hasKeyPattern { advance() }
    if isAt(.bang) {
      advance()
      let (key, keyToken) = try parseText("a key")
      try expect(.closeBracket, "“]”", after: "the key")
      if hasKeyPattern { reportKeyPattern(opening) }
      return checked(.absent(key), at: keyToken)
    }
    let (key, keyToken) = try parseText("a key")
    var isNegated = false
    if isAt(.bang) {
      isNegated = true
      let bang = current
      advance()
      if isAt(.assign) {
        // The server forgets the sign in this spelling.
        report(.unexpected, "“!=” must not have a blank in it", at: bang, suggestion: "!=")
        isNegated = false
      } else if isAt(.closeBracket) {
        warn(
          .ignored, "the server ignores “!” here and asks for the key; “[!key]” denies it", at: bang
        )
      }
    }
    switch current.kind {
    case .closeBracket:
      advance()
      if hasKeyPattern {
        reportKeyPattern(opening)
        return nil
      }
      return checked(.exists(key), at: keyToken)
    case .assign, .notEqual:
      let isEqual = isAt(.assign)
      advance()
      var value = ""
      if !isAt(.closeBracket) { value = try parseText("a value").value }
      try expect(.closeBracket, "“]”", after: "the value")
      if hasKeyPattern {
        reportKeyPattern(opening)
        return nil
      }
      return checked(isEqual ? .equals(key, value) : .notEquals(key, value), at: keyToken)
    case .tilde:
      advance()
      return try parsePattern(key, keyToken, opening, hasKeyPattern, isNegated)
    case .colon, .minus, .dot:
      report(
        .unexpected, "a key with \(quoted(current)) in it needs quotation marks", at: current,
        expected: ["“]”", "“=”", "“~”"])
      throw Abandoned()
    default:
      reportUnexpected("“]”", "“=”", "“!=”", "“~”", "“!~”", after: "the key")
      throw Abandoned()
    }
  }

  private mutating func reportKeyPattern(_ token: QLToken) {
    report(
      .unexpected, "a regular expression for the key needs one for the value: [~\"key\"~\"value\"]",
      at: token)
  }

  private mutating func parsePattern(
    _ key: String, _ keyToken: QLToken, _ opening: QLToken, _ hasKeyPattern: Bool, _ isNegated: Bool
  ) throws(Abandoned) -> Query.TagFilter? {
    let (text, token) = try parseText("a regular expression")
    var pattern = Query.Pattern(text)
    if isAt(.comma) {
      advance()
      guard isAt(word: "i") else {
        reportUnexpected("“i”", after: "“,”")
        throw Abandoned()
      }
      pattern.ignoresCase = true
      advance()
    }
    try expect(.closeBracket, "“]”", after: "the regular expression")
    if hasKeyPattern, isNegated {
      report(
        .unexpected, "a regular expression for the key cannot be combined with “!~”", at: opening)
      return nil
    }
    let filter: Query.TagFilter =
      hasKeyPattern
      ? .keyMatches(key, pattern)
      : isNegated ? .notMatches(key, pattern) : .matches(key, pattern)
    return checked(filter, at: hasKeyPattern ? keyToken : token)
  }

  private mutating func checked(_ filter: Query.TagFilter, at token: QLToken) -> Query.TagFilter? {
    let isFine = check(at: token) { validator throws(QueryError) in
      try validator.check(.tag(filter), on: .node)
    }
    return isFine ? filter : nil
  }
}
