// The advice of metadata_bound.
#include "analyzer/findings/metadata_bound_advice.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "analyzer/findings/file_names.h"
#include "analyzer/findings/logging.h"
#include "analyzer/findings/python_modules.h"
#include "analyzer/job/failed_paths.h"

namespace fathom {
namespace {

constexpr Remedy stat_remedies[] = {
    {Language::c,
     "Look at each file once and remember what was found; list a folder with readdir, which returns names "
     "and types, rather than asking for each name."},
    {Language::cxx,
     "Look at each file once and remember what was found; list a folder rather than asking for each name: "
     "the list has types as well:",
     {"for (const auto& entry : std::filesystem::directory_iterator(folder))",
      "    if (entry.is_regular_file()) names.push_back(entry.path());"}},
    {Language::fortran, "INQUIRE of each file once, and remember the answer."},
    {Language::python,
     "Look at each file once and remember what was found; list a folder with os.scandir, which returns names "
     "and types, rather than asking for each name:",
     {"with os.scandir(folder) as entries:",
      "    names = [entry.name for entry in entries if entry.is_file()]"}},
    {Language::script,
     "Look at each file once and remember what was found; list folders rather than asking for each name."},
    {Language::shell,
     "Have one find look at all files, rather than a test in a loop for each:",
     {"find FOLDER -type f -newer MARK"}},
    {Language::packaged,
     "Give PROGRAM fewer files to look at, or a copy of them on a disk of the node; where files come in an "
     "archive, leave them in it."},
};
constexpr Remedy seek_remedies[] = {
    {Language::c, "Give the offset along instead of seeking:", {"pread(fd, buffer, length, offset);"}},
    {Language::fortran,
     "Give the place along instead of moving by REWIND, BACKSPACE or INQUIRE, in a file opened with "
     "access='stream':",
     {"read(unit, pos=first) array"}},
    {Language::python,
     "Give the offset along instead of seeking:",
     {"os.pread(file.fileno(), length, offset)"}},
    {Language::script, "Seek only where the next piece does not follow the last one."},
    {Language::shell,
     "The shell goes back to the end of the line after each read: have one program read the file, or bash "
     "read it in one go:",
     {"mapfile -t lines < FILE"}},
};
// Seeks without a move, between reads in order: what asks for the place.
constexpr Remedy place_remedies[] = {
    {Language::c,
     "Leave out calls that ask for the place in the file (ftell, lseek by 0), and count for yourself:",
     {"position += length;    // rather than ftell(file)"}},
    {Language::cxx,
     "Leave out tellg(), which asks the system for the place each time, and count for yourself:",
     {"position += line.size() + 1;    // rather than file.tellg()"}},
    {Language::fortran, "Leave out INQUIRE for the place in the file, and count for yourself."},
    {Language::python,
     "Leave out tell() and seeks to where the file is already, or count for yourself, in a file opened by "
     "\"rb\":",
     {"position += len(line)    # rather than file.tell()"}},
    {Language::script, "Leave out calls that ask for the place in the file, and count for yourself."},
};
constexpr Remedy failed_remedies[] = {
    {Language::c,
     "Ask for files where they are: most calls that fail look for one along a search path (LD_LIBRARY_PATH, "
     "a compiler's -I and -L), where the folder that has it should come first, or wait for one to appear."},
    {Language::python,
     "Ask for files where they are: most calls that fail look for modules along sys.path (PYTHONPATH), where "
     "the folder that has them should come first, or for files that are tried one after the other."},
};
// Each of many names is looked for in one folder, or along a list of folders.
constexpr Remedy missing_in_folder_remedies[] = {
    {Language::c,
     "List the folder once, with readdir, and look names up in that list, rather than asking for each name "
     "whether it is there; of several ranks or tasks, have one list it for all."},
    {Language::python,
     "List the folder once, and look names up in that list, rather than asking for each name whether it is "
     "there; of several ranks or tasks, have one list it for all:",
     {"there = set(os.listdir(folder))", "missing = [name for name in names if name not in there]"}},
    {Language::shell,
     "List the folder once, rather than testing for each name:",
     {"comm -23 <(sort NAMES) <(ls FOLDER | sort)    # the missing ones"}},
    {Language::packaged,
     "Give PROGRAM the names that there are, or look for an option that has it do without the others."},
};
constexpr Remedy missing_in_several_remedies[] = {
    {Language::c,
     "Ask for files where they are: list the folders once and remember what each has, or remember where a "
     "file was found; put the folder that has most of them first."},
    {Language::python,
     "Ask for files where they are: list the folders once, or remember where a file was found:",
     {"where = {name: folder for folder in reversed(folders) for name in os.listdir(folder)}",
      "@functools.cache", "def find(name): …"}},
    {Language::packaged,
     "Have PROGRAM look where the files are: put the folder that has them first in its search path."},
};
// Nearly all on one path: no search for a file, but a question asked again and again.
constexpr Remedy asked_again_remedies[] = {
    {Language::c,
     "Ask for that path once and remember the answer, or ask every so many steps or seconds: nearly all of "
     "these calls ask for the same one, as for a file that stops the program:",
     {"if (step % 1000 == 0 && access(path, F_OK) == 0) stop = 1;"}},
    {Language::fortran,
     "Ask for that path once and remember the answer, or ask every so many steps or seconds: nearly all of "
     "these calls ask for the same one, as for a file that stops the program:",
     {"if (mod(step, 1000) == 0) inquire (file=path, exist=there)"}},
    {Language::python,
     "Ask for that path once and remember the answer, or ask every so many steps or seconds: nearly all of "
     "these calls ask for the same one, as for a file that stops the program:",
     {"if step % 1000 == 0 and os.path.exists(path): break"}},
    {Language::script,
     "Ask for that path once and remember the answer, or ask every so many steps or seconds: nearly all of "
     "these calls ask for the same one."},
    {Language::packaged,
     "Nearly all of these calls ask for one path: make that file, or look for an option that has PROGRAM do "
     "without."},
};
constexpr Remedy open_remedies[] = {
    {Language::c,
     "Open files once and keep them open; put what many small files hold into a few large ones."},
    {Language::python,
     "Open files once, around the loop, and keep them open; put what many small files hold into a few "
     "large ones:",
     {"with open(path, \"ab\") as file:    # around the loop", "    for part in parts: file.write(part)"}},
    {Language::h5py,
     "Open files once, around the loop, and keep them open; make datasets in one file rather than many "
     "files:",
     {"with h5py.File(path, \"a\") as file:    # around the loop", "    file[name] = array"}},
    {Language::shell,
     "Open the file once, for the whole loop, rather than by >> in each turn:",
     {"for … done > FILE"}},
    {Language::packaged,
     "Give PROGRAM fewer files, or all of them in one run; put what many small files hold into a few large "
     "ones."},
};
// Each is opened no more than twice.
constexpr Remedy new_files_remedies[] = {
    {Language::c,
     "Put what many files hold into a few large ones: one for each rank or process, or one for all."},
    {Language::packaged,
     "Give PROGRAM fewer files, or all of them in one run; put what many small files hold into a few large "
     "ones."},
};
// Files that are only read, each several times.
constexpr Remedy reread_files_remedies[] = {
    {Language::c,
     "The same files are opened again and again to be read: read each once, and keep what it had."},
    {Language::python,
     "The same files are opened again and again to be read: read each once, and keep what it had:",
     {"arrays = {path: numpy.load(path) for path in paths}    # before the loop"}},
    {Language::packaged, "Have one run of PROGRAM do all that is wanted of the same files."},
};
constexpr Remedy listed_by_all_remedies[] = {
    {Language::c,
     "Have one rank list the folder and look at its files, and send what it found to the others:",
     {"if (rank == 0) count = list(folder, names);", "MPI_Bcast(names, size, MPI_CHAR, 0, MPI_COMM_WORLD);"}},
    {Language::python,
     "Have one rank list the folder and look at its files, and send what it found to the others:",
     {"found = [(e.name, e.stat()) for e in os.scandir(folder)] if comm.rank == 0 else None",
      "found = comm.bcast(found, root=0)"}},
    {Language::script,
     "Have one rank list the folder and look at its files, and send what it found to the others."},
    {Language::packaged, "Look for an option of PROGRAM that has it list its folders on one rank."},
};

// Nearly all looks are at one file.
constexpr Remedy one_file_remedies[] = {
    {Language::c, "Ask once and remember the answer: nearly all of these calls ask for one file."},
    {Language::script,
     "In Java, available() asks the system each time: read through a buffer, until the end:",
     {"while ((next = in.read()) >= 0)    // of a BufferedInputStream"},
     "java"},
    {Language::script, "Ask once and remember the answer: nearly all of these calls ask for one file."},
    {Language::packaged,
     "Nearly all of these calls ask for one file: look for an option that has PROGRAM ask seldom."},
};

// Whether nearly all calls that failed asked for the same path, or for one of a few.
bool is_asked_again(const Scene& scene, std::uint64_t failed)
{
    constexpr double nearly_all = 0.8;
    constexpr std::size_t few_paths = 4;
    constexpr std::uint64_t again = 100;  // for each of them
    std::uint64_t calls = 0;
    for (const FailedCalls& one : most_failed(scene.job.log, few_paths))
        if (calls == 0 || one.calls >= again) calls += one.calls;
    return static_cast<double>(calls) >= nearly_all * static_cast<double>(failed);
}

std::span<const Remedy> remedies_on_places(Places places)
{
    if (places == Places::one_folder) return missing_in_folder_remedies;
    return missing_in_several_remedies;
}

}  // namespace

std::optional<Places> places_asked(const Scene& scene)
{
    constexpr std::size_t some = 16;
    std::optional<std::string> folder;
    std::size_t paths = 0;
    bool several = false;
    for (const FailedCalls& one : most_failed(scene.job.log, some)) {
        if (is_python_module(one.path) || one.path.find(".so") != std::string_view::npos) return {};
        ++paths;
        if (folder && *folder != folder_of(one.path)) several = true;
        folder = folder_of(one.path);
    }
    if (paths < 2) return {};
    return several ? Places::several : Places::one_folder;
}

const FileUse* of_one_file(const Scene& scene, std::uint64_t stats)
{
    constexpr double nearly_all = 0.9;
    for (const FileCase& file : scene.files) {
        const std::uint64_t looks = file.in_posix(&PosixCounters::stats);
        if (file.use->kind == NameKind::file &&
            static_cast<double>(looks) > nearly_all * static_cast<double>(stats))
            return file.use;
    }
    return nullptr;
}

bool is_listed_by_all(const Job& job)
{
    constexpr std::uint64_t least_ranks = 3;
    if (!job.mpi || job.ranks.size() < least_ranks) return false;
    std::uint64_t names = 0, by_all = 0;
    job.each_file([&](const FileUse&, std::span<const RecordView> records) {
        std::uint64_t listed = 0, by = 0;
        for (const RecordView& record : records) {
            if (record.layer != Layer::posix || record[&PosixRecord::directory_reads] == 0) continue;
            listed += record[&PosixRecord::directory_reads];
            by += std::max<std::uint64_t>(record[&Sharing::processes], 1);
        }
        names += listed;
        if (by >= job.ranks.size()) by_all += listed;
    });
    return by_all > names / 2;
}

bool ask_for_place(const Scene& scene, std::uint64_t seeks)
{
    constexpr std::uint64_t several = 4;
    std::uint64_t reads = 0, writes = 0, in_order = 0;
    for (const FileCase& file : scene.files)
        for (const RecordView& record : file.records) {
            if (record.layer != Layer::posix || record[&Pattern::seeks] < seeks / 2) continue;
            reads += record[&Transfers::reads];
            writes += record[&Transfers::writes];
            in_order += record[&Pattern::consecutive_reads];
        }
    return reads > 0 && writes == 0 && seeks > several * reads && in_order > reads / 2;
}

namespace {

// Most opens are of files that a process opens several times, and only reads.
bool are_read_again(const Scene& scene)
{
    constexpr std::uint64_t several = 3;
    std::uint64_t opens = 0, again = 0;
    for (const FileCase& file : scene.files) {
        const FileView& view = file.use->system;
        if (file.use->kind != NameKind::file) continue;
        opens += view.opens;
        if (view.bytes_written == 0 && view.bytes_read > 0 && view.opens >= several * view.users().count)
            again += view.opens;
    }
    return again > opens / 2;
}

// Most of so many opens are of files that are opened no more than twice.
bool are_opened_once(const Scene& scene, std::uint64_t operations)
{
    std::uint64_t opens = 0;
    for (const FileCase& file : scene.files)
        if (file.use->kind == NameKind::file && file.use->system.opens <= 2 * file.use->files)
            opens += file.use->system.opens;
    return opens > operations / 2;
}

}  // namespace

std::span<const Remedy> remedies_on_metadata(const Scene& scene, const AdvisedProgram& program, Kind kind,
                                             std::uint64_t operations, const OtherCalls* other)
{
    switch (kind) {
        case Kind::stat:
            if (is_python(program) && asks_at_each_message(scene, operations))
                return remedies_on_asking(scene, operations);
            if (of_one_file(scene, operations) != nullptr) return one_file_remedies;
            return stat_remedies;
        case Kind::seek:
            if (ask_for_place(scene, operations)) return place_remedies;
            return seek_remedies;
        case Kind::failed:
            if (is_asked_again(scene, operations)) return asked_again_remedies;
            if (const auto places = places_asked(scene)) return remedies_on_places(*places);
            return failed_remedies;
        case Kind::open:
        case Kind::close:
            if (are_read_again(scene)) return reread_files_remedies;
            if (are_opened_once(scene, operations)) return new_files_remedies;
            return open_remedies;
        default:
            if (are_lists(other) && is_listed_by_all(scene.job)) return listed_by_all_remedies;
            if (are_renames(other))
                if (const auto remedies = remedies_on_rotation(scene); !remedies.empty()) return remedies;
            return remedies_on_others(other);
    }
}

}  // namespace fathom
