import CZlib
import OSMModel
import OverpassDecoding
import OverpassTestSupport
import Testing

@Suite struct AnswerFileTests {
  private let answer = Array(
    #"{"elements":[{"type":"node","id":1,"lat":1,"lon":2},{"type":"node","id":2,"lat":1,"lon":2}]}"#
      .utf8)

  @Test func gzipIsAccepted() throws {
    #expect(try OverpassJSON.decode(gzip(answer)).dataset.count == 2)
    let parts = gzip(Array(answer[0..<40])) + gzip(Array(answer[40...]))
    #expect(try OverpassJSON.decode(parts).dataset.count == 2)
  }

  @Test func cutGzipIsTruncated() throws {
    let compressed = gzip(answer)
    for count in 2..<compressed.count {
      #expect(decodeError(Array(compressed[0..<count]))?.kind == .truncated)
    }
    var options = DecodeOptions()
    options.allowTruncated = true
    let cut = Array(compressed[0..<(compressed.count - 4)])
    let response = try OverpassJSON.decode(cut, options: options)
    #expect(response.completeness == .partial)
  }

  @Test func damagedGzipIsAnError() {
    var compressed = gzip(answer)
    compressed[compressed.count - 8] ^= 0xFF
    #expect(decodeError(compressed)?.kind == .compression)
  }

  @Test func aBombMeetsTheLimit() {
    let bomb = gzip([UInt8](repeating: 0x20, count: 20_000_000))
    #expect(decodeError(bomb) { $0.maximumBytes = 1_000_000 }?.kind == .limit)
  }

  @Test func filesThatCannotBeRead() {
    for (path, kind) in [
      ("/does/not/exist", DecodeError.Kind.fileOpen), ("/", .fileRead), ("/dev/null", .truncated),
    ] {
      do throws(DecodeError) {
        _ = try OverpassJSON.decode(contentsOf: path)
        Issue.record("\(path) was decoded")
      } catch {
        #expect(error.kind == kind)
      }
    }
  }

  @Test func theExampleAnswer() throws {
    let response = try OverpassJSON.decode(
      contentsOf: projectRoot + "/Examples/data/helsinki-relations.json.gz")
    #expect(response.dataset.nodes.count == 3187)
    #expect(response.dataset.ways.count == 332)
    #expect(response.dataset.relations.count == 155)
    #expect(response.diagnostics.isEmpty)
  }

  @Test(.enabled(if: hasSharedData, "needs the shared data beside the project"))
  func everyRecordedAnswerDecodes() throws {
    var files = listFolder(sharedRoot + "/data/responses").map {
      sharedRoot + "/data/responses/" + $0
    }
    for folder in listFolder(sharedRoot + "/cases/oracle") {
      let path = "\(sharedRoot)/cases/oracle/\(folder)/answer.json"
      if access(path, R_OK) == 0 { files.append(path) }
    }
    #expect(files.count > 100)
    var elements = 0
    for path in files {
      let response = try OverpassJSON.decode(contentsOf: path)
      #expect(response.diagnostics.isEmpty, "\(path)")
      elements += response.dataset.count
    }
    #expect(elements > 80_000)
  }
}
