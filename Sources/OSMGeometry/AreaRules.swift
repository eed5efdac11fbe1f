// Which closed ways are areas, as data: rules by key and value, parsed from a compact table.

/// Tells from tags whether a closed way is an area or a line.
///
/// ```swift
/// AreaRules.current.isArea([("highway", "residential")])  // false
/// ```
///
/// The rules are a table of lines, one per key (see ``current`` and ``osmPolygonFeatures``):
///
/// ```
/// landuse *                    every value makes an area
/// highway + services platform  only these values do
/// natural - coastline cliff    every value but these does
/// decide area=no line          settles the matter whatever the other tags say
/// ```
///
/// or the same as JSON, in which `landuse`'s rule is `true`:
///
/// ```
/// {"version": "1", "decide": [{"key": "area", "value": "no", "area": false}],
///  "keys": {"landuse": true, "highway": {"only": ["services"]}, "natural": {"except": ["cliff"]}}}
/// ```
///
/// JSON may also be laid out as osm-polygon-features is, `[{"key": "landuse", "polygon": "all"}, …]`,
/// or as osmtogeojson's option `polygonFeatures`: the inner object of `keys` alone.
///
/// Apart from `decide` lines, which count in their order, any tag that makes an area is enough, so
/// the order of tags does not matter. The value `no` never makes an area.
public struct AreaRules: Sendable, Equatable {
  /// What the values of a key mean.
  public enum Values: Sendable, Equatable {
    case all
    case only(Set<String>)
    case except(Set<String>)
  }

  /// A tag that settles the matter.
  public struct Decision: Sendable, Equatable {
    public var key: String
    public var value: String
    public var isArea: Bool
  }

  /// The version that the rules state, if they do.
  public var version: String?
  public var decisions: [Decision] = []
  public var keys: [String: Values] = [:]

  /// Rules by which nothing is an area.
  public init() {}

  /// Reads a table of lines or JSON. In tables, empty lines and lines that start with `#` mean
  /// nothing, but for `# version 1`.
  /// - Throws: ``TagRulesError`` with the number of the first line that cannot be read.
  public init(parsing text: String) throws(TagRulesError) {
    if isJSON(text) { try readJSON(RuleValue(parsing: text)) } else { try readTable(text) }
  }

  private mutating func readTable(_ table: String) throws(TagRulesError) {
    var number = 0
    for line in table.split(separator: "\n", omittingEmptySubsequences: false) {
      number += 1
      let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
      guard let key = words.first else { continue }
      if key.hasPrefix("#") {
        if words.count == 3, words[1] == "version" { version = words[2] }
        continue
      }
      guard words.count > 1 else { throw TagRulesError(line: number) }
      let values = Set(words.dropFirst(2))
      switch (key, words[1]) {
      case ("decide", let tag):
        let parts = tag.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2, words.count == 3, words[2] == "area" || words[2] == "line"
        else { throw TagRulesError(line: number) }
        decisions.append(Decision(key: parts[0], value: parts[1], isArea: words[2] == "area"))
      case (_, "*"): keys[key] = .all
      case (_, "+"): keys[key] = .only(values)
      case (_, "-"): keys[key] = .except(values)
      default: throw TagRulesError(line: number)
      }
    }
  }

  /// Whether a closed way with these tags is an area.
  public func isArea(_ tags: some Sequence<(key: String, value: String)>) -> Bool {
    let tags = Array(tags)
    for decision in decisions
    where tags.contains(where: { $0.key == decision.key && $0.value == decision.value }) {
      return decision.isArea
    }
    return tags.contains { makesArea($0.key, $0.value) }
  }

  /// Whether one tag makes a closed way an area, `decide` lines apart.
  public func makesArea(_ key: String, _ value: String) -> Bool {
    guard value != "no", let values = keys[key] else { return false }
    switch values {
    case .all: return true
    case .only(let list): return list.contains(value)
    case .except(let list): return !list.contains(value)
    }
  }
}
