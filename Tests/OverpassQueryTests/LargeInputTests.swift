// Inputs that took time squared in their size: each of these would run for minutes.

import OverpassQuery
import Testing

@Suite struct LargeInputTests {
  @Test func macrosThatNothingCloses() throws {
    let text = String(repeating: "{{", count: 200_000)
    #expect(throws: QuerySyntaxError.self) { try Query.parse(text) }
    #expect(try MacroExpander().expand(text).text == text)
  }

  @Test func setsThatAreReadButNeverWritten() throws {
    var text = ""
    for number in 0..<5_000 { text += "node.a\(number)->.b\(number);" }
    let found = Query.checkText(text + "out;")
    #expect(found.contains { $0.code == .unwrittenSet })
  }

  @Test func unknownAttributes() {
    var text = "<osm-script><query type=\"node\""
    for number in 0..<20_000 { text += " a\(number)=\"\"" }
    let parsed = Query.parsing(text + "/></osm-script>")
    #expect(parsed.diagnostics.count { $0.severity == .error } <= 51)
    #expect(!parsed.diagnostics.isEmpty)
  }
}
