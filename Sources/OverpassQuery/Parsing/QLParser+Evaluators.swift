// Evaluators of Overpass QL, read from expression trees.

extension QLParser {
  /// Reads an expression up to what cannot belong to it.
  mutating func parseTree() throws(Abandoned) -> ExpressionTree {
    if let macro = indexOfMacro() {
      index = macro
      reportUnexpected("an expression")
      throw Abandoned()
    }
    var problems: [(ExpressionTree.Problem, QLToken)] = []
    var position = index
    let tree = ExpressionTree(tokens, from: &position) { problems.append(($0, $1)) }
    for (problem, token) in problems {
      switch problem {
      case .tooDeep:
        report(
          .tooDeep, "an expression is nested more than \(Query.Limits.nesting) levels deep",
          at: token)
        index = tokens.count - 1
        throw Abandoned()
      case .wrongBracket: report(.unexpected, "\(quoted(token)) closes another bracket", at: token)
      case .notClosed: report(.unexpected, "\(quoted(token)) is not closed", at: token)
      case .operatorExpected:
        report(.unexpected, "expected an operator, found \(quoted(token))", at: token)
      }
    }
    index = position
    if !problems.isEmpty {
      // What comes of the tree would be guesswork.
      if isAt(.closeParenthesis) || isAt(.closeBracket) { advance() }
      throw Abandoned()
    }
    return tree
  }

  /// Where a macro like `{{bbox}}` stands in the expression at hand.
  private func indexOfMacro() -> Int? {
    var depth = 0
    for position in index..<tokens.count {
      switch tokens[position].kind {
      case .semicolon, .end: return nil
      case .openBrace where tokens[min(position + 1, tokens.count - 1)].kind == .openBrace:
        return position
      case .openParenthesis, .openBracket, .openBrace: depth += 1
      case .closeParenthesis, .closeBracket, .closeBrace:
        depth -= 1
        if depth < 0 { return nil }
      default: break
      }
    }
    return nil
  }

  /// Reads an evaluator.
  ///
  /// - Parameters:
  ///   - context: what the evaluator can refer to.
  ///   - place: what it is, for messages.
  ///   - types: what it can be.
  mutating func parseEvaluator(
    _ context: EvaluatorContext, _ place: String, _ types: [Query.Evaluator.ValueType]
  ) throws(Abandoned) -> Query.Evaluator {
    let first = current
    let tree = try parseTree()
    guard tree.top != 0 else {
      report(.unexpected, "expected an expression, found \(quoted(first))", at: first)
      throw Abandoned()
    }
    // Something in the place of a wrong expression lets the rest of the statement be read.
    return convert(tree, tree.top, context, place, types, depth: 0) ?? .fixed("")
  }

  /// - Returns: `nil` if something is wrong, which has been reported.
  mutating func convert(
    _ tree: ExpressionTree, _ index: Int, _ context: EvaluatorContext, _ place: String,
    _ types: [Query.Evaluator.ValueType], depth: Int
  ) -> Query.Evaluator? {
    guard let evaluator = convert(tree, index, context, depth: depth) else { return nil }
    guard types.contains(evaluator.valueType) else {
      let found =
        switch evaluator.valueType {
        case .string: "text"
        case .container: "a list"
        case .geometry: "a geometry"
        }
      report(
        .invalidEvaluator, "\(place) is \(found), which does not fit there", at: tree[index].token)
      return nil
    }
    return evaluator
  }

  private mutating func convert(
    _ tree: ExpressionTree, _ index: Int, _ context: EvaluatorContext, depth: Int
  ) -> Query.Evaluator? {
    guard depth < Query.Limits.nesting else {
      report(
        .tooDeep, "an expression is nested more than \(Query.Limits.nesting) levels deep",
        at: tree[index].token)
      return nil
    }
    let index = tree.unwrapped(index)
    let node = tree[index]
    switch node.token.kind {
    case .openParenthesis: return convertCall(tree, index, nil, context, depth)
    case .dot: return convertDot(tree, index, context, depth)
    case .openBracket: return convertTag(tree, index, context, depth)
    case .question: return convertConditional(tree, index, context, depth)
    case .doubleColon where tree.isLeaf(index): return .generic
    case .bang where node.left == 0 && node.right != 0:
      return convert(tree, node.right, context, "the operand of “!”", [.string], depth: depth + 1)
        .map { .not($0) }
    case .minus where node.left == 0 && node.right != 0:
      return convert(tree, node.right, context, "the operand of “-”", [.string], depth: depth + 1)
        .map { .negate($0) }
    case .string: return .fixed(decode(node.token))
    case .number: return convertNumber(node.token)
    case .word where tree.isLeaf(index): return convertWord(node.token)
    default: return convertChain(tree, index, context, depth)
    }
  }

  private mutating func convertNumber(_ token: QLToken) -> Query.Evaluator? {
    let text = spelling(token)
    guard decimal(text) != nil else {
      report(.unexpected, "“\(text)” is no number", at: token)
      return nil
    }
    return .fixed(text)
  }

  private mutating func convertWord(_ token: QLToken) -> Query.Evaluator? {
    let word = spelling(token)
    // The C library reads these as numbers.
    if ["inf", "infinity", "nan"].contains(word.lowercased()) { return .fixed(word) }
    report(
      .unexpected, "“\(word)” needs quotation marks if it is a text, or t[\"\(word)\"] for a tag",
      at: token, suggestion: "t[\"\(word)\"]")
    return nil
  }

  /// A chain of operators, which leans to the left and may be long: it is walked, not recursed into.
  private mutating func convertChain(
    _ tree: ExpressionTree, _ index: Int, _ context: EvaluatorContext, _ depth: Int
  ) -> Query.Evaluator? {
    var steps: [(sign: Query.Evaluator.Operator, node: ExpressionTree.Node)] = []
    var first = index
    while let sign = binaryOperator(tree[first]) {
      steps.append((sign, tree[first]))
      first = tree.unwrapped(tree[first].left)
    }
    guard let innermost = steps.last else { return notAnOperator(tree, index) }
    guard steps.count <= Query.Limits.operators else {
      report(
        .tooDeep, "an expression has more than \(Query.Limits.operators) operators in a row",
        at: tree[index].token)
      return nil
    }
    var result = convert(
      tree, first, context, "the left side of “\(innermost.sign.rawValue)”", [.string],
      depth: depth + 1)
    for (sign, node) in steps.reversed() {
      let right = convert(
        tree, node.right, context, "the right side of “\(sign.rawValue)”", [.string],
        depth: depth + 1)
      if let left = result, let right { result = .binary(sign, left, right) } else { result = nil }
    }
    return result
  }

  private func binaryOperator(_ node: ExpressionTree.Node) -> Query.Evaluator.Operator? {
    guard node.left != 0, node.right != 0 else { return nil }
    return switch node.token.kind {
    case .or: .or
    case .and: .and
    case .equal: .equal
    case .notEqual: .notEqual
    case .less: .less
    case .lessEqual: .lessEqual
    case .greater: .greater
    case .greaterEqual: .greaterEqual
    case .plus: .plus
    case .minus: .minus
    case .times: .times
    case .slash: .divided
    default: nil
    }
  }

  private mutating func notAnOperator(_ tree: ExpressionTree, _ index: Int) -> Query.Evaluator? {
    let node = tree[index]
    let sign = quoted(node.token)
    let message =
      if node.token.kind == .assign {
        "“=” sets a property; “==” compares"
      } else if node.token.precedence == 0 {
        "\(sign) is no expression"
      } else if node.left == 0, node.right == 0 {
        "\(sign) needs operands"
      } else if node.left == 0 {
        "\(sign) needs an operand on its left"
      } else if node.right == 0 {
        "\(sign) needs an operand on its right"
      } else {
        "\(sign) is no operator of an expression"
      }
    report(
      .unexpected, message, at: node.token, suggestion: node.token.kind == .assign ? "==" : nil)
    return nil
  }

  private mutating func convertConditional(
    _ tree: ExpressionTree, _ index: Int, _ context: EvaluatorContext, _ depth: Int
  ) -> Query.Evaluator? {
    let node = tree[index]
    let branches = tree[node.right]
    guard node.left != 0, node.right != 0, branches.token.kind == .colon, branches.left != 0,
      branches.right != 0
    else {
      report(.unexpected, "“?” is written condition ? value : value", at: node.token)
      return nil
    }
    let condition = convert(
      tree, node.left, context, "the condition of “?”", [.string], depth: depth + 1)
    let then = convert(tree, branches.left, context, depth: depth + 1)
    guard let condition, let then else { return nil }
    let otherwise = convert(
      tree, branches.right, context, "the last operand of “?” beside the one before",
      [then.valueType], depth: depth + 1)
    guard let otherwise else { return nil }
    return .conditional(condition, then: then, else: otherwise)
  }

  /// `t["key"]`
  private mutating func convertTag(
    _ tree: ExpressionTree, _ index: Int, _ context: EvaluatorContext, _ depth: Int
  ) -> Query.Evaluator? {
    let node = tree[index]
    guard node.left != 0, tree.isLeaf(node.left), spelling(tree[node.left].token) == "t" else {
      report(.unexpected, "the value of a tag is written t[\"key\"]", at: node.token)
      return nil
    }
    guard node.right != 0 else {
      report(.unexpected, "t[] needs a key", at: node.token)
      return nil
    }
    guard requireElement(context, "t[]", node.token) else { return nil }
    return convert(tree, node.right, context, "the key in t[]", [.string], depth: depth + 1)
      .map { .tag($0) }
  }

  /// `set.function(…)` or `set.key`
  private mutating func convertDot(
    _ tree: ExpressionTree, _ index: Int, _ context: EvaluatorContext, _ depth: Int
  ) -> Query.Evaluator? {
    let node = tree[index]
    guard node.left != 0, node.right != 0, tree.isLeaf(node.left),
      tree[node.left].token.kind == .word
    else {
      report(.unexpected, "“.” stands behind the name of a set", at: node.token)
      return nil
    }
    let name = Query.SetName(spelling(tree[node.left].token))
    if tree[node.right].token.kind == .openParenthesis {
      return convertCall(tree, node.right, name, context, depth)
    }
    guard tree.isLeaf(node.right), tree[node.right].token.kind == .word else {
      report(
        .unexpected, "expected a function or property of the set “\(name)”",
        at: tree[node.right].token)
      return nil
    }
    return .setKey(name, spelling(tree[node.right].token))
  }

  mutating func requireElement(
    _ context: EvaluatorContext, _ name: String, _ token: QLToken
  ) -> Bool {
    guard context == .none else { return true }
    report(
      .invalidEvaluator,
      "“\(name)” needs an element, and there is none at hand; a set has count(), sum() and others",
      at: token)
    return false
  }
}

extension ExpressionTree {
  /// The inner of any number of round brackets that only group.
  func unwrapped(_ index: Int) -> Int {
    var index = index
    while nodes[index].token.kind == .openParenthesis, nodes[index].left == 0,
      nodes[index].right != 0
    {
      index = nodes[index].right
    }
    return index
  }

  /// The parts between commas, from left to right.
  func list(_ index: Int) -> [Int] {
    var result: [Int] = []
    var index = index
    while nodes[index].token.kind == .comma {
      result.append(nodes[index].right)
      index = nodes[index].left
    }
    result.append(index)
    result.reverse()
    return result
  }
}
