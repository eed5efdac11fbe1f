import FeatureFormats
import MapStyling
import OSMModel
import OverpassTestSupport
import Testing

/// A folder of its own for each test.
private func withFolder(_ body: (String) throws -> Void) throws {
  var template = Array("/tmp/opk-style-XXXXXX\0".utf8).map { CChar(bitPattern: $0) }
  let path = try #require(mkdtemp(&template).map { String(cString: $0) })
  defer {
    for name in listFolder(path) { unlink(path + "/" + name) }
    rmdir(path)
  }
  try body(path)
}

@Suite struct StyleFileTests {
  @Test func aChosenFile() throws {
    try withFolder { folder in
      let style = try MapStyle("A")
      let file = try style.write(toFile: folder + "/a b#é?.json")
      #expect(file.path == folder + "/a b#é?.json")
      #expect(file.url == "file://" + folder + "/a%20b%23%C3%A9%3F.json")
      #expect(String(decoding: readFile(file.path) ?? [], as: UTF8.self) == json(style))
      #expect(listFolder(folder).count == 1)
    }
  }

  @Test func aFileIsReplacedWholeAndKeepsItsPermissions() throws {
    try withFolder { folder in
      let path = folder + "/style.json"
      _ = try MapStyle("A").write(toFile: path)
      chmod(path, 0o640)
      symlink("style.json", folder + "/link.json")
      let file = try MapStyle("B").write(toFile: folder + "/link.json")
      #expect(file.path == folder + "/link.json")
      var status = stat()
      #expect(stat(path, &status) == 0 && status.st_mode & 0o7777 == 0o640)
      #expect(lstat(folder + "/link.json", &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
      #expect(String(decoding: readFile(path) ?? [], as: UTF8.self).contains("\"name\":\"B\""))
      #expect(listFolder(folder).count == 2)
    }
  }

  @Test func aFailureLeavesWhatWasThere() throws {
    try withFolder { folder in
      let path = folder + "/a.json"
      _ = try MapStyle("A").write(toFile: path)
      let before = readFile(path)
      #expect(throws: WriteError.self) {
        try withReplacedFile(path) { sink throws(WriteError) in
          try [UInt8(1)].withUnsafeBufferPointer { bytes throws(WriteError) in
            try sink.write(bytes)
          }
          throw WriteError(.write, "full")
        }
      }
      #expect(readFile(path) == before)
      #expect(listFolder(folder) == ["a.json"])
      // Hidden leftovers would not be listed above.
      #expect(rmdir(folder) != 0 && errno == ENOTEMPTY)
      unlink(path)
      #expect(rmdir(folder) == 0)
      mkdir(folder, 0o700)
    }
  }

  @Test func aTemporaryFile() throws {
    let style = try MapStyle("A")
    let (one, two) = (try style.write(), try style.write())
    defer {
      unlink(one.path)
      unlink(two.path)
    }
    #expect(one.path != two.path && one.path.hasSuffix(".json") && one.path.hasPrefix("/"))
    #expect(one.url == fileURL(one.path) && one.url.hasPrefix("file:///"))
    var status = stat()
    #expect(stat(one.path, &status) == 0 && status.st_mode & 0o777 == 0o600)
  }

  @Test func foldersThatAreNotThere() throws {
    let style = try MapStyle("A")
    do throws(WriteError) {
      _ = try style.write(toFile: "/nowhere/at/all.json")
      Issue.record("written")
    } catch {
      #expect(error.kind == .open && error.message.hasPrefix("/nowhere/at/all.json: "))
    }
  }

  @Test func pathsBecomeAbsolute() {
    #expect(absolutePath("/a/b") == "/a/b")
    #expect(absolutePath("a").hasSuffix("/a") && absolutePath("a").hasPrefix("/"))
    #expect(fileURL("/a\u{1}%\u{7F}~-._b") == "file:///a%01%25%7F~-._b")
  }
}
