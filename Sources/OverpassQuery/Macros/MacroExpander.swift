// Expands the macros of overpass turbo with values that the caller supplies.

import OSMModel

/// Expands macros like `{{bbox}}` in query texts of either form.
///
/// Nothing is looked up here: the box, the time and the geocoder come from the caller.
///
/// ```swift
/// var expander = MacroExpander()
/// expander.boundingBox = try BoundingBox(south: 52.4, west: 13.3, north: 52.6, east: 13.5)
/// let text = try expander.expand("node[amenity=cafe]({{bbox}});out;").text
/// ```
///
/// Known are `bbox`, `wsen`, `center`, `date:…`, `geocodeId:…`, `geocodeArea:…`, `geocodeBbox:…`,
/// `geocodeCoords:…`, constants (`{{name=value}}` and `{{name}}`), and `style:…` and `data:…`, which
/// are taken out of the text and handed back.
///
/// Source: https://wiki.openstreetmap.org/wiki/Overpass_turbo/Extended_Overpass_Turbo_Queries
public struct MacroExpander: Sendable {
  /// For `{{bbox}}`.
  public var boundingBox: BoundingBox?
  /// For `{{center}}`; without it the middle of the box.
  public var center: Coordinate?
  /// For `{{date}}`.
  public var now: Query.Timestamp?
  /// Constants beside those that a text defines.
  public var constants: [String: String] = [:]
  /// Whether macros without a meaning are removed, as overpass turbo does it, instead of reported.
  public var removesUnknown = false
  /// Whether it is an error when several places have the name that is looked for.
  public var refusesAmbiguity = false

  public init() {}

  /// A place that a geocoder has found.
  public struct Place: Sendable, Hashable {
    public var element: ElementID?
    public var name: String
    /// Higher is better. Places of equal importance keep the geocoder's order.
    public var importance: Double
    public var position: Coordinate?
    public var boundingBox: BoundingBox?

    public init(
      element: ElementID?, name: String, importance: Double = 0, position: Coordinate? = nil,
      boundingBox: BoundingBox? = nil
    ) {
      self.element = element
      self.name = name
      self.importance = importance
      self.position = position
      self.boundingBox = boundingBox
    }
  }

  /// What came of a name.
  public struct Choice: Sendable, Hashable {
    public var name: String
    public var chosen: Place
    /// The other places that would have done, best first.
    public var others: [Place]
  }

  /// A text without macros.
  public struct Expansion: Sendable, Hashable {
    public var text: String
    /// The contents of all `{{style:…}}`.
    public var style: String = ""
    /// The contents of all `{{data:…}}`.
    public var data: String = ""
    /// Which places were taken for which names.
    public var choices: [Choice] = []
  }

  /// Expands all macros.
  ///
  /// Macros in comments are removed without looking anything up. Line breaks are kept, so that lines
  /// of later errors are those of the text.
  ///
  /// - Parameters:
  ///   - text: a query in either form.
  ///   - geocode: finds places by name; called once for each name.
  /// - Throws: ``QuerySyntaxError`` with all macros that cannot be expanded.
  public func expand(
    _ text: String, geocode: ((String) -> [Place])? = nil
  ) throws(QuerySyntaxError) -> Expansion {
    let bytes = Array(text.utf8)
    var run = MacroRun(expander: self, text: bytes, geocode: geocode)
    run.expand()
    let diagnostics = run.collector.located(in: bytes)
    guard run.collector.errorCount == 0 else { throw QuerySyntaxError(diagnostics: diagnostics) }
    run.expansion.text = String(decoding: run.result, as: UTF8.self)
    return run.expansion
  }

  /// Expands all macros and parses the result.
  public func query(
    _ text: String, geocode: ((String) -> [Place])? = nil
  ) throws(QuerySyntaxError) -> Query {
    try Query.parse(try expand(text, geocode: geocode).text)
  }
}

/// One expansion at work.
private struct MacroRun {
  let expander: MacroExpander
  let text: [UInt8]
  let geocode: ((String) -> [MacroExpander.Place])?
  let isXML: Bool
  var collector = DiagnosticCollector()
  var result: [UInt8] = []
  var expansion = MacroExpander.Expansion(text: "")
  private var found: [String: [MacroExpander.Place]] = [:]
  private var constants: [String: String]

  init(
    expander: MacroExpander, text: [UInt8], geocode: ((String) -> [MacroExpander.Place])?
  ) {
    self.expander = expander
    self.text = text
    self.geocode = geocode
    constants = expander.constants
    isXML = MacroRun.isXML(text)
  }

  /// Which form the text has, macros in front of it aside.
  private static func isXML(_ text: [UInt8]) -> Bool {
    var index = 0
    for token in MacroScanner(text: text, isXML: false).tokens() {
      guard text[index..<token.range.lowerBound].allSatisfy(isBlank) else { break }
      index = token.range.upperBound
    }
    return text[index...].first { !isBlank($0) } == UInt8(ascii: "<")
  }

  mutating func expand() {
    let tokens = MacroScanner(text: text, isXML: isXML).tokens()
    for token in tokens where token.kind == .definition && !token.isInComment {
      constants[token.name] = token.argument
    }
    var index = 0
    for token in tokens {
      result.append(contentsOf: text[index..<token.range.lowerBound])
      index = token.range.upperBound
      if let value = value(of: token) { result.append(contentsOf: value.utf8) }
      // Lines stay where they are.
      for byte in text[token.range] where byte == 0x0A { result.append(byte) }
      guard result.count <= Query.Limits.textBytes else {
        report(token, .textTooLong, "the text becomes too long when its macros are expanded")
        return
      }
      if collector.isFull { return }
    }
    result.append(contentsOf: text[index...])
  }

  private mutating func report(
    _ token: MacroToken, _ code: Diagnostic.Code, _ message: String, suggestion: String? = nil
  ) {
    collector.add(
      Diagnostic(
        .error, code, message, length: token.range.count,
        found: String(decoding: text[token.range], as: UTF8.self), suggestion: suggestion),
      at: token.range.lowerBound)
  }

  private mutating func missing(_ token: MacroToken, _ what: String) -> String? {
    report(token, .unexpandedMacro, "“{{\(token.name)}}” cannot be expanded: \(what)")
    return nil
  }

  private mutating func value(of token: MacroToken) -> String? {
    if token.isInComment || token.kind == .definition { return nil }
    guard token.kind == .use else { return unknown(token) }
    if let constant = constants[token.name] { return constant }
    switch token.name {
    case "bbox":
      guard let box = expander.boundingBox else { return missing(token, "there is no box") }
      return print(box, isAttributes: isXML && !token.isInQuotes)
    case "wsen":
      guard let box = expander.boundingBox else { return missing(token, "there is no box") }
      return [box.westE7, box.southE7, box.eastE7, box.northE7].map(fixedDegrees)
        .joined(separator: ",")
    case "center":
      guard let center = expander.center ?? expander.boundingBox?.middle else {
        return missing(token, "there is neither a centre nor a box")
      }
      return print(center, isAttributes: isXML && !token.isInQuotes)
    case "date": return date(token)
    case "style":
      expansion.style += token.argument
      return nil
    case "data":
      expansion.data += token.argument
      return nil
    case "geocodeId", "geocodeArea", "geocodeBbox", "geocodeCoords": return place(token, token.name)
    case "nominatimId", "nominatimArea":
      // The old names stood for whole statements.
      return place(token, token.name.replacingPrefix("nominatim", by: "geocode"))
        .map { isXML ? $0 : $0 + ";" }
    case "nominatimBbox", "nominatimCoords":
      return place(token, token.name.replacingPrefix("nominatim", by: "geocode"))
    default: return unknown(token)
    }
  }

  private static let names = [
    "bbox", "wsen", "center", "date", "style", "data", "geocodeId", "geocodeArea", "geocodeBbox",
    "geocodeCoords",
  ]

  private mutating func unknown(_ token: MacroToken) -> String? {
    if !expander.removesUnknown {
      report(
        token, .unexpandedMacro, "there is no macro “\(token.name)”",
        suggestion: closest(to: token.name, among: MacroRun.names + constants.keys.sorted()))
    }
    return nil
  }

  private mutating func date(_ token: MacroToken) -> String? {
    guard let now = expander.now else { return missing(token, "the time is not known") }
    if token.argument.isEmpty { return now.description }
    guard let seconds = secondsInSpan(token.argument), let moment = now.earlier(bySeconds: seconds)
    else {
      report(
        token, .invalidTimestamp,
        "“\(token.argument)” is no span of time; write a number and second, minute, hour, day, week,"
          + " month or year")
      return nil
    }
    return moment.description
  }

  // MARK: Places

  private mutating func place(_ token: MacroToken, _ macro: String) -> String? {
    guard let geocode else { return missing(token, "there is no geocoder") }
    let name = token.argument
    let places = found[name] ?? geocode(name)
    found[name] = places
    let candidates = places.filter { place in
      switch macro {
      case "geocodeId": place.element.map { $0.type.isOSM } ?? false
      case "geocodeArea": place.element.flatMap { Query.areaID(of: $0) } != nil
      case "geocodeBbox": place.boundingBox?.isValid ?? false
      default: place.position?.isValid ?? false
      }
    }
    // A stable order: by importance, equal ones as the geocoder has them.
    let ordered = candidates.enumerated().sorted {
      ($1.element.importance, $0.offset) < ($0.element.importance, $1.offset)
    }.map(\.element)
    guard let best = ordered.first else {
      report(token, .invalidValue, "no place called “\(name)” was found")
      return nil
    }
    if expander.refusesAmbiguity, ordered.count > 1 {
      report(token, .invalidValue, "“\(name)” is the name of \(ordered.count) places")
      return nil
    }
    expansion.choices.append(
      .init(name: name, chosen: best, others: Array(ordered.dropFirst())))
    return print(best, for: macro, isAttributes: isXML && !token.isInQuotes)
  }

  private func print(
    _ place: MacroExpander.Place, for macro: String, isAttributes: Bool
  ) -> String? {
    switch macro {
    case "geocodeId":
      guard let element = place.element, let type = element.type.name else { return nil }
      return isAttributes
        ? "type=\"\(type)\" ref=\"\(element.number)\"" : "\(type)(\(element.number))"
    case "geocodeArea":
      guard let element = place.element, let area = Query.areaID(of: element) else { return nil }
      // Newer servers know areas of ways by the number of the way, older ones by its sum.
      var numbers = [area]
      if element.type == .way { numbers.append(element.number) }
      guard isAttributes else {
        return "area(id:" + numbers.map(String.init).joined(separator: ",") + ")"
      }
      return "type=\"area\" ref=\"\(area)\""
        + (numbers.count > 1 ? " ref_1=\"\(element.number)\"" : "")
    case "geocodeBbox":
      return place.boundingBox.map { print($0, isAttributes: isAttributes) }
    default: return place.position.map { print($0, isAttributes: isAttributes) }
    }
  }

  private func print(_ box: BoundingBox, isAttributes: Bool) -> String {
    let values = [box.southE7, box.westE7, box.northE7, box.eastE7].map(fixedDegrees)
    return isAttributes
      ? "s=\"\(values[0])\" w=\"\(values[1])\" n=\"\(values[2])\" e=\"\(values[3])\""
      : values.joined(separator: ",")
  }

  private func print(_ position: Coordinate, isAttributes: Bool) -> String {
    let latitude = fixedDegrees(position.latitudeE7)
    let longitude = fixedDegrees(position.longitudeE7)
    return isAttributes
      ? "lat=\"\(latitude)\" lon=\"\(longitude)\"" : latitude + "," + longitude
  }
}

/// Degrees with exactly seven decimals, as overpass turbo writes them.
private func fixedDegrees(_ valueE7: Int32) -> String {
  let magnitude = valueE7.magnitude
  let fraction = String(magnitude % 10_000_000)
  return (valueE7 < 0 ? "-" : "") + String(magnitude / 10_000_000) + "."
    + String(repeating: "0", count: 7 - fraction.utf8.count) + fraction
}

extension BoundingBox {
  /// The middle in degrees, across the antimeridian if need be.
  fileprivate var middle: Coordinate {
    let latitude = (Int64(southE7) + Int64(northE7)) / 2
    let width = Int64(eastE7) - Int64(westE7) + (crossesAntimeridian ? 3_600_000_000 : 0)
    var longitude = Int64(westE7) + width / 2
    if longitude > 1_800_000_000 { longitude -= 3_600_000_000 }
    return Coordinate(
      longitudeE7: Int32(clamping: longitude), latitudeE7: Int32(clamping: latitude))
  }
}

extension ElementType {
  fileprivate var isOSM: Bool { self == .node || self == .way || self == .relation }
}

extension String {
  fileprivate func replacingPrefix(_ prefix: String, by other: String) -> String {
    hasPrefix(prefix) ? other + dropFirst(prefix.count) : self
  }
}
