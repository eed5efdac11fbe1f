"""Where the compiled driver is installed, and that GDAL finds it there."""

from __future__ import annotations

import subprocess
from pathlib import Path

from drivers import OTHERS, ROOT

MINOR = ".".join(
    subprocess.run(["gdal-config", "--version"], capture_output=True, text=True, check=True)
    .stdout.split(".")[:2]
)


def install(prefix: Path | str, root: Path | str = "") -> str:
    script = ROOT / ".ci" / "install-driver.sh"
    return subprocess.run(
        [script, str(prefix), str(root)], capture_output=True, text=True, check=True
    ).stdout


def test_a_prefix_of_its_own(tmp_path: Path) -> None:
    prefix = tmp_path / "prefix"
    (prefix / "lib").mkdir(parents=True)
    library = ROOT / "build" / "lib" / "liboverpasskit.so.0"
    (prefix / "lib" / library.name).symlink_to(library.resolve())
    assert f"{prefix}/lib/gdalplugins/{MINOR}" in install(prefix)
    formats = subprocess.run(
        ["ogrinfo", "--formats"],
        env={**OTHERS, "GDAL_DRIVER_PATH": str(prefix / "lib" / "gdalplugins")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "OVERPASS -vector-" in formats.stdout
    assert formats.stderr == ""
    assert (prefix / "share" / "overpasskit" / "gdal" / "ogr_OVERPASS.py").is_file()


def test_the_prefixes_of_the_system(tmp_path: Path) -> None:
    folder = install("/usr/local", tmp_path).split(" is in ")[1].strip()
    assert (tmp_path / folder.lstrip("/") / "ogr_OVERPASS.so").is_file()
    assert "gdalplugins" in folder
    # Where GDAL has a folder of its version, it looks there alone.
    versioned = tmp_path / folder.lstrip("/") / MINOR
    versioned.mkdir()
    assert install("/usr/local", tmp_path).strip().endswith(f"/{MINOR}")
    assert (versioned / "ogr_OVERPASS.so").is_file()
