// The statements of the language, apart from the query statement and `out`, which have own files.

import OSMModel

extension Query {
  /// One statement. `from` is the set it reads, `into` the set it writes; both are `_` unless the
  /// text says otherwise.
  ///
  /// Source: Overpass QL, "Statements"
  public indirect enum Statement: Sendable, Hashable {
    /// `node["amenity"="cafe"](…)->.into;`
    case query(QueryStatement)
    /// `.from->.into;`: the elements of a set.
    case item(from: SetName = .default, into: SetName = .default)
    /// `(…; …;)->.into;`: the elements of all members.
    case union([Statement], into: SetName = .default)
    /// `(…; - …;)->.into;`: the elements of the first without those of the second.
    case difference(Statement, minus: Statement, into: SetName = .default)
    /// `.from > ->.into;` and its three sisters.
    case recurse(Recursion, from: SetName = .default, into: SetName = .default)
    /// `foreach.from->.into{…}`: the body once for each element.
    case foreach(from: SetName = .default, into: SetName = .default, [Statement])
    /// `for.from->.into(…){…}`: the body once for each value that the evaluator has on the elements.
    case `for`(Evaluator, from: SetName = .default, into: SetName = .default, [Statement])
    /// `complete(limit).from->.into{…}`: the body again and again until nothing new is found.
    case complete(
      limit: Int? = nil, from: SetName = .default, into: SetName = .default, [Statement])
    /// `if(…){…}else{…}`
    case `if`(Evaluator, then: [Statement], else: [Statement] = [])
    /// `retro(…){…}`: the body on the data of another time.
    case retro(Evaluator, [Statement])
    /// `.from compare(delta:…)->.into{…}`: what differs between the two times of a diff.
    case compare(
      delta: Evaluator? = nil, from: SetName = .default, into: SetName = .default, [Statement] = [])
    /// `timeline(type,id,version)->.into;`: when the versions of an element were valid.
    case timeline(ElementID, version: Int64? = nil, into: SetName = .default)
    /// `.from local ll(…)->.into;`: the data in the layout of the server's localised files.
    case local(
      LocalDetail = .l, BoundingBox? = nil, from: SetName = .default, into: SetName = .default)
    /// `make type key=…,…->.into;`: one element made from a whole set.
    case make(type: String, [Property], into: SetName = .default)
    /// `.from convert type key=…,…->.into;`: one element made from each element of a set.
    case convert(
      type: String, [Property], from: SetName = .default, into: SetName = .default)
    /// `is_in(lat,lon)->.into;` or `.from is_in->.into;`: the areas that cover a position or the
    /// nodes of a set.
    case isIn(Coordinate? = nil, from: SetName = .default, into: SetName = .default)
    /// `.from map_to_area->.into;`: the areas made from the elements of a set.
    case mapToArea(from: SetName = .default, into: SetName = .default)
    /// `.from out …;`
    case out(Out)
  }

  /// Where the standalone recursions lead.
  ///
  /// Source: Overpass QL, "Recurse up and down"
  public enum Recursion: String, Sendable, Hashable, CaseIterable {
    /// `>`: nodes of ways, members of relations and the nodes of member ways.
    case down = ">"
    /// `>>`: the same, also through member relations.
    case downRelations = ">>"
    /// `<`: ways of nodes, relations of nodes and ways and of those ways.
    case up = "<"
    /// `<<`: the same, also through relations of relations.
    case upRelations = "<<"
  }

  /// How much `local` delivers.
  public enum LocalDetail: String, Sendable, Hashable, CaseIterable {
    case l, ll, llb
  }

  /// One assignment of a `make` or `convert` statement.
  public enum Property: Sendable, Hashable {
    /// `key=…`
    case tag(String, Evaluator)
    /// `!key`: leave the key out of what ``generic(from:_:)`` sets.
    case omit(String)
    /// `::id=…`
    case id(Evaluator)
    /// `::geom=…`
    case geometry(Evaluator)
    /// `::=…` for every key of the element (in `convert`), or `set::=…` for every key that an element
    /// of a set has.
    case generic(from: SetName? = nil, Evaluator)
  }
}

extension Query.Statement {
  /// The set the statement writes; `nil` for statements that leave no result of their own, which
  /// cannot stand in a union or difference.
  ///
  /// Source: Overpass QL, "Block statements"
  public var into: Query.SetName? {
    switch self {
    case .query(let statement): statement.into
    case .item(_, let into), .union(_, let into), .difference(_, _, let into),
      .recurse(_, _, let into), .foreach(_, let into, _), .for(_, _, let into, _),
      .complete(_, _, let into, _), .timeline(_, _, let into), .local(_, _, _, let into),
      .make(_, _, let into),
      .convert(_, _, _, let into), .isIn(_, _, let into), .mapToArea(_, let into),
      .compare(_, _, let into, _):
      into
    case .if, .retro, .out: nil
    }
  }

  /// The name of the statement in error messages.
  public var keyword: String {
    switch self {
    case .query: "query"
    case .item: "item"
    case .union: "union"
    case .difference: "difference"
    case .recurse(let recursion, _, _): recursion.rawValue
    case .foreach: "foreach"
    case .for: "for"
    case .complete: "complete"
    case .if: "if"
    case .retro: "retro"
    case .compare: "compare"
    case .timeline: "timeline"
    case .local: "local"
    case .make: "make"
    case .convert: "convert"
    case .isIn: "is_in"
    case .mapToArea: "map_to_area"
    case .out: "out"
    }
  }
}
