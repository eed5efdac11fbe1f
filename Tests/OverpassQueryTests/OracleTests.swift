// The parsers against queries that were put to the genuine server.

import OverpassQuery
import Testing

@Suite(.enabled(if: sharedFolder != nil, "the shared cases are not here"))
struct OracleTests {
  /// What the server accepts is read, and printing it is a fixed point in both forms.
  @Test(arguments: OracleCase.all.filter { $0.errorLines.isEmpty })
  func accepted(_ oracle: OracleCase) throws {
    let query = try Query.parse(oracle.query)
    let text = try query.ql()
    #expect(try Query.parse(text) == query)
    #expect(try Query.parse(text).ql() == text)
    #expect(try Query.parse(query.ql(.pretty)) == query)
    // Only the filters by an empty value have no XML form.
    if !text.contains("=\"\"]") {
      let xml = try query.xml()
      #expect(try Query.parse(xml) == query)
      #expect(try Query.parse(query.xml(.pretty)) == query)
      #expect(try Query.parse(xml).xml() == xml)
    }
  }

  /// What it refuses gives an error on the line of its message.
  @Test(arguments: OracleCase.all.filter { !$0.errorLines.isEmpty })
  func refused(_ oracle: OracleCase) throws {
    let parsed = Query.parsing(oracle.query)
    #expect(parsed.query == nil)
    let errors = parsed.diagnostics.filter { $0.severity == .error }
    let lines = Set(errors.compactMap { $0.position?.line })
    // In front of the XML form the server puts lines of its own.
    let shift = !oracle.isXML ? 0 : oracle.query.contains("<osm-script") ? 1 : 2
    #expect(
      !lines.isDisjoint(with: oracle.errorLines.map { $0 - shift }),
      "\(parsed.diagnostics) instead of lines \(oracle.errorLines.sorted())")
  }
}
