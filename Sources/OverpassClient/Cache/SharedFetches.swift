// The same query asked by several threads at once is one request.

import OSMModel
import OverpassDecoding

/// Queries on their way, and who waits for the same answer.
final class SharedFetches: Sendable {
  /// What makes two calls ask for the same.
  struct Key: Hashable {
    var identity: String
    /// What the server may spend on it; see ``QueryRequest/allowedWork``.
    var work: [Double]
    var endpoints: [Endpoint]
    var form: QueryReply.Form
    var limits: [Int]
  }

  typealias Outcome = Result<FetchResult<FetchedContent>, FetchError>

  private enum Progress {
    case running
    case done(Outcome)
    /// Who was at it was cancelled; another one has to go on.
    case vacant
  }

  /// A query on its way; to be looked at by whoever holds the lock.
  private final class Flight {
    var progress = Progress.running
    /// Who waits for the outcome.
    var waiting = 0
  }

  /// What a caller is to do.
  private enum Role {
    case lead(Flight)
    case take(Outcome)
    case giveUp
  }

  private let state = Monitor<[Key: Flight]>([:])

  /// Runs `body`, unless somebody is at it already: then that outcome is used. One who was cancelled is
  /// followed by another.
  /// - Parameter tick: called about once a second while somebody else is at it; false gives up.
  func run(
    _ key: Key, _ cancellation: Cancellation, tick: () -> Bool, _ body: () -> Outcome
  ) -> Outcome {
    let flight: Flight
    switch role(key, cancellation, tick) {
    case .giveUp: return .failure(FetchError(.cancelled))
    case .take(let outcome): return outcome
    case .lead(let own): flight = own
    }
    let outcome = body()
    state.update { flights in
      if case .failure(let error) = outcome, case .cancelled = error.failure, flight.waiting > 0 {
        flight.progress = .vacant
      } else {
        // The outcome is for those who waited; who comes later asks anew.
        flight.progress = .done(outcome)
        flights[key] = nil
      }
    }
    return outcome
  }

  private func role(_ key: Key, _ cancellation: Cancellation, _ tick: () -> Bool) -> Role {
    let (flight, isFirst) = state.withLock { flights -> (Flight, Bool) in
      if let flight = flights[key] {
        flight.waiting += 1
        return (flight, false)
      }
      let flight = Flight()
      flights[key] = flight
      return (flight, true)
    }
    if isFirst { return .lead(flight) }
    let wake = state
    return cancellation.onCancel({ wake.update { _ in } }) {
      while true {
        let isWanted = tick()
        let role = state.wait(seconds: 1) { flights -> Role? in
          if !isWanted || cancellation.isCancelled {
            flight.waiting -= 1
            // Nobody is left who could go on.
            if case .vacant = flight.progress, flight.waiting == 0 { flights[key] = nil }
            return .giveUp
          }
          switch flight.progress {
          case .running: return nil
          case .done(let outcome): return .take(outcome)
          case .vacant:
            flight.waiting -= 1
            flight.progress = .running
            return .lead(flight)
          }
        }
        if let role { return role }
      }
    }
  }
}
