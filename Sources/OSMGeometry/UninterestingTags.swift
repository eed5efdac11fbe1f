// Which tags say nothing about the world, as data.

/// A tag that does not make an element interesting by itself.
public struct UninterestingTag: Sendable, Hashable {
  public var key: String
  /// The values meant; `nil` for every value.
  public var values: Set<String>?

  public init(_ key: String, values: Set<String>? = nil) {
    self.key = key
    self.values = values
  }
}

/// A list of tags that do not make an element interesting by themselves: a node of a way that has no
/// others is no feature of its own.
///
/// Read from a table of lines
///
/// ```
/// # version 1
/// source *
/// note + fixme todo
/// ```
///
/// or from JSON: `{"version": "1", "tags": {"source": true, "note": ["fixme", "todo"]}}`, the inner
/// object alone (as in osmtogeojson's option `uninterestingTags`), or a list of keys.
public struct UninterestingTags: Sendable, Equatable {
  /// The version that the list states, if it does.
  public var version: String?
  public var tags: [UninterestingTag] = []

  /// A list by which every tag is interesting.
  public init() {}

  /// Reads a table or JSON.
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
      } else if words.count == 1 || words[1...] == ["*"] {
        tags.append(UninterestingTag(key))
      } else if words[1] == "+", words.count > 2 {
        tags.append(UninterestingTag(key, values: Set(words[2...])))
      } else {
        throw TagRulesError(line: number)
      }
    }
  }

  private mutating func readJSON(_ root: RuleValue) throws(TagRulesError) {
    var list = root
    if let tags = root["tags"], case .object = tags.content {
      version = root["version"]?.text
      list = tags
    }
    if case .object(let members) = list.content {
      for (key, value) in members {
        if let isMeant = value.bool {
          if isMeant { tags.append(UninterestingTag(key)) }
        } else {
          tags.append(UninterestingTag(key, values: try value.texts()))
        }
      }
    } else {
      for key in try list.texts().sorted() { tags.append(UninterestingTag(key)) }
    }
  }

  /// The list as JSON, which ``init(parsing:)`` reads.
  public var json: String {
    var text = "{"
    if let version {
      text += "\n  \"version\": "
      appendJSON(version, to: &text)
      text += ","
    }
    text += "\n  \"tags\": {"
    var isFirst = true
    for tag in tags {
      text += isFirst ? "\n    " : ",\n    "
      isFirst = false
      appendJSON(tag.key, to: &text)
      text += ": " + (tag.values.map { jsonList($0) } ?? "true")
    }
    return text + "\n  }\n}\n"
  }
}

extension UninterestingTags {
  /// Tags about the making of the data, and what editors remove when they meet it.
  /// Source: the wiki's pages "Discardable tags" (part) and of the keys.
  public static let current = table(
    """
    # version 1
    source *
    source_ref *
    source:ref *
    history *
    attribution *
    created_by *
    tiger:county *
    tiger:tlid *
    tiger:upload_uuid *
    converted_by *
    current_id *
    geobase:datasetName *
    geobase:uuid *
    import_uuid *
    odbl *
    odbl:note *
    tiger:separated *
    tiger:source *
    source:date *
    source:geometry *
    """)

  /// The list of osmtogeojson and overpass turbo.
  public static let osmtogeojson = table(
    """
    # version 3.0.0
    source *
    source_ref *
    source:ref *
    history *
    attribution *
    created_by *
    tiger:county *
    tiger:tlid *
    tiger:upload_uuid *
    """)

  /// A table of this file, which tests read line by line.
  private static func table(_ text: String) -> UninterestingTags {
    (try? UninterestingTags(parsing: text)) ?? UninterestingTags()
  }
}
