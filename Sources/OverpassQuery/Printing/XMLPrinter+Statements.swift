// Statements in the XML form.

import OSMModel

extension XMLPrinter {
  mutating func print(_ statement: Query.Statement) throws(QueryError) {
    switch statement {
    case .query(let query): try print(query)
    case .item(let from, let into):
      open("item")
      try self.from(from)
      try self.into(into)
      end()
    case .union(let members, let into):
      open("union")
      try self.into(into)
      try end("union", members)
    case .difference(let left, let right, let into):
      open("difference")
      try self.into(into)
      try end("difference", [left, right])
    case .recurse(let recursion, let from, let into):
      open("recurse")
      attribute("type", fixed: recursion.xmlName)
      try self.from(from)
      try self.into(into)
      end()
    case .foreach(let from, let into, let body):
      open("foreach")
      try self.from(from)
      try self.into(into)
      try end("foreach", body)
    case .for(let evaluator, let from, let into, let body):
      open("for")
      try self.from(from)
      try self.into(into)
      try end("for", evaluator, body)
    case .complete(let limit, let from, let into, let body):
      open("complete")
      try self.from(from)
      try self.into(into)
      if let limit { attribute("maxnum", Int64(limit)) }
      try end("complete", body)
    case .if(let condition, let then, let otherwise):
      open("if")
      try end("if") { printer throws(QueryError) in
        try printer.print(condition)
        for statement in then { try printer.print(statement) }
        // An empty mark between the two branches.
        if !otherwise.isEmpty {
          printer.open("else")
          printer.end()
        }
        for statement in otherwise { try printer.print(statement) }
      }
    case .retro(let moment, let body):
      open("retro")
      try end("retro", moment, body)
    case .compare(let delta, let from, let into, let body):
      open("compare")
      try self.from(from)
      try self.into(into)
      if let delta { try end("compare", delta, body) } else { try end("compare", body) }
    case .timeline(let element, let version, let into):
      open("timeline")
      attribute("type", fixed: element.type.name ?? "node")
      attribute("ref", element.number)
      if let version { attribute("version", version) }
      try self.into(into)
      end()
    case .local(let detail, let box, let from, let into):
      open("localize")
      try self.from(from)
      try self.into(into)
      try attribute("type", detail.rawValue)
      if let box { attributes(box) }
      end()
    case .make(let type, let properties, let into):
      open("make")
      try self.into(into)
      try attribute("type", type)
      try end("make", properties)
    case .convert(let type, let properties, let from, let into):
      open("convert")
      try self.from(from)
      try self.into(into)
      try attribute("type", type)
      try end("convert", properties)
    case .isIn(let position, let from, let into):
      open("coord-query")
      try self.from(from)
      if let position {
        attribute("lat", degreesE7: position.latitudeE7)
        attribute("lon", degreesE7: position.longitudeE7)
      }
      try self.into(into)
      end()
    case .mapToArea(let from, let into):
      open("map-to-area")
      try self.from(from)
      try self.into(into)
      end()
    case .out(let out): try print(out)
    }
  }

  private mutating func end(
    _ name: StaticString, _ statements: [Query.Statement]
  ) throws(QueryError) {
    try end(name, isEmpty: statements.isEmpty) { printer throws(QueryError) in
      for statement in statements { try printer.print(statement) }
    }
  }

  private mutating func end(
    _ name: StaticString, _ evaluator: Query.Evaluator, _ statements: [Query.Statement]
  ) throws(QueryError) {
    try end(name) { printer throws(QueryError) in
      try printer.print(evaluator)
      for statement in statements { try printer.print(statement) }
    }
  }

  private mutating func print(_ out: Query.Out) throws(QueryError) {
    open("print")
    try from(out.from)
    if out.verbosity != .body { attribute("mode", fixed: out.verbosity.xmlName) }
    if out.order == .quadtile { attribute("order", fixed: "quadtile") }
    if let limit = out.limit { attribute("limit", limit) }
    if out.geometry != .none { attribute("geometry", fixed: out.geometry.xmlName) }
    if out.omitsIDs { attribute("ids", fixed: "no") }
    if let box = out.boundingBox { attributes(box) }
    end()
  }

  private mutating func end(
    _ name: StaticString, _ properties: [Query.Property]
  ) throws(QueryError) {
    try end(name, isEmpty: properties.isEmpty) { printer throws(QueryError) in
      for property in properties { try printer.print(property) }
    }
  }

  private mutating func print(_ property: Query.Property) throws(QueryError) {
    open("set-prop")
    let value: Query.Evaluator
    switch property {
    case .tag(let key, let evaluator):
      attribute("keytype", fixed: "tag")
      try attribute("k", key)
      value = evaluator
    case .omit(let key):
      attribute("keytype", fixed: "tag")
      try attribute("k", key)
      return end()
    case .id(let evaluator):
      attribute("keytype", fixed: "id")
      value = evaluator
    case .geometry(let evaluator):
      attribute("keytype", fixed: "geometry")
      value = evaluator
    case .generic(let from, let evaluator):
      attribute("keytype", fixed: "generic")
      if let from { try attribute("from", from.name) }
      value = evaluator
    }
    try end("set-prop") { printer throws(QueryError) in try printer.print(value) }
  }
}

extension Query.Recursion {
  /// The value of `type` in the XML form.
  var xmlName: StaticString {
    switch self {
    case .down: "down"
    case .downRelations: "down-rel"
    case .up: "up"
    case .upRelations: "up-rel"
    }
  }
}
