// Macros, searches of the wizard, and the small texts beside them: regular expressions made of
// literal text, moments, area rules. What the wizard writes has no errors once it is expanded.

import FuzzSupport
import OverpassKit

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var input = ByteReader(UnsafeBufferPointer(start: start, count: count))
  let choice = input.byte()
  let text = String(decoding: input.bytes(), as: UTF8.self)

  var expander = MacroExpander()
  if choice & 1 == 0 {
    expander.boundingBox = BoundingBox(southE7: 1, westE7: 2, northE7: 3, eastE7: 4)
  }
  expander.now = Query.Timestamp(choice & 2 == 0 ? "2024-02-29T12:00:00Z" : "0001-01-01T00:00:00Z")
  expander.removesUnknown = choice & 4 != 0
  expander.refusesAmbiguity = choice & 8 != 0
  expander.constants = ["a": "{{b}}", "b": "{{a}}"]
  let places: (String) -> [MacroExpander.Place] = { name in
    guard choice & 16 == 0 else { return [] }
    let position = Coordinate(longitudeE7: -1, latitudeE7: 1)
    let box = BoundingBox(southE7: -5, westE7: -5, northE7: 5, eastE7: 5)
    return [
      .init(
        element: ElementID(.relation, 1), name: name, importance: 1, position: position,
        boundingBox: box),
      .init(element: ElementID(.way, 2), name: "", importance: 1, position: nil, boundingBox: nil),
    ]
  }
  check(text) { () throws(QuerySyntaxError) in
    let expanded = try expander.expand(text, geocode: places)
    _ = Query.parsing(expanded.text)
  }

  let presets = [
    Query.WizardPreset(name: "Cafe", terms: ["x"], types: [.node], tags: [("amenity", "*")])
  ]
  if let written = check(
    text,
    { () throws(QuerySyntaxError) in
      try Query.wizard(text, presets: presets)
    })
  {
    var complete = MacroExpander()
    complete.boundingBox = BoundingBox(southE7: 1, westE7: 2, northE7: 3, eastE7: 4)
    complete.now = Query.Timestamp("2024-02-29T12:00:00Z")
    do throws(QuerySyntaxError) {
      _ = try complete.query(written) { name in
        [
          .init(
            element: ElementID(.relation, 1), name: name,
            position: Coordinate(longitudeE7: 0, latitudeE7: 0))
        ]
      }
    } catch {
      require(false, "what the wizard wrote has errors: \(written)\n\(error)")
    }
  }

  require(
    regexAccepts(Query.escapedForRegex(text)), "literal text makes no regular expression: \(text)")
  _ = Query.Timestamp(text)
  _ = Query.Timestamp(dateOrTime: text)
  _ = try? AreaRules(parsing: text)
  _ = try? UninterestingTags(parsing: text)
  return 0
}

/// Runs `body`; what it throws must lie inside the text.
@discardableResult
private func check<Result>(
  _ text: String, _ body: () throws(QuerySyntaxError) -> Result
) -> Result? {
  do throws(QuerySyntaxError) {
    return try body()
  } catch {
    for diagnostic in error.diagnostics {
      let offset = diagnostic.position?.offset ?? 0
      require(
        offset >= 0 && offset <= text.utf8.count, "a diagnostic outside of the text: \(diagnostic)")
    }
    return nil
  }
}

/// Whether the checks have nothing against a regular expression.
private func regexAccepts(_ pattern: String) -> Bool {
  let isCarried = pattern.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
  guard isCarried, !pattern.isEmpty else { return true }
  let filter = Query.Filter.tag(.matches("k", Query.Pattern(pattern)))
  let query = Query(statements: [.query(.init(.node, [filter]))])
  do throws(QueryError) {
    try query.validate()
    return true
  } catch {
    return error.kind != .invalidRegex
  }
}
