// Who shared files with whom: classes of files and modes of a job, worked by hand.
#include "analyzer/methods/modes.h"

#include <array>
#include <catch2/catch.hpp>
#include <vector>

using namespace fathom;

namespace {

FileData own(std::int64_t rank, std::uint64_t bytes)
{
    return {.bytes = bytes, .movers = 1, .only_mover = rank};
}

FileData aggregated(std::int64_t rank, std::uint64_t bytes)
{
    return {.bytes = bytes, .movers = 1, .only_mover = rank, .aggregated = true};
}

FileData of_several(std::uint64_t movers, std::uint64_t bytes)
{
    return {.bytes = bytes, .movers = movers};
}

FilesAndBytes in(const ModeStudy& study, Mode mode)
{
    return study.by_mode[static_cast<std::size_t>(mode)];
}

FilesAndBytes in(const ModeStudy& study, FileClass one)
{
    return study.by_class[static_cast<std::size_t>(one)];
}

}  // namespace

TEST_CASE("the class of a file is by how many ranks of the job moved its data")
{
    CHECK(file_class(0, 4) == FileClass::none);
    CHECK(file_class(1, 4) == FileClass::unique);
    CHECK(file_class(1, 1) == FileClass::unique);
    CHECK(file_class(2, 4) == FileClass::partly_shared);
    CHECK(file_class(3, 4) == FileClass::partly_shared);
    CHECK(file_class(4, 4) == FileClass::shared);
    CHECK(file_class(2, 2) == FileClass::shared);
}

TEST_CASE("files of all ranks, of some and of one each are modes of their own")
{
    const std::vector<FileData> files = {own(0, 10), own(1, 10), own(2, 10), of_several(3, 30), own(2, 5)};
    const ModeStudy study = study_modes(files, 3, 3);
    CHECK(study.ranks == 3);
    CHECK(study.movers == 3);
    CHECK(study.owners == std::array<std::uint64_t, 2>{3, 0});
    CHECK(in(study, Mode::n_to_n).files == 4);
    CHECK(in(study, Mode::n_to_n).bytes == 35);
    CHECK(in(study, Mode::n_to_1).files == 1);
    CHECK(in(study, Mode::n_to_1).bytes == 30);
    CHECK(in(study, FileClass::unique).files == 4);
    CHECK(in(study, FileClass::shared).bytes == 30);
    CHECK(study.mode == Mode::n_to_n);
    CHECK(study_modes(std::vector{own(0, 1), of_several(2, 9)}, 3, 3).mode == Mode::n_to_m);
    CHECK(study_modes(std::vector{own(0, 1), of_several(3, 9)}, 3, 3).mode == Mode::n_to_1);
}

TEST_CASE("of files of one rank each it matters how many ranks have some")
{
    CHECK(study_modes(std::vector{own(0, 1), own(0, 1)}, 2, 3).mode == Mode::one_to_one);
    CHECK(study_modes(std::vector{own(0, 1), own(1, 1)}, 2, 3).mode == Mode::n_to_m);
    CHECK(study_modes(std::vector{own(0, 1), own(1, 1)}, 2, 2).mode == Mode::n_to_n);
}

TEST_CASE("a rank that alone moved data works alone, also on files that others used without moving any")
{
    CHECK(study_modes(std::vector{own(0, 1)}, 1, 1).mode == Mode::one_to_one);
    CHECK(study_modes(std::vector{of_several(3, 1)}, 1, 3).mode == Mode::one_to_one);
    CHECK(study_modes(std::vector{of_several(3, 1)}, 2, 3).mode == Mode::n_to_1);
}

TEST_CASE("files that a library gathered count apart from those that ranks wrote for themselves")
{
    const std::vector<FileData> files = {own(0, 1), own(1, 1), own(2, 1), aggregated(0, 8), aggregated(2, 8)};
    const ModeStudy study = study_modes(files, 3, 3);
    CHECK(study.owners == std::array<std::uint64_t, 2>{3, 2});
    CHECK(in(study, Mode::n_to_n).bytes == 3);
    CHECK(in(study, Mode::n_to_m).bytes == 16);
    CHECK(study.mode == Mode::n_to_m);
    CHECK(
        in(study_modes(std::vector{own(0, 1), own(1, 1), aggregated(0, 8)}, 2, 2), Mode::one_to_one).bytes ==
        8);
}

TEST_CASE("files without bytes are passed over, and without files there is no mode")
{
    const ModeStudy study = study_modes(std::vector{own(0, 4), own(1, 0), of_several(2, 0)}, 2, 2);
    CHECK(study.owners[0] == 1);
    CHECK(in(study, Mode::one_to_one).files == 1);
    CHECK(in(study, Mode::none).files == 0);
    CHECK(in(study, FileClass::unique).files == 1);
    CHECK(in(study, FileClass::shared).files == 0);
    CHECK(study.mode_of(own(1, 0)) == Mode::none);
    CHECK(study_modes({}, 2, 2).mode == Mode::none);
    // A log that tells of bytes, but not who moved them.
    CHECK(in(study_modes(std::vector{of_several(0, 5)}, 2, 2), FileClass::none).bytes == 5);
    CHECK(in(study_modes(std::vector{of_several(0, 5)}, 2, 2), Mode::none).bytes == 5);
}

TEST_CASE("every mode and class has a name")
{
    CHECK(mode_names[static_cast<std::size_t>(Mode::n_to_m)] == "N-M");
    CHECK(mode_names.back() == "N-M");
    CHECK(file_class_names.back() == "shared");
}
