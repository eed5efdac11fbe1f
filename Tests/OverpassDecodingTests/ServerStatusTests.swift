import OverpassDecoding
import OverpassTestSupport
import Testing

@Suite struct ServerStatusTests {
  /// B032
  @Test func allLines() throws {
    let status = try ServerStatus(
      """
      Connected as: 123
      Current time: 2024-05-01T10:00:00Z
      Announced endpoint: lz4.overpass-api.de/api/
      Rate limit: 2
      Something new: 7
      1 slots available now.
      Slot available after: 2024-05-01T10:00:40Z, in 40 seconds.
      Slot available after: 2024-05-01T09:00:40Z, in -4 seconds.
      Currently running queries (pid, space limit, time limit, start time):
      4711\t536870912\t180\t2024-05-01T09:59:00Z
      """)
    #expect(status.connectedAs == "123")
    #expect(status.currentTime == "2024-05-01T10:00:00Z")
    #expect(status.announcedEndpoint == "lz4.overpass-api.de/api/")
    #expect(status.rateLimit == 2 && status.freeSlots == 1 && status.waitSeconds == 0)
    #expect(status.waiting.map(\.seconds) == [40, 0])
    #expect(status.waiting.first?.time == "2024-05-01T10:00:40Z")
    #expect(status.running.map(\.process) == [4711])
    #expect(status.running.first?.spaceLimitBytes == 536_870_912)
    #expect(status.running.first?.timeLimitSeconds == 180)
    #expect(status.running.first?.start == "2024-05-01T09:59:00Z")
  }

  /// B033
  @Test func noLimit() throws {
    let status = try ServerStatus("Announced endpoint: none\r\nRate limit: 0\r\n")
    #expect(status.rateLimit == nil && status.freeSlots == nil && status.waitSeconds == 0)
    #expect(status.announcedEndpoint == nil)
  }

  @Test func nothingFree() throws {
    let waiting = try ServerStatus(
      "Rate limit: 2\nSlot available after: 2021-03-08T20:30:28Z, in 219 seconds.\nSlot available after: 2021-03-08T20:27:00Z, in 11 seconds.\n"
    )
    #expect(waiting.freeSlots == 0 && waiting.waitSeconds == 11)
    let running = try ServerStatus("Rate limit: 1\n1\t2\t3\tx\n")
    #expect(running.freeSlots == 0 && running.waitSeconds == nil)
  }

  @Test(arguments: ["", "<html><body>504</body></html>", "a\tb\tc\td"])
  func otherPages(_ text: String) {
    #expect(throws: DecodeError.self) { try ServerStatus(text) }
  }

  @Test(.enabled(if: hasSharedData, "needs the shared data beside the project"))
  func conformance() throws {
    var count = 0
    for test in ConformanceCase.all(["status"]) {
      let status = try ServerStatus(String(decoding: test.input, as: UTF8.self))
      for (key, value) in test.expected {
        switch key {
        case "free_slots": #expect(status.freeSlots == value as? Int, "\(test.name)")
        case "rate_limit": #expect(status.rateLimit == value as? Int, "\(test.name)")
        case "cooldown_s": #expect(status.waitSeconds == value as? Int, "\(test.name)")
        case "announced_endpoint":
          #expect(status.announcedEndpoint == value as? String, "\(test.name)")
        case "running": #expect(status.running.map(\.start) == value as? [String], "\(test.name)")
        case "running_count": #expect(status.running.count == value as? Int, "\(test.name)")
        case "waiting": #expect(status.waiting.map(\.time) == value as? [String], "\(test.name)")
        default: Issue.record("\(key)")
        }
      }
      count += 1
    }
    #expect(count >= 6)
  }
}
