// Validity of query statements, their filters and the small values in them.

import OSMModel

extension Validator {
  func check(_ query: Query.QueryStatement) throws(QueryError) {
    let limiting = query.filters.contains { !$0.isDroppedByServer }
    guard limiting || hasGlobalBoundingBox else {
      throw QueryError(
        .unrestricted,
        "“\(query.kind.rawValue)” without any filter, set or area would ask for the whole planet")
    }
    for filter in query.filters { try check(filter, on: query.kind) }
  }

  func check(_ filter: Query.Filter, on kind: Query.ElementKind) throws(QueryError) {
    switch filter {
    case .tag(let tag): try check(tag)
    case .boundingBox(let box): try check(box, of: "a filter")
    case .polygon(let positions):
      guard positions.count >= 3 else {
        throw QueryError(
          .invalidPolygon, "a polygon needs at least 3 positions; there are \(positions.count)")
      }
      for position in positions { try check(position, of: "a polygon") }
    case .ids(let numbers):
      guard !numbers.isEmpty else { throw QueryError(.emptyList, "a list of ids is empty") }
      if numbers.contains(0) { throw QueryError(.invalidNumber, "0 is no id of an element") }
      if kind == .derived {
        throw QueryError(.invalidNumber, "derived elements cannot be asked for by their ids")
      }
    case .around(let around):
      guard around.radiusMeters >= 0, around.radiusMeters.isFinite else {
        throw QueryError(
          .invalidDistance, "\(around.radiusMeters) m is no radius; it has to be 0 m or more")
      }
      switch around.center {
      case .set(let name): try check(name)
      case .line(let positions):
        guard !positions.isEmpty else {
          throw QueryError(.emptyList, "around has neither a set nor a position")
        }
        for position in positions { try check(position, of: "around") }
      }
    case .area(.set(let name)): try check(name)
    case .area(.id(let number)): try check(positive: number, of: "an area")
    case .pivot(let name), .set(let name), .related(_, let name): try check(name)
    case .recurse(let step): try check(step, on: kind)
    case .newer(let moment): try check(moment)
    case .changed(.between(let since, let until)):
      try check(since)
      try check(until)
    case .changed(.automatic), .changed(.initial): break
    case .users(let names, _):
      guard !names.isEmpty else { throw QueryError(.emptyList, "a list of users is empty") }
      for name in names {
        guard !name.isEmpty else { throw QueryError(.emptyList, "a user has an empty name") }
        try check(text: name, of: "a user name")
      }
    case .userIDs(let numbers, _):
      guard !numbers.isEmpty else { throw QueryError(.emptyList, "a list of users is empty") }
      for number in numbers {
        try check(positive: number, of: "a user")
        if number > Int64(UInt32.max) {
          throw QueryError(.invalidNumber, "\(number) is too large for the number of a user")
        }
      }
    case .evaluator(let evaluator):
      try check(evaluator, .element, "the condition of (if:)", .string)
    }
  }

  private func check(
    _ step: Query.RecurseFilter, on kind: Query.ElementKind
  ) throws(QueryError) {
    try check(step.from)
    guard step.applies(to: kind) else {
      throw QueryError(
        .invalidRecursion, "(\(step.kind.rawValue)) does not lead to “\(kind.rawValue)”")
    }
    guard step.allowsRestriction(on: kind) else {
      throw QueryError(
        .invalidRecursion,
        "(\(step.kind.rawValue)) on “\(kind.rawValue)” cannot be restricted in that way")
    }
    switch step.restriction {
    case nil: break
    case .role(let role): try check(text: role, of: "a role")
    case .positions(let positions):
      guard !positions.isEmpty else {
        throw QueryError(.emptyList, "a list of positions in a way is empty")
      }
      if positions.contains(0) {
        throw QueryError(.invalidNumber, "0 is no position in a way; they count from 1 or -1")
      }
    case .count(let least, let most):
      guard least >= 1 else {
        throw QueryError(.invalidNumber, "at least \(least) ways: it has to be 1 or more")
      }
      if let most, most < least {
        throw QueryError(.invalidNumber, "at least \(least) and at most \(most) contradict")
      }
    }
  }

  private func check(_ tag: Query.TagFilter) throws(QueryError) {
    switch tag {
    case .exists(let key): try check(key: key, of: "a tag filter")
    case .equals(let key, let value), .notEquals(let key, let value):
      try check(key: key, of: "a tag filter")
      try check(text: value, of: "the value for “\(key)”")
    case .matches(let key, let pattern), .notMatches(let key, let pattern):
      try check(key: key, of: "a tag filter")
      try check(pattern: pattern.text)
    case .keyMatches(let keyPattern, let pattern):
      try check(key: keyPattern, of: "a tag filter")
      try check(pattern: keyPattern)
      guard !pattern.text.isEmpty else {
        throw QueryError(.invalidRegex, "the pattern for the value is empty; “.*” matches anything")
      }
      try check(pattern: pattern.text)
    }
  }

  // MARK: Small values

  func check(pattern: String) throws(QueryError) {
    try check(text: pattern, of: "a regular expression")
    if let problem = regexProblem(in: pattern) {
      throw QueryError(.invalidRegex, "“\(pattern)” is no regular expression: \(problem)")
    }
  }

  func check(key: String, of what: String) throws(QueryError) {
    guard !key.isEmpty else { throw QueryError(.emptyKey, "\(what) has an empty key") }
    try check(text: key, of: what)
  }

  /// Refuses what neither language can carry: control characters other than tab and line feed.
  func check(text: String, of what: String) throws(QueryError) {
    for byte in text.utf8 where byte < 0x20 && byte != 0x0A && byte != 0x09 {
      throw QueryError(
        .invalidCharacter,
        "\(what) holds the control character \(byte), which a query cannot carry")
    }
  }

  func check(_ name: Query.SetName) throws(QueryError) {
    guard name.isValid else {
      throw QueryError(
        .invalidSetName,
        "“\(name.name)” is no name of a set; allowed are letters, digits and underscores")
    }
  }

  func check(_ box: BoundingBox, of what: String) throws(QueryError) {
    guard box.isValid else {
      throw QueryError(
        .invalidBoundingBox,
        "the bounding box of \(what) is out of range or has south above north")
    }
  }

  func check(_ position: Coordinate, of what: String) throws(QueryError) {
    guard position.isValid else {
      throw QueryError(.invalidPosition, "a position of \(what) is out of range")
    }
  }

  func check(_ moment: Query.Timestamp) throws(QueryError) {
    guard moment.isPrintable else {
      throw QueryError(.invalidTimestamp, "“\(moment)” is no moment that the server understands")
    }
  }

  func check(positive number: Int64, of what: String) throws(QueryError) {
    guard number > 0 else {
      throw QueryError(.invalidNumber, "\(number) is no number of \(what)")
    }
  }
}

extension Query.Filter {
  /// Whether the server silently takes the filter for no filter at all.
  var isDroppedByServer: Bool {
    switch self {
    case .tag(.equals(_, "")), .tag(.notEquals(_, "")): true
    default: false
    }
  }
}
