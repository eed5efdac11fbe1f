// What OSM knows about the history of an element: version, time, changeset and author.

/// The metadata of one element; each field may be missing.
public struct Metadata: Sendable, Equatable {
  public var version: Int32?
  /// Seconds since 1970-01-01T00:00:00Z.
  public var timestamp: Int64?
  public var changeset: Int64?
  public var userID: Int64?
  public var user: StringID?
  /// False for a deleted state of an element.
  public var isVisible: Bool?
  /// Whether an editor changed the element and has not uploaded it: `action="modify"` in files of JOSM.
  public var isModified = false

  public init() {}

  public var isEmpty: Bool { self == Metadata() }
}

/// Metadata of a table's rows as columns that exist only when a value was given.
public struct MetadataColumns: ~Copyable, Sendable {
  public var versions = OptionalColumn<Int32>(absent: .min)
  public var timestamps = OptionalColumn<Int64>(absent: .min)
  public var changesets = OptionalColumn<Int64>(absent: .min)
  public var userIDs = OptionalColumn<Int64>(absent: .min)
  public var users = OptionalColumn<StringID>(absent: .absent)
  public var visibilities = OptionalColumn<UInt8>(absent: 2)
  /// 1 where ``Metadata/isModified``.
  public var modifications = OptionalColumn<UInt8>(absent: 0)

  public init() {}

  public subscript(row: Int) -> Metadata {
    get {
      var result = Metadata()
      result.version = versions[row]
      result.timestamp = timestamps[row]
      result.changeset = changesets[row]
      result.userID = userIDs[row]
      result.user = users[row]
      result.isVisible = visibilities[row].map { $0 == 1 }
      result.isModified = modifications[row] != nil
      return result
    }
    set {
      if let value = newValue.version { versions.set(value, at: row) }
      if let value = newValue.timestamp { timestamps.set(value, at: row) }
      if let value = newValue.changeset { changesets.set(value, at: row) }
      if let value = newValue.userID { userIDs.set(value, at: row) }
      if let value = newValue.user { users.set(value, at: row) }
      if let value = newValue.isVisible { visibilities.set(value ? 1 : 0, at: row) }
      if newValue.isModified { modifications.set(1, at: row) }
    }
  }
}
