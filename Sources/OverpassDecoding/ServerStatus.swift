// The page `/api/status`, which tells when an address may send its next query.
//
// The page has no schema and gained a line before, so lines are known by how they begin, in any order,
// and others are passed over. Source: Overpass API, public_status.cc.

import OSMModel

/// The slots of the address that asked.
public struct ServerStatus: Sendable, Equatable {
  /// A slot in use, and when it is free again.
  public struct Slot: Sendable, Equatable {
    /// As the server prints it, ISO 8601.
    public var time: String
    /// From the server's present time, never negative.
    public var seconds: Int
  }

  /// A query at work.
  public struct Running: Sendable, Equatable {
    public var process: Int64
    public var spaceLimitBytes: Int64
    public var timeLimitSeconds: Int
    /// As the server prints it, ISO 8601.
    public var start: String
  }

  public var connectedAs: String?
  public var currentTime: String?
  /// The machine behind a load balancer that one should ask; `nil` for none.
  public var announcedEndpoint: String?
  /// How many queries may run at once; `nil` on a server without limit.
  public var rateLimit: Int?
  /// How many more may be sent now; `nil` on a server without limit.
  public var freeSlots: Int?
  public var waiting: [Slot] = []
  public var running: [Running] = []

  /// How long to wait for a slot: 0 where one is free or there is no limit; `nil` where all are taken
  /// by queries that still run, because then nobody knows.
  public var waitSeconds: Int? {
    guard let freeSlots, freeSlots == 0 else { return 0 }
    return waiting.map(\.seconds).min()
  }

  /// Reads a status page.
  /// - Throws: ``DecodeError`` of kind `notOverpass` if no line is known.
  public init(_ page: String) throws(DecodeError) {
    var isKnown = false
    var limit: Int?
    for line in page.split(whereSeparator: { $0.isNewline }) {
      let fields = line.split(separator: "\t")
      if let value = ServerStatus.rest(of: line, behind: "Connected as:") {
        connectedAs = value
      } else if let value = ServerStatus.rest(of: line, behind: "Current time:") {
        currentTime = value
      } else if let value = ServerStatus.rest(of: line, behind: "Announced endpoint:") {
        announcedEndpoint = value == "none" || value.isEmpty ? nil : value
      } else if let value = ServerStatus.rest(of: line, behind: "Rate limit:") {
        limit = Int(value)
      } else if let value = ServerStatus.rest(of: line, behind: "Slot available after:") {
        if let slot = ServerStatus.slot(value) { waiting.append(slot) }
      } else if String(line).containsText("slots available now"),
        let count = line.split(separator: " ").first
      {
        freeSlots = Int(count).map { max(0, $0) }
      } else if line.hasPrefix("Currently running queries") {
        // The head of the list; its lines are known by their tabs.
      } else if fields.count == 4, let running = ServerStatus.running(fields) {
        self.running.append(running)
      } else {
        continue
      }
      isKnown = true
    }
    guard isKnown else { throw DecodeError(.notOverpass, "this is no status page") }
    rateLimit = limit.flatMap { $0 > 0 ? $0 : nil }
    // A server with a limit prints no line when nothing is free.
    if rateLimit != nil { freeSlots = freeSlots ?? 0 }
  }

  /// The text behind a beginning, without blanks around it.
  private static func rest(of line: Substring, behind beginning: String) -> String? {
    guard line.hasPrefix(beginning) else { return nil }
    let bytes = Array(line.dropFirst(beginning.count).utf8)
    return String(decoding: bytes.trimmedBlanks, as: UTF8.self)
  }

  /// `2024-05-01T10:00:40Z, in 40 seconds.`
  private static func slot(_ text: String) -> Slot? {
    let parts = text.split(separator: ",", maxSplits: 1)
    guard let time = parts.first, parts.count == 2 else { return nil }
    let number = parts[1].split(separator: " ").lazy.compactMap { Int($0) }.first
    return number.map { Slot(time: String(time), seconds: max(0, $0)) }
  }

  private static func running(_ fields: [Substring]) -> Running? {
    guard let process = Int64(fields[0]), let space = Int64(fields[1]), let time = Int(fields[2])
    else { return nil }
    return Running(
      process: process, spaceLimitBytes: space, timeLimitSeconds: time, start: String(fields[3]))
  }
}
