// Query statements and their filters in Overpass QL.

import OSMModel

extension QLPrinter {
  mutating func print(_ query: Query.QueryStatement) throws(QueryError) {
    text.append(query.kind.rawValue)
    for filter in query.filters {
      // To the server `<` and `>` are operators here and lose the set behind them.
      if case .related(let recursion, let name) = filter, name != .default,
        recursion == .up || recursion == .down
      {
        throw QueryError(
          .notExpressibleInQL,
          "Overpass QL cannot say “\(recursion.rawValue)” of the set “\(name)” in a filter")
      }
      print(filter)
    }
  }

  private mutating func print(_ filter: Query.Filter) {
    if case .tag(let tag) = filter { return print(tag) }
    if case .set(let name) = filter {
      text.append(".")
      text.append(name.name)
      return
    }
    text.append("(")
    switch filter {
    case .tag, .set: break
    case .boundingBox(let box): text.append(box)
    case .polygon(let positions):
      text.append("poly:\"")
      text.append(positions, separator: " ")
      text.append("\"")
    case .ids(let numbers):
      if numbers.count > 1 { text.append("id:") }
      print(numbers)
    case .around(let around): print(around)
    case .area(.set(let name)):
      text.append("area")
      print(from: name)
    case .area(.id(let number)):
      text.append("area:")
      text.append(number)
    case .pivot(let name):
      text.append("pivot")
      print(from: name)
    case .recurse(let step): print(step)
    case .related(let recursion, let name):
      text.append(recursion.rawValue)
      print(from: name)
    case .newer(let moment):
      text.append("newer:")
      quote(moment.description)
    case .changed(.automatic): text.append("changed")
    case .changed(.initial): text.append("changed:\"init\"")
    case .changed(.between(let since, let until)):
      text.append("changed:")
      quote(since.description)
      if since != until {
        text.append(",")
        quote(until.description)
      }
    case .users(let names, let touched):
      text.append(touched ? "user_touched:" : "user:")
      for (index, name) in names.enumerated() {
        if index > 0 { text.append(",") }
        quote(name)
      }
    case .userIDs(let numbers, let touched):
      text.append(touched ? "uid_touched:" : "uid:")
      print(numbers)
    case .evaluator(let evaluator):
      text.append("if:")
      printAfterColon(evaluator)
    }
    text.append(")")
  }

  private mutating func print(_ numbers: [Int64]) {
    for (index, number) in numbers.enumerated() {
      if index > 0 { text.append(",") }
      text.append(number)
    }
  }

  private mutating func print(_ around: Query.Around) {
    text.append("around")
    if case .set(let name) = around.center { print(from: name) }
    text.append(":")
    text.append(fixedNotation(around.radiusMeters))
    if case .line(let positions) = around.center {
      text.append(",")
      text.append(positions, separator: ",")
    }
  }

  private mutating func print(_ step: Query.RecurseFilter) {
    text.append(step.kind.rawValue)
    print(from: step.from)
    switch step.restriction {
    case nil: break
    case .role(let role):
      text.append(":")
      quote(role)
    case .positions(let positions):
      text.append(":")
      print(positions)
    case .count(let least, let most):
      text.append(":")
      text.append(least)
      if most != least { text.append("-") }
      if let most, most != least { text.append(most) }
    }
  }

  private mutating func print(_ tag: Query.TagFilter) {
    text.append("[")
    switch tag {
    case .exists(let key): quote(key)
    case .equals(let key, let value):
      quote(key)
      text.append("=")
      quote(value)
    case .notEquals(let key, let value):
      quote(key)
      text.append("!=")
      quote(value)
    case .matches(let key, let pattern):
      quote(key)
      text.append("~")
      print(pattern)
    case .notMatches(let key, let pattern):
      if tag.isAbsence {
        text.append("!")
        quote(key)
      } else {
        quote(key)
        text.append("!~")
        print(pattern)
      }
    case .keyMatches(let key, let pattern):
      text.append("~")
      quote(key)
      text.append("~")
      print(pattern)
    }
    text.append("]")
  }

  private mutating func print(_ pattern: Query.Pattern) {
    quote(pattern.text)
    if pattern.ignoresCase { text.append(",i") }
  }
}
