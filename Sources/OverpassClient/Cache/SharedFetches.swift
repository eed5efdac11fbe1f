// The same query asked by several threads at once is one request.

import OSMModel
import OverpassDecoding

/// Queries on their way, and who waits for the same answer.
final class SharedFetches: Sendable {
  /// What makes two calls ask for the same.
  struct Key: Hashable {
    var identity: String
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
    /// What the server may spend on it; see ``QueryRequest/allowedWork``.
    var work: [Double]
    var progress = Progress.running
    /// Who waits for the outcome.
    var waiting = 0

    init(_ work: [Double]) { self.work = work }
  }

  /// What a caller is to do.
  private enum Role {
    case lead(Flight)
    case take(Outcome)
    /// The outcome says nothing about a query that may work longer.
    case askAnew
    case giveUp
  }

  private let state = Monitor<[Key: Flight]>([:])

  /// Runs `body`, unless somebody is at it already: then that outcome is used. One who was cancelled is
  /// followed by another.
  /// - Parameters:
  ///   - work: what the server may spend; a failure is only shared where this is the same.
  ///   - tick: called about once a second while somebody else is at it; false gives up.
  func run(
    _ key: Key, _ work: [Double], _ cancellation: Cancellation, tick: () -> Bool,
    _ body: () -> Outcome
  ) -> Outcome {
    let flight: Flight
    switch role(key, work, cancellation, tick) {
    case .giveUp: return .failure(FetchError(.cancelled))
    case .take(let outcome): return outcome
    case .askAnew: return run(key, work, cancellation, tick: tick, body)
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

  private func role(
    _ key: Key, _ work: [Double], _ cancellation: Cancellation, _ tick: () -> Bool
  ) -> Role {
    let (flight, isFirst) = state.withLock { flights -> (Flight, Bool) in
      if let flight = flights[key] {
        flight.waiting += 1
        return (flight, false)
      }
      let flight = Flight(work)
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
          case .done(let outcome):
            return flight.work == work || outcome.isWhole ? .take(outcome) : .askAnew
          case .vacant:
            flight.waiting -= 1
            flight.progress = .running
            flight.work = work
            return .lead(flight)
          }
        }
        if let role { return role }
      }
    }
  }
}

extension SharedFetches.Outcome {
  /// Whether the query was answered to its end.
  fileprivate var isWhole: Bool {
    guard case .success(let result) = self else { return false }
    return result.attempts.last?.failure == nil
  }
}
