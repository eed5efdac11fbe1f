// Statements in Overpass QL.

import OSMModel

extension QLPrinter {
  mutating func print(_ statements: [Query.Statement], depth: Int) throws(QueryError) {
    for statement in statements {
      if isPretty { text.indent(depth) }
      try print(statement, depth: depth)
      if isPretty { text.append("\n") }
    }
  }

  mutating func print(_ statement: Query.Statement, depth: Int) throws(QueryError) {
    switch statement {
    case .query(let query):
      try print(query)
      end(query.into)
    case .item(let from, let into):
      text.append(".")
      text.append(from.name)
      end(into)
    case .union(let members, let into):
      text.append("(")
      if isPretty { text.append("\n") }
      try print(members, depth: depth + 1)
      if isPretty { text.indent(depth) }
      text.append(")")
      end(into)
    case .difference(let left, let right, let into):
      try printDifference(left, right, depth: depth)
      end(into)
    case .recurse(let recursion, let from, let into):
      print(subject: from)
      text.append(recursion.rawValue)
      end(into)
    case .foreach(let from, let into, let body):
      text.append("foreach")
      print(from: from)
      print(into: into)
      try print(block: body, depth: depth)
    case .for(let evaluator, let from, let into, let body):
      text.append("for")
      print(from: from)
      print(into: into)
      print(parenthesised: evaluator)
      try print(block: body, depth: depth)
    case .complete(let limit, let from, let into, let body):
      text.append("complete")
      if let limit {
        text.append("(")
        text.append(Int64(limit))
        text.append(")")
      }
      print(from: from)
      print(into: into)
      try print(block: body, depth: depth)
    case .if(let condition, let then, let otherwise):
      text.append("if")
      print(parenthesised: condition)
      try print(block: then, depth: depth)
      if !otherwise.isEmpty {
        text.append(isPretty ? " else" : "else")
        try print(block: otherwise, depth: depth)
      }
    case .retro(let moment, let body):
      text.append("retro")
      print(parenthesised: moment)
      try print(block: body, depth: depth)
    case .compare(let delta, let from, let into, let body):
      print(subject: from)
      text.append("compare")
      if let delta {
        text.append("(delta:")
        printAfterColon(delta)
        text.append(")")
      }
      print(into: into)
      if body.isEmpty { text.append(";") } else { try print(block: body, depth: depth) }
    case .timeline(let element, let version, let into):
      text.append("timeline(")
      text.append(element.type.name ?? "node")
      text.append(",")
      text.append(element.number)
      if let version {
        text.append(",")
        text.append(version)
      }
      text.append(")")
      end(into)
    case .local(let detail, let box, let from, let into):
      print(subject: from)
      text.append("local")
      if detail != .l {
        text.append(" ")
        text.append(detail.rawValue)
      }
      print(box: box)
      end(into)
    case .make(let type, let properties, let into):
      text.append("make ")
      text.append(type)
      print(properties)
      end(into)
    case .convert(let type, let properties, let from, let into):
      print(subject: from)
      text.append("convert ")
      text.append(type)
      print(properties)
      end(into)
    case .isIn(let position, let from, let into):
      print(subject: from)
      text.append("is_in")
      if let position {
        text.append("(")
        text.append([position], separator: ",")
        text.append(")")
      }
      end(into)
    case .mapToArea(let from, let into):
      print(subject: from)
      text.append("map_to_area")
      end(into)
    case .out(let out): print(out)
    }
  }

  private mutating func end(_ into: Query.SetName) {
    print(into: into)
    text.append(";")
  }

  /// `.name ` in front of a word.
  private mutating func print(subject name: Query.SetName) {
    guard name != .default else { return }
    print(from: name)
    text.append(" ")
  }

  private mutating func print(
    block statements: [Query.Statement], depth: Int
  ) throws(QueryError) {
    text.append(isPretty ? " {" : "{")
    if isPretty { text.append("\n") }
    try print(statements, depth: depth + 1)
    if isPretty { text.indent(depth) }
    text.append("}")
  }

  private mutating func printDifference(
    _ left: Query.Statement, _ right: Query.Statement, depth: Int
  ) throws(QueryError) {
    text.append("(")
    if isPretty {
      text.append("\n")
      text.indent(depth + 1)
    }
    try print(left, depth: depth + 1)
    if isPretty {
      text.append("\n")
      text.indent(depth + 1)
    }
    text.append("-")
    // The server takes `-.` for the beginning of a number and `->` for an arrow.
    if isPretty || right.startsWithDotOrArrowhead { text.append(" ") }
    try print(right, depth: depth + 1)
    if isPretty {
      text.append("\n")
      text.indent(depth)
    }
    text.append(")")
  }

  private mutating func print(box: BoundingBox?) {
    guard let box else { return }
    text.append("(")
    text.append(box)
    text.append(")")
  }

  private mutating func print(_ out: Query.Out) {
    print(subject: out.from)
    text.append("out")
    if out.verbosity != .body {
      text.append(" ")
      text.append(out.verbosity.rawValue)
    }
    if out.omitsIDs { text.append(" noids") }
    if out.geometry != .none {
      text.append(" ")
      text.append(out.geometry.rawValue)
    }
    print(box: out.boundingBox)
    if out.order != .id {
      text.append(" ")
      text.append(out.order.rawValue)
    }
    if let limit = out.limit {
      text.append(" ")
      text.append(limit)
    }
    text.append(";")
  }

  private mutating func print(_ properties: [Query.Property]) {
    for (index, property) in properties.enumerated() {
      if index > 0 { text.append(",") }
      if index == 0 || isPretty { text.append(" ") }
      print(property)
    }
  }

  private mutating func print(_ property: Query.Property) {
    switch property {
    case .tag(let key, let value):
      print(word: key)
      text.append("=")
      print(value)
    case .omit(let key):
      text.append("!")
      print(word: key)
    case .id(let value):
      text.append("::id=")
      print(value)
    case .geometry(let value):
      text.append("::geom=")
      print(value)
    case .generic(let from, let value):
      if let from { text.append(from.name) }
      text.append("::=")
      print(value)
    }
  }
}

extension Query.Statement {
  /// Whether the text begins with `.` or `>`.
  fileprivate var startsWithDotOrArrowhead: Bool {
    switch self {
    case .item: true
    case .recurse(let recursion, let from, _):
      from != .default || recursion == .down || recursion == .downRelations
    case .compare(_, let from, _, _), .local(_, _, let from, _), .convert(_, _, let from, _),
      .isIn(_, let from, _), .mapToArea(let from, _):
      from != .default
    default: false
    }
  }
}
