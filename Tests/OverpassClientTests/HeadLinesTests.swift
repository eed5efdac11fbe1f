import Testing

@testable import OverpassClient

@Suite struct HeadLinesTests {
  /// What comes of lines that are ended by CR LF: a head and the number of lines it took.
  private func read(_ lines: String...) -> (head: HTTPHead, lineCount: Int)? {
    var gathered = HeadLines()
    for (index, line) in lines.enumerated() {
      let head = Array((line + "\r\n").utf8).withUnsafeBufferPointer { gathered.take($0) }
      if let head { return (head, index + 1) }
    }
    return nil
  }

  @Test func readsHeads() throws {
    let (head, count) = try #require(
      read("HTTP/1.1 200 OK", "A:1", "B :  two words\t", "C:", "", "D: 4", ""))
    #expect(count == 5)
    #expect(head.status == 200)
    #expect(
      head.headers == [HTTPHeader("A", "1"), HTTPHeader("B", "two words"), HTTPHeader("C", "")])
  }

  @Test(arguments: [
    ("HTTP/2 200", 200), ("HTTP/1.0 404 ", 404), ("HTTP/3  503", 503), ("HTTP/1.1 999 x y", 999),
  ])
  func readsStatuses(_ line: String, _ status: Int) throws {
    #expect(read(line, "")?.head.status == status)
  }

  @Test func passesOverInterimHeads() throws {
    let (head, count) = try #require(
      read("HTTP/1.1 100 Continue", "A: 1", "", "HTTP/1.1 103 Early Hints", "", "HTTP/2 204", ""))
    #expect(count == 7)
    #expect(head == HTTPHead(status: 204))
  }

  /// An old notation: a line that begins with white space belongs to the one before.
  @Test func joinsLines() throws {
    #expect(
      read("HTTP/1.1 200 OK", "A: 1", " 2", "\t3", "")?.head.headers == [HTTPHeader("A", "1 2 3")])
    #expect(read("HTTP/1.1 200 OK", " lost", "")?.head.headers == [])
  }

  @Test func readsBytesThatAreNoText() throws {
    var gathered = HeadLines()
    let lines: [[UInt8]] = [
      Array("HTTP/1.1 200 OK\n".utf8), [0x41, 0x3A, 0xFF, 0x0A], Array("no colon\n".utf8), [0x0A],
    ]
    let heads = lines.compactMap { line in line.withUnsafeBufferPointer { gathered.take($0) } }
    #expect(heads == [HTTPHead(status: 200, headers: [HTTPHeader("A", "\u{FFFD}")])])
  }

  @Test(arguments: ["", "HTTP/1.1", "HTTP/1.1 x", "HTTP/1.1 99999999999999999999", "A: 1"])
  func nothingComesOfOtherLines(_ line: String) {
    #expect(read(line, "") == nil)
  }

  @Test func hasALimit() {
    var gathered = HeadLines()
    let line = Array("HTTP/1.1 100 Continue\r\n".utf8)
    var count = 0
    while !gathered.isTooLong {
      _ = line.withUnsafeBufferPointer { gathered.take($0) }
      count += line.count
    }
    #expect(count > HeadLines.sizeLimit)
    #expect(count <= HeadLines.sizeLimit + line.count)
  }

  @Test func trailersAreNoHead() {
    var gathered = HeadLines()
    var count = 0
    for line in ["HTTP/1.1 200 OK", "", "A: 1", "", "HTTP/1.1 200 OK", ""] {
      let head = Array((line + "\r\n").utf8).withUnsafeBufferPointer { gathered.take($0) }
      count += head == nil ? 0 : 1
    }
    #expect(count == 1)
  }
}
