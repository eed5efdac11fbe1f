import Testing

@testable import OverpassClient

@Suite struct EndpointTests {
  @Test(arguments: [
    ("https://a.example/api/interpreter", "https://a.example/api/interpreter"),
    ("https://a.example/api/", "https://a.example/api/interpreter"),
    ("https://a.example/api", "https://a.example/api/interpreter"),
    ("https://a.example", "https://a.example/api/interpreter"),
    ("https://a.example/", "https://a.example/api/interpreter"),
    ("HTTP://A.Example:80/cgi/interpreter", "http://a.example/cgi/interpreter"),
    ("https://a.example:443/q?key=1", "https://a.example/q?key=1"),
    ("http://[::1]:8080/api/", "http://[::1]:8080/api/interpreter"),
    ("http://localhost:12345", "http://localhost:12345/api/interpreter"),
  ])
  func completesURLs(_ text: String, _ expected: String) throws {
    #expect(try Endpoint(text).url == expected)
  }

  @Test func knowsItsPages() throws {
    let endpoint = try Endpoint("https://a.example/cgi/interpreter?key=1")
    #expect(endpoint.statusURL == "https://a.example/cgi/status?key=1")
    #expect(endpoint.killURL == "https://a.example/cgi/kill_my_queries?key=1")
    #expect(endpoint.label == "a.example")
    #expect(endpoint.origin == "https://a.example")
  }

  @Test func knowsServersByName() throws {
    let main = try Endpoint("Main")
    #expect(main.name == "main")
    #expect(main.url == "https://overpass-api.de/api/interpreter")
    for known in WellKnownEndpoint.all {
      #expect(try Endpoint(known.name).url == known.url)
      #expect(try Endpoint(known.url).url == known.url)
      #expect(known.url.hasPrefix("https://"))
    }
  }

  @Test(arguments: [
    "", "nowhere", "ftp://a.example/", "https://", "https:///api", "https://a b/",
    "https://ä.example/",
    "https://a.example/#x", "https://me:secret@a.example/", "http://a.example:99999/",
    "http://a.example:x/", "http://a.example\\@b.example/", "http://a.example/\r\nX: y", "://",
    "http://a<b>/", "http://::1/", "http://a:1:2/", "http://[::1/", "http://a]/", "http://[]/",
    "http://[::1]x/",
  ])
  func refusesWhatIsNoServer(_ text: String) {
    #expect(throws: ClientError.self) { _ = try Endpoint(text) }
  }

  /// RFC 3986 §5.4.
  @Test(arguments: [
    ("g", "/b/c/g"), ("./g", "/b/c/g"), ("g/", "/b/c/g/"), ("/g", "/g"), ("?y", "/b/c/d;p?y"),
    ("g?y/../x", "/b/c/g?y/../x"), (".", "/b/c/"), ("./", "/b/c/"), ("..", "/b/"), ("../g", "/b/g"),
    ("../../g", "/g"), ("../../../g", "/g"), ("/./g", "/g"), ("/../g", "/g"), ("g.", "/b/c/g."),
    ("..g", "/b/c/..g"), ("./g/.", "/b/c/g/"), ("g/../h", "/b/c/h"), ("g;x=1/../y", "/b/c/y"),
    ("https://a/./x/../g", "/g"), ("//a/x/..", "/"), ("https://a", ""), ("g#s/../x", "/b/c/g"),
  ])
  func resolvesRedirects(_ location: String, _ expected: String) throws {
    let base = try URLParts("https://a/b/c/d;p?q")
    #expect(try base.resolving(location).text == "https://a" + expected)
  }

  @Test(arguments: [
    "", "mailto:x", "ftp://a/x", "https://me@b/", "//me:secret@b/x", "https://", "https:b", "//",
    "x y", "http://b:0/", "//[::1", "ä",
  ])
  func refusesRedirectsToNowhere(_ location: String) throws {
    let base = try URLParts("https://a/b")
    #expect(throws: ClientError.self) { _ = try base.resolving(location) }
  }

  @Test(arguments: [
    "", " ", "1.0", "-/-", "Mozilla/5.0 (X11; Linux)", "python-requests/2.31", "curl/7.88",
    "OverpassKit/0.1", "app\r\nX: y", "ä", " app", String(repeating: "a", count: 201),
  ])
  func refusesNamesThatServersBlock(_ name: String) {
    #expect(throws: ClientError.self) { _ = try Application(name) }
  }

  @Test func namesTheApplicationAndTheLibrary() throws {
    let application = try Application("my-app/1.0 (me@example.org)")
    #expect(application.userAgent == "my-app/1.0 (me@example.org) OverpassKit/0.1.0")
  }

  @Test(arguments: [
    ("120", 120.0), ("0", 0), ("-5", 0), (" 7 ", 7), ("Sun, 06 Nov 1994 08:49:37 GMT", 60),
    ("Sunday, 06-Nov-94 08:49:37 GMT", 60), ("Sun Nov  6 08:49:37 1994", 60),
    ("Sun, 06 Nov 1994 08:40:00 GMT", 0),
  ])
  func readsRetryAfter(_ value: String, _ expected: Double) {
    #expect(retryAfterSeconds(value, now: 784_111_717) == expected)
  }

  @Test(arguments: ["", "soon", "nan", "inf", "1 2", "Sun, 99 Nov 1994 08:49:37 GMT", "1e999"])
  func ignoresOtherValuesOfRetryAfter(_ value: String) {
    #expect(retryAfterSeconds(value, now: 0) == nil)
  }
}
