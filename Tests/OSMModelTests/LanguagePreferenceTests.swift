// Names in the languages that a person reads.

import OSMModel
import Testing

@Suite struct LanguagePreferenceTests {
  @Test func longerCodesAlsoTakeShorterOnes() {
    #expect(LanguagePreference(["fi", "en"]).suffixes == ["fi", "en"])
    #expect(LanguagePreference(["pt-BR", "pt"]).suffixes == ["pt-BR", "pt"])
    #expect(LanguagePreference(["zh_hant_tw"]).suffixes == ["zh-Hant-TW", "zh-Hant", "zh"])
    #expect(LanguagePreference(["SR-latn"]).suffixes == ["sr-Latn", "sr"])
    #expect(LanguagePreference(["be-tarask"]).suffixes == ["be-tarask", "be"])
  }

  @Test func whatIsNoLanguageTagIsLeftOut() {
    let long = String(repeating: "a-", count: 40) + "a"
    #expect(
      LanguagePreference(["", "-", "fi-", "f i", "ä", "en.UTF-8", "abcdefghi", long]).suffixes == []
    )
  }

  @Test func preferenceDecidesAndNotTheOrderOfTags() {
    let tags = Tagged([
      "name": "Plain", "name:sv": "Svenska", "name:fi": "Suomi", "name:en": " \t",
    ])
    #expect(tags.value("name", ["fi", "sv"]) == "Suomi")
    #expect(tags.value("name", ["sv", "fi"]) == "Svenska")
    #expect(tags.value("name", ["sv-FI"]) == "Svenska")
    #expect(tags.value("name", ["de"]) == "Plain")
    #expect(tags.value("name", []) == "Plain")
    // White space is no name.
    #expect(tags.value("name", ["en", "sv"]) == "Svenska")
    #expect(tags.value("name", ["en"]) == "Plain")
  }

  @Test func noNameIsNone() {
    let tags = Tagged(["name": "", "name:fi": "\u{20}\n", "amenity": "cafe"])
    #expect(tags.value("name", ["fi"]) == nil)
    #expect(tags.value("brand", ["fi"]) == nil)
  }
}

/// An element's tags with their table of strings.
private final class Tagged {
  private let strings: StringTable
  private let tags: [OSMModel.Tag]

  init(_ texts: KeyValuePairs<String, String>) {
    var strings = StringTable()
    tags = texts.map { key, value in
      OSMModel.Tag(key: strings.intern(key), value: strings.intern(value))
    }
    self.strings = strings
  }

  func value(_ key: String, _ languages: LanguagePreference) -> String? {
    LocalizedKey(key, languages, in: strings).value(in: tags, strings).map { strings.string($0) }
  }
}
