// Properties of printers and parsers on random queries and random texts.

import OverpassQuery
import Testing

@Suite struct RoundTripTests {
  /// What is printed is read as the same query, in every form and layout.
  @Test(arguments: Query.Language.allCases)
  func printedQueriesAreReadAsTheSame(_ language: Query.Language) throws {
    for seed in 0..<500 as Range<UInt64> {
      var random = RandomQuery(seed: seed, for: language)
      let query = random.query()
      for layout in [Query.Layout.compact, .pretty] {
        let text = try language == .ql ? query.ql(layout) : query.xml(layout)
        let parsed = Query.parsing(text)
        if parsed.query != query {
          let again = try parsed.query.map { try language == .ql ? $0.ql(layout) : $0.xml(layout) }
          Issue.record("seed \(seed): \(text)\n\(again ?? "")\n\(parsed.diagnostics)")
          return
        }
      }
    }
  }

  /// Both forms say the same.
  @Test func oneFormLeadsToTheOther() throws {
    var count = 0
    for seed in 0..<300 as Range<UInt64> {
      var random = RandomQuery(seed: seed, for: .ql)
      let query = random.query()
      let xml: String
      do throws(QueryError) {
        xml = try query.xml()
      } catch {
        #expect(error.kind == .notExpressibleInXML)
        continue
      }
      #expect(try Query.parse(Query.parse(xml).ql()) == query)
      count += 1
    }
    #expect(count > 250)
  }

  /// A text of comments only is a query, and what it is printed as is one too.
  @Test(arguments: ["///\n\n", "/**/", "<osm-script/>"])
  func emptyQueriesArePrinted(_ text: String) throws {
    let query = try Query.parse(text)
    #expect(query == Query())
    #expect(try Query.parse(query.ql()) == query)
    #expect(try Query.parse(query.xml(.pretty)) == query)
  }

  /// Neither cutting a text off nor damaging it does any harm.
  @Test(arguments: Query.Language.allCases)
  func damagedTextsAreReported(_ language: Query.Language) throws {
    var damage = SeededGenerator(seed: 7)
    let bytes: [UInt8] = Array("()[]{};,.:\"'\\<>=!~-&|?/*_aé0 \n".utf8) + [0, 0xFF]
    for seed in 0..<60 as Range<UInt64> {
      var random = RandomQuery(seed: seed, for: language)
      let query = random.query()
      let text = try language == .ql ? query.qlBytes(.pretty) : query.xmlBytes(.pretty)
      for _ in 0..<20 {
        var damaged = text
        if Bool.random(using: &damage) {
          damaged = Array(damaged.prefix(Int.random(in: 0..<damaged.count, using: &damage)))
        }
        for _ in 0..<Int.random(in: 0..<4, using: &damage) {
          guard let index = damaged.indices.randomElement(using: &damage) else { break }
          let byte = bytes[Int.random(in: 0..<bytes.count, using: &damage)]
          switch Int.random(in: 0..<3, using: &damage) {
          case 0: damaged[index] = byte
          case 1: damaged.remove(at: index)
          default: damaged.insert(byte, at: index)
          }
        }
        let parsed = Query.parsing(utf8: damaged)
        let hasErrors = parsed.diagnostics.contains { $0.severity == .error }
        #expect((parsed.query == nil) == hasErrors)
        for diagnostic in parsed.diagnostics {
          let offset = diagnostic.position?.offset ?? -1
          #expect(offset >= 0 && offset <= damaged.count)
        }
        // What was read can be printed, unless the form has no words for it.
        if let query = parsed.query {
          do throws(QueryError) {
            _ = try query.ql()
          } catch {
            #expect(
              error.kind == .notExpressibleInQL,
              "\(error) in \(String(decoding: damaged, as: UTF8.self))")
          }
        }
      }
    }
  }
}
