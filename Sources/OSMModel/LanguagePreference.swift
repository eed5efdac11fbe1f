// Texts that OSM keeps in several languages: `name:fi`, `name:en`, `name`. Source: OSM wiki, "Key:name"
// and "Names#Localization"; RFC 4647 §3.4 (lookup of language ranges).

/// The languages a person reads, the preferred one first.
///
/// ```swift
/// let languages: LanguagePreference = ["fi", "en"]  // name:fi, then name:en, then name
/// ```
///
/// Codes are language tags as in `fi`, `zh-Hant` or `pt-BR`, in capital or small letters, with `-` or
/// `_` between their parts. A longer code also takes what is there for a shorter one: `pt-BR` looks for
/// `name:pt-BR`, then for `name:pt`. What is no language tag is left out, as no key can carry it.
public struct LanguagePreference: Sendable, Hashable, ExpressibleByArrayLiteral {
  /// The suffixes of keys to look for, in this order.
  public let suffixes: [String]

  public init(_ codes: [String]) {
    var suffixes: [String] = []
    for code in codes {
      for suffix in LanguagePreference.suffixes(of: code) where !suffixes.contains(suffix) {
        suffixes.append(suffix)
      }
    }
    self.suffixes = suffixes
  }

  public init(arrayLiteral codes: String...) { self.init(codes) }

  /// `zh-hant-TW` gives `zh-Hant-TW`, `zh-Hant`, `zh`.
  private static func suffixes(of code: String) -> [String] {
    // No registered tag is longer (RFC 5646 §4.4.1).
    guard code.utf8.count <= 64 else { return [] }
    let parts = code.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }
    guard parts.allSatisfy(isSubtag) else { return [] }
    var spelt: [String] = []
    for (place, part) in parts.enumerated() { spelt.append(spelling(part, isFirst: place == 0)) }
    return spelt.indices.reversed().map { spelt[...$0].joined(separator: "-") }
  }

  private static func isSubtag(_ part: Substring) -> Bool {
    !part.isEmpty && part.utf8.count <= 8
      && part.utf8.allSatisfy {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
      }
  }

  /// Keys are compared byte for byte, and follow the usual spelling (RFC 5646 §2.1.1): scripts `Latn`,
  /// regions `BR`, all else small.
  private static func spelling(_ part: Substring, isFirst: Bool) -> String {
    let small = part.lowercased()
    if isFirst { return small }
    switch part.utf8.count {
    case 2: return small.uppercased()
    case 4: return small.prefix(1).uppercased() + small.dropFirst()
    default: return small
    }
  }
}

/// The keys under which the elements of one dataset carry a text, by preference.
public struct LocalizedKey: Sendable {
  /// Only keys that occur.
  private var keys: [StringID] = []

  /// - Parameter key: the key without a language, such as `name`.
  public init(_ key: String, _ languages: LanguagePreference, in strings: borrowing StringTable) {
    for suffix in languages.suffixes {
      if let found = strings.find(key + ":" + suffix) { keys.append(found) }
    }
    if let found = strings.find(key) { keys.append(found) }
  }

  /// The text of the most preferred key that says something, or `nil`. White space says nothing.
  public func value(
    in tags: some Sequence<Tag>, _ strings: borrowing StringTable
  ) -> StringID? {
    guard !keys.isEmpty else { return nil }
    var best: (rank: Int, value: StringID)?
    for tag in tags {
      guard let rank = keys.firstIndex(of: tag.key), rank < best?.rank ?? .max,
        strings.saysSomething(tag.value)
      else { continue }
      best = (rank, tag.value)
    }
    return best?.value
  }
}

extension StringTable {
  /// Whether a text has anything but blanks, tabs and ends of lines.
  public func saysSomething(_ id: StringID) -> Bool {
    let bytes = bytes(id)
    return bytes.contains { $0 != 0x20 && !(0x09...0x0D).contains($0) }
  }
}
