// What has to hold for a query before it may be printed, so that the server never gets a wrong text.

import OSMModel

extension Query {
  /// Checks everything that the server would refuse to parse.
  ///
  /// The printers call this first. It says nothing about queries that are valid but unwise; that is
  /// the business of `check()`.
  ///
  /// - Throws: ``QueryError`` for the first fault.
  public func validate() throws(QueryError) {
    let validator = Validator(hasGlobalBoundingBox: settings.boundingBox != nil)
    try validator.check(settings)
    try validator.check(statements, depth: 0)
  }
}

struct Validator {
  var hasGlobalBoundingBox: Bool

  // MARK: Settings

  func check(_ settings: Query.Settings) throws(QueryError) {
    if let timeout = settings.timeoutSeconds, timeout <= 0 {
      throw QueryError(.invalidTimeout, "the timeout is \(timeout) s; it has to be at least 1 s")
    }
    if let maxsize = settings.maxsizeBytes, maxsize <= 0 {
      throw QueryError(
        .invalidMaxsize, "the memory limit is \(maxsize) bytes; it has to be at least 1")
    }
    if let box = settings.boundingBox { try check(box, of: "the settings") }
    switch settings.time {
    case nil: break
    case .date(let moment): try check(moment)
    case .diff(let from, let to), .adiff(let from, let to):
      try check(from)
      if let to { try check(to) }
      if case .csv = settings.output {
        throw QueryError(.invalidOutput, "CSV output cannot show a diff")
      }
    }
    switch settings.output {
    case .csv(let format):
      guard !format.columns.isEmpty else {
        throw QueryError(.invalidOutput, "CSV output needs at least one column")
      }
      for column in format.columns {
        switch column {
        case .tag(let key): try check(text: key, of: "a CSV column")
        case .special(let name): try check(text: name, of: "a CSV column")
        }
      }
      try check(text: format.separator, of: "the CSV separator")
    case .popup(let categories):
      for category in categories {
        try check(text: category.title, of: "a popup title")
        if let key = category.titleKey { try check(text: key, of: "a popup title key") }
        for conditions in category.alternatives {
          guard !conditions.isEmpty else {
            throw QueryError(.emptyList, "a popup category has an alternative without conditions")
          }
          for condition in conditions {
            try check(text: condition.key, of: "a popup condition")
            try check(text: condition.pattern, of: "a popup condition")
          }
        }
      }
    case nil, .xml, .json, .custom: break
    }
  }

  // MARK: Statements

  func check(_ statements: [Query.Statement], depth: Int) throws(QueryError) {
    for statement in statements { try check(statement, depth: depth) }
  }

  func check(_ statement: Query.Statement, depth: Int) throws(QueryError) {
    guard depth < Query.Limits.nesting else {
      throw QueryError(
        .tooDeep, "statements are nested more than \(Query.Limits.nesting) levels deep")
    }
    switch statement {
    case .query(let query):
      try check(query)
      try check(query.into)
    case .item(let from, let into), .recurse(_, let from, let into), .mapToArea(let from, let into):
      try check(from)
      try check(into)
    case .union(let members, let into):
      for member in members { try checkResult(of: member, in: "a union") }
      try check(members, depth: depth + 1)
      try check(into)
    case .difference(let left, let right, let into):
      try checkResult(of: left, in: "a difference")
      try checkResult(of: right, in: "a difference")
      try check([left, right], depth: depth + 1)
      try check(into)
    case .foreach(let from, let into, let body):
      try check(from)
      try check(into)
      try check(body, depth: depth + 1)
    case .for(let evaluator, let from, let into, let body):
      try check(evaluator, .element, "the evaluator of for", .string, .container)
      try check(from)
      try check(into)
      try check(body, depth: depth + 1)
    case .complete(let limit, let from, let into, let body):
      if let limit, !(1...1_048_576).contains(limit) {
        throw QueryError(
          .invalidLimit, "complete repeats \(limit) times; allowed are 1 to 1048576 times")
      }
      try check(from)
      try check(into)
      try check(body, depth: depth + 1)
    case .if(let condition, let then, let otherwise):
      try check(condition, .none, "the condition of if", .string)
      try check(then, depth: depth + 1)
      try check(otherwise, depth: depth + 1)
    case .retro(let moment, let body):
      try check(moment, .none, "the time of retro", .string)
      try check(body, depth: depth + 1)
    case .compare(let delta, let from, let into, let body):
      if let delta { try check(delta, .element, "the evaluator of compare", .string) }
      try check(from)
      try check(into)
      try check(body, depth: depth + 1)
    case .timeline(let element, let version, let into):
      guard element.type == .node || element.type == .way || element.type == .relation else {
        throw QueryError(
          .noElementType, "timeline is about a node, way or relation")
      }
      try check(positive: element.number, of: "the element of timeline")
      if let version { try check(positive: version, of: "the version in timeline") }
      try check(into)
    case .local(_, let box, let from, let into):
      if let box { try check(box, of: "local") }
      try check(from)
      try check(into)
    case .make(let type, let properties, let into):
      try check(properties, type: type, of: "make")
      try check(into)
    case .convert(let type, let properties, let from, let into):
      try check(properties, type: type, of: "convert")
      try check(from)
      try check(into)
    case .isIn(let position, let from, let into):
      if let position { try check(position, of: "is_in") }
      try check(from)
      try check(into)
    case .out(let out): try check(out)
    }
  }

  private func checkResult(of member: Query.Statement, in whole: String) throws(QueryError) {
    guard member.into == nil else { return }
    throw QueryError(
      .misplacedStatement, "“\(member.keyword)” has no result and cannot stand in \(whole)")
  }

  private func check(_ out: Query.Out) throws(QueryError) {
    if let limit = out.limit, limit < 0 || limit > Int64(UInt32.max) {
      throw QueryError(.invalidLimit, "out is limited to \(limit) elements")
    }
    if let box = out.boundingBox { try check(box, of: "out") }
    try check(out.from)
  }

  private func check(
    _ properties: [Query.Property], type: String, of statement: String
  ) throws(QueryError) {
    guard isIdentifier(type) else {
      throw QueryError(
        .invalidName, "“\(type)” cannot be the type of an element that \(statement) makes")
    }
    try checkKeys(of: properties, in: statement)
    let context: EvaluatorContext = statement == "convert" ? .element : .none
    for property in properties {
      switch property {
      case .tag(let key, let value): try check(value, context, "the value of “\(key)”", .string)
      case .omit: break
      case .id(let value): try check(value, context, "the value of ::id", .string)
      case .geometry(let value): try check(value, context, "the value of ::geom", .geometry)
      case .generic(let from, let value):
        if let from {
          try check(from)
        } else if statement == "make" {
          throw QueryError(
            .invalidEvaluator, "make needs the name of a set in front of “::=”")
        }
        try check(value, context, "the value of ::", .string)
      }
    }
  }

  /// No key is empty, and nothing is set twice.
  func checkKeys(of properties: [Query.Property], in statement: String) throws(QueryError) {
    var keys: Set<String> = []
    func note(_ key: String, _ name: String) throws(QueryError) {
      guard keys.insert(key).inserted else {
        throw QueryError(.duplicateProperty, "\(statement) sets \(name) twice")
      }
    }
    for property in properties {
      switch property {
      case .tag(let key, _), .omit(let key):
        try check(key: key, of: "a property of \(statement)")
        try note("=" + key, "“\(key)”")
      case .id: try note("id", "::id")
      case .geometry: try note("geom", "::geom")
      case .generic: try note("::", "all keys")
      }
    }
  }
}
