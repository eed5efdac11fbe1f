import OSMModel
import OverpassDecoding
import OverpassTestSupport
import Testing

private func table(_ text: String, _ layout: OverpassCSV.Layout = OverpassCSV.Layout()) throws
  -> CSVAnswer
{
  try OverpassCSV.decode(Array(text.utf8), layout: layout)
}

extension CSVAnswer {
  /// All cells as texts.
  fileprivate var texts: [[String]] {
    (0..<rowCount).map { row in
      columns.indices.map { column in
        string(row: row, column: column)
          ?? number(row: row, column: column).map { "\($0)" } ?? ""
      }
    }
  }
}

@Suite struct CSVTests {
  /// B061, B062
  @Test func separatorsInsideOfValues() throws {
    let answer = try table(
      "@id\tname\tleisure\n1\tNorth \tIsland\tpark\n2\t\"Hut, upper\"\tpark\n")
    #expect(answer.columns == [.field("id"), .tag("name"), .tag("leisure")])
    #expect(answer.rowCount == 2)
    #expect(answer.cellCount(row: 0) == 4)
    #expect(answer.problems == [CSVAnswer.Problem(kind: .cellCount, row: 0, number: 4)])
    #expect(answer.number(row: 1, column: 0) == 2)
    #expect(answer.string(row: 1, column: 1) == "Hut, upper")
    #expect(answer.completeness == .unknown)
  }

  @Test func typedColumns() throws {
    let answer = try table(
      """
      @id,@type,@otype,@lat,@lon,@version,@timestamp,@changeset,@uid,@user,@count:nodes,@odd,name
      12345678901,node,1,43.7332553,-7.4137918,1,2012-03-19T18:11:21Z,11,12,anna b,3,4,"a ""b"", c"
      x,way,2,north,,1.5,yesterday,,99999999999999999999,,,,

      """, OverpassCSV.Layout(separator: ","))
    #expect(
      answer.columns.map(\.kind) == [
        .integer, .text, .integer, .degrees, .degrees, .integer, .timestamp, .integer, .integer,
        .text, .integer, .text, .text,
      ])
    #expect(answer.columns[11] == .tag("@odd"))
    #expect(
      answer.texts[0] == [
        "12345678901", "node", "1", "437332553", "-74137918", "1", "1332180681", "11", "12",
        "anna b", "3", "4", "a \"b\", c",
      ])
    #expect(answer.texts[1] == ["", "way", "2", "", "", "", "", "", "", "", "", "", ""])
    #expect(answer.problems.map(\.kind) == Array(repeating: .value, count: 5))
    #expect(answer.problems.map(\.number) == [0, 3, 5, 6, 8])
    #expect(answer.number(row: 0, column: 1) == nil)
    #expect(answer.text(row: 0, column: 0) == nil)
    #expect(answer.text(row: 5, column: 99) == nil)
  }

  /// Inside of a quoted cell a line break does not end the table.
  @Test func cutsInsideOfQuotes() throws {
    let commas = OverpassCSV.Layout(separator: ",")
    for text in [
      "@id,name\n1,\"multi\n", "@id,name\n1,\"multi\nline, \"\"x\"\"\n", "@id,\"a\n",
      "@id\n1,\"more\n", "@id,name\n1,\"multi", "@id,@user,name\n1,\"a,\"b\n",
    ] {
      #expect(try table(text, commas).completeness == .partial, "\(text)")
    }
    // Names of users are not quoted, so the quote may be part of one.
    let names = try table("@id,@user\n1,\"bob\n2,ann\n", commas)
    #expect(names.completeness == .unknown)
    #expect(names.texts == [["1", "\"bob"], ["2", "ann"]])
    #expect(try table("@id,name\n1,\"multi\nline\"\n", commas).completeness == .unknown)
    #expect(try table("@id,name\n1,\"a\"b\n", commas).completeness == .unknown)
  }

  @Test func separatorsAndHeads() throws {
    let columns = [CSVAnswer.Column.field("id"), .tag("name")]
    #expect(
      try table(
        "1||A\n2||B\n", OverpassCSV.Layout(separator: "||", hasHead: false, columns: columns)
      )
      .texts == [["1", "A"], ["2", "B"]])
    #expect(
      try table("@id;name\r\n1;A\r\n", OverpassCSV.Layout(separator: ";")).texts == [["1", "A"]])
    #expect(try table("\u{FEFF}@id\tname\n1\tA\n").texts == [["1", "A"]])
    #expect(try table("@name\n1\n", OverpassCSV.Layout(columns: [.tag("@name")])).texts == [["1"]])
    #expect(try table("", OverpassCSV.Layout(hasHead: false, columns: columns)).rowCount == 0)
    #expect(throws: AnswerError.self) { try table("1\n", OverpassCSV.Layout(hasHead: false)) }
    #expect(throws: AnswerError.self) { try table("") }
  }

  @Test func lines() throws {
    // An empty line is an empty value where there is one column, and nothing where there are more.
    #expect(try table("name\nA\n\nB\n").texts == [["A"], [""], ["B"]])
    #expect(try table("@count\n5\n\n").texts == [["5"]])
    #expect(try table("@id\tname\n1\tA\n\n").texts == [["1", "A"]])
    #expect(try table("@id\tname\n\tA\n").texts == [["", "A"]])
    #expect(
      try table("name\tnote\nA\t\"two\nlines\"\nB\t\n").texts == [["A", "two\nlines"], ["B", ""]])
    #expect(try table("@id\tname\n1\tA").completeness == .partial)
  }

  /// User names are not quoted, so a quote in front of a cell need not be one.
  @Test func loneQuotes() throws {
    #expect(
      try table("@user\tname\n\"c\" d\tB\nb\"\t\"\"\"\"\n\"open\tC\n").texts == [
        ["\"c\" d", "B"], ["b\"", "\""], ["\"open", "C"],
      ])
  }

  @Test func errorPagesAndOtherTrouble() {
    let page = "<html><p><strong>Error</strong>: line 1: parse error: x </p></html>"
    do throws(AnswerError) {
      _ = try OverpassCSV.decode(Array(page.utf8))
      Issue.record("decoded")
    } catch {
      guard case .server(let error) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(error.category == .badRequest)
    }
  }

  @Test func invalidText() throws {
    let bytes = Array("name\na".utf8) + [0xFF, 0x0A]
    let answer = try OverpassCSV.decode(bytes)
    #expect(answer.texts == [["a\u{FFFD}"]])
    #expect(answer.problems.map(\.kind) == [.text])
    var options = DecodeOptions()
    options.strictText = true
    #expect(throws: AnswerError.self) { try OverpassCSV.decode(bytes, options: options) }
  }

  @Test func nothingTraps() {
    let whole = Array(
      "@id,@lat,@timestamp,name\n1,2.5,2012-03-19T18:11:21Z,\"a,\"\"b\"\"\nc\"\n".utf8)
    for count in 0...whole.count {
      _ = try? OverpassCSV.decode(
        Array(whole[..<count]), layout: OverpassCSV.Layout(separator: ","))
    }
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<20_000 {
      var bytes = whole
      for _ in 0..<3 {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(
          in: 0...255, using: &generator)
      }
      _ = try? OverpassCSV.decode(bytes, layout: OverpassCSV.Layout(separator: ","))
    }
  }

  @Test(
    .enabled(if: hasSharedData, "needs the shared data beside the project"),
    arguments: [
      ("008-csv-header-tab", "\t"), ("010-csv-all-pseudo-columns-meta", ","),
      ("011-csv-count", "\t"), ("012-csv-quotes-and-separators", ";"), ("147-csv-area", "\t"),
      ("153-make-csv", "\t"),
    ]) func recordedAnswers(_ folder: String, _ separator: String) throws
  {
    let path = "\(sharedRoot)/cases/oracle/\(folder)/answer.csv"
    let answer = try OverpassCSV.decode(
      contentsOf: path, layout: OverpassCSV.Layout(separator: separator))
    #expect(answer.rowCount > 0)
    for problem in answer.problems {
      // Values with the separator inside cannot be told from two values.
      #expect(problem.kind == .cellCount && separator == ";")
    }
    #expect(answer.completeness == .unknown)
    if folder == "011-csv-count" { #expect(answer.texts == [["280", "261", "18", "1", "0"]]) }
  }
}
