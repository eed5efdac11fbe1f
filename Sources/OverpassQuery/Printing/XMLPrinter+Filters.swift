// Query statements and their filters in the XML form.

import OSMModel

extension XMLPrinter {
  mutating func print(_ query: Query.QueryStatement) throws(QueryError) {
    // To the server these are statements of their own, which a global bounding box does not restrict;
    // Overpass QL makes the same difference without saying so.
    if query.filters.count == 1, let filter = query.filters.first,
      filter.standsAlone(for: query.kind)
    {
      return try print(filter, of: query.kind, into: query.into)
    }
    open("query")
    try attribute("type", query.kind.rawValue)
    try into(query.into)
    try end("query", isEmpty: query.filters.isEmpty) { printer throws(QueryError) in
      for filter in query.filters {
        try printer.print(filter, of: query.kind, into: .default)
      }
    }
  }

  private mutating func print(
    _ filter: Query.Filter, of kind: Query.ElementKind, into: Query.SetName
  ) throws(QueryError) {
    switch filter {
    case .tag(let tag): try print(tag)
    case .boundingBox(let box):
      open("bbox-query")
      attributes(box)
      end()
    case .polygon(let positions):
      open("polygon-query")
      beginAttribute("bounds")
      text.append(positions, separator: " ")
      text.append("\"")
      end()
    case .ids(let numbers):
      open("id-query")
      if !kind.isMixed { try attribute("type", kind.rawValue) }
      try attributes("ref", numbers) { printer, number in printer.text.append(number) }
      try self.into(into)
      end()
    case .around(let around): try print(around)
    case .area(.set(let name)):
      open("area-query")
      try from(name)
      end()
    case .area(.id(let number)):
      open("area-query")
      attribute("ref", number)
      end()
    case .pivot(let name):
      open("pivot")
      try from(name)
      try self.into(into)
      end()
    case .recurse(let step): try print(step, of: kind, into: into)
    case .related(let recursion, let name):
      open("recurse")
      attribute("type", fixed: recursion.xmlName)
      try from(name)
      end()
    case .newer(let moment):
      open("newer")
      try attribute("than", moment.description)
      end()
    case .changed(let span):
      open("changed")
      switch span {
      case .automatic: break
      case .initial: attribute("since", fixed: "init")
      case .between(let since, let until):
        try attribute("since", since.description)
        try attribute("until", until.description)
      }
      end()
    case .users(let names, let touched):
      open("user")
      try attributes("name", names.withServersRepeat()) { printer, name throws(QueryError) in
        try printer.escape(name)
      }
      if touched { attribute("criterion", fixed: "touched") }
      end()
    case .userIDs(let numbers, let touched):
      open("user")
      try attributes("uid", numbers.withServersRepeat()) { printer, number in
        printer.text.append(number)
      }
      if touched { attribute("criterion", fixed: "touched") }
      end()
    case .evaluator(let evaluator):
      open("filter")
      try end("filter") { printer throws(QueryError) in try printer.print(evaluator) }
    case .set(let name):
      open("item")
      try from(name)
      end()
    }
  }

  private mutating func print(_ around: Query.Around) throws(QueryError) {
    open("around")
    if case .set(let name) = around.center { try from(name) }
    try attribute("radius", fixedNotation(around.radiusMeters))
    if case .line(let positions) = around.center {
      if positions.count == 1, let position = positions.first {
        attribute("lat", degreesE7: position.latitudeE7)
        attribute("lon", degreesE7: position.longitudeE7)
      } else {
        beginAttribute("polyline")
        text.append(positions, separator: ",")
        text.append("\"")
      }
    }
    end()
  }

  private mutating func print(
    _ step: Query.RecurseFilter, of kind: Query.ElementKind, into: Query.SetName
  ) throws(QueryError) {
    open("recurse")
    try attribute("type", step.kind.xmlName(for: kind))
    try from(step.from)
    switch step.restriction {
    case nil: break
    case .role(let role):
      try attribute("role", role)
      attribute("role-restricted", fixed: "yes")
    case .positions(let positions):
      beginAttribute("pos")
      for (index, position) in positions.enumerated() {
        if index > 0 { text.append(",") }
        text.append(position)
      }
      text.append("\"")
    case .count(let least, let most):
      attribute("lower", least)
      if let most { attribute("upper", most) }
    }
    try self.into(into)
    end()
  }

  private mutating func print(_ tag: Query.TagFilter) throws(QueryError) {
    open("has-kv")
    switch tag {
    case .exists(let key): try attribute("k", key)
    case .equals(let key, let value), .notEquals(let key, let value):
      guard !value.isEmpty else {
        throw QueryError(
          .notExpressibleInXML,
          "the XML form cannot compare “\(key)” with an empty value; it would ask for the key")
      }
      try attribute("k", key)
      if case .notEquals = tag { attribute("modv", fixed: "not") }
      try attribute("v", value)
    case .matches(let key, let pattern), .notMatches(let key, let pattern):
      try attribute("k", key)
      if case .notMatches = tag { attribute("modv", fixed: "not") }
      try print(pattern)
    case .keyMatches(let key, let pattern):
      try attribute("regk", key)
      try print(pattern)
    }
    end()
  }

  private mutating func print(_ pattern: Query.Pattern) throws(QueryError) {
    try attribute("regv", pattern.text)
    if pattern.ignoresCase { attribute("case", fixed: "ignore") }
  }
}

extension Query.ElementKind {
  /// Whether elements of several types belong to the kind.
  var isMixed: Bool {
    switch self {
    case .nwr, .nw, .nr, .wr: true
    case .node, .way, .relation, .area, .derived: false
    }
  }
}

extension Query.Filter {
  /// Whether the server makes a statement of its own from a query with this filter alone.
  func standsAlone(for kind: Query.ElementKind) -> Bool {
    switch self {
    case .ids: kind == .node || kind == .way || kind == .relation
    case .recurse: kind != .nwr
    case .pivot: kind == .node
    default: false
    }
  }
}

extension Query.RecurseFilter.Kind {
  /// The value of `type` in the XML form, which names source and target.
  func xmlName(for element: Query.ElementKind) -> String {
    switch self {
    case .w: "way-node"
    case .r: "relation-\(element.rawValue)"
    case .bn: "node-\(element.rawValue)"
    case .bw: "way-relation"
    case .br: "relation-backwards"
    case .wayCount: "way-count"
    case .wayLink: "way-link"
    }
  }
}

extension Array where Element: Equatable {
  /// Readers take the first two users for one when they are equal, as the server writes them, so that
  /// a list that begins with a repeat needs one more.
  fileprivate func withServersRepeat() -> [Element] {
    count > 1 && self[0] == self[1] ? [self[0]] + self : self
  }
}
