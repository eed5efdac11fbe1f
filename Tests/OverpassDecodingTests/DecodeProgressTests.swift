import OSMModel
import OverpassDecoding
import OverpassTestSupport
import Testing

/// A file that is gone at the end.
private struct TemporaryFile: ~Copyable {
  let path: String

  init(_ bytes: [UInt8]) {
    var template = Array("/tmp/overpasskit-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    #expect(bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) } == bytes.count)
    close(descriptor)
  }

  deinit { unlink(path) }
}

private func error(_ decode: () throws(AnswerError) -> Response) -> DecodeError? {
  do throws(AnswerError) {
    _ = try decode()
  } catch {
    if case .decode(let error) = error { return error }
  }
  return nil
}

@Suite struct DecodeProgressTests {
  private static let nodeCount = 60_000
  private let json = Array(
    (#"{"elements":["#
      + (1...nodeCount).map { #"{"type":"node","id":\#($0),"lat":1.5,"lon":2.5,"tags":{"a":"b"}}"# }
      .joined(separator: ",\n") + "]}").utf8)
  private let xml = Array(
    ("<osm>"
      + (1...nodeCount).map { "<node id='\($0)' lat='1.5' lon='2.5'><tag k='a' v='b'/></node>" }
      .joined(separator: "\n") + "</osm>").utf8)

  @Test func reportsRise() throws {
    for bytes in [json, xml, gzip(json), gzip(xml), bzip2(json)] {
      let file = TemporaryFile(bytes)
      var reports: [DecodeProgress] = []
      let response = try OverpassAnswer.decode(contentsOf: file.path) { progress in
        reports.append(progress)
        return true
      }
      #expect(response.dataset.count == Self.nodeCount)
      #expect(reports.allSatisfy { $0.totalBytes == bytes.count })
      for (earlier, later) in zip(reports, reports.dropFirst()) {
        #expect(earlier.bytes <= later.bytes && earlier.elements <= later.elements)
      }
      #expect(reports.last?.bytes == bytes.count)
      #expect(bytes.count < 2_000_000 || reports.count >= 3)
      // What is left of compressed data is decoded at the end.
      #expect(reports.last.map { $0.elements > Self.nodeCount * 9 / 10 } == true)
    }
  }

  @Test func cancelling() {
    for bytes in [json, xml, gzip(json), bzip2(xml)] {
      let file = TemporaryFile(bytes)
      for allowed in 0...1 {
        var calls = 0
        let failure = error { () throws(AnswerError) in
          try OverpassAnswer.decode(contentsOf: file.path) { _ in
            calls += 1
            return calls <= allowed
          }
        }
        // Small inputs may be over after one report.
        #expect(failure?.kind == .cancelled || calls <= allowed)
        #expect(calls <= allowed + 1)
        if allowed == 0 { #expect(failure?.kind == .cancelled && failure?.offset == nil) }
      }
    }
  }

  // MARK: Descriptors

  @Test func filesAndPipes() throws {
    for bytes in [json, xml, gzip(json)] {
      let file = TemporaryFile(bytes)
      let descriptor = open(file.path, O_RDONLY)
      defer { close(descriptor) }
      #expect(try OverpassAnswer.decode(descriptor: descriptor).dataset.count == Self.nodeCount)

      // A pipe holds 64 kB, so that a second thread has to fill it.
      guard let pipe = popen("cat '\(file.path)'", "r") else {
        Issue.record("no pipe")
        return
      }
      var reports: [DecodeProgress] = []
      let response = try OverpassAnswer.decode(descriptor: fileno(pipe)) { progress in
        reports.append(progress)
        return true
      }
      #expect(pclose(pipe) == 0)
      #expect(response.dataset.count == Self.nodeCount)
      #expect(reports.last?.bytes == bytes.count && reports.last?.totalBytes == nil)
    }
  }

  /// What is in front of the position of a descriptor is not part of the answer.
  @Test func positionOfADescriptor() throws {
    let file = TemporaryFile(Array("Status: 200\n\n".utf8) + json)
    let descriptor = open(file.path, O_RDONLY)
    defer { close(descriptor) }
    lseek(descriptor, 13, SEEK_SET)
    #expect(try OverpassAnswer.decode(descriptor: descriptor).dataset.count == Self.nodeCount)
  }

  @Test func descriptorsThatCannotBeRead() {
    let folder = open("/", O_RDONLY)
    defer { close(folder) }
    for descriptor in [folder, 9999] {
      let failure = error { () throws(AnswerError) in
        try OverpassAnswer.decode(descriptor: descriptor)
      }
      #expect(failure?.kind == .fileRead)
    }
  }

  // MARK: Limits

  @Test func elementsAndTexts() throws {
    for bytes in [json, xml] {
      var options = DecodeOptions()
      options.maximumElements = Self.nodeCount
      options.maximumTextBytes = 2
      #expect(try OverpassAnswer.decode(bytes, options: options).dataset.count == Self.nodeCount)
      options.maximumElements = 1000
      let tooMany = error { () throws(AnswerError) in
        try OverpassAnswer.decode(bytes, options: options)
      }
      #expect(tooMany?.kind == .limit && tooMany?.message.contains("max_elements") == true)
      #expect(tooMany?.line == 1001)
      options = DecodeOptions()
      options.maximumTextBytes = 1
      let tooLong = error { () throws(AnswerError) in
        try OverpassAnswer.decode(bytes, options: options)
      }
      #expect(tooLong?.kind == .limit && tooLong?.message.contains("max_text_bytes") == true)
      #expect(tooLong?.line == 1)
    }
  }
}
