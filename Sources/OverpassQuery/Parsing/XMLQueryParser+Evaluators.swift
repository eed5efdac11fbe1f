// Evaluators of the XML form.

extension XMLQueryParser {
  func isEvaluator(_ element: XMLElement) -> Bool { element.name.hasPrefix("eval-") }

  /// - Returns: `nil` if something is wrong, which has been reported.
  mutating func convertEvaluator(
    _ index: Int, _ context: EvaluatorContext, _ place: String,
    _ types: [Query.Evaluator.ValueType]
  ) -> Query.Evaluator? {
    guard let evaluator = convertEvaluator(index, depth: 0) else { return nil }
    let isFine = check(element(index)) { validator throws(QueryError) in
      try validator.check(evaluator, context, place, types)
    }
    return isFine ? evaluator : nil
  }

  private mutating func convertEvaluator(_ index: Int, depth: Int) -> Query.Evaluator? {
    let element = element(index)
    guard depth < Query.Limits.nesting else {
      report(
        .tooDeep, "an expression is nested more than \(Query.Limits.nesting) levels deep",
        at: element.offset)
      return nil
    }
    checkText(element)
    if EvaluatorNames.operators[element.name] != nil { return convertChain(index, depth) }
    if let evaluator = EvaluatorNames.leaves[element.name] {
      allow([], in: element)
      checkEmpty(element)
      return evaluator
    }
    switch element.name {
    case "eval-fixed":
      allow(["v"], in: element)
      checkEmpty(element)
      return .fixed(value("v", of: element) ?? "")
    case "eval-is-tag":
      allow(["k"], in: element)
      checkEmpty(element)
      return .isTag(value("k", of: element) ?? "")
    case "eval-set-key":
      allow(["from", "key"], in: element)
      checkEmpty(element)
      return .setKey(setName("from", of: element), value("key", of: element) ?? "")
    case "eval-set-count":
      allow(["from", "type"], in: element)
      checkEmpty(element)
      let types = Query.Evaluator.CountedElements.allCases.map { ($0.rawValue, $0) }
      if value("type", of: element) == nil {
        report(
          .missingAttribute, "“\(element.name)” needs the attribute “type”", at: element.offset,
          length: element.name.utf8.count + 1, expected: ["type"])
      }
      return .count(
        setName("from", of: element), choice("type", of: element, types, default: .nodes))
    case "eval-prop-count": return convertPropertyCount(element)
    default: return convertFunction(element, depth)
    }
  }

  private mutating func convertFunction(
    _ element: XMLElement, _ depth: Int
  ) -> Query.Evaluator? {
    if let aggregator = EvaluatorNames.aggregators[element.name] {
      allow(["from"], in: element)
      let from = setName("from", of: element)
      return arguments(element, 1, depth).map { .aggregate(aggregator, from, $0[0]) }
    }
    allow([], in: element)
    if let function = EvaluatorNames.functions[element.name] {
      return arguments(element, 1, depth).map { .function(function, $0[0]) }
    }
    if let function = EvaluatorNames.listFunctions[element.name] {
      return arguments(element, 2, depth).map { .listFunction(function, $0[0], $0[1]) }
    }
    switch element.name {
    case "eval-value": return arguments(element, 1, depth).map { .tag($0[0]) }
    case "eval-point": return arguments(element, 2, depth).map { .point($0[0], $0[1]) }
    case "eval-linestring": return arguments(element, nil, depth).map { .linestring($0) }
    case "eval-polygon": return arguments(element, nil, depth).map { .polygon($0) }
    case "eval-per-member": return arguments(element, 1, depth).map { .perMember(.member, $0[0]) }
    case "eval-per-vertex": return arguments(element, 1, depth).map { .perMember(.vertex, $0[0]) }
    case "eval-not": return arguments(element, 1, depth).map { .not($0[0]) }
    case "eval-negate": return arguments(element, 1, depth).map { .negate($0[0]) }
    case "eval-ternary":
      return arguments(element, 3, depth).map { .conditional($0[0], then: $0[1], else: $0[2]) }
    default:
      report(
        isEvaluator(element) ? .unknownFunction : .unexpected,
        isEvaluator(element)
          ? "there is no evaluator “\(element.name)”"
          : "expected an evaluator, found “\(element.name)”", at: element.offset,
        length: element.name.utf8.count + 1, found: element.name,
        suggestion: closest(to: element.name, among: EvaluatorNames.all))
      return nil
    }
  }

  private mutating func arguments(
    _ element: XMLElement, _ count: Int?, _ depth: Int
  ) -> [Query.Evaluator]? {
    if let count, element.children.count != count {
      report(
        .invalidEvaluator,
        "“\(element.name)” takes \(count) operands, not \(element.children.count)",
        at: element.offset, length: element.name.utf8.count + 1)
      return nil
    }
    var result: [Query.Evaluator] = []
    for child in element.children {
      guard let argument = convertEvaluator(child, depth: depth + 1) else { return nil }
      result.append(argument)
    }
    return result
  }

  /// A chain of operators, which leans to the left and may be long: it is walked, not recursed into.
  private mutating func convertChain(_ index: Int, _ depth: Int) -> Query.Evaluator? {
    var steps: [(sign: Query.Evaluator.Operator, right: Int)] = []
    var first = index
    while let sign = EvaluatorNames.operators[element(first).name] {
      let element = element(first)
      allow([], in: element)
      guard element.children.count == 2 else {
        report(
          .invalidEvaluator, "“\(element.name)” takes 2 operands, not \(element.children.count)",
          at: element.offset, length: element.name.utf8.count + 1)
        return nil
      }
      guard steps.count < Query.Limits.operators else {
        report(
          .tooDeep, "an expression has more than \(Query.Limits.operators) operators in a row",
          at: element.offset)
        return nil
      }
      steps.append((sign, element.children[1]))
      first = element.children[0]
    }
    guard var result = convertEvaluator(first, depth: depth + 1) else { return nil }
    for step in steps.reversed() {
      guard let right = convertEvaluator(step.right, depth: depth + 1) else { return nil }
      result = .binary(step.sign, result, right)
    }
    return result
  }

  private mutating func convertPropertyCount(_ element: XMLElement) -> Query.Evaluator? {
    allow(["type", "role", "members_type"], in: element)
    checkEmpty(element)
    let kinds: [(String, Query.Evaluator.MemberKind)] = [
      ("all", .all), ("nodes", .nodes), ("ways", .ways), ("relations", .relations),
      ("rels", .relations),
    ]
    let kind = choice("members_type", of: element, kinds, default: .all)
    let role = value("role", of: element) ?? ""
    let types: [(String, Query.Evaluator?)] = [
      ("tags", .countTags), ("members", .countMembers(kind)),
      ("distinct_members", .countMembers(kind, distinct: true)),
      ("by_role", .countByRole(role, kind)),
      ("distinct_by_role", .countByRole(role, kind, distinct: true)),
    ]
    if value("type", of: element) == nil {
      report(
        .missingAttribute, "“\(element.name)” needs the attribute “type”", at: element.offset,
        length: element.name.utf8.count + 1, expected: types.map(\.0))
    }
    return choice("type", of: element, types, default: nil)
  }
}

/// The names of evaluators in the XML form, from the tables of the printer.
private enum EvaluatorNames {
  typealias Evaluator = Query.Evaluator

  static let operators = table(Evaluator.Operator.allCases) { $0.xmlName }
  static let aggregators = table(Evaluator.Aggregator.allCases) { $0.xmlName }
  static let functions = table(Evaluator.Function.allCases) { $0.xmlName }
  static let listFunctions = table(Evaluator.ListFunction.allCases) { $0.xmlName }
  /// Evaluators without attributes and operands.
  static let leaves: [String: Evaluator] = {
    var leaves: [String: Evaluator] = ["eval-generic": .generic]
    for function in Evaluator.ElementFunction.allCases {
      leaves[function.xmlName.description] = .element(function)
    }
    for function in Evaluator.MemberFunction.allCases {
      leaves[function.xmlName.description] = .member(function)
    }
    return leaves
  }()

  static let all: [String] =
    [
      "eval-fixed", "eval-is-tag", "eval-set-key", "eval-set-count", "eval-prop-count",
      "eval-value", "eval-point", "eval-linestring", "eval-polygon", "eval-per-member",
      "eval-per-vertex", "eval-not", "eval-negate", "eval-ternary",
    ] + operators.keys.sorted() + aggregators.keys.sorted() + functions.keys.sorted()
    + listFunctions.keys.sorted() + leaves.keys.sorted()

  private static func table<Value>(
    _ values: [Value], _ name: (Value) -> StaticString
  ) -> [String: Value] {
    var result: [String: Value] = [:]
    for value in values { result[name(value).description] = value }
    return result
  }
}
