import OSMModel
import OverpassDecoding
import OverpassTestSupport
import Testing

/// What decoding XML fails with; `nil` when it succeeds.
func xmlError(_ bytes: [UInt8], _ change: (inout DecodeOptions) -> Void = { _ in }) -> DecodeError?
{
  var options = DecodeOptions()
  change(&options)
  do throws(DecodeError) {
    _ = try OverpassXML.decode(bytes, options: options)
    return nil
  } catch {
    return error
  }
}

@Suite struct XMLErrorTests {
  private let whole = Array(
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <osm version="0.6"><note>é&amp;</note><node id="1" lat="1.25" lon="2.0"><tag k="a" v="&#xe9;x"/>
    </node><way id="2"><nd ref="1" lat="1" lon="2"/><nd ref="2"/><tag k="b" v="c"/></way><!-- c -->
    <relation id="3" version="2"><member type="way" ref="1" role="ü"><nd lat="1" lon="2"/></member>
    </relation><q id="4"><point lat="1" lon="2"/></q><remark>x</remark></osm>
    """.utf8)

  @Test func errorsTellWhere() throws {
    let error = try #require(xmlError(Array("<osm>\n <node id='1'>\n  </way></osm>".utf8)))
    #expect(error.kind == .syntax)
    #expect(error.offset == 25 && error.line == 3 && error.column == 5)
    let value = try #require(xmlError(Array("\u{FEFF} <osm>\n <node id='x'/></osm>".utf8)))
    #expect(value.kind == .value)
    #expect(value.offset == 11 && value.line == 2 && value.column == 2)
  }

  @Test(arguments: [
    "<osm><node></osm>", "<osm/>x", "<osm/><osm/>", "<osm a='1' a='2'/>", "<osm><a b=c/></osm>",
    "<osm>&nbsp;</osm>", "<osm>&#0;</osm>", "<osm>&#xD800;</osm>", "<osm><node id='1'\u{1}/></osm>",
    "<osm>]]></osm>", "<osm></osm ", "<osm><</osm>",
    "<?xml version='1.0' encoding='q'?><osm/>",
  ]) func brokenStructure(_ text: String) {
    let error = xmlError(Array(text.utf8))
    #expect(error?.kind == .syntax || error?.kind == .truncated)
    #expect(error?.offset != nil && error?.line != nil && error?.column != nil)
  }

  @Test(arguments: [
    ("", DecodeError.Kind.truncated), ("  \n", .truncated), ("{\"elements\":[]}", .format),
    ("<foo/>", .notOverpass), ("<html><body/></html>", .notOverpass),
    ("<osm><relation><member type='area' ref='1'/></relation></osm>", .value),
    ("<osm><relation><member type='way'/></relation></osm>", .value),
    ("<osm><way><nd ref='1.5'/></way></osm>", .value), ("<osm><node id=''/></osm>", .value),
    ("<osm><node lat='north'/></osm>", .value),
    ("<osm><node id='9223372036854775808'/></osm>", .value),
    ("<osm><way><nd ref='-9223372036854775808'/></way></osm>", .value),
  ]) func notAnAnswer(_ text: String, _ kind: DecodeError.Kind) {
    #expect(xmlError(Array(text.utf8))?.kind == kind)
  }

  /// Entities are not expanded and nothing is loaded.
  @Test func documentTypesAreRefused() throws {
    var laughs = "<!DOCTYPE osm [<!ENTITY a0 'ha'>"
    for level in 1...40 { laughs += "<!ENTITY a\(level) '&a\(level - 1);&a\(level - 1);'>" }
    for text in [
      laughs + "]><osm><tag k='a' v='&a40;'/></osm>",
      "<!DOCTYPE osm SYSTEM 'file:///etc/passwd'><osm><node id='1'/></osm>",
      "<!DOCTYPE osm [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><osm>&x;</osm>",
      "<!DOCTYPE osm [<!ATTLIST node id CDATA '7'>]><osm><node/></osm>",
      "<!DOCTYPE osm [<!ENTITY % p SYSTEM 'http://127.0.0.1/x'> %p;]><osm/>",
    ] {
      #expect(xmlError(Array(text.utf8))?.kind == .notOverpass)
    }
    #expect(try decodeXML("<!DOCTYPE osm><osm><node id='1'/></osm>").dataset.count == 1)
  }

  @Test func nestingAndSizeAreBounded() {
    let deep = String(repeating: "<a>", count: 100_000)
    #expect(xmlError(Array("<osm>\(deep)".utf8))?.kind == .limit)
    let groups = "<osm><q>" + String(repeating: "<group>", count: 100_000)
    #expect(xmlError(Array(groups.utf8)) { $0.maximumDepth = .max }?.kind == .limit)
    #expect(xmlError(whole) { $0.maximumBytes = 10 }?.kind == .limit)
  }

  /// B041
  @Test func everyCutIsNoticed() throws {
    var most = 0
    for count in 1..<whole.count {
      let cut = Array(whole[0..<count])
      let error = try #require(xmlError(cut))
      #expect(error.kind == .truncated, "\(count)")
      #expect(error.offset == count)
      var options = DecodeOptions()
      options.allowTruncated = true
      let response = try OverpassXML.decode(cut, options: options)
      #expect(response.completeness == .partial)
      #expect(response.dataset.count >= most)
      most = response.dataset.count
      _ = lines(of: response)
    }
    #expect(most == 4)
  }

  /// B056
  @Test(
    arguments: [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xE2, 0x82], [0x80]] as [[UInt8]])
  func invalidTextIsReplaced(_ bad: [UInt8]) throws {
    let head = Array("<osm><node id='1'><tag k='tunnel' v='a".utf8)
    let bytes = head + bad + Array("z'/></node><node id='x'/></osm>".utf8)
    let place = bytes.count - Array("<node id='x'/></osm>".utf8).count
    #expect(xmlError(bytes)?.offset == place)
    #expect(xmlError(bytes) { $0.strictText = true }?.kind == .text)
    #expect(xmlError(bytes) { $0.strictText = true }?.offset == head.count)
    let sound = Array(bytes[..<place]) + Array("</osm>".utf8)
    let response = try OverpassXML.decode(sound)
    let value = try #require(response.dataset.tagTexts(ElementIndex(.node, 0))["tunnel"])
    #expect(value.hasPrefix("a\u{FFFD}") && value.hasSuffix("z"))
    #expect(response.diagnostics.first?.kind == .invalidText)
    #expect(response.diagnostics.first?.offset == head.count)
  }

  @Test func otherEncodings() throws {
    let latin = Array("<?xml version='1.0' encoding='ISO-8859-1'?><osm><node><tag k='a' v='".utf8)
    let response = try OverpassXML.decode(latin + [0xE9] + Array("'/></node></osm>".utf8))
    #expect(response.dataset.tagTexts(ElementIndex(.node, 0)) == ["a": "é"])
    #expect(response.diagnostics.isEmpty)
    let wide = "<osm><node id='1'/></osm>".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    #expect(try OverpassXML.decode([0xFF, 0xFE] + wide).dataset.count == 1)
  }

  /// Texts of any length, at every distance from the ends of the portions that expat is given.
  @Test func longTexts() throws {
    for length in [65_000, 65_535, 65_536, 65_537, 200_000] {
      let text = String(repeating: "é", count: length)
      let data = try decodeXML("<osm><node id='1'><tag k='a' v='\(text)'/></node></osm>").dataset
      #expect(data.tagTexts(ElementIndex(.node, 0)) == ["a": text])
    }
  }

  /// A value of many megabytes costs time in proportion.
  @Test(.timeLimit(.minutes(1))) func oneHugeText() throws {
    let text = String(repeating: "x", count: 40_000_000)
    let data = try decodeXML("<osm><node id='1'><tag k='a' v='\(text)'/></node></osm>").dataset
    #expect(data.strings.arenaBytes.count > 40_000_000)
  }

  @Test func flippedBytesNeverTrap() throws {
    var generator = SeededGenerator(seed: 4)
    var succeeded = 0
    for _ in 0..<20_000 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        bytes[place] = UInt8.random(in: 0...255, using: &generator)
      }
      if xmlError(bytes) == nil { succeeded += 1 }
    }
    #expect(succeeded > 0 && succeeded < 20_000)
  }
}
