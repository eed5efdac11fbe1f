// Nothing but the link step of the shared library: its target carries the linker flags, so that no
// other target has them (see Package.swift).

@_exported import OverpassKitC
