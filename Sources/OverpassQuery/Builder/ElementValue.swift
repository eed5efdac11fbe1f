// Expressions in conditions on the elements of a set.

/// A value that an element has, or a set, or that is fixed; used in
/// ``ElementSetConvertible/where(_:)``.
///
/// ```swift
/// Query.ways().tag("highway").where(.length > 1000 && .tagCount < 3)
/// ```
///
/// Equality is spelled ``equals(_:)``, since `==` compares two values in the program.
public struct ElementValue: Sendable, Hashable {
  /// The names of sets in it are places in ``sets``: `0`, `1` and so on.
  let evaluator: Query.Evaluator
  let sets: [ElementSet]
  /// How many operators the value was made with, at most.
  private let size: Int

  private init(_ evaluator: Query.Evaluator, sets: [ElementSet], size: Int = 0) {
    self.evaluator = evaluator
    self.sets = sets
    self.size = size
  }

  /// What a value becomes that is made with more operators than a query may have: nothing that grows
  /// any further.
  private static var tooLarge: ElementValue {
    ElementValue(
      .fixed(""),
      sets: [
        ElementSet(
          QueryError(
            .tooDeep, "an expression has more than \(Query.Limits.operators) operators"))
      ], size: Query.Limits.operators)
  }

  /// An evaluator of the language that reads no set.
  public init(_ evaluator: Query.Evaluator) {
    // Names from outside are marked, so that they are never taken for places.
    self.init(evaluator.mapSets { .init("!" + $0.name) }, sets: [])
  }

  /// An evaluator of the language with sets in place of some names.
  init(_ evaluator: Query.Evaluator, sets named: [String: ElementSet]) {
    var places: [Query.SetName] = []
    var sets: [ElementSet] = []
    let numbered = evaluator.mapSets { name in
      guard let set = named[name.name] else { return .init("!" + name.name) }
      let place = places.firstIndex(of: name) ?? places.count
      if place == places.count {
        places.append(name)
        sets.append(set)
      }
      return .init(String(place))
    }
    self.init(numbered, sets: sets)
  }

  /// The name of a set that came with an evaluator from outside.
  var foreignSet: Query.SetName? {
    var found: Query.SetName?
    _ = evaluator.mapSets { name in
      if found == nil, name.name.hasPrefix("!") { found = .init(String(name.name.dropFirst())) }
      return name
    }
    return found
  }
}

extension ElementValue {
  /// The length of a way or relation in metres.
  public static let length = ElementValue(.element(.length))
  /// How many tags the element has.
  public static let tagCount = ElementValue(.countTags)
  /// Whether the way is closed.
  public static let isClosed = ElementValue(.element(.isClosed))
  public static let id = ElementValue(.element(.id))
  public static let version = ElementValue(.element(.version))

  /// A property of the element.
  public static func property(_ function: Query.Evaluator.ElementFunction) -> ElementValue {
    ElementValue(.element(function))
  }

  /// The value of a tag; empty if there is none.
  public static func tag(_ key: String) -> ElementValue { ElementValue(.tag(.fixed(key))) }

  /// The value of a tag as a number; not a number if it is none.
  public static func number(ofTag key: String) -> ElementValue {
    ElementValue(.function(.number, .tag(.fixed(key))))
  }

  public static func hasTag(_ key: String) -> ElementValue { ElementValue(.isTag(key)) }

  /// How many nodes a way has, or members a relation.
  public static func memberCount(
    _ kind: Query.Evaluator.MemberKind = .all, distinct: Bool = false
  ) -> ElementValue {
    ElementValue(.countMembers(kind, distinct: distinct))
  }

  /// How many members with that role a relation has.
  public static func memberCount(
    role: String, _ kind: Query.Evaluator.MemberKind = .all, distinct: Bool = false
  ) -> ElementValue {
    ElementValue(.countByRole(role, kind, distinct: distinct))
  }

  /// How many elements another set has; the same number for each element.
  public static func count(
    _ counted: Query.Evaluator.CountedElements = .nwr, in set: some ElementSetConvertible
  ) -> ElementValue {
    ElementValue(.count("0", counted), sets: [set.elements])
  }

  /// A value of another set as a whole, such as the sum of the lengths.
  public static func aggregate(
    _ aggregator: Query.Evaluator.Aggregator, of value: ElementValue,
    in set: some ElementSetConvertible
  ) -> ElementValue {
    guard value.size < Query.Limits.operators else { return .tooLarge }
    return ElementValue(
      .aggregate(aggregator, "0", value.shifted(by: 1)), sets: [set.elements] + value.sets,
      size: value.size + 1)
  }
}

// MARK: Operators

extension ElementValue {
  private func shifted(by count: Int) -> Query.Evaluator {
    guard count > 0, !sets.isEmpty else { return evaluator }
    return evaluator.mapSets { name in Int(name.name).map { .init("\($0 + count)") } ?? name }
  }

  private func combined(
    _ sign: Query.Evaluator.Operator, _ other: ElementValue
  ) -> ElementValue {
    let size = size + other.size + 1
    guard size <= Query.Limits.operators else { return .tooLarge }
    return ElementValue(
      .binary(sign, evaluator, other.shifted(by: sets.count)), sets: sets + other.sets, size: size)
  }

  public func equals(_ other: ElementValue) -> ElementValue { combined(.equal, other) }
  public func differs(from other: ElementValue) -> ElementValue { combined(.notEqual, other) }

  public static func < (left: ElementValue, right: ElementValue) -> ElementValue {
    left.combined(.less, right)
  }
  public static func <= (left: ElementValue, right: ElementValue) -> ElementValue {
    left.combined(.lessEqual, right)
  }
  public static func > (left: ElementValue, right: ElementValue) -> ElementValue {
    left.combined(.greater, right)
  }
  public static func >= (left: ElementValue, right: ElementValue) -> ElementValue {
    left.combined(.greaterEqual, right)
  }
  public static func && (left: ElementValue, right: ElementValue) -> ElementValue {
    left.combined(.and, right)
  }
  public static func || (left: ElementValue, right: ElementValue) -> ElementValue {
    left.combined(.or, right)
  }
  public static func + (left: ElementValue, right: ElementValue) -> ElementValue {
    left.combined(.plus, right)
  }
  public static func - (left: ElementValue, right: ElementValue) -> ElementValue {
    left.combined(.minus, right)
  }
  public static func * (left: ElementValue, right: ElementValue) -> ElementValue {
    left.combined(.times, right)
  }
  public static func / (left: ElementValue, right: ElementValue) -> ElementValue {
    left.combined(.divided, right)
  }
  public static prefix func ! (value: ElementValue) -> ElementValue {
    guard value.size < Query.Limits.operators else { return .tooLarge }
    return ElementValue(.not(value.evaluator), sets: value.sets, size: value.size + 1)
  }
}

extension ElementValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral
{
  public init(stringLiteral value: String) { self.init(.fixed(value)) }
  public init(integerLiteral value: Int64) { self.init(.fixed(String(value))) }
  public init(floatLiteral value: Double) { self.init(.fixed(fixedNotation(value))) }

  /// A fixed text; to the server a number is a text like any other.
  public static func text(_ text: String) -> ElementValue { ElementValue(.fixed(text)) }
  /// A fixed number.
  public static func number(_ number: Double) -> ElementValue {
    ElementValue(.fixed(fixedNotation(number)))
  }
}
