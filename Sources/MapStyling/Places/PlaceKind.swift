// What a place is, and that in words. Source: OSM wiki, "Key:amenity", "Key:shop", "Key:tourism".

/// The tag that tells what a place is.
public struct PlaceKind: Sendable, Hashable {
  public var key: String
  public var value: String

  public init(key: String, value: String) {
    self.key = key
    self.value = value
  }

  /// The kind in English words: `Toilets`, `Drinking water`, `Clothes shop`. Several values in one, as in
  /// `cafe;bar`, are all there. A value without a word of its own, such as `yes`, gives the key's.
  public var title: String {
    var words: [String] = []
    for part in value.split(separator: ";") {
      let text = PlaceKind.words(trimmed(part), key)
      if !text.isEmpty, !words.contains(text) { words.append(text) }
    }
    guard let first = words.first else { return PlaceKind.capitalized(PlaceKind.plain(key[...])) }
    return ([PlaceKind.capitalized(first)] + words.dropFirst()).joined(separator: ", ")
  }

  private static func words(_ value: Substring, _ key: String) -> String {
    guard value != "yes" else { return plain(key[...]) }
    if let known = known[value] { return known }
    let text = plain(value)
    return key == "shop" && !text.isEmpty && !namesShop(value) ? text + " shop" : text
  }

  /// Underscores are blanks.
  private static func plain(_ text: Substring) -> String {
    String(decoding: text.utf8.map { $0 == UInt8(ascii: "_") ? 0x20 : $0 }, as: UTF8.self)
  }

  private static func capitalized(_ text: String) -> String {
    guard let first = text.first else { return text }
    return first.uppercased() + text.dropFirst()
  }

  /// Values that are no plain English words.
  private static let known: [Substring: String] = [
    "atm": "ATM", "bbq": "barbecue", "cafe": "café", "doityourself": "DIY shop",
    "hifi": "hi-fi shop", "convenience": "convenience store", "general": "general store",
    "copyshop": "copy shop", "country_store": "country store",
  ]

  /// Values of `shop` that name the shop or its keeper rather than its goods.
  private static let shopNames: Set<Substring> = [
    "bakery", "bookmaker", "brewery", "butcher", "chemist", "coffee_roaster", "confectionery",
    "deli",
    "dry_cleaning", "florist", "funeral_directors", "garden_centre", "greengrocer", "hairdresser",
    "kiosk", "laundry", "locksmith", "mall", "newsagent", "optician", "outpost", "pastry",
    "pawnbroker", "perfumery", "pharmacy", "supermarket", "tailor", "watchmaker", "winery",
  ]

  private static func namesShop(_ value: Substring) -> Bool {
    shopNames.contains(value) || value.hasSuffix("_shop") || value.hasSuffix("_store")
      || value.hasSuffix("_repair") || value.hasSuffix("_agency") || value.hasSuffix("_market")
      || value.hasSuffix("_rental")
  }
}

/// Without blanks at both ends.
private func trimmed(_ text: Substring) -> Substring {
  var text = text
  while text.first == " " { text.removeFirst() }
  while text.last == " " { text.removeLast() }
  return text
}
