// What is wrong with the way a client is set up or asked, before anything is sent.

/// Why a client cannot be made, or a query not be sent.
public struct ClientError: Error, Sendable, Hashable {
  public enum Kind: UInt8, Sendable, Hashable, CaseIterable {
    /// The application has no name, or one that servers block.
    case application = 1
    /// A text that is neither a URL of a server nor the name of one.
    case endpoint = 2
    /// A number, header or folder that makes no sense.
    case setting = 3
    /// The call cannot do what the query asks for: it prints CSV where elements are wanted, for example.
    case query = 4
    /// More tiles, or larger answers, than were allowed.
    case limit = 5
  }

  public var kind: Kind
  public var message: String

  public init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }
}
