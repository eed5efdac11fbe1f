// Searches in the wizard's language as values.

/// What a search of the wizard asks for.
struct WizardSearch {
  enum Place {
    case box
    case area(String)
    case around(String)
    case everywhere
  }

  var expression: WizardExpression
  var place: Place
}

indirect enum WizardExpression {
  case condition(WizardCondition)
  case and(WizardExpression, WizardExpression)
  case or(WizardExpression, WizardExpression)
}

/// One condition of a search.
struct WizardCondition {
  enum Kind {
    case key, noKey
    case equals(String), notEquals(String)
    case matches(Query.Pattern), notMatches(Query.Pattern)
    case keyMatches(Query.Pattern)
    case contains(String)
    /// `type:node`
    case type(String)
    /// `user:`, `uid:`, `id:`, `newer:`, `older:`, `date:`
    case meta(String)
    /// A word that has to be the name of a preset.
    case preset
  }

  var kind: Kind
  /// The key; for ``Kind/meta(_:)`` the value, for ``Kind/preset`` the word.
  var key: String
  /// Where it begins in the search.
  var offset: Int
}

extension WizardExpression {
  /// Most alternatives a search may have when `and` is multiplied out.
  static let alternativeLimit = 1000

  /// The expression as alternatives of conditions that all have to hold; `nil` if there are too many.
  func alternatives() -> [[WizardCondition]]? {
    switch self {
    case .condition(let condition): return [[condition]]
    case .or(let left, let right):
      guard let first = left.alternatives(), let second = right.alternatives(),
        first.count + second.count <= WizardExpression.alternativeLimit
      else { return nil }
      return first + second
    case .and(let left, let right):
      guard let first = left.alternatives(), let second = right.alternatives(),
        first.count * second.count <= WizardExpression.alternativeLimit
      else { return nil }
      return first.flatMap { left in second.map { left + $0 } }
    }
  }
}

extension Query {
  /// A word that stands for tags in searches of the wizard, such as “Hospital”.
  public struct WizardPreset: Sendable, Hashable {
    public var name: String
    /// Other words for it.
    public var terms: [String]
    /// Which types of elements it applies to.
    public var types: QueryBuilder.ElementTypes
    /// Keys and values; the value `*` stands for any.
    public var tags: [(key: String, value: String)] { zip(keys, values).map { ($0, $1) } }

    private var keys: [String]
    private var values: [String]

    public init(
      name: String, terms: [String] = [], types: QueryBuilder.ElementTypes,
      tags: [(key: String, value: String)]
    ) {
      self.name = name
      self.terms = terms
      self.types = types
      keys = tags.map(\.key)
      values = tags.map(\.value)
    }
  }
}
