import FeatureFormats
import OSMModel
import OverpassDecoding
import OverpassTestSupport
import Testing

func written(
  _ document: OSMDocument, _ format: DocumentFormat,
  _ change: (inout DocumentWriter) -> Void = { _ in }
) throws(DocumentError) -> [UInt8] {
  var writer = DocumentWriter(document, format: format)
  change(&writer)
  var sink = MemorySink()
  try writer.write(to: &sink)
  return bytes(in: sink.takeBytes())
}

func decoded(_ bytes: [UInt8], _ format: DocumentFormat) throws(DecodeError) -> Response {
  format == .overpassJSON ? try OverpassJSON.decode(bytes) : try OverpassXML.decode(bytes)
}

/// What was decoded and is written again decodes to the same.
@Suite struct DocumentRoundTripTests {
  /// Writes and decodes; what is different, as two lines. A format without words gives nothing.
  private func differences(
    _ document: OSMDocument, _ format: DocumentFormat, isCompact: Bool = false
  ) throws -> [String] {
    guard hasWords(for: document, format) else { return [] }
    let bytes = try written(document, format) { $0.isCompact = isCompact }
    let response = try decoded(bytes, format)
    #expect(response.diagnostics.isEmpty)
    var expected = document
    if format != .overpassJSON, expected.header.version == nil { expected.header.version = "0.6" }
    let (before, after) = (lines(of: expected), lines(of: response.document))
    guard before != after else { return [] }
    let first = zip(before, after).first { $0 != $1 }
    return ["\(before.count) and \(after.count) lines", first?.0 ?? "", first?.1 ?? ""]
  }

  private func hasWords(for document: OSMDocument, _ format: DocumentFormat) -> Bool {
    (try? DocumentWriter(document, format: format).check()) != nil
  }

  private static let fixtures = listFolder(projectRoot + "/Tests/Fixtures/overpass-json")
    .filter { $0.hasSuffix(".json") }.map { "\(projectRoot)/Tests/Fixtures/overpass-json/\($0)" }

  private static let oracle = listFolder(sharedRoot + "/cases/oracle").flatMap { folder in
    ["json", "xml"].map { "\(sharedRoot)/cases/oracle/\(folder)/answer.\($0)" }
  }.filter { (path: String) in access(path, R_OK) == 0 }

  @Test func recordedAnswers() throws {
    var documents = 0
    for path in Self.fixtures + Self.oracle {
      guard let response = try? OverpassAnswer.decode(contentsOf: path) else { continue }
      documents += 1
      for format in [DocumentFormat.overpassJSON, .osmXML] {
        #expect(try differences(response.document, format) == [], "\(path) \(format)")
      }
      #expect(try differences(response.document, .overpassJSON, isCompact: true) == [], "\(path)")
      let format: DocumentFormat = path.hasSuffix("json") ? .overpassJSON : .osmXML
      #expect(throws: Never.self, "\(path)") {
        try DocumentWriter(response.document, format: format).check()
      }
    }
    #expect(documents >= 4)
    if hasSharedData { #expect(documents >= 150) }
  }

  @Test func randomDocuments() throws {
    for seed in 0..<1500 as Range<UInt64> {
      let document = RandomDocument.make(seed: seed)
      #expect(throws: Never.self) {
        try DocumentWriter(document, format: .overpassJSON).check()
      }
      #expect(
        try differences(document, .overpassJSON, isCompact: seed % 2 == 0) == [], "seed \(seed)")
      #expect(try differences(document, .osmXML) == [], "seed \(seed)")
    }
    for seed in 0..<1500 as Range<UInt64> {
      let document = RandomDocument.make(seed: seed, fitsXML: true)
      var other = document
      // Blanks at the ends of a remark are the only thing left that XML cannot say.
      other.remarks = other.remarks.map { $0 + "." }
      #expect(throws: Never.self, "seed \(seed)") {
        try DocumentWriter(other, format: .osmXML).check()
      }
      #expect(try differences(other, .osmXML) == [], "seed \(seed)")
    }
  }

  /// The same bytes, whatever the number of threads.
  @Test func threadsDoNotMatter() throws {
    var builder = DatasetBuilder()
    for row in 0..<10_000 {
      builder.nodes.elements.ids.append(Int64(row))
      builder.nodes.elements.tagEnds.append(0)
      builder.nodes.positions.append(Coordinate(longitudeE7: Int32(row), latitudeE7: 7))
      builder.endElement(.node)
    }
    let document = OSMDocument(builder.finish().dataset)
    for format in [DocumentFormat.overpassJSON, .osmXML] {
      let one = try written(document, format) { $0.threads = 1 }
      #expect(try written(document, format) { $0.threads = 3 } == one)
      #expect(try decoded(one, format).dataset.nodes.count == 10_000)
    }
  }

  // MARK: Changes

  @Test func changesInXML() throws {
    let text = """
      <osm version="0.6" generator="g"><note>n</note><meta osm_base="x"/>
      <node id="7" lat="1" lon="2"/>
      <action type="show_initial"><node id="1" lat="1" lon="2"/></action>
      <action type="modify"><old><node id="1" version="1"/></old><new><node id="1" version="2"/></new>
      </action><action type="delete"><old><way id="5"><nd ref="1" lat="1" lon="2"/></way></old><new>
      <way id="5" visible="false"/></new></action>
      <action type="modify"><new><node id="9" version="4"/></new><old><node id="9" version="3"/></old>
      </action><action type="delete"><old><way id="6"/></old></action>
      <action type="create"><old><relation id="3"/></old></action>
      <action type="create"><relation id="3"/></action><way id="8"/>
      <action type="show_final"><item id="3"><tag k="a" v="b"/></item></action><way id="9"/>
      <remark>runtime remark: r</remark></osm>
      """
    let response = try OverpassXML.decode(Array(text.utf8))
    #expect(response.actions.count == 8)
    #expect(try differences(response.document, .osmXML) == [])
    #expect(throws: DocumentError.loss(FormatLoss(format: .overpassJSON, part: .changes))) {
      try written(response.document, .overpassJSON)
    }
  }

  @Test func changeFiles() throws {
    let text = """
      <?xml version="1.0"?><osmChange version="0.6" generator="g" copyright="©"><create>
      <node id="-1" lat="1" lon="2" version="1"><tag k="a" v="&lt;&#10;&quot;"/></node><way id="-2">
      <nd ref="-1"/></way></create><modify><relation id="3" version="2"><member type="node" ref="1"
      role="r"/></relation></modify><delete><node id="1" version="3"/><node id="4" visible="true"/>
      </delete><create><node id="5"/></create></osmChange>
      """
    let response = try OverpassXML.decode(Array(text.utf8))
    #expect(response.actions.count == 6)
    #expect(try differences(response.document, .osmChange) == [])
    let bytes = try written(response.document, .osmChange)
    let parts = String(decoding: bytes, as: UTF8.self).split(separator: "\n").filter {
      !$0.hasPrefix(" ")
    }
    #expect(
      parts == [
        #"<?xml version="1.0" encoding="UTF-8"?>"#,
        #"<osmChange version="0.6" generator="g" copyright="©">"#, "<create>", "</create>",
        "<modify>", "</modify>", "<delete>", "</delete>", "<create>", "</create>", "</osmChange>",
      ])
    // The same changes as an augmented diff, which is read as one.
    #expect(try differences(response.document, .osmXML) == [])
  }

  /// What a JOSM file says of the objects that are left.
  @Test func filesOfEditors() throws {
    let text = """
      <osm version='0.6' generator='JOSM'><bounds minlat='1' minlon='2' maxlat='3' maxlon='4'/>
      <node id='-1' lat='0' lon='0' visible='true'/><way id='-3' visible='true' action='modify'><nd ref='-1'/></way>
      <node id='8' action='delete' version='1'/>
      <node id='7' version='3' visible='false'/></osm>
      """
    let response = try OverpassXML.decode(Array(text.utf8))
    #expect(response.diagnostics.map(\.kind) == [.deletedByEditor])
    #expect(response.diagnostics[0].element == ElementID(.node, 8))
    for format in [DocumentFormat.osmXML, .overpassJSON] {
      #expect(try differences(response.document, format) == [])
    }
    let again = String(decoding: try written(response.document, .osmXML), as: UTF8.self)
    #expect(again.contains(#"<way id="-3" visible="true" action="modify">"#))
  }

  /// A truncated answer does not look whole when it is written.
  @Test func truncatedAnswers() throws {
    var options = DecodeOptions()
    options.allowTruncated = true
    let text = #"{"elements":[{"type":"node","id":1},{"type":"no"#
    let response = try OverpassJSON.decode(Array(text.utf8), options: options)
    let again = try decoded(try written(response.document, .overpassJSON), .overpassJSON)
    #expect(again.completeness == .partial)
    #expect(again.remarks == ["runtime error: the answer was cut off at byte 47"])
    #expect(again.dataset.nodes.count == 1)
  }
}
