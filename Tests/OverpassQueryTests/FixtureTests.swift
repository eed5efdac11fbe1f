// The queries that ship with the project, for this and other languages.

import Foundation
import OverpassQuery
import Testing

@Suite struct FixtureTests {
  static let folder: URL = {
    let fixtures =
      ProcessInfo.processInfo.environment["OPK_FIXTURES"].map { URL(fileURLWithPath: $0) }
      ?? URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Fixtures")
    return fixtures.appendingPathComponent("queries")
  }()

  static func names(in folder: URL, _ suffixes: String...) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { name in suffixes.contains { name.hasSuffix($0) } }.sorted()
  }

  func text(_ name: String) throws -> String {
    try String(contentsOf: FixtureTests.folder.appendingPathComponent(name), encoding: .utf8)
  }

  @Test func theFixturesAreThere() {
    #expect(FixtureTests.names(in: FixtureTests.folder, ".ql").count >= 5)
  }

  @Test(arguments: names(in: folder, ".ql"))
  func bothFormsSayTheSame(_ name: String) throws {
    let ql = try text(name)
    let query = try Query.parse(ql)
    #expect(try query.ql(.pretty) == ql)
    #expect(try Query.parse(text(name.dropLast(3) + ".xml")) == query)
    #expect(try Query.parse(query.xml(.pretty)) == query)
  }

  @Test(arguments: names(in: folder.appendingPathComponent("refused"), ".ql", ".xml"))
  func faultsAreReported(_ name: String) throws {
    let expected = try text("refused/" + name.prefix { $0 != "." } + ".txt")
    let error = #expect(throws: QuerySyntaxError.self) {
      try Query.parse(text("refused/" + name))
    }
    #expect(error.map { $0.description + "\n" } == expected)
  }
}
