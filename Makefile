# OverpassKit. The two commands that matter: `make run` and `make test`.
#
#   make lib      build/lib/liboverpasskit.so
#   make wheel    build/wheel/overpasskit-….whl, with the library inside
#   make run      installs what is missing, builds, converts and maps a real answer, shows a summary
#   make test     all suites; that of QGIS where QGIS is installed
#   make test-all installs QGIS (830 MB), too, and runs all suites
#   make qgis-zip build/overpasskit_qgis.zip, for QGIS's plugin manager
#   make fuzz     all fuzz harnesses, SECONDS=20 each, SEED=0 at random (Tests/Fuzz/README.md)
#   make asan     the Swift suites under AddressSanitizer; make tsan: under ThreadSanitizer
#   make bench    speed and memory beside named yardsticks
#   make lint     formatting, header rules, exports
#   make plugins  build/gdal/gdalplugins, the driver for the GDAL that is installed
#   make install  PREFIX=/usr/local; the driver, too, where it was built
#   make clean

PREFIX ?= /usr/local
DESTDIR ?=
SWIFT ?= swift
VERSION := $(shell sed -n 's/^\#define OPK_VERSION_STRING "\(.*\)"/\1/p' include/overpasskit.h)
SOVERSION := $(shell sed -n 's/^\#define OPK_ABI_VERSION //p' include/overpasskit.h)
PYTHON := .venv/bin/python
LIBRARY := build/lib/liboverpasskit.so
# MapLibre GL JS, which pages with maps contain; `.ci/maplibre.sh` gets it.
MAPLIBRE := share/overpasskit/maplibre-gl
WERROR := -Xswiftc -warnings-as-errors

SECONDS ?= 20
SEED ?= 0
HARNESSES ?=

.PHONY: all lib wheel run test test-all test-swift test-mapkit test-c test-python test-wheel \
  test-conformance test-gdal test-qgis plugins qgis-zip fuzz asan tsan bench lint install clean \
  deps-run deps-test deps-bench deps-qgis

all: lib

deps-run deps-test deps-bench deps-qgis: deps-%:
	@.ci/install.sh $*

lib:
	$(SWIFT) build -c release --product overpasskit
	@mkdir -p build/lib
	@install -m 755 .build/release/liboverpasskit.so $(LIBRARY).$(VERSION)
	@strip --strip-unneeded $(LIBRARY).$(VERSION)
	@ln -sf liboverpasskit.so.$(VERSION) $(LIBRARY).$(SOVERSION)
	@ln -sf liboverpasskit.so.$(SOVERSION) $(LIBRARY)

wheel: deps-test lib
	.ci/wheel.sh

run: deps-run lib
	@PYTHONPATH=bindings/python $(PYTHON) Examples/demo.py

test: deps-test lint lib test-swift test-mapkit test-c test-python test-wheel \
  test-conformance test-gdal test-qgis

test-all: deps-qgis
	$(MAKE) test

test-swift:
	$(SWIFT) build --build-tests $(WERROR)
	$(SWIFT) test --skip-build --parallel

test-mapkit:
	SWIFT=$(SWIFT) SWIFT_FLAGS="$(WERROR)" Tests/MapKit/run.sh

test-c: lib
	Tests/ABI/check.sh
	Tests/CHarness/run.sh

test-python: lib
	cd bindings/python && ../../$(PYTHON) -W error -m pytest -q

test-wheel: wheel
	$(PYTHON) -m pytest -q -p no:cacheprovider --rootdir=Tests/Wheel Tests/Wheel

test-conformance: lib
	Tests/Conformance/run.sh

plugins: lib
	cmake -S bindings/gdal -B build/gdal -DOVERPASSKIT_FOLDER=$(PREFIX)/lib \
	  > build/gdal-cmake.log || { cat build/gdal-cmake.log; exit 1; }
	cmake --build build/gdal

test-gdal: plugins
	build/venv-gdal/bin/python -m pytest -q -p no:cacheprovider bindings/gdal/tests

qgis-zip: lib
	.ci/qgis-zip.sh

# Without QGIS, what needs none is tested.
test-qgis: qgis-zip
	@command -v qgis_process.bin > /dev/null || \
	  echo "QGIS: most tests are skipped, it is not installed (make test-all installs it)"
	$(PYTHON) -B -m pytest -q -p no:cacheprovider bindings/qgis/tests

fuzz: deps-run
	SWIFT=$(SWIFT) .ci/fuzz.sh --seconds $(SECONDS) --seed $(SEED) $(HARNESSES)

# A crash report of the runtime can hang below a sanitizer; the sanitizers report crashes themselves.
# Leaks are looked for under valgrind: Swift marks pointers to texts in their upper bits, so that the
# sanitizer takes texts of globals for lost.
asan: deps-test
	SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0 \
	  $(SWIFT) test --sanitize=address --scratch-path .build/asan

tsan: deps-test
	SWIFT_BACKTRACE=enable=no TSAN_OPTIONS=suppressions=$(CURDIR)/.ci/tsan.supp \
	  $(SWIFT) test --sanitize=thread --scratch-path .build/tsan

bench: deps-bench lib plugins
	$(PYTHON) Benchmarks/run.py $(CURDIR)/build/lib $(CURDIR)/include

lint:
	$(SWIFT) format lint --strict -r -p Sources Tests Package.swift
	.ci/version-script.sh --check
	.ci/lint.sh

install: lib
	install -d $(DESTDIR)$(PREFIX)/lib/pkgconfig $(DESTDIR)$(PREFIX)/include
	install -m 755 $(LIBRARY).$(VERSION) $(DESTDIR)$(PREFIX)/lib/
	ln -sf liboverpasskit.so.$(VERSION) $(DESTDIR)$(PREFIX)/lib/liboverpasskit.so.$(SOVERSION)
	ln -sf liboverpasskit.so.$(SOVERSION) $(DESTDIR)$(PREFIX)/lib/liboverpasskit.so
	install -m 644 include/overpasskit.h $(DESTDIR)$(PREFIX)/include/
	sed -e 's|@VERSION@|$(VERSION)|' .ci/overpasskit.pc.in \
	  > $(DESTDIR)$(PREFIX)/lib/pkgconfig/overpasskit.pc
	if [ -d build/gdal/gdalplugins ]; then \
	  $(MAKE) plugins > /dev/null && .ci/install-driver.sh $(PREFIX) $(DESTDIR); \
	fi
	if [ -d build/$(MAPLIBRE) ]; then \
	  install -d $(DESTDIR)$(PREFIX)/$(MAPLIBRE) && \
	  install -m 644 build/$(MAPLIBRE)/* $(DESTDIR)$(PREFIX)/$(MAPLIBRE)/; \
	fi

clean:
	rm -rf build .build
