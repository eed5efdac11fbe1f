// The one place that imports the platform's C library, so that other platforms need one change.

#if canImport(Glibc)
  @_exported import Glibc
#elseif canImport(Musl)
  @_exported import Musl
#elseif canImport(Bionic)
  @_exported import Bionic
#elseif canImport(Darwin)
  @_exported import Darwin
#endif
