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

  private struct Entry {
    var progress = Progress.running
    /// Who waits for the outcome.
    var waiting = 0
  }

  /// What a caller is to do.
  private enum Role {
    case lead
    case take(Outcome)
    case giveUp
  }

  private let state = Monitor<[Key: Entry]>([:])

  /// Runs `body`, unless somebody is at it already: then that outcome is used. One who was cancelled is
  /// followed by another.
  /// - Parameter tick: called about once a second while somebody else is at it; false gives up.
  func run(
    _ key: Key, _ cancellation: Cancellation, tick: () -> Bool, _ body: () -> Outcome
  ) -> Outcome {
    switch role(key, cancellation, tick) {
    case .giveUp: return .failure(FetchError(.cancelled))
    case .take(let outcome): return outcome
    case .lead: break
    }
    let outcome = body()
    state.update { entries in
      guard let waiting = entries[key]?.waiting, waiting > 0 else { return entries[key] = nil }
      if case .failure(let error) = outcome, case .cancelled = error.failure {
        entries[key]?.progress = .vacant
      } else {
        entries[key]?.progress = .done(outcome)
      }
    }
    return outcome
  }

  private func role(_ key: Key, _ cancellation: Cancellation, _ tick: () -> Bool) -> Role {
    let isFirst = state.withLock { entries -> Bool in
      guard entries[key] == nil else {
        entries[key]?.waiting += 1
        return false
      }
      entries[key] = Entry()
      return true
    }
    if isFirst { return .lead }
    let wake = state
    return cancellation.onCancel({ wake.update { _ in } }) {
      while true {
        let isWanted = tick()
        let role = state.wait(seconds: 1) { entries -> Role? in
          let progress = entries[key]?.progress
          if !isWanted || cancellation.isCancelled {
            SharedFetches.leave(key, &entries)
            return .giveUp
          }
          switch progress {
          case .running: return nil
          case .done(let outcome):
            SharedFetches.leave(key, &entries)
            return .take(outcome)
          case .vacant, nil:
            entries[key]?.waiting -= 1
            entries[key]?.progress = .running
            return .lead
          }
        }
        if let role { return role }
      }
    }
  }

  private static func leave(_ key: Key, _ entries: inout [Key: Entry]) {
    entries[key]?.waiting -= 1
    switch entries[key]?.progress {
    // The outcome is for those who waited; who comes later asks anew.
    case .done, .vacant: if entries[key]?.waiting == 0 { entries[key] = nil }
    case .running, nil: break
    }
  }
}
