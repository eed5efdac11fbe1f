// Area rules as JSON: our own layout, that of osm-polygon-features and that of osmtogeojson.

extension AreaRules {
  mutating func readJSON(_ root: RuleValue) throws(TagRulesError) {
    switch root.content {
    case .list(let entries):
      for entry in entries { try readEntry(entry) }
    case .object(let members):
      guard let keys = root["keys"], case .object(let rules) = keys.content else {
        return try readKeys(members)
      }
      version = root["version"]?.text
      if let decide = root["decide"] { try readDecisions(decide) }
      try readKeys(rules)
    case .text, .bool, .other: throw root.error
    }
  }

  private mutating func readDecisions(_ list: RuleValue) throws(TagRulesError) {
    guard case .list(let entries) = list.content else { throw list.error }
    for entry in entries {
      guard let key = entry["key"]?.text, let value = entry["value"]?.text,
        let isArea = entry["area"]?.bool
      else { throw entry.error }
      decisions.append(Decision(key: key, value: value, isArea: isArea))
    }
  }

  /// Keys with `true`, or with values that are included or excluded.
  private mutating func readKeys(
    _ rules: [(name: String, value: RuleValue)]
  ) throws(TagRulesError) {
    for (key, rule) in rules {
      if let isArea = rule.bool {
        keys[key] = isArea ? .all : nil
      } else if let values = rule["only"] ?? rule["included_values"] {
        keys[key] = .only(try values.texts())
      } else if let values = rule["except"] ?? rule["excluded_values"] {
        keys[key] = .except(try values.texts())
      } else {
        throw rule.error
      }
    }
  }

  /// One entry of osm-polygon-features.
  /// Source: https://github.com/tyrasd/osm-polygon-features
  private mutating func readEntry(_ entry: RuleValue) throws(TagRulesError) {
    guard let key = entry["key"]?.text else { throw entry.error }
    let values = try entry["values"]?.texts() ?? []
    switch entry["polygon"]?.text {
    case "all": keys[key] = .all
    case "whitelist": keys[key] = .only(values)
    case "blacklist": keys[key] = .except(values)
    default: throw entry.error
    }
  }

  /// The rules as JSON, which ``init(parsing:)`` reads.
  public var json: String {
    var text = "{"
    if let version {
      text += "\n  \"version\": "
      appendJSON(version, to: &text)
      text += ","
    }
    text += "\n  \"decide\": ["
    for (index, decision) in decisions.enumerated() {
      text += index == 0 ? "\n    {\"key\": " : ",\n    {\"key\": "
      appendJSON(decision.key, to: &text)
      text += ", \"value\": "
      appendJSON(decision.value, to: &text)
      text += ", \"area\": \(decision.isArea)}"
    }
    text += "\n  ],\n  \"keys\": {"
    for (index, (key, values)) in keys.sorted(by: { $0.key < $1.key }).enumerated() {
      text += index == 0 ? "\n    " : ",\n    "
      appendJSON(key, to: &text)
      switch values {
      case .all: text += ": true"
      case .only(let list): text += ": {\"only\": \(jsonList(list))}"
      case .except(let list): text += ": {\"except\": \(jsonList(list))}"
      }
    }
    return text + "\n  }\n}\n"
  }
}
