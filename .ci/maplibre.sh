#!/usr/bin/env bash
# Puts MapLibre GL JS, which pages with maps contain, into a folder, with its licence. It comes from
# a package of PyPI that ships it and is compared with what is known of it; the repository holds the
# licence alone.
#   maplibre.sh FOLDER   default build/share/overpasskit/maplibre-gl
set -eu
cd "$(dirname "$0")/.."
folder=${1:-build/share/overpasskit/maplibre-gl}
package=roadstyle==0.25.0
sums="45a9b07a9189ce56054c620a947ccf41e291e58c95e9b61533b740aaa65ee5cb  maplibre-gl.js
ab1e70d59ec40465bae7e7030da2f3ccf28133fd502e62bd598eefbadfd7a732  maplibre-gl.css"

there() { (cd "$folder" 2> /dev/null && sha256sum --status --check - <<< "$sums"); }
if ! there; then
  mkdir -p "$folder"
  wheels=$(mktemp -d)
  trap 'rm -rf "$wheels"' EXIT
  # The files are the same for every platform.
  "${PYTHON:-.venv/bin/python}" -m pip download --quiet --disable-pip-version-check --no-deps \
    --only-binary :all: --platform manylinux_2_17_x86_64 --python-version 3.11 \
    --dest "$wheels" "$package"
  "${PYTHON:-.venv/bin/python}" - "$wheels" "$folder" << 'END'
import pathlib, sys, zipfile

(wheel,) = pathlib.Path(sys.argv[1]).glob("*.whl")
with zipfile.ZipFile(wheel) as archive:
    for name in ("maplibre-gl.js", "maplibre-gl.css"):
        pathlib.Path(sys.argv[2], name).write_bytes(archive.read(f"roadstyle/vendor/{name}"))
END
  there || { echo "$package does not hold the MapLibre GL JS that is known"; exit 1; }
fi
install -m 644 .ci/maplibre-gl/LICENSE.txt "$folder"
