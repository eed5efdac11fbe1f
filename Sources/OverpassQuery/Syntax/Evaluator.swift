// Evaluators: the expressions of the language.

extension Query {
  /// An expression that has a value on an element, on a set or on a member of an element.
  ///
  /// The value is text, which counts as a number where it looks like one, a geometry, or (for `keys()`
  /// alone) a list.
  ///
  /// Source: Overpass QL, "Evaluators"
  public indirect enum Evaluator: Sendable, Hashable {
    /// `"text"` or `12.5`: to the server a number is a text like any other.
    case fixed(String)
    /// `id()`, `length()` and other properties of the element.
    case element(ElementFunction)
    /// `t["key"]`, the value of a tag, empty if there is none.
    case tag(Evaluator)
    /// `::`, the value of the key at hand in a generic assignment.
    case generic
    /// `is_tag("key")`
    case isTag(String)
    /// `set.key`, for example `_.val` in the body of `for`.
    case setKey(SetName, String)
    /// `set.count(nodes)`
    case count(SetName, CountedElements)
    /// `count_tags()`
    case countTags
    /// `count_members()`, `count_distinct_members(ways)`
    case countMembers(MemberKind = .all, distinct: Bool = false)
    /// `count_by_role("outer")`, `count_distinct_by_role("outer",ways)`
    case countByRole(String, MemberKind = .all, distinct: Bool = false)
    /// `set.sum(…)`: a value of the whole set.
    case aggregate(Aggregator, SetName, Evaluator)
    /// `number(…)`, `center(…)` and other functions of one argument.
    case function(Function, Evaluator)
    /// `lrs_in(…,…)` and other functions of two lists.
    case listFunction(ListFunction, Evaluator, Evaluator)
    /// `pt(latitude,longitude)`
    case point(Evaluator, Evaluator)
    /// `lstr(…,…)`, through points.
    case linestring([Evaluator])
    /// `poly(…,…)`, from line strings.
    case polygon([Evaluator])
    /// `per_member(…)`, `per_vertex(…)`: a list of values, one for each member.
    case perMember(MemberAggregator, Evaluator)
    /// `pos()`, `role()` and other properties of the member.
    case member(MemberFunction)
    /// `!…`
    case not(Evaluator)
    /// `-…`
    case negate(Evaluator)
    /// `… + …` and other operators.
    case binary(Operator, Evaluator, Evaluator)
    /// `… ? … : …`
    case conditional(Evaluator, then: Evaluator, else: Evaluator)
  }
}

extension Query.Evaluator {
  /// Properties of an element.
  public enum ElementFunction: String, Sendable, Hashable, CaseIterable {
    case id, type, version, timestamp, changeset, uid, user
    /// All keys of the element; the only evaluator whose value is a list.
    case keys
    case isClosed = "is_closed"
    /// The geometry of the element.
    case geom
    case length, lat, lon
  }

  /// What `count` counts in a set.
  public enum CountedElements: String, Sendable, Hashable, CaseIterable {
    case nodes, ways, relations, deriveds, nwr, nw, wr, nr
  }

  /// Which members `count_members` and its sisters count.
  public enum MemberKind: String, Sendable, Hashable, CaseIterable {
    case all, nodes, ways, relations
  }

  /// Values of a whole set.
  public enum Aggregator: String, Sendable, Hashable, CaseIterable {
    /// The value if all elements share it.
    case u
    /// All distinct values as a list.
    case set
    case min, max, sum
    /// All geometries as one.
    case gcat
  }

  /// Functions of one argument.
  public enum Function: String, Sendable, Hashable, CaseIterable {
    case number
    case isNumber = "is_number"
    case suffix, abs, date
    case isDate = "is_date"
    case lrsMin = "lrs_min"
    case lrsMax = "lrs_max"
    /// On geometries.
    case center, trace, hull

    /// Whether argument and value are geometries.
    public var isGeometric: Bool { self == .center || self == .trace || self == .hull }
  }

  /// Functions of two lists that are written with semicolons.
  public enum ListFunction: String, Sendable, Hashable, CaseIterable {
    case lrsIn = "lrs_in"
    case lrsIsect = "lrs_isect"
    case lrsUnion = "lrs_union"
  }

  public enum MemberAggregator: String, Sendable, Hashable, CaseIterable {
    case member = "per_member"
    case vertex = "per_vertex"
  }

  /// Properties of a member, within ``perMember(_:_:)``.
  public enum MemberFunction: String, Sendable, Hashable, CaseIterable {
    case pos, mtype, ref, role
    /// The angle at a vertex, within `per_vertex`.
    case angle
  }

  /// Operators of two operands, weakest first.
  public enum Operator: String, Sendable, Hashable, CaseIterable {
    case or = "||"
    case and = "&&"
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessEqual = "<="
    case greater = ">"
    case greaterEqual = ">="
    case plus = "+"
    case minus = "-"
    case times = "*"
    case divided = "/"

    /// How strongly the operator binds; all of them bind to the left.
    public var precedence: Int {
      switch self {
      case .or: 5
      case .and: 6
      case .equal, .notEqual: 7
      case .less, .lessEqual, .greater, .greaterEqual: 8
      case .plus, .minus: 10
      case .times, .divided: 11
      }
    }
  }

  /// What kind of value an evaluator has.
  public enum ValueType: Sendable, Hashable {
    case string, container, geometry
  }

  public var valueType: ValueType {
    switch self {
    case .element(.keys): .container
    case .element(.geom), .point, .linestring, .polygon: .geometry
    case .aggregate(let aggregator, _, _): aggregator == .gcat ? .geometry : .string
    case .function(let function, _): function.isGeometric ? .geometry : .string
    case .conditional(_, let then, _): then.valueType
    default: .string
    }
  }
}
