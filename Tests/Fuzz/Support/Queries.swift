// What holds for every text that may be a query.

import OverpassKit

/// Parses, checks, prints and parses again.
public func exercise(query text: [UInt8]) {
  let parsed = Query.parsing(utf8: text)
  let hasErrors = parsed.diagnostics.contains { $0.severity == .error }
  require((parsed.query == nil) == hasErrors, "errors beside a query, or neither")
  for diagnostic in parsed.diagnostics {
    let offset = diagnostic.position?.offset ?? -1
    require(offset >= 0 && offset <= text.count, "a diagnostic outside of the text: \(diagnostic)")
    _ = diagnostic.description
  }
  _ = Query.checkText(String(decoding: text, as: UTF8.self))
  guard let query = parsed.query else { return }
  _ = query.check()
  for layout in [Query.Layout.compact, .pretty] {
    do throws(QueryError) {
      demandEqual(query, try query.qlBytes(layout))
    } catch {
      require(error.kind == .notExpressibleInQL, "read, but not printed as QL: \(error)")
    }
    do throws(QueryError) {
      demandEqual(query, try query.xmlBytes(layout))
    } catch {
      require(error.kind == .notExpressibleInXML, "read, but not printed as XML: \(error)")
    }
  }
}

private func demandEqual(_ query: Query, _ printed: [UInt8]) {
  let again = Query.parsing(utf8: printed)
  if again.query == query { return }
  require(
    false,
    """
    printed, but not read as the same:
    \(String(decoding: printed, as: UTF8.self))
    \(again.diagnostics)
    \(query)
    \(again.query.map { "\($0)" } ?? "")
    """)
}
