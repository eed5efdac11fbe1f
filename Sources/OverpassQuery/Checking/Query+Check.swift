// Advice on queries that are valid but probably not meant as they are.

extension Query {
  /// What is suspicious about the query: warnings about sets, output, filters and dates.
  ///
  /// Errors come first: what the server would refuse is reported by ``validate()`` and appears here
  /// as a diagnostic of severity error. Nothing is changed. A query from a program has no positions;
  /// ``checkText(_:)`` reports them.
  ///
  /// ```swift
  /// let query = try Query.parse("way[highway](1,2,3,4);out;")
  /// query.check()  // ways are printed without nodes or geometry
  /// ```
  public func check() -> [Diagnostic] {
    var checker = QueryChecker(positions: [])
    return checker.run(self)
  }

  /// The errors and warnings of a text, those of ``check()`` among them, in the order of the text.
  public static func checkText(_ text: String) -> [Diagnostic] {
    let parsed = parsing(text)
    guard let query = parsed.query else { return parsed.diagnostics }
    var checker = QueryChecker(positions: parsed.statementPositions)
    let advice = checker.run(query)
    let all = (parsed.diagnostics + advice).enumerated().sorted {
      ($0.element.position?.offset ?? -1, $0.offset) < (
        $1.element.position?.offset ?? -1, $1.offset
      )
    }
    return all.map(\.element)
  }
}

/// Walks over a query in the order in which statements begin in a text.
struct QueryChecker {
  /// Where the statements begin, in the order of the walk; empty if that is not known.
  let positions: [SourcePosition]
  var diagnostics: [Diagnostic] = []
  /// How many statements have been entered.
  var entered = 0

  /// Sets by name: the statement that wrote it first, and whether something reads it.
  var writers: [Query.SetName: Int] = [:]
  var readers: [Query.SetName: Int] = [:]
  /// Whether something has been written to the default set so far.
  var hasDefault = false
  var hasOut = false
  var hasGlobalBox = false
  /// Whether the answer is to show more than rows of a table.
  var showsGeometry = true
  /// Whether nodes of ways are asked for somewhere.
  var hasDescent = false
  /// What the sets may hold.
  var contents: [Query.SetName: Contents] = [:]
  /// Statements that print ways or relations as mere references.
  var bareOuts: [(index: Int, kind: Contents)] = []
  /// Sets that have been printed since they were written.
  var printed: [Query.SetName: Query.Out] = [:]

  init(positions: [SourcePosition]) { self.positions = positions }

  /// Types of elements that a set may hold, as far as it matters.
  struct Contents: OptionSet {
    var rawValue: UInt8
    static let ways = Contents(rawValue: 1)
    static let relations = Contents(rawValue: 2)
    /// The nodes that ways refer to.
    static let nodesOfWays = Contents(rawValue: 4)
  }

  mutating func run(_ query: Query) -> [Diagnostic] {
    do throws(QueryError) {
      try query.validate()
    } catch {
      return [Diagnostic(.error, Diagnostic.Code(error.kind), error.message)]
    }
    checkSettings(query.settings)
    walk(query.statements)
    if !query.statements.isEmpty, !hasOut {
      warn(.missingOut, "nothing is printed; an “out” is missing", at: nil)
    }
    checkSets()
    if !hasDescent, showsGeometry {
      for (index, kind) in bareOuts {
        let what = kind.contains(.ways) ? "ways" : "relations"
        warn(
          .missingRecursion,
          "\(what) are printed without nodes and without geometry; use “out geom”, or “(._;>;);” before it",
          at: index)
      }
    }
    return diagnostics.enumerated().sorted {
      ($0.element.position?.offset ?? .max, $0.offset)
        < ($1.element.position?.offset ?? .max, $1.offset)
    }.map(\.element)
  }

  mutating func warn(_ code: Diagnostic.Code, _ message: String, at statement: Int?) {
    guard diagnostics.count < 2 * DiagnosticCollector.limit else { return }
    let position = statement.flatMap { positions.indices.contains($0) ? positions[$0] : nil }
    diagnostics.append(Diagnostic(.warning, code, message, position: position))
  }

  private mutating func checkSettings(_ settings: Query.Settings) {
    hasGlobalBox = settings.boundingBox != nil
    if case .csv(let format) = settings.output {
      showsGeometry = false
      for case .tag(let key) in format.columns { check(blanks: key, "the CSV column", at: nil) }
    }
    switch settings.time {
    case nil: break
    case .date(let moment): check(moment, at: nil)
    case .diff(let from, let to), .adiff(let from, let to):
      check(moment: from, to, at: nil)
    }
  }

  private mutating func check(moment from: Query.Timestamp, _ to: Query.Timestamp?, at index: Int?)
  {
    check(from, at: index)
    guard let to else { return }
    check(to, at: index)
    if to < from {
      warn(
        .implausibleTimestamp, "the span of time ends, \(to), before it begins, \(from)", at: index)
    }
  }

  mutating func check(_ moment: Query.Timestamp, at index: Int?) {
    if !moment.isPlausible {
      warn(.implausibleTimestamp, "“\(moment)” is in no calendar", at: index)
    }
  }

  mutating func check(blanks text: String, _ what: String, at index: Int?) {
    guard let first = text.utf8.first, let last = text.utf8.last, isBlank(first) || isBlank(last)
    else { return }
    warn(
      .surroundingBlanks, "\(what) “\(text)” begins or ends with white space, which tags never do",
      at: index)
  }

  // MARK: Sets

  mutating func read(_ name: Query.SetName, at index: Int) {
    if readers[name] == nil { readers[name] = index }
    if name == .default, !hasDefault {
      hasDefault = true
      warn(.unwrittenSet, "the default set is still empty here", at: index)
    }
  }

  mutating func write(_ name: Query.SetName, _ held: Contents, at index: Int) {
    if writers[name] == nil { writers[name] = index }
    if name == .default { hasDefault = true }
    contents[name] = held
    printed[name] = nil
  }

  private mutating func checkSets() {
    // With hundreds of sets a likeness means nothing, and comparing all with all would take long.
    let names = writers.count <= 100 ? writers.keys.map(\.name).sorted() : []
    for (name, index) in readers where name != .default && writers[name] == nil {
      let similar = closest(to: name.name, among: names)
      warn(.unwrittenSet, "the set “\(name)” is read but never written", at: index)
      diagnostics[diagnostics.count - 1].suggestion = similar
    }
    for (name, index) in writers where name != .default && readers[name] == nil {
      warn(.unreadSet, "the set “\(name)” is written but never read", at: index)
    }
    // Dictionaries have no order of their own.
    diagnostics.sort {
      ($0.position?.offset ?? -1, $0.message) < ($1.position?.offset ?? -1, $1.message)
    }
  }
}
