// The functions of evaluators in Overpass QL.

extension QLParser {
  /// All names of functions, for suggestions.
  private static let functionNames: [String] = {
    var names = ["is_tag", "count", "count_tags", "count_members", "count_distinct_members"]
    names += ["count_by_role", "count_distinct_by_role", "pt", "lstr", "poly"]
    names += Query.Evaluator.ElementFunction.allCases.map(\.rawValue)
    names += Query.Evaluator.Aggregator.allCases.map(\.rawValue)
    names += Query.Evaluator.Function.allCases.map(\.rawValue)
    names += Query.Evaluator.ListFunction.allCases.map(\.rawValue)
    names += Query.Evaluator.MemberAggregator.allCases.map(\.rawValue)
    names += Query.Evaluator.MemberFunction.allCases.map(\.rawValue)
    return names
  }()

  /// A function call as it stands in the tree.
  private struct Call {
    var name: String
    var token: QLToken
    /// The set in front of the function.
    var from: Query.SetName?
    var arguments: [Int]
    var context: EvaluatorContext
    var depth: Int
  }

  mutating func convertCall(
    _ tree: ExpressionTree, _ index: Int, _ from: Query.SetName?, _ context: EvaluatorContext,
    _ depth: Int
  ) -> Query.Evaluator? {
    let node = tree[index]
    guard node.left != 0 else {
      report(.unexpected, "there is nothing between the brackets", at: node.token)
      return nil
    }
    let nameToken = tree[node.left].token
    guard tree.isLeaf(node.left), nameToken.kind == .word else {
      report(.unexpected, "\(quoted(nameToken)) is no function", at: nameToken)
      return nil
    }
    let call = Call(
      name: spelling(nameToken), token: nameToken, from: from,
      arguments: node.right == 0 ? [] : tree.list(node.right), context: context, depth: depth)
    if call.arguments.contains(0) {
      report(.unexpected, "an argument of \(call.name)() is missing", at: nameToken)
      return nil
    }
    if let aggregator = Query.Evaluator.Aggregator(rawValue: call.name) {
      let types: [Query.Evaluator.ValueType] = aggregator == .gcat ? [.geometry] : [.string]
      return argument(tree, call, .element, types)
        .map { .aggregate(aggregator, from ?? .default, $0) }
    }
    if call.name == "count" {
      return word(tree, call, Query.Evaluator.CountedElements.self)
        .map { .count(from ?? .default, $0) }
    }
    guard from == nil else {
      let isKnown = QLParser.functionNames.contains(call.name)
      report(
        isKnown ? .invalidEvaluator : .unknownFunction,
        isKnown
          ? "\(call.name)() takes no set in front of it" : "there is no function “\(call.name)”",
        at: nameToken,
        suggestion: isKnown ? nil : closest(to: call.name, among: QLParser.functionNames)
      )
      return nil
    }
    return convertElementFunction(tree, call)
  }

  private mutating func convertElementFunction(
    _ tree: ExpressionTree, _ call: Call
  ) -> Query.Evaluator? {
    if let function = Query.Evaluator.ElementFunction(rawValue: call.name) {
      return noArguments(tree, call) && requireElement(call.context, call.name + "()", call.token)
        ? .element(function) : nil
    }
    if let function = Query.Evaluator.MemberFunction(rawValue: call.name) {
      guard noArguments(tree, call) else { return nil }
      guard call.context == .member else {
        report(
          .invalidEvaluator, "\(call.name)() needs a member; it belongs in per_member()",
          at: call.token)
        return nil
      }
      return .member(function)
    }
    switch call.name {
    case "is_tag":
      guard requireElement(call.context, "is_tag()", call.token) else { return nil }
      return literal(tree, call).map { .isTag($0) }
    case "count_tags":
      return noArguments(tree, call) && requireElement(call.context, "count_tags()", call.token)
        ? .countTags : nil
    case "count_members", "count_distinct_members":
      guard requireElement(call.context, call.name + "()", call.token) else { return nil }
      let distinct = call.name == "count_distinct_members"
      if call.arguments.isEmpty { return .countMembers(distinct: distinct) }
      return memberKind(tree, call, at: 0, of: 1).map { .countMembers($0, distinct: distinct) }
    case "count_by_role", "count_distinct_by_role":
      guard requireElement(call.context, call.name + "()", call.token) else { return nil }
      let distinct = call.name == "count_distinct_by_role"
      guard let role = literal(tree, call, atMost: 2) else { return nil }
      if call.arguments.count == 1 { return .countByRole(role, distinct: distinct) }
      return memberKind(tree, call, at: 1, of: 2)
        .map { .countByRole(role, $0, distinct: distinct) }
    default: return convertFunction(tree, call)
    }
  }

  private mutating func convertFunction(
    _ tree: ExpressionTree, _ call: Call
  ) -> Query.Evaluator? {
    if let function = Query.Evaluator.Function(rawValue: call.name) {
      return argument(tree, call, call.context, function.isGeometric ? [.geometry] : [.string])
        .map { .function(function, $0) }
    }
    if let aggregator = Query.Evaluator.MemberAggregator(rawValue: call.name) {
      guard requireElement(call.context, call.name + "()", call.token) else { return nil }
      return argument(tree, call, .member, [.string]).map { .perMember(aggregator, $0) }
    }
    if let function = Query.Evaluator.ListFunction(rawValue: call.name) {
      return pair(tree, call).map { .listFunction(function, $0, $1) }
    }
    switch call.name {
    case "pt": return pair(tree, call).map { .point($0, $1) }
    case "lstr": return geometries(tree, call).map { .linestring($0) }
    case "poly": return geometries(tree, call).map { .polygon($0) }
    default:
      report(
        .unknownFunction, "there is no function “\(call.name)”", at: call.token,
        suggestion: closest(to: call.name, among: QLParser.functionNames))
      return nil
    }
  }

  // MARK: Arguments

  private mutating func reportCount(_ call: Call, _ expected: String) {
    report(
      .invalidEvaluator, "\(call.name)() takes \(expected), not \(call.arguments.count)",
      at: call.token)
  }

  private mutating func noArguments(_ tree: ExpressionTree, _ call: Call) -> Bool {
    if call.arguments.isEmpty { return true }
    reportCount(call, "no arguments")
    return false
  }

  private mutating func argument(
    _ tree: ExpressionTree, _ call: Call, _ context: EvaluatorContext,
    _ types: [Query.Evaluator.ValueType]
  ) -> Query.Evaluator? {
    guard call.arguments.count == 1, let index = call.arguments.first else {
      reportCount(call, "one argument")
      return nil
    }
    return convert(
      tree, index, context, "the argument of \(call.name)()", types, depth: call.depth + 1)
  }

  private mutating func pair(
    _ tree: ExpressionTree, _ call: Call
  ) -> (Query.Evaluator, Query.Evaluator)? {
    guard call.arguments.count == 2 else {
      reportCount(call, "two arguments")
      return nil
    }
    let place = "an argument of \(call.name)()"
    let first = convert(
      tree, call.arguments[0], call.context, place, [.string], depth: call.depth + 1)
    let second = convert(
      tree, call.arguments[1], call.context, place, [.string], depth: call.depth + 1)
    guard let first, let second else { return nil }
    return (first, second)
  }

  private mutating func geometries(
    _ tree: ExpressionTree, _ call: Call
  ) -> [Query.Evaluator]? {
    guard !call.arguments.isEmpty else {
      reportCount(call, "at least one argument")
      return nil
    }
    var result: [Query.Evaluator] = []
    for index in call.arguments {
      guard
        let value = convert(
          tree, index, call.context, "an argument of \(call.name)()", [.geometry],
          depth: call.depth + 1)
      else { return nil }
      result.append(value)
    }
    return result
  }

  /// An argument that has to be written out.
  private mutating func literal(
    _ tree: ExpressionTree, _ call: Call, atMost limit: Int = 1
  ) -> String? {
    guard let index = call.arguments.first, call.arguments.count <= limit else {
      reportCount(call, limit == 1 ? "one argument" : "one or two arguments")
      return nil
    }
    guard tree.isLeaf(index) else {
      report(
        .invalidEvaluator, "\(call.name)() takes a text, not an expression", at: tree[index].token)
      return nil
    }
    return decode(tree[index].token)
  }

  private mutating func word<Word: RawRepresentable & CaseIterable>(
    _ tree: ExpressionTree, _ call: Call, _ type: Word.Type
  ) -> Word? where Word.RawValue == String {
    let names = Word.allCases.map(\.rawValue)
    guard call.arguments.count == 1, let index = call.arguments.first else {
      reportCount(call, "one argument")
      return nil
    }
    let token = tree[index].token
    guard tree.isLeaf(index), let value = Word(rawValue: spelling(token)) else {
      report(
        .unknownOption,
        "\(call.name)() counts \(names.joined(separator: ", ")), not \(quoted(token))",
        at: token, expected: names, suggestion: closest(to: spelling(token), among: names))
      return nil
    }
    return value
  }

  private mutating func memberKind(
    _ tree: ExpressionTree, _ call: Call, at position: Int, of count: Int
  ) -> Query.Evaluator.MemberKind? {
    guard call.arguments.count == count else {
      reportCount(call, count == 1 ? "at most one argument" : "one or two arguments")
      return nil
    }
    let token = tree[call.arguments[position]].token
    switch tree.isLeaf(call.arguments[position]) ? spelling(token) : "" {
    case "nodes": return .nodes
    case "ways": return .ways
    case "relations", "rels": return .relations
    default:
      report(
        .unknownOption, "\(call.name)() counts nodes, ways or relations, not \(quoted(token))",
        at: token, expected: ["nodes", "ways", "relations"])
      return nil
    }
  }
}
