// Expressions of Overpass QL as trees of tokens, before they get a meaning.
//
// The server reads everything within round brackets of a filter, and the assignments of `make` and
// `convert`, with one table of precedences. Filters like `(around.a:50,1,2)` come out of it as well as
// arithmetic, so the same is done here. It has quirks: a unary minus binds like a binary one, so that
// `a*-b` is no expression, and operators of equal strength bind to the left, `?` among them.

/// A tree of tokens. Node 0 is the root; its right child is the expression.
struct ExpressionTree {
  struct Node {
    /// The token; for the operator that is cut off from a number like `-5`, its sign.
    var token: QLToken
    /// Children; 0 for none.
    var left = 0
    var right = 0
  }

  private(set) var nodes: [Node] = []

  /// The top of the expression; 0 if there is none.
  var top: Int { nodes[0].right }

  subscript(_ index: Int) -> Node { nodes[index] }

  func isLeaf(_ index: Int) -> Bool { nodes[index].left == 0 && nodes[index].right == 0 }

  /// The first token of a part, that is its leftmost leaf.
  func leftmost(_ index: Int) -> Int {
    var index = index
    while nodes[index].left != 0 { index = nodes[index].left }
    return index
  }

  /// Reads tokens up to a semicolon, an arrow, the end, or a closing bracket that was not opened here.
  ///
  /// - Parameters:
  ///   - tokens: all tokens of the text.
  ///   - position: where to begin; afterwards where reading stopped.
  ///   - report: called with a token that cannot stand where it stands.
  init(
    _ tokens: [QLToken], from position: inout Int,
    report: (_ problem: Problem, _ token: QLToken) -> Void
  ) {
    nodes.append(Node(token: QLToken(kind: .end, start: 0, end: 0)))
    var stack = [0]
    var brackets = 0
    reading: while true {
      let token = tokens[position]
      switch token.kind {
      case .end, .semicolon, .arrow: break reading
      case .openParenthesis, .openBracket, .openBrace:
        brackets += 1
        if brackets > Query.Limits.nesting {
          report(.tooDeep, token)
          break reading
        }
        push(token, &stack)
      case .closeParenthesis, .closeBracket, .closeBrace:
        while let last = stack.last, last != 0, !isOpening(nodes[last].token.kind) {
          stack.removeLast()
        }
        guard let opening = stack.last, opening != 0 else { break reading }
        if !matches(nodes[opening].token.kind, token.kind) { report(.wrongBracket, token) }
        stack.removeLast()
        brackets -= 1
      default:
        append(token, &stack, report)
      }
      position += 1
    }
    if let open = stack.last(where: { $0 != 0 && isOpening(nodes[$0].token.kind) }) {
      report(.notClosed, nodes[open].token)
    }
  }

  enum Problem {
    case tooDeep, wrongBracket, notClosed, operatorExpected
  }

  private mutating func push(_ token: QLToken, _ stack: inout [Int]) {
    guard let parent = stack.last else { return }
    nodes.append(Node(token: token, left: nodes[parent].right))
    nodes[parent].right = nodes.count - 1
    stack.append(nodes.count - 1)
  }

  private mutating func append(
    _ token: QLToken, _ stack: inout [Int], _ report: (Problem, QLToken) -> Void
  ) {
    guard let parent = stack.last else { return }
    // `a-5`: what looks like a negative number is a subtraction behind an operand.
    if token.kind == .number, token.isNegative, nodes[parent].right != 0 {
      var sign = token
      sign.kind = .minus
      sign.end = sign.start + 1
      var number = token
      number.start += 1
      number.isNegative = false
      appendOperator(sign, &stack)
      if let last = stack.last {
        nodes.append(Node(token: number))
        nodes[last].right = nodes.count - 1
      }
      return
    }
    if token.precedence > 0 { return appendOperator(token, &stack) }
    guard nodes[parent].right == 0 else { return report(.operatorExpected, token) }
    nodes.append(Node(token: token))
    nodes[parent].right = nodes.count - 1
  }

  private mutating func appendOperator(_ token: QLToken, _ stack: inout [Int]) {
    while stack.count > 1, let last = stack.last,
      nodes[last].token.precedence >= token.precedence
    {
      stack.removeLast()
    }
    push(token, &stack)
  }
}

private func isOpening(_ kind: QLToken.Kind) -> Bool {
  kind == .openParenthesis || kind == .openBracket || kind == .openBrace
}

private func matches(_ opening: QLToken.Kind, _ closing: QLToken.Kind) -> Bool {
  switch opening {
  case .openParenthesis: closing == .closeParenthesis
  case .openBracket: closing == .closeBracket
  default: closing == .closeBrace
  }
}
