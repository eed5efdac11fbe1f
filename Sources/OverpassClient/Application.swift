// Who asks. Servers block clients that do not say, and those that pretend to be a browser.
// Source: drolbr/Overpass-API issue 791; OSMF "Terms of Use" of the API, "Identifying your
// application".

/// The program that asks, as its `User-Agent` tells the servers' operators.
public struct Application: Sendable, Hashable {
  /// As given, such as `my-app/1.0 (me@example.org)`.
  public let name: String

  /// - Parameter name: the program's own name, best with its version and an address at which its
  ///   author can be reached.
  /// - Throws: ``ClientError`` of kind `application`.
  public init(_ name: String) throws(ClientError) {
    func refuse(_ reason: String) -> ClientError {
      ClientError(
        .application,
        "\(reason); servers want to know who asks: give a name like \"my-app/1.0 (me@example.org)\""
      )
    }
    guard name.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
      throw refuse("the application's name has characters that no header can carry")
    }
    guard name.utf8.count <= 200 else { throw refuse("the application's name is too long") }
    let letters = name.utf8.filter { byte in
      let lower = byte | 0x20
      return lower >= UInt8(ascii: "a") && lower <= UInt8(ascii: "z")
    }
    guard letters.count >= 2, name.first != " ", name.last != " " else {
      throw refuse("the application has no name")
    }
    let product = name.lowercased().prefix { $0 != "/" && $0 != " " }
    guard !Application.refused.contains(String(product)) else {
      throw refuse("\"\(name)\" names a browser or a library, not the application")
    }
    self.name = name
  }

  /// The value of the `User-Agent` header.
  var userAgent: String { "\(name) OverpassKit/\(Application.libraryVersion)" }

  /// The version of this library; a test compares it with the C header.
  @_spi(Testing) public static let libraryVersion = "0.1.0"

  /// Stock agents, which operators block, and the browsers that get faked.
  private static let refused: Set<String> = [
    "mozilla", "opera", "safari", "chrome", "curl", "libcurl", "wget", "python-requests",
    "python-urllib", "python-httpx", "aiohttp", "okhttp", "axios", "node-fetch", "undici",
    "go-http-client", "java", "cfnetwork", "overpasskit", "urllib3", "httpie", "postmanruntime",
  ]
}
