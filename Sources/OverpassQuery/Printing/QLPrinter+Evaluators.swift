// Evaluators in Overpass QL.
//
// The server reads expressions with a table of precedences and some quirks of its own: a minus sign
// binds like a binary one, `!` binds stronger than the dot behind the name of a set, and `::` reaches
// for what follows. Parentheses are printed wherever these would change the meaning.

extension QLPrinter {
  mutating func print(parenthesised evaluator: Query.Evaluator) {
    text.append("(")
    print(evaluator)
    text.append(")")
  }

  /// An evaluator behind a colon, which must not merge with it into `::`.
  mutating func printAfterColon(_ evaluator: Query.Evaluator) {
    let start = text.bytes.count
    print(evaluator)
    if text.bytes[start...].first == UInt8(ascii: ":") {
      text.bytes.insert(UInt8(ascii: " "), at: start)
    }
  }

  mutating func print(_ evaluator: Query.Evaluator) {
    switch evaluator {
    case .fixed(let value):
      if isPlainNumber(value) { text.append(value) } else { quote(value) }
    case .element(let function): call(function.rawValue)
    case .tag(let key):
      text.append("t[")
      print(key)
      text.append("]")
    case .generic: text.append("::")
    case .isTag(let key):
      text.append("is_tag(")
      quote(key)
      text.append(")")
    case .setKey(let name, let key):
      text.append(name.name)
      text.append(".")
      text.append(key)
    case .count(let name, let elements):
      print(set: name)
      call("count", elements.rawValue)
    case .countTags: call("count_tags")
    case .countMembers(let kind, let distinct):
      call(distinct ? "count_distinct_members" : "count_members", kind == .all ? "" : kind.rawValue)
    case .countByRole(let role, let kind, let distinct):
      text.append(distinct ? "count_distinct_by_role(" : "count_by_role(")
      quote(role)
      if kind != .all {
        text.append(",")
        text.append(kind.rawValue)
      }
      text.append(")")
    case .aggregate(let aggregator, let name, let argument):
      print(set: name)
      call(aggregator.rawValue, [argument])
    case .function(let function, let argument): call(function.rawValue, [argument])
    case .listFunction(let function, let first, let second):
      call(function.rawValue, [first, second])
    case .point(let latitude, let longitude): call("pt", [latitude, longitude])
    case .linestring(let points): call("lstr", points)
    case .polygon(let lines): call("poly", lines)
    case .perMember(let aggregator, let argument): call(aggregator.rawValue, [argument])
    case .member(let function): call(function.rawValue)
    case .not(let operand):
      text.append("!")
      print(operand, parenthesisedUnless: !operand.hasOperator && !operand.startsWithSet)
    case .negate(let operand):
      text.append("-")
      print(operand, parenthesisedUnless: !operand.hasOperator && !operand.isFixed)
    case .binary: printChain(evaluator)
    case .conditional(let condition, let then, let otherwise):
      print(condition, parenthesisedUnless: !condition.isConditional)
      text.append(isPretty ? " ? " : "?")
      print(then, parenthesisedUnless: !then.isConditional)
      text.append(isPretty ? " : " : ":")
      if otherwise.isConditional {
        print(parenthesised: otherwise)
      } else {
        printAfterColon(otherwise)
      }
    }
  }

  /// A chain of operators, which leans to the left and may be long: it is walked, not recursed into.
  private mutating func printChain(_ evaluator: Query.Evaluator) {
    var steps: [(sign: Query.Evaluator.Operator, right: Query.Evaluator)] = []
    var first = evaluator
    while case .binary(let sign, let left, let right) = first {
      steps.append((sign, right))
      first = left
    }
    /// Whether the chain up to this step is the operand of a stronger operator.
    func isParenthesised(_ index: Int) -> Bool {
      index > 0 && steps[index].sign.precedence < steps[index - 1].sign.precedence
    }
    for index in steps.indices where isParenthesised(index) { text.append("(") }
    print(first, parenthesisedUnless: !first.isWeak)
    for index in steps.indices.reversed() {
      let (sign, right) = steps[index]
      // `::-5` would ask for the property “-5”, `::- 5` subtracts.
      let needsBlank = sign == .minus && text.bytes.suffix(2).elementsEqual("::".utf8)
      if isPretty { text.append(" ") }
      text.append(sign.rawValue)
      if isPretty || needsBlank { text.append(" ") }
      print(right, parenthesisedUnless: right.isOperand(rightOf: sign))
      if isParenthesised(index) { text.append(")") }
    }
  }

  private mutating func print(_ evaluator: Query.Evaluator, parenthesisedUnless isBare: Bool) {
    if isBare { print(evaluator) } else { print(parenthesised: evaluator) }
  }

  private mutating func print(set name: Query.SetName) {
    guard name != .default else { return }
    text.append(name.name)
    text.append(".")
  }

  private mutating func call(_ name: String, _ argument: String = "") {
    text.append(name)
    text.append("(")
    text.append(argument)
    text.append(")")
  }

  private mutating func call(_ name: String, _ arguments: [Query.Evaluator]) {
    text.append(name)
    text.append("(")
    for (index, argument) in arguments.enumerated() {
      if index > 0 { text.append(isPretty ? ", " : ",") }
      print(argument)
    }
    text.append(")")
  }
}

extension Query.Evaluator {
  fileprivate var isConditional: Bool { if case .conditional = self { true } else { false } }
  fileprivate var isFixed: Bool { if case .fixed = self { true } else { false } }

  fileprivate var hasOperator: Bool {
    switch self {
    case .binary, .not, .negate, .conditional: true
    default: false
    }
  }

  /// Whether it is printed with the name of a set and a dot in front.
  fileprivate var startsWithSet: Bool {
    switch self {
    case .setKey: true
    case .count(let name, _), .aggregate(_, let name, _): name != .default
    default: false
    }
  }

  /// Whether every operator beside it would tear it apart.
  fileprivate var isWeak: Bool {
    switch self {
    case .negate, .conditional: true
    default: false
    }
  }

  fileprivate func isOperand(rightOf sign: Operator) -> Bool {
    if case .binary(let own, _, _) = self { return own.precedence > sign.precedence }
    return !isWeak
  }
}

/// Whether the server reads the text as a number without quotation marks, and keeps it as it is.
func isPlainNumber(_ text: String) -> Bool {
  var bytes = text.utf8[...]
  if bytes.first == UInt8(ascii: "-") { bytes.removeFirst() }
  let whole = bytes.prefix(while: isDigit)
  guard !whole.isEmpty, whole.count <= 15 else { return false }
  bytes = bytes.dropFirst(whole.count)
  guard bytes.first == UInt8(ascii: ".") else { return bytes.isEmpty }
  bytes.removeFirst()
  return !bytes.isEmpty && bytes.allSatisfy(isDigit)
}
