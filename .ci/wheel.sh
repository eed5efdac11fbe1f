#!/usr/bin/env bash
# Makes the Python wheel with the library inside: build/wheel/overpasskit-….whl. The package is put
# together in a folder of its own, so that nothing is left in the source tree. auditwheel finds the
# lowest glibc by the symbols that the library needs, and bundles bzip2, whose file is not called
# alike on all systems; zlib and expat are those of the system, which PEP 600 allows.
set -eu
cd "$(dirname "$0")/.."
library=$(realpath build/lib/liboverpasskit.so)
soname=$(objdump -p "$library" | sed -n 's/^ *SONAME *//p')
stage=build/wheel/stage
PATH=$PWD/.venv/bin:$PATH

rm -rf build/wheel
mkdir -p "$stage"
cp -r bindings/python/{pyproject.toml,setup.py,README.md,overpasskit} "$stage"
rm -rf "$stage"/overpasskit/{__pycache__,maplibre-gl,liboverpasskit.so*}
install -m 755 "$library" "$stage/overpasskit/$soname"
.ci/maplibre.sh "$stage/overpasskit/maplibre-gl"

# Whose work is inside, besides MapLibre's, which has its licence beside it.
swift=$(dirname "$(readlink -f "$(command -v swift)")")/..
cp LICENSE "$stage/LICENSE"
cp "$swift/share/swift/LICENSE.txt" "$stage/LICENSE-swift.txt"
cp /usr/share/doc/libbz2-1.0/copyright "$stage/LICENSE-bzip2.txt"
sed -i 's/^license = .*/license = "MIT AND BSD-3-Clause AND bzip2-1.0.6 AND Apache-2.0 WITH Swift-exception"/' \
  "$stage/pyproject.toml"

python -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation \
  --wheel-dir build/wheel/plain "./$stage"
python -m auditwheel repair --wheel-dir build/wheel build/wheel/plain/*.whl > build/wheel/repair.log 2>&1 ||
  { cat build/wheel/repair.log; exit 1; }
ls build/wheel/*.whl
