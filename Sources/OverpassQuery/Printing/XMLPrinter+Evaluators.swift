// Evaluators in the XML form: one element for each.

extension XMLPrinter {
  mutating func print(_ evaluator: Query.Evaluator) throws(QueryError) {
    switch evaluator {
    case .fixed(let value):
      open("eval-fixed")
      try attribute("v", value)
      end()
    case .element(let function): empty(function.xmlName)
    case .tag(let key): try element("eval-value", [key])
    case .generic: empty("eval-generic")
    case .isTag(let key):
      open("eval-is-tag")
      try attribute("k", key)
      end()
    case .setKey(let name, let key):
      open("eval-set-key")
      try from(name)
      try attribute("key", key)
      end()
    case .count(let name, let elements):
      open("eval-set-count")
      try from(name)
      try attribute("type", elements.rawValue)
      end()
    case .countTags:
      open("eval-prop-count")
      attribute("type", fixed: "tags")
      end()
    case .countMembers(let kind, let distinct):
      open("eval-prop-count")
      attribute("type", fixed: distinct ? "distinct_members" : "members")
      if kind != .all { try attribute("members_type", kind.rawValue) }
      end()
    case .countByRole(let role, let kind, let distinct):
      open("eval-prop-count")
      attribute("type", fixed: distinct ? "distinct_by_role" : "by_role")
      try attribute("role", role)
      if kind != .all { try attribute("members_type", kind.rawValue) }
      end()
    case .aggregate(let aggregator, let name, let argument):
      open(aggregator.xmlName)
      try from(name)
      try end(aggregator.xmlName) { printer throws(QueryError) in try printer.print(argument) }
    case .function(let function, let argument): try element(function.xmlName, [argument])
    case .listFunction(let function, let first, let second):
      try element(function.xmlName, [first, second])
    case .point(let latitude, let longitude): try element("eval-point", [latitude, longitude])
    case .linestring(let points): try element("eval-linestring", points)
    case .polygon(let lines): try element("eval-polygon", lines)
    case .perMember(let aggregator, let argument):
      try element(aggregator == .member ? "eval-per-member" : "eval-per-vertex", [argument])
    case .member(let function): empty(function.xmlName)
    case .not(let operand): try element("eval-not", [operand])
    case .negate(let operand): try element("eval-negate", [operand])
    case .binary: try printChain(evaluator)
    case .conditional(let condition, let then, let otherwise):
      try element("eval-ternary", [condition, then, otherwise])
    }
  }

  private mutating func empty(_ name: StaticString) {
    open(name)
    end()
  }

  private mutating func element(
    _ name: StaticString, _ arguments: [Query.Evaluator]
  ) throws(QueryError) {
    open(name)
    try end(name) { printer throws(QueryError) in
      for argument in arguments { try printer.print(argument) }
    }
  }

  /// A chain of operators, which leans to the left and may be long: it is walked, not recursed into.
  private mutating func printChain(_ evaluator: Query.Evaluator) throws(QueryError) {
    var steps: [(name: StaticString, right: Query.Evaluator)] = []
    var first = evaluator
    while case .binary(let sign, let left, let right) = first {
      steps.append((sign.xmlName, right))
      open(sign.xmlName)
      beginContent()
      first = left
    }
    try print(first)
    for step in steps.reversed() {
      try print(step.right)
      endContent(step.name)
    }
  }
}

extension Query.Evaluator.ElementFunction {
  var xmlName: StaticString {
    switch self {
    case .id: "eval-id"
    case .type: "eval-type"
    case .version: "eval-version"
    case .timestamp: "eval-timestamp"
    case .changeset: "eval-changeset"
    case .uid: "eval-uid"
    case .user: "eval-user"
    case .keys: "eval-all-keys"
    case .isClosed: "eval-is-closed"
    case .geom: "eval-geometry"
    case .length: "eval-length"
    case .lat: "eval-lat"
    case .lon: "eval-lon"
    }
  }
}

extension Query.Evaluator.Aggregator {
  var xmlName: StaticString {
    switch self {
    case .u: "eval-union"
    case .set: "eval-set"
    case .min: "eval-min"
    // The server's own name for it.
    case .max: "eval-umax"
    case .sum: "eval-sum"
    case .gcat: "eval-geom-concat"
    }
  }
}

extension Query.Evaluator.Function {
  var xmlName: StaticString {
    switch self {
    case .number: "eval-number"
    case .isNumber: "eval-is-number"
    case .suffix: "eval-suffix"
    case .abs: "eval-abs"
    case .date: "eval-date"
    case .isDate: "eval-is-date"
    case .lrsMin: "eval-lrs-min"
    case .lrsMax: "eval-lrs-max"
    case .center: "eval-center"
    case .trace: "eval-trace"
    case .hull: "eval-hull"
    }
  }
}

extension Query.Evaluator.ListFunction {
  var xmlName: StaticString {
    switch self {
    case .lrsIn: "eval-lrs-in"
    case .lrsIsect: "eval-lrs-isect"
    case .lrsUnion: "eval-lrs-union"
    }
  }
}

extension Query.Evaluator.MemberFunction {
  var xmlName: StaticString {
    switch self {
    case .pos: "eval-pos"
    case .mtype: "eval-membertype"
    case .ref: "eval-ref"
    case .role: "eval-role"
    case .angle: "eval-angle"
    }
  }
}

extension Query.Evaluator.Operator {
  var xmlName: StaticString {
    switch self {
    case .or: "eval-or"
    case .and: "eval-and"
    case .equal: "eval-equal"
    case .notEqual: "eval-not-equal"
    case .less: "eval-less"
    case .lessEqual: "eval-less-equal"
    case .greater: "eval-greater"
    case .greaterEqual: "eval-greater-equal"
    case .plus: "eval-plus"
    case .minus: "eval-minus"
    case .times: "eval-times"
    case .divided: "eval-divided-by"
    }
  }
}
