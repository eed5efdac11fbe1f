// One query at a time per server: whoever asks the same one takes turns.
//
// Source: the rule of the main server's operator, April 2026, drolbr/Overpass-API issue 791.

import OSMModel

/// Turns at servers, in the order of asking.
///
/// Turns are of the whole process, because that is what a server sees, unless a client is given turns
/// of its own.
public final class HostTurns: Sendable {
  private struct Host {
    var waiting: [Int] = []
    /// The moment before which nothing may be sent, in seconds of the clock.
    var silentUntil = 0.0
  }

  private struct State {
    var hosts: [String: Host] = [:]
    var nextTicket = 0
    /// A fork copies turns that nobody in the new process will end.
    var process = getpid()
  }

  private let state = Monitor(State())

  public init() {}

  /// Those of the process. With the counter of handles the only state that is shared by all.
  public static let shared = HostTurns()

  /// Waits for a turn at a host, then runs `body`.
  /// - Parameter tick: called about once a second meanwhile; false gives up.
  /// - Returns: `nil` for one who gave up or was cancelled.
  func take(_ host: String, _ cancellation: Cancellation, tick: () -> Bool) -> Turn? {
    let ticket = state.withLock { state -> Int in
      if state.process != getpid() { state = State(nextTicket: state.nextTicket) }
      state.nextTicket += 1
      state.hosts[host, default: Host()].waiting.append(state.nextTicket)
      return state.nextTicket
    }
    let turn = Turn(self, host, ticket)
    let wake = state
    let isMine: Bool = cancellation.onCancel({ wake.update { _ in } }) {
      var isFirst = true
      while !cancellation.isCancelled {
        let got = state.wait(seconds: isFirst ? 0.05 : 1) { state -> Bool? in
          if cancellation.isCancelled { return false }
          return state.hosts[host]?.waiting.first == ticket ? true : nil
        }
        if let got { return got }
        isFirst = false
        if !tick() { return false }
      }
      return false
    }
    // Letting go of the turn ends it.
    return isMine ? turn : nil
  }

  /// The seconds for which nothing may be sent to a host.
  func silence(_ host: String, now: Double) -> Double {
    state.withLock { state in max((state.hosts[host]?.silentUntil ?? 0) - now, 0) }
  }

  /// Notes that a server wants silence, which holds for all who ask it.
  func silence(_ host: String, until moment: Double) {
    state.withLock { state in
      let earlier = state.hosts[host]?.silentUntil ?? 0
      state.hosts[host, default: Host()].silentUntil = max(earlier, moment)
    }
  }

  fileprivate func end(_ host: String, _ ticket: Int) {
    state.update { state in
      state.hosts[host]?.waiting.removeAll { $0 == ticket }
    }
  }

  /// A place in the row of those who ask one server; it ends with the object.
  final class Turn {
    let host: String
    private let turns: HostTurns
    private let ticket: Int

    fileprivate init(_ turns: HostTurns, _ host: String, _ ticket: Int) {
      self.turns = turns
      self.host = host
      self.ticket = ticket
    }

    deinit { turns.end(host, ticket) }
  }
}
