// Validity of evaluators: types, contexts and depth.

/// Where an evaluator stands, which decides what it can refer to.
enum EvaluatorContext: Int {
  /// No element at hand: conditions of `if`, values of `make`.
  case none
  /// An element at hand: filters, values of `convert`, arguments of aggregators.
  case element
  /// A member of an element at hand.
  case member
}

extension Validator {
  func check(
    _ evaluator: Query.Evaluator, _ context: EvaluatorContext, _ place: String,
    _ types: Query.Evaluator.ValueType...
  ) throws(QueryError) {
    try check(evaluator, context, place, types)
  }

  func check(
    _ evaluator: Query.Evaluator, _ context: EvaluatorContext, _ place: String,
    _ types: [Query.Evaluator.ValueType]
  ) throws(QueryError) {
    guard types.contains(evaluator.valueType) else { throw mismatch(evaluator, place) }
    try check(evaluator, context, depth: 0)
  }

  private func mismatch(_ evaluator: Query.Evaluator, _ place: String) -> QueryError {
    let found =
      switch evaluator.valueType {
      case .string: "text"
      case .container: "a list"
      case .geometry: "a geometry"
      }
    return QueryError(.invalidEvaluator, "\(place) is \(found), which does not fit there")
  }

  private func require(
    _ evaluator: Query.Evaluator, _ type: Query.Evaluator.ValueType, _ place: String,
    _ context: EvaluatorContext, _ depth: Int
  ) throws(QueryError) {
    guard evaluator.valueType == type else { throw mismatch(evaluator, place) }
    try check(evaluator, context, depth: depth + 1)
  }

  private func requireElement(_ context: EvaluatorContext, _ name: String) throws(QueryError) {
    guard context != .none else {
      throw QueryError(.invalidEvaluator, "“\(name)” needs an element, and there is none at hand")
    }
  }

  private func check(
    _ evaluator: Query.Evaluator, _ context: EvaluatorContext, depth: Int
  ) throws(QueryError) {
    guard depth < Query.Limits.nesting else {
      throw QueryError(
        .tooDeep, "an expression is nested more than \(Query.Limits.nesting) levels deep")
    }
    var evaluator = evaluator
    var operators = 0
    // Chains of operators lean to the left; they are walked, not recursed into.
    while case .binary(let sign, let left, let right) = evaluator {
      operators += 1
      guard operators <= Query.Limits.operators else {
        throw QueryError(
          .tooDeep, "an expression has more than \(Query.Limits.operators) operators in a row")
      }
      try require(right, .string, "the right side of “\(sign.rawValue)”", context, depth)
      guard left.valueType == .string else {
        throw mismatch(left, "the left side of “\(sign.rawValue)”")
      }
      evaluator = left
    }
    switch evaluator {
    case .binary, .generic: break
    case .fixed(let text): try check(text: text, of: "a text in an expression")
    case .element(let function): try requireElement(context, function.rawValue + "()")
    case .tag(let key):
      try requireElement(context, "t[]")
      try require(key, .string, "the key in t[]", context, depth)
    case .isTag(let key):
      try requireElement(context, "is_tag()")
      try check(text: key, of: "is_tag()")
    case .setKey(let name, let key):
      try check(name)
      guard isIdentifier(key) else {
        throw QueryError(.invalidName, "“\(key)” is no property of a set")
      }
    case .count(let name, _): try check(name)
    case .countTags: try requireElement(context, "count_tags()")
    case .countMembers: try requireElement(context, "count_members()")
    case .countByRole(let role, _, _):
      try requireElement(context, "count_by_role()")
      try check(text: role, of: "count_by_role()")
    case .aggregate(let aggregator, let name, let argument):
      try check(name)
      let type: Query.Evaluator.ValueType = aggregator == .gcat ? .geometry : .string
      try require(
        argument, type, "the argument of \(aggregator.rawValue)()", .element, depth)
    case .function(let function, let argument):
      let type: Query.Evaluator.ValueType = function.isGeometric ? .geometry : .string
      try require(argument, type, "the argument of \(function.rawValue)()", context, depth)
    case .listFunction(let function, let first, let second):
      try require(first, .string, "an argument of \(function.rawValue)()", context, depth)
      try require(second, .string, "an argument of \(function.rawValue)()", context, depth)
    case .point(let latitude, let longitude):
      try require(latitude, .string, "an argument of pt()", context, depth)
      try require(longitude, .string, "an argument of pt()", context, depth)
    case .linestring(let points):
      guard !points.isEmpty else { throw QueryError(.emptyList, "lstr() has no arguments") }
      for point in points { try require(point, .geometry, "an argument of lstr()", context, depth) }
    case .polygon(let lines):
      guard !lines.isEmpty else { throw QueryError(.emptyList, "poly() has no arguments") }
      for line in lines { try require(line, .geometry, "an argument of poly()", context, depth) }
    case .perMember(let aggregator, let argument):
      try requireElement(context, aggregator.rawValue + "()")
      try require(
        argument, .string, "the argument of \(aggregator.rawValue)()", .member, depth)
    case .member(let function):
      guard context == .member else {
        throw QueryError(
          .invalidEvaluator, "“\(function.rawValue)()” needs a member; it belongs in per_member()")
      }
    case .not(let operand): try require(operand, .string, "the operand of “!”", context, depth)
    case .negate(let operand): try require(operand, .string, "the operand of “-”", context, depth)
    case .conditional(let condition, let then, let otherwise):
      try require(condition, .string, "the condition of “?”", context, depth)
      try require(then, then.valueType, "", context, depth)
      try require(
        otherwise, then.valueType, "the last operand of “?” beside the one before", context, depth)
    }
  }
}
