// Where a server is: the addresses that belong to it, and what may be written for them.

/// A server that runs Overpass queries.
public struct Endpoint: Sendable, Hashable {
  /// The short name of a well-known server, or `nil`.
  public let name: String?
  /// Where queries go, such as `https://overpass-api.de/api/interpreter`.
  public let url: String

  /// - Parameter text: the name of a well-known server (``WellKnownEndpoint``), or the URL of any
  ///   server: of its interpreter, of the folder that it is in, or of the host alone, in which case
  ///   `/api/interpreter` is added.
  /// - Throws: ``ClientError`` of kind `endpoint` for what is neither.
  public init(_ text: String) throws(ClientError) {
    if let known = WellKnownEndpoint(named: text) {
      self.init(known)
      return
    }
    guard text.utf8.contains(UInt8(ascii: ":")) else {
      let names = WellKnownEndpoint.all.map(\.name).joined(separator: ", ")
      throw ClientError(
        .endpoint, "\"\(text)\" is neither a URL nor the name of a server; known are \(names)")
    }
    var parts = try URLParts(text)
    parts.path = Endpoint.interpreterPath(parts.path)
    self.init(name: nil, url: parts.text)
  }

  /// A well-known server.
  public init(_ known: WellKnownEndpoint) { self.init(name: known.name, url: known.url) }

  private init(name: String?, url: String) {
    self.name = name
    self.url = url
  }

  /// What to call it in messages.
  public var label: String { name ?? host }

  /// The host, with a port where that is not the usual one: requests to the same one take turns.
  var host: String { URLParts(trusted: url).host }

  /// Where credentials may go.
  var origin: String { URLParts(trusted: url).origin }

  /// The page that tells about the caller's slots.
  var statusURL: String { sibling("status") }

  /// The call that ends the caller's queries.
  var killURL: String { sibling("kill_my_queries") }

  private func sibling(_ name: String) -> String {
    var parts = URLParts(trusted: url)
    let slash = parts.path.lastIndex(of: "/") ?? parts.path.startIndex
    parts.path = parts.path[..<slash] + "/" + name
    return parts.text
  }

  private static func interpreterPath(_ path: String) -> String {
    if path.isEmpty || path == "/" { return "/api/interpreter" }
    if path.hasSuffix("/") { return path + "interpreter" }
    return path.hasSuffix("/api") ? path + "/interpreter" : path
  }
}

/// The parts of a URL with `http` or `https`. Source: RFC 3986 §3.
struct URLParts: Hashable {
  /// In lower case.
  var scheme: String
  /// In lower case, with a port where that is not the usual one.
  var host: String
  /// With a slash in front, or empty.
  var path: String
  /// With its question mark, or empty.
  var query: String

  /// - Throws: ``ClientError`` of kind `endpoint`.
  init(_ text: String) throws(ClientError) {
    func refuse(_ reason: String) -> ClientError {
      ClientError(.endpoint, "\"\(text)\" is no URL of a server: \(reason)")
    }
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }) else {
      throw refuse("a URL has printable ASCII characters only")
    }
    guard !text.utf8.contains(UInt8(ascii: "#")) else { throw refuse("it has a fragment") }
    let lower = text.lowercased()
    guard let scheme = ["http", "https"].first(where: { lower.hasPrefix($0 + "://") }) else {
      throw refuse("it begins with neither http:// nor https://")
    }
    let rest = text.dropFirst(scheme.count + 3)
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    guard !authority.contains("@") else {
      throw refuse("credentials belong in a header, where no log shows them")
    }
    let target = rest.dropFirst(authority.count)
    let path = target.prefix { $0 != "?" }
    self.scheme = scheme
    self.path = String(path)
    query = String(target.dropFirst(path.count))
    guard let host = URLParts.host(authority.lowercased(), scheme) else {
      throw refuse("\"\(authority)\" is no host")
    }
    self.host = host
  }

  /// A URL that was checked before.
  init(trusted text: String) {
    do throws(ClientError) {
      try self.init(text)
    } catch {
      self.init(scheme: "https", host: "", path: "", query: "")
    }
  }

  private init(scheme: String, host: String, path: String, query: String) {
    self.scheme = scheme
    self.host = host
    self.path = path
    self.query = query
  }

  var origin: String { scheme + "://" + host }

  var text: String { origin + path + query }

  /// The URL that a redirect leads to. Source: RFC 9110 §10.2.2, RFC 3986 §5.2.
  func resolving(_ location: String) throws(ClientError) -> URLParts {
    var target = try joined(String(location.prefix { $0 != "#" }))
    target.path = URLParts.withoutDots(target.path)
    return target
  }

  private func joined(_ location: String) throws(ClientError) -> URLParts {
    let lower = location.lowercased()
    if lower.hasPrefix("http://") || lower.hasPrefix("https://") { return try URLParts(location) }
    if location.hasPrefix("//") { return try URLParts(scheme + ":" + location) }
    if location.hasPrefix("/") { return try URLParts(origin + location) }
    if location.hasPrefix("?") { return try URLParts(origin + path + location) }
    let head = location.prefix { $0 != "/" && $0 != "?" }
    guard !location.isEmpty, !head.contains(":") else {
      throw ClientError(.endpoint, "the redirect to \"\(location)\" leads nowhere")
    }
    let slash = path.lastIndex(of: "/") ?? path.startIndex
    return try URLParts(origin + path[..<slash] + "/" + location)
  }

  /// A path without `.` and `..`. Source: RFC 3986 §5.2.4.
  private static func withoutDots(_ path: String) -> String {
    var kept: [Substring] = []
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    for (index, segment) in segments.enumerated() {
      guard segment == "." || segment == ".." else {
        kept.append(segment)
        continue
      }
      // The first one is the nothing before the slash.
      if segment == "..", kept.count > 1 { kept.removeLast() }
      if index == segments.count - 1 { kept.append("") }
    }
    return kept.joined(separator: "/")
  }

  /// The host and its port, in the one form in which equal ones are equal.
  private static func host(_ authority: String, _ scheme: String) -> String? {
    var name = Substring(authority)
    var port = Substring()
    // The colons of an IPv6 address stand in brackets.
    let end = authority.lastIndex(of: "]") ?? authority.startIndex
    if let colon = authority[end...].lastIndex(of: ":") {
      name = authority[..<colon]
      port = authority[authority.index(after: colon)...]
      guard port.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
      if !port.isEmpty {
        guard let number = UInt16(port), number > 0 else { return nil }
        port = number == (scheme == "http" ? 80 : 443) ? "" : ":" + String(number)
      }
    }
    guard isHostName(name.utf8) || isAddress(name.utf8) else { return nil }
    return String(name) + port
  }

  private static func isHostName(_ name: Substring.UTF8View) -> Bool {
    !name.isEmpty
      && name.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
          UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }

  /// Whether it looks like an IPv6 address in its brackets; which of them exist, the system knows.
  private static func isAddress(_ name: Substring.UTF8View) -> Bool {
    guard name.count > 3, name.first == UInt8(ascii: "["), name.last == UInt8(ascii: "]") else {
      return false
    }
    return name.dropFirst().dropLast().allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "0")...UInt8(ascii: ":"),
        UInt8(ascii: "."):
        true
      default: false
      }
    }
  }
}
