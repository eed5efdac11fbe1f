// URL templates of tiles. Source: MapLibre style specification, "Sources", raster, `tiles`.

/// Checks what a viewer would only find out by asking for tiles that do not exist.
enum TileTemplate {
  /// What MapLibre GL fills in.
  private static let known: Set<String> = [
    "z", "x", "y", "quadkey", "bbox-epsg-3857", "ratio", "prefix",
  ]

  /// - Throws: ``MapStyleError`` of kind `tileTemplate`.
  static func check(_ template: String) throws(MapStyleError) {
    func fault(_ reason: String) -> MapStyleError {
      MapStyleError(.tileTemplate, "tile URL '\(template)': \(reason)")
    }
    guard !template.isEmpty else { throw fault("is empty") }
    guard isPlain(template) else { throw fault("holds spaces, quotes or control characters") }
    if template.hasPrefix("data:image/") { return }
    guard let names = placeholders(in: template) else { throw fault("has braces that do not pair") }
    for name in names where !known.contains(name) {
      switch name {
      case "s", "switch", "a-c":
        throw fault("{\(name)} is not known; give one template for each subdomain")
      case "-y": throw fault("{-y} is not known; write {y} and set the scheme to tms")
      case "r", "@2x": throw fault("{\(name)} is not known; {ratio} stands for @2x")
      default: throw fault("{\(name)} is not known")
      }
    }
    guard origin(ofURL: template) != nil else {
      throw fault("is not complete; it starts with https:// or the like, and a host")
    }
    let isComplete =
      names.contains("quadkey") || names.contains("bbox-epsg-3857")
      || (names.contains("z") && names.contains("x") && names.contains("y"))
    guard isComplete else { throw fault("{z}, {x} and {y} are needed") }
  }

  /// The texts between braces; `nil` where braces do not pair.
  private static func placeholders(in template: String) -> [String]? {
    var names: [String] = []
    var name: String?
    for character in template {
      switch (character, name) {
      case ("{", nil): name = ""
      case ("}", let inner?):
        names.append(inner)
        name = nil
      case ("{", _), ("}", _): return nil
      case (_, let inner?): name = inner + String(character)
      default: break
      }
    }
    return name == nil ? names : nil
  }
}

/// Whether nothing in a URL can end it early where it is written down.
func isPlain(_ url: String) -> Bool {
  !url.unicodeScalars.contains { scalar in
    scalar.value <= 0x20 || scalar.value == 0x7F || scalar.value == 0x2028
      || scalar.value == 0x2029 || "\"'<>\\`".unicodeScalars.contains(scalar)
  }
}

/// Scheme and host of a URL with two slashes, such as `https://a.example:8080`; `file:` for files;
/// `nil` for anything else, and for schemes that carry code.
func origin(ofURL url: String) -> String? {
  guard let colon = url.firstIndex(of: ":"), url[colon...].hasPrefix("://") else { return nil }
  let scheme = url[..<colon].lowercased()
  guard scheme.utf8.first.map({ (0x61...0x7A).contains($0) }) == true,
    scheme.utf8.allSatisfy({ isLetterOrDigit($0) || "+.-".utf8.contains($0) }),
    scheme != "javascript", scheme != "vbscript"
  else { return nil }
  if scheme == "file" { return "file:" }
  let host = url[colon...].dropFirst(3).prefix { !"/?#".contains($0) }
  guard !host.isEmpty, host.utf8.allSatisfy({ isLetterOrDigit($0) || ".-_:[]".utf8.contains($0) })
  else { return nil }
  return scheme + "://" + host.lowercased()
}

private func isLetterOrDigit(_ byte: UInt8) -> Bool {
  (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
}

/// - Parameter schemes: the ones allowed.
/// - Throws: ``MapStyleError`` of kind `url`.
func checkURL(_ url: String, _ what: String, schemes: [String]) throws(MapStyleError) {
  guard isPlain(url), origin(ofURL: url) != nil,
    schemes.contains(where: { url.lowercased().hasPrefix($0 + "://") })
  else {
    throw MapStyleError(
      .url,
      "\(what) '\(url)' is no URL that starts with \(schemes.joined(separator: ":// or "))://")
  }
}
