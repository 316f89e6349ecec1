"""What is mutated and which tests ought to notice: a room a row."""
from dataclasses import dataclass


@dataclass(frozen=True)
class Room:
    name: str
    mutated: tuple  # patterns of the files that get mutants
    # patterns of the files that are compiled with them: the whole folder, which the library may have as one unit
    beside: tuple
    library: str    # the target of CMake that they are compiled as
    program: str    # the target of CMake that links the tests
    tests: tuple    # patterns of the tests that are compiled and run
    optimize: str = "-O0"


ROOMS = (
    Room("findings", ("analyzer/findings/*",), ("analyzer/findings/*.cpp",), "analyzer", "analyzer_tests",
         ("tests/analyzer/findings/*_test.cpp",)),
    Room("methods", ("analyzer/methods/*",), ("analyzer/methods/*.cpp",), "methods", "analyzer_tests",
         ("tests/analyzer/methods/*_test.cpp",), "-O1"),
    Room("trust", ("analyzer/sections/trust/*",), ("analyzer/sections/trust/*.cpp",), "analyzer", "analyzer_tests",
         ("tests/analyzer/sections/invariants*_test.cpp", "tests/analyzer/sections/missing*_test.cpp")),
    Room("reduction", ("libinterpose/mpi/item*", "libinterpose/mpi/timing_items*", "libinterpose/recording/log_rows.cpp"),
         ("libinterpose/mpi/*.cpp", "libinterpose/recording/*.cpp"),
         "libinterpose_checked", "libinterpose_tests",
         ("tests/libinterpose/*item*_test.cpp", "tests/libinterpose/log_rows_test.cpp")),
    Room("merging", ("logformat/values.h", "logformat/field.h", "logformat/rows.h"), (), "logformat", "logformat_tests",
         ("tests/logformat/values*_test.cpp", "tests/logformat/merge_test.cpp")),
)
