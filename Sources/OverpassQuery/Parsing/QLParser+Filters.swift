// The filters in round brackets of Overpass QL, read from expression trees.

import OSMModel

extension QLParser {
  static let filterNames = [
    "around", "area", "poly", "id", "user", "uid", "user_touched", "uid_touched", "newer",
    "changed",
    "pivot", "if", "w", "r", "bn", "bw", "br", "way_cnt", "way_link",
  ]

  /// Reads `(…)` behind a type.
  ///
  /// - Returns: `nil` if the filter is wrong, which has been reported.
  mutating func parseFilter(_ kind: Query.ElementKind) throws(Abandoned) -> Query.Filter? {
    advance()
    if isAt(word: "if"), peek().kind == .colon {
      advance()
      advance()
      let evaluator = try parseEvaluator(.element, "the condition of (if:)", [.string])
      try expect(.closeParenthesis, "“)”", after: "the condition")
      return .evaluator(evaluator)
    }
    let first = current
    let tree = try parseTree()
    try expect(.closeParenthesis, "“)”", after: "the filter")
    guard tree.top != 0 else {
      report(.unexpected, "a filter is empty", at: first)
      return nil
    }
    guard let filter = convertFilter(tree, kind) else { return nil }
    let isFine = check(at: first) { validator throws(QueryError) in
      try validator.check(filter, on: kind)
    }
    return isFine ? filter : nil
  }

  private mutating func convertFilter(
    _ tree: ExpressionTree, _ kind: Query.ElementKind
  ) -> Query.Filter? {
    let top = tree[tree.top]
    let word = tree[tree.leftmost(tree.top)].token
    if word.kind == .number {
      if top.token.kind == .comma { return convertBox(tree) }
      return tree.isLeaf(tree.top) ? convertIDs([tree.top], tree) : wrong(word, "an id or a box")
    }
    guard word.kind == .word else {
      if let recursion = recursion(of: word) { return convertRelated(tree, recursion) }
      return wrong(word, "")
    }
    switch spelling(word) {
    case "id":
      guard let arguments = arguments(tree, word) else { return nil }
      return convertIDs(arguments.values, tree)
    case "around": return convertAround(tree, word)
    case "area": return convertArea(tree, word)
    case "poly": return convertPolygon(tree, word)
    case "pivot":
      guard let arguments = arguments(tree, word, takesValues: false) else { return nil }
      return .pivot(arguments.from ?? .default)
    case "newer":
      guard let value = singleText(tree, word), let moment = timestamp(value) else { return nil }
      return .newer(moment)
    case "changed": return convertChanged(tree, word)
    case "user", "user_touched":
      guard let arguments = arguments(tree, word) else { return nil }
      let names = arguments.values.map { decode(tree[$0].token) }.filter { !$0.isEmpty }
      return .users(names, touched: spelling(word) == "user_touched")
    case "uid", "uid_touched":
      guard let arguments = arguments(tree, word) else { return nil }
      let numbers = arguments.values.compactMap { number($0, tree) }
      return numbers.count == arguments.values.count
        ? .userIDs(numbers, touched: spelling(word) == "uid_touched") : nil
    case "bbox":
      report(
        .unexpandedMacro,
        "“(bbox)” gets its numbers from the address of a request; a query by itself needs them:"
          + " (south,west,north,east)", at: word)
      return nil
    case "if":
      report(.unexpected, "“if” takes a condition: (if:…)", at: word, expected: ["“:”"])
      return nil
    case let name:
      if let step = Query.RecurseFilter.Kind(rawValue: name) {
        return convertStep(tree, word, step, kind)
      }
      return wrong(word, name)
    }
  }

  private mutating func wrong(_ token: QLToken, _ name: String) -> Query.Filter? {
    report(
      .unknownFilter, "there is no filter \(quoted(token))", at: token,
      expected: QLParser.filterNames, suggestion: closest(to: name, among: QLParser.filterNames))
    return nil
  }

  // MARK: The parts of a filter

  /// The parts of `word.set:value,value`. Values are nodes of the tree without children.
  private struct Arguments {
    var from: Query.SetName?
    var values: [Int] = []
  }

  private mutating func arguments(
    _ tree: ExpressionTree, _ word: QLToken, takesValues: Bool = true, leavesOnly: Bool = true
  ) -> Arguments? {
    var result = Arguments()
    var index = tree.top
    while tree[index].token.kind == .comma, tree[index].left != 0, tree[index].right != 0 {
      result.values.append(tree[index].right)
      index = tree[index].left
    }
    let hasColon = tree[index].token.kind == .colon
    if hasColon, tree[index].right != 0 {
      result.values.append(tree[index].right)
      index = tree[index].left
    }
    result.values.reverse()
    if tree[index].token.kind == .dot, tree[index].right != 0 {
      result.from = Query.SetName(spelling(tree[tree[index].right].token))
      index = tree[index].left
    }
    let name = spelling(word)
    guard tree[index].token.start == word.start, tree.isLeaf(index) else {
      report(
        .unexpected, "“\(name)” cannot be followed by \(quoted(tree[index].token)) in this way",
        at: tree[index].token)
      return nil
    }
    if takesValues, result.values.isEmpty {
      report(.unexpected, "“\(name)” needs a value behind a colon", at: word, expected: ["“:”"])
      return nil
    }
    if !takesValues, let value = result.values.first {
      report(.unexpected, "“\(name)” takes no value", at: tree[value].token)
      return nil
    }
    if leavesOnly {
      for value in result.values where !tree.isLeaf(value) {
        report(.unexpected, "a single value is expected here", at: tree[value].token)
        return nil
      }
    }
    if let from = result.from {
      guard check(at: word, { validator throws(QueryError) in try validator.check(from) }) else {
        return nil
      }
    }
    return result
  }

  private mutating func singleText(
    _ tree: ExpressionTree, _ word: QLToken
  ) -> (value: String, token: QLToken)? {
    guard let arguments = arguments(tree, word) else { return nil }
    guard arguments.values.count == 1, let index = arguments.values.first else {
      report(.unexpected, "“\(spelling(word))” takes one value", at: word)
      return nil
    }
    return (decode(tree[index].token), tree[index].token)
  }

  private mutating func timestamp(
    _ text: (value: String, token: QLToken)
  ) -> Query.Timestamp? {
    if let moment = Query.Timestamp(text.value) { return moment }
    report(
      .invalidTimestamp, "“\(text.value)” is no moment; it takes the form 2020-12-31T23:59:59Z",
      at: text.token)
    return nil
  }

  /// A whole number, which may lie beyond what a program can hold.
  private mutating func number(_ index: Int, _ tree: ExpressionTree) -> Int64? {
    let token = tree[index].token
    let text = spelling(token)
    if token.kind == .number, let value = Int64(text) { return value }
    report(.invalidValue, "\(quoted(token)) is no whole number", at: token)
    return nil
  }

  private mutating func degrees(_ index: Int, _ tree: ExpressionTree) -> Double? {
    let token = tree[index].token
    guard tree.isLeaf(index) else {
      report(.unexpected, "a number is expected here", at: token)
      return nil
    }
    if token.kind == .openBrace { return nil }
    return number(decode(token), at: token)
  }

  // MARK: Places

  private mutating func convertBox(_ tree: ExpressionTree) -> Query.Filter? {
    let nodes = tree.list(tree.top)
    guard nodes.count == 4 else {
      report(
        .unexpected, "a bounding box takes four numbers: south, west, north and east",
        at: tree[tree.leftmost(tree.top)].token)
      return nil
    }
    var values: [Double] = []
    for node in nodes {
      guard let value = degrees(node, tree) else { return nil }
      values.append(value)
    }
    var box: BoundingBox?
    check(at: tree[nodes[0]].token) { _ throws(QueryError) in
      box = try BoundingBox(south: values[0], west: values[1], north: values[2], east: values[3])
    }
    return box.map { .boundingBox($0) }
  }

  private mutating func convertIDs(_ nodes: [Int], _ tree: ExpressionTree) -> Query.Filter? {
    var numbers: [Int64] = []
    for node in nodes {
      guard let number = number(node, tree) else { return nil }
      numbers.append(number)
    }
    return .ids(numbers)
  }

  private mutating func convertAround(
    _ tree: ExpressionTree, _ word: QLToken
  ) -> Query.Filter? {
    guard let arguments = arguments(tree, word), let first = arguments.values.first else {
      return nil
    }
    guard arguments.values.count % 2 == 1 else {
      report(
        .unexpected,
        "“around” takes a radius and then positions of two numbers each, latitude and longitude",
        at: word)
      return nil
    }
    guard let radius = degrees(first, tree) else { return nil }
    var line: [Coordinate] = []
    for index in stride(from: 1, to: arguments.values.count, by: 2) {
      guard let latitude = degrees(arguments.values[index], tree),
        let longitude = degrees(arguments.values[index + 1], tree)
      else { return nil }
      guard let position = coordinate(latitude, longitude) else {
        report(
          .invalidValue, "latitude \(latitude), longitude \(longitude) is no place on earth",
          at: tree[arguments.values[index]].token)
        return nil
      }
      line.append(position)
    }
    if line.isEmpty {
      return .around(
        .init(radiusMeters: radius, center: .set(arguments.from ?? .default)))
    }
    if let from = arguments.from {
      warn(.ignored, "the server ignores the set “\(from)” beside positions", at: word)
    }
    return .around(.init(radiusMeters: radius, center: .line(line)))
  }

  private mutating func convertArea(_ tree: ExpressionTree, _ word: QLToken) -> Query.Filter? {
    guard tree[tree.top].token.kind == .colon else {
      guard let arguments = arguments(tree, word, takesValues: false) else { return nil }
      return .area(.set(arguments.from ?? .default))
    }
    guard let arguments = arguments(tree, word), let value = arguments.values.first,
      let number = number(value, tree)
    else { return nil }
    if let from = arguments.from {
      warn(.ignored, "the server ignores the set “\(from)” beside a number", at: word)
    }
    return .area(.id(number))
  }

  private mutating func convertPolygon(
    _ tree: ExpressionTree, _ word: QLToken
  ) -> Query.Filter? {
    guard let (text, token) = singleText(tree, word) else { return nil }
    do throws(SettingsReader.Complaint) {
      return .polygon(try SettingsReader.polygon(text))
    } catch {
      report(error.code, error.message, at: token)
      return nil
    }
  }

  // MARK: History and relations

  private mutating func convertChanged(
    _ tree: ExpressionTree, _ word: QLToken
  ) -> Query.Filter? {
    if tree.isLeaf(tree.top) { return .changed(.automatic) }
    guard let arguments = arguments(tree, word) else { return nil }
    guard arguments.values.count <= 2, let first = arguments.values.first,
      let last = arguments.values.last
    else {
      report(.unexpected, "“changed” takes one or two moments", at: word)
      return nil
    }
    let since = (value: decode(tree[first].token), token: tree[first].token)
    if since.value == "init" { return .changed(.initial) }
    let until = (value: decode(tree[last].token), token: tree[last].token)
    if since.value == "auto", until.value == "auto" { return .changed(.automatic) }
    guard let start = timestamp(since), let end = timestamp(until) else { return nil }
    return .changed(.between(start, end))
  }

  private func recursion(of token: QLToken) -> Query.Recursion? {
    switch token.kind {
    case .less: .up
    case .doubleLess: .upRelations
    case .greater: .down
    case .doubleGreater: .downRelations
    default: nil
    }
  }

  private mutating func convertRelated(
    _ tree: ExpressionTree, _ recursion: Query.Recursion
  ) -> Query.Filter? {
    let top = tree[tree.top]
    if tree.isLeaf(tree.top) { return .related(recursion) }
    if top.token.kind == .dot, top.right != 0, tree.isLeaf(top.right) {
      let name = Query.SetName(spelling(tree[top.right].token))
      return .related(recursion, name)
    }
    if top.left == 0, tree[top.right].token.kind == .dot {
      // To the server `<` and `>` are operators here, and the set is lost in the right operand.
      warn(
        .ignored,
        "the server ignores the set behind “\(recursion.rawValue)” and takes the default set",
        at: top.token)
      return .related(recursion)
    }
    return wrong(top.token, "")
  }

  private mutating func convertStep(
    _ tree: ExpressionTree, _ word: QLToken, _ step: Query.RecurseFilter.Kind,
    _ kind: Query.ElementKind
  ) -> Query.Filter? {
    let isCount = step == .wayCount || step == .wayLink
    let hasColon = tree[tree.top].token.kind == .colon || tree[tree.top].token.kind == .comma
    guard
      let arguments = arguments(tree, word, takesValues: hasColon, leavesOnly: !isCount)
    else { return nil }
    var filter = Query.RecurseFilter(step, from: arguments.from ?? .default)
    guard let first = arguments.values.first else { return .recurse(filter) }
    if isCount {
      guard let restriction = convertCount(first, tree) else { return nil }
      filter.restriction = restriction
    } else if step == .r || kind == .relation {
      filter.restriction = .role(decode(tree[first].token))
      if arguments.values.count > 1 {
        warn(.ignored, "the server takes one role and ignores the others", at: word)
      }
    } else {
      var positions: [Int64] = []
      for value in arguments.values {
        guard let position = number(value, tree) else { return nil }
        positions.append(position)
      }
      filter.restriction = .positions(positions)
    }
    return .recurse(filter)
  }

  /// `2`, `2-5` or `2-`
  private mutating func convertCount(
    _ index: Int, _ tree: ExpressionTree
  ) -> Query.RecurseFilter.Restriction? {
    let node = tree[index]
    if tree.isLeaf(index) {
      guard let count = number(index, tree) else { return nil }
      return .count(count, count)
    }
    guard node.token.kind == .minus, node.left != 0, tree.isLeaf(node.left) else {
      report(.unexpected, "a number of ways is written 2, 2- or 2-5", at: node.token)
      return nil
    }
    guard let least = number(node.left, tree) else { return nil }
    guard node.right != 0 else { return .count(least, nil) }
    guard tree.isLeaf(node.right), let most = number(node.right, tree) else { return nil }
    return .count(least, most)
  }
}
