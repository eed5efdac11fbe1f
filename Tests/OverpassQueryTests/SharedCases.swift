// Access to the cases that are shared by several projects and lie outside of the repository.

import Foundation
import Testing

/// The folder named by the environment variable `OPK_SHARED`, or `shared` beside the repository; `nil`
/// when there is none, in which case the tests that need it are skipped.
let sharedFolder: URL? = {
  let environment = ProcessInfo.processInfo.environment
  let folder =
    environment["OPK_SHARED"].map { URL(fileURLWithPath: $0) }
    ?? URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("shared")
  var isFolder: ObjCBool = false
  let exists = FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder)
  return exists && isFolder.boolValue ? folder : nil
}()

/// A query that was put to the genuine server, with what it said.
struct OracleCase: CustomTestStringConvertible {
  var name: String
  var query: String
  var isXML: Bool
  /// The page with error messages, for queries that were refused.
  var answerPage: String?

  var testDescription: String { name }

  /// The lines of the error messages; empty if the query was accepted.
  var errorLines: Set<Int> {
    guard let page = answerPage, page.contains("400 Bad Request") else { return [] }
    var lines: Set<Int> = []
    for line in page.split(separator: "\n") where line.contains("Error</strong>: ") {
      guard let start = line.range(of: "Error</strong>: ")?.upperBound else { continue }
      let message = line[start...]
      if message.hasPrefix("line "), let number = Int(message.dropFirst(5).prefix { $0.isNumber }) {
        lines.insert(number)
      } else {
        lines.insert(1)
      }
    }
    return lines
  }

  static let all: [OracleCase] = {
    guard let folder = sharedFolder?.appendingPathComponent("cases/oracle") else { return [] }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.sorted().compactMap { name in
      func text(_ file: String) -> String? {
        try? String(contentsOf: folder.appendingPathComponent("\(name)/\(file)"), encoding: .utf8)
      }
      let ql = text("query.ql")
      guard let query = ql ?? text("query.xml") else { return nil }
      return OracleCase(name: name, query: query, isXML: ql == nil, answerPage: text("http.txt"))
    }
  }()
}
