import OSMModel
import OverpassTestSupport
import Testing

@testable import OverpassClient

/// TLS with the certificates of Tests/Server, which nobody else trusts.
@Suite struct CurlTLSTests {
  private static let folder = projectRoot + "/Tests/Server"

  init() { noProxy }

  /// Runs `body` with the port of a server that answers nothing but errors of its own.
  private func serve(_ body: (Int) throws -> Void) throws {
    var name = Array("/tmp/overpasskit-port-XXXXXX".utf8CString)
    let file = mkstemp(&name)
    try #require(file >= 0)
    close(file)
    let path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer { unlink(path) }
    // It stops when its input is closed.
    let server = try #require(
      popen("exec python3 '\(Self.folder)/overpass_server.py' --tls --seconds 60 > '\(path)'", "w"))
    defer { pclose(server) }
    let pause = Cancellation()
    for _ in 0..<600 {
      let line = String(decoding: readFile(path) ?? [], as: UTF8.self)
      if line.hasSuffix("\n"), let port = Int(line.dropLast()) { return try body(port) }
      pause.wait(seconds: 0.05)
    }
    Issue.record("no server")
  }

  @Test func trustsWhatTheOptionsName() throws {
    try serve { port in
      let request = HTTPRequest(.get, "https://127.0.0.1:\(port)/api/status")
      let strange = Exchange(.curl(), request)
      #expect(strange.error?.kind == .tls)
      #expect(strange.error?.message.contains("127.0.0.1:\(port)") == true)
      #expect(strange.error?.message.contains("certificate") == true)

      let trusting = HTTPTransport.curl(
        CurlOptions(certificateFile: Self.folder + "/certificates/authority.pem"))
      let exchange = Exchange(trusting, request)
      #expect(exchange.error == nil)
      #expect(exchange.heads.first?.status == 599)

      let missing = HTTPTransport.curl(CurlOptions(certificateFile: Self.folder + "/none.pem"))
      #expect(Exchange(missing, request).error?.kind == .tls)
    }
  }
}
