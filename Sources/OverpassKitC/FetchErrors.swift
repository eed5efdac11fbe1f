// Errors of the client as statuses.

import COverpassKit
import OverpassKit

extension BoundaryError {
  init(_ error: ClientError) {
    let status =
      switch error.kind {
      case .application: OPK_ERR_CLIENT_APPLICATION
      case .endpoint: OPK_ERR_CLIENT_ENDPOINT
      case .setting: OPK_ERR_MISUSE
      case .query: OPK_ERR_CLIENT_QUERY
      case .limit: OPK_ERR_LIMIT
      }
    self.init(status, error.message)
  }

  init(_ error: TransportError) {
    let status =
      switch error.kind {
      case .unavailable: OPK_ERR_TRANSPORT_UNAVAILABLE
      case .resolve: OPK_ERR_TRANSPORT_RESOLVE
      case .connect: OPK_ERR_TRANSPORT_CONNECT
      case .tls: OPK_ERR_TRANSPORT_TLS
      case .timeout: OPK_ERR_TRANSPORT_TIMEOUT
      case .interrupted: OPK_ERR_TRANSPORT_INTERRUPTED
      case .other: OPK_ERR_TRANSPORT_OTHER
      }
    self.init(status, error.message)
  }

  init(_ failure: FetchFailure) {
    switch failure {
    case .client(let error): self.init(error)
    case .syntax(let error): self.init(error)
    case .query(let error): self.init(error)
    case .server(let error):
      self.init(AnswerError.server(error))
      if let http = error.status, [401, 403, 406].contains(http) {
        status = OPK_ERR_SERVER_REFUSED
      }
    case .decode(let error): self.init(error)
    case .transport(let error): self.init(error)
    case .cancelled: self.init(OPK_ERR_CANCELLED, failure.text)
    }
  }
}

extension TransportError {
  /// What a host's transport reports; `nil` for success.
  init?(_ status: opk_status, _ message: String) {
    let kind: Kind
    switch Int(status) {
    case OPK_OK: return nil
    case OPK_ERR_TRANSPORT_UNAVAILABLE: kind = .unavailable
    case OPK_ERR_TRANSPORT_RESOLVE: kind = .resolve
    case OPK_ERR_TRANSPORT_CONNECT: kind = .connect
    case OPK_ERR_TRANSPORT_TLS: kind = .tls
    case OPK_ERR_TRANSPORT_TIMEOUT: kind = .timeout
    case OPK_ERR_TRANSPORT_INTERRUPTED: kind = .interrupted
    default: kind = .other
    }
    self.init(kind, message.isEmpty ? "the host's transport failed (\(status))" : message)
  }
}
