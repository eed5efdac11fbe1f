import CBzip2
import OSMModel
import OverpassDecoding
import OverpassTestSupport
import Testing

private func answerError(_ bytes: [UInt8]) -> AnswerError? {
  do throws(AnswerError) {
    _ = try OverpassAnswer.decode(bytes)
    return nil
  } catch {
    return error
  }
}

@Suite struct OverpassAnswerTests {
  private let json = Array(#"{"elements":[{"type":"node","id":1,"lat":1,"lon":2}]}"#.utf8)
  private let xml = Array(
    #"<?xml version="1.0"?><osm><node id="1" lat="1" lon="2"/></osm>"#.utf8)

  /// B042
  @Test func theBodyTellsTheFormat() throws {
    for body in [json, xml] {
      for prefix in ["", "\u{FEFF}", "\n \t", "\u{FEFF}\r\n"] {
        #expect(try OverpassAnswer.decode(Array(prefix.utf8) + body).dataset.nodes.count == 1)
      }
    }
    #expect(
      Array("<osm><!-- <html> --></osm>".utf8).withUnsafeBufferPointer(OverpassAnswer.format)
        == .xml)
  }

  @Test func otherBodies() {
    for (text, kind) in [
      ("", DecodeError.Kind.truncated), (" \n", .truncated), ("@id\tname\n1\tA\n", .format),
      ("Unknown status code", .format), ("<foo/>", .notOverpass), ("[]", .notOverpass),
    ] {
      guard case .decode(let error) = answerError(Array(text.utf8)) else {
        Issue.record("\(text)")
        continue
      }
      #expect(error.kind == kind)
    }
  }

  @Test func bzip2IsAccepted() throws {
    for body in [json, xml] {
      #expect(try OverpassAnswer.decode(bzip2(body)).dataset.count == 1)
      let parts = bzip2(Array(body[0..<20])) + bzip2(Array(body[20...]))
      #expect(try OverpassAnswer.decode(parts).dataset.count == 1)
    }
    let large =
      Array("<osm>".utf8) + [UInt8](repeating: 0x20, count: 3_000_000)
      + Array("</osm>".utf8)
    #expect(try OverpassXML.decode(bzip2(large)).dataset.count == 0)
    #expect(xmlError(bzip2(large)) { $0.maximumBytes = 1_000_000 }?.kind == .limit)
  }

  @Test func cutOrDamagedBzip2() throws {
    let compressed = bzip2(xml)
    for count in 4..<compressed.count {
      #expect(xmlError(Array(compressed[0..<count]))?.kind == .truncated)
    }
    var damaged = compressed
    damaged[damaged.count / 2] ^= 0xFF
    #expect(xmlError(damaged)?.kind == .compression)
  }

  @Test func files() throws {
    #expect(
      try OverpassAnswer.decode(
        contentsOf: projectRoot + "/Examples/data/helsinki-relations.json.gz"
      ).dataset.relations.count == 155)
    do throws(AnswerError) {
      _ = try OverpassAnswer.decode(contentsOf: "/does/not/exist")
      Issue.record("decoded")
    } catch {
      if case .decode(let error) = error {
        #expect(error.kind == .fileOpen)
      } else {
        Issue.record("\(error)")
      }
    }
  }
}
