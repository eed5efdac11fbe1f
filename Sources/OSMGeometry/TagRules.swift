// Area rules and lists of uninteresting tags in terms of one dataset's string numbers.

import OSMModel

/// The rules of a profile for one dataset: look-ups without comparing text.
struct TagRules: Sendable {
  private struct AreaRule {
    var kind: Kind
    var values: [StringID]

    enum Kind { case all, only, except }
  }

  private struct Decision {
    var key: StringID
    var value: StringID
    var isArea: Bool
  }

  /// For each string that is a key with rules: the rule's number plus one.
  private var areaRuleOfKey: [UInt16]
  private var areaRules: [AreaRule] = []
  private var decisions: [Decision] = []
  /// For each string that is an uninteresting key: 1 whatever the value, otherwise the number of
  /// its list of values plus two.
  private var uninterestingKeys: [UInt16]
  private var uninterestingValues: [[StringID]] = []
  private let no: StringID
  let typeKey: StringID?

  init(_ options: FeatureOptions, _ strings: borrowing StringTable) {
    areaRuleOfKey = [UInt16](repeating: 0, count: strings.count)
    uninterestingKeys = [UInt16](repeating: 0, count: strings.count)
    no = strings.find("no") ?? .absent
    typeKey = strings.find("type")
    addAreaRules(options.areaRules ?? options.profile.areaRules, strings)
    let list = options.uninteresting ?? options.profile.uninterestingTags
    for tag in list.tags + options.uninterestingTags {
      addUninteresting(tag, strings)
    }
  }

  private mutating func addAreaRules(_ rules: AreaRules, _ strings: borrowing StringTable) {
    for decision in rules.decisions {
      guard let key = strings.find(decision.key), let value = strings.find(decision.value) else {
        continue
      }
      decisions.append(Decision(key: key, value: value, isArea: decision.isArea))
    }
    for (key, values) in rules.keys where areaRules.count < Int(UInt16.max) - 1 {
      guard let key = strings.find(key) else { continue }
      var rule: AreaRule
      switch values {
      case .all: rule = AreaRule(kind: .all, values: [])
      case .only(let list): rule = AreaRule(kind: .only, values: find(list, strings))
      case .except(let list): rule = AreaRule(kind: .except, values: find(list, strings))
      }
      areaRules.append(rule)
      areaRuleOfKey[Int(key.rawValue)] = UInt16(truncatingIfNeeded: areaRules.count)
    }
  }

  private mutating func addUninteresting(
    _ tag: UninterestingTag, _ strings: borrowing StringTable
  ) {
    guard let key = strings.find(tag.key) else { return }
    guard let values = tag.values else {
      uninterestingKeys[Int(key.rawValue)] = 1
      return
    }
    guard uninterestingKeys[Int(key.rawValue)] == 0,
      uninterestingValues.count < Int(UInt16.max) - 2
    else { return }
    uninterestingValues.append(find(values, strings))
    uninterestingKeys[Int(key.rawValue)] = UInt16(truncatingIfNeeded: uninterestingValues.count + 1)
  }

  private func find(_ texts: Set<String>, _ strings: borrowing StringTable) -> [StringID] {
    var found: [StringID] = []
    for text in texts {
      if let id = strings.find(text) { found.append(id) }
    }
    return found
  }

  /// Whether a closed way with these tags is an area.
  func isArea(_ tags: UnsafeBufferPointer<Tag>) -> Bool {
    for decision in decisions {
      for tag in tags where tag.key == decision.key && tag.value == decision.value {
        return decision.isArea
      }
    }
    for tag in tags where tag.value != no {
      let number = areaRuleOfKey[Int(tag.key.rawValue)]
      if number == 0 { continue }
      let rule = areaRules[Int(number) - 1]
      switch rule.kind {
      case .all: return true
      case .only: if rule.values.contains(tag.value) { return true }
      case .except: if !rule.values.contains(tag.value) { return true }
      }
    }
    return false
  }

  /// Whether a tag names what an element is, going by the keys that have area rules: `landuse` does,
  /// `name` and `area` do not.
  func namesKind(_ tags: UnsafeBufferPointer<Tag>) -> Bool {
    for tag in tags where areaRuleOfKey[Int(tag.key.rawValue)] != 0 { return true }
    return false
  }

  /// Whether a tag says something about the world.
  @inline(__always) func isInteresting(_ tag: Tag) -> Bool {
    let mark = uninterestingKeys[Int(tag.key.rawValue)]
    if mark == 0 { return true }
    return mark > 1 && !uninterestingValues[Int(mark) - 2].contains(tag.value)
  }

  func isInteresting(_ tags: UnsafeBufferPointer<Tag>) -> Bool {
    for tag in tags where isInteresting(tag) { return true }
    return false
  }

  /// Whether a relation has tags of its own besides `type`.
  func isInterestingRelation(_ tags: UnsafeBufferPointer<Tag>) -> Bool {
    for tag in tags where isInteresting(tag) && tag.key != typeKey { return true }
    return false
  }
}
