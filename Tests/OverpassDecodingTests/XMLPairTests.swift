import OSMModel
import OverpassDecoding
import OverpassQuery
import OverpassTestSupport
import Testing

/// JSON and XML answers of the same query give equal responses.
@Suite(.enabled(if: hasSharedData, "needs the shared data beside the project"))
struct XMLPairTests {
  /// All recorded answers whose queries differ in the output format alone; ``everyPairIsListed()``
  /// holds the list against the data.
  static let pairs = [
    ("001-json-node-ids", "002-xml-default-node-ids"),
    ("166-out-ids-json", "189-out-ids-xml"),
    ("170-out-meta-json", "193-out-meta-xml"),
    ("181-out-noids-json", "198-out-noids-xml"),
    ("202-out-geom-rel-missing-members", "203-out-geom-rel-missing-members-xml"),
    ("209-out-escaping-json", "210-out-escaping-xml"),
    ("213-out-empty", "214-out-empty-xml"),
    ("239-raw-way-missing-nodes-geom", "240-raw-way-missing-nodes-geom-xml"),
  ]

  /// Two recorded queries are a pair when they say the same but for `[out:…]` and limits, whatever
  /// form they are written in, and were put to the same database.
  @Test func everyPairIsListed() throws {
    struct Key: Hashable {
      var query: Query
      var database: String
    }
    let folder = "\(sharedRoot)/cases/oracle"
    let index = String(decoding: try #require(readFile("\(folder)/index.json")), as: UTF8.self)
    var databases: [String: String] = [:]
    for entry in index.split(separator: "\"case\": \"").dropFirst() {
      let name = String(entry.prefix { $0 != "\"" })
      let field = entry.split(separator: "\"db\": \"").dropFirst().first
      databases[name] = field.map { String($0.prefix { $0 != "\"" }) }
    }
    var answers: [Key: (json: [String], xml: [String])] = [:]
    for name in listFolder(folder) {
      let text = readFile("\(folder)/\(name)/query.ql") ?? readFile("\(folder)/\(name)/query.xml")
      guard let text, var query = try? Query.parse(utf8: text), let database = databases[name]
      else { continue }
      query.settings.output = nil
      query.settings.timeoutSeconds = nil
      query.settings.maxsizeBytes = nil
      let key = Key(query: query, database: database)
      if access("\(folder)/\(name)/answer.json", R_OK) == 0 {
        answers[key, default: ([], [])].json.append(name)
      } else if access("\(folder)/\(name)/answer.xml", R_OK) == 0 {
        answers[key, default: ([], [])].xml.append(name)
      }
    }
    #expect(answers.count > 100)
    let found = answers.values.flatMap { group in
      group.json.flatMap { json in group.xml.map { xml in "\(json) \(xml)" } }
    }
    #expect(found.sorted() == Self.pairs.map { "\($0) \($1)" }.sorted())
  }

  @Test(arguments: pairs) func sameQuery(_ json: String, _ xml: String) throws {
    let left = try OverpassJSON.decode(
      contentsOf: "\(sharedRoot)/cases/oracle/\(json)/answer.json")
    let right = try OverpassXML.decode(contentsOf: "\(sharedRoot)/cases/oracle/\(xml)/answer.xml")
    let (leftLines, rightLines) = (lines(of: left), lines(of: right))
    #expect(leftLines.count == rightLines.count)
    for (index, line) in leftLines.enumerated() where index < rightLines.count {
      #expect(line == rightLines[index])
    }
    #expect(right.diagnostics.isEmpty)
    #expect(left.completeness == right.completeness)
  }

  /// The geometry of a derived element, which these two queries print of the same ways.
  @Test func derivedGeometry() throws {
    let folder = "\(sharedRoot)/cases/oracle"
    let left = try OverpassJSON.decode(contentsOf: "\(folder)/156-convert-geom/answer.json")
    let right = try OverpassXML.decode(contentsOf: "\(folder)/158-convert-xml-geom/answer.xml")
    #expect(left.dataset.derived.count > 0)
    #expect(left.dataset.derived.geometries == right.dataset.derived.geometries)
  }

  @Test func everyRecordedAnswerDecodes() throws {
    var count = 0
    for folder in listFolder(sharedRoot + "/cases/oracle") {
      let path = "\(sharedRoot)/cases/oracle/\(folder)/answer.xml"
      guard access(path, R_OK) == 0 else { continue }
      let response = try OverpassXML.decode(contentsOf: path)
      #expect(response.diagnostics.isEmpty, "\(path)")
      #expect(response.completeness == .complete)
      count += 1
    }
    #expect(count >= 10)
  }
}
