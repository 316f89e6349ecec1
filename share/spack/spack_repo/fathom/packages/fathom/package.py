from pathlib import Path

from spack_repo.builtin.build_systems.cmake import CMakePackage, generator

from spack.package import *


class Fathom(CMakePackage):
    """Shows what a program's I/O does and why it is slow: records POSIX, stdio and
    MPI-IO calls of any program, and makes reports."""

    # The clone of Fathom in which this file lies: spack repo add share/spack/spack_repo/fathom && spack install fathom
    git = Path(__file__).resolve().parents[6].as_uri()
    homepage = git

    license("BSD-3-Clause")

    version("main", branch="main")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("cli11@2.1:", type="build")
    depends_on("nlohmann-json@3.9:", type="build")
    depends_on("eigen@3.4:3", type="build")
    depends_on("boost", type="build")
    depends_on("bzip2")
    depends_on("cairo+ft+fc+pdf+svg")
    depends_on("libpng")
    depends_on("cpp-httplib@0.11:")
    depends_on("fmt@9")
    depends_on("libcsv")
    depends_on("libdeflate@1.6:")
    depends_on("libsodium")
    depends_on("ncurses")
    depends_on("pango@1.44:")
    depends_on("soci@4.0.3+sqlite+postgresql+mysql")
    depends_on("zlib-api")

    conflicts("%gcc@:11", msg="Fathom is C++20: g++ 12 or later")
    requires("platform=linux", "target=x86_64:", msg="Fathom runs on Linux, x86-64")

    generator("ninja")

    def cmake_args(self):
        return [self.define("BUILD_TESTING", False), self.define("FATHOM_WERROR", False)]

    def test_record_and_report(self):
        """record a program and report on it"""
        fathom = which(self.prefix.bin.fathom)
        fathom("record", "-o", "dd.fathom", "dd", "if=/dev/zero", "of=zeros", "bs=1000", "count=5")
        assert "zeros" in fathom("report", "dd.fathom", output=str.split, error=str.split)
