// Many files that hold little each: every one costs calls, and a server's time, before a byte moves.
#include <algorithm>
#include <fmt/format.h>

#include "analyzer/document/units.h"
#include "analyzer/findings/file_names.h"
#include "analyzer/findings/interpreter.h"
#include "analyzer/findings/language.h"
#include "analyzer/findings/python_modules.h"
#include "analyzer/findings/remedy.h"
#include "analyzer/findings/rules.h"
#include "analyzer/findings/scene.h"
#include "analyzer/job/file_count.h"
#include "analyzer/job/mounts.h"
#include "analyzer/job/recorded.h"

namespace fathom {
namespace {

using namespace report;

constexpr std::uint64_t few_files = 256, little = 1 << 20, many_opens = 10, most_in_a_row = 2;

struct SmallFiles {
    FileCount count;
    std::uint64_t files = 0, modules = 0, with_data = 0, created = 0, opens = 0, arrays = 0, bytes = 0;
    std::uint64_t wanted = 0;       // as they are, by other programs
    double read = 0, once = 0;      // bytes: in all, and what the readers of each would read once
    double time = 0, metadata = 0;  // ns: in all; opening, closing and all else but moving data
    LostTime lost;
    const FileUse* one = nullptr;
};

// Which part of the calls that move no data is that of using the files. To look at each again and again is a
// fault of its own.
double part_in_use(const FileCase& file)
{
    constexpr std::uint64_t looks_an_open = 10;
    const std::uint64_t opens = file.use->system.opens;
    const std::uint64_t looks = file.in_posix(&PosixCounters::stats);
    if (looks <= looks_an_open * opens) return 1;
    const auto most = static_cast<double>((looks_an_open + 2) * opens);  // with the open and the close
    return most / static_cast<double>(looks + 2 * opens);
}

// Pages, pictures and messages, which browsers and others look for by their names.
bool is_wanted_as_it_is(std::string_view path)
{
    constexpr std::string_view endings[] = {".html", ".htm", ".css", ".png", ".jpg", ".jpeg", ".svg", ".eml"};
    return std::any_of(std::begin(endings), std::end(endings),
                       [&](std::string_view ending) { return path.ends_with(ending); });
}

SmallFiles small_files(const Scene& scene)
{
    SmallFiles small{.count = {}, .lost = LostTime(scene.job)};
    FileCounter counter(scene.job);
    std::uint64_t nameless = 0;  // opens of files that are counted together
    const Mounts mounts(scene.job.log);
    for (const FileCase& file : scene.files) {
        const FileView& view = file.use->system;
        // Of an overflow, the mean of those that it stands for.
        const std::uint64_t files = file.use->files;
        if (!view.present || view.opens == 0 || view.bytes() / files >= little) continue;
        if (is_of_tools_own(file.use->path)) continue;
        // What was brought to the nodes' own disks is where it should be, and so are Python's modules there.
        const bool module = is_python_module(file.use->path);
        if ((module || scene.job.nodes() > 1) && is_local(mounts.type_of(*file.use))) continue;
        counter.add(*file.use, file.records);
        small.modules += module ? files : 0;
        small.with_data += view.bytes() > 0 ? files : 0;
        small.bytes += view.bytes();
        small.read += static_cast<double>(view.bytes_read);
        small.once +=
            static_cast<double>(view.highest_read * std::max<std::uint64_t>(view.readers().count, 1) * files);
        small.created += view.creates;
        small.wanted += is_wanted_as_it_is(file.use->path) ? files : 0;
        const std::uint64_t opens = view.opens < many_opens * files ? view.opens : files;
        small.opens += opens;
        small.arrays += is_array(file.use->path) ? opens : 0;
        nameless += files > 1 ? opens : 0;
        // What very many opens of one file cost is a finding of its own.
        const bool churned = view.opens >= many_opens * files;
        const double metadata = part_in_use(file) * static_cast<double>(view.metadata_time) *
                                (churned ? static_cast<double>(files) / static_cast<double>(view.opens) : 1);
        // A file of one request costs that one too; those of several may be small requests.
        const auto moving = [&](std::uint64_t calls, double moved, std::uint64_t bytes, Direction direction) {
            if (churned || calls > most_in_a_row * view.opens) return 0.0;
            return std::max(moved - static_cast<double>(bytes) * scene.reference(direction).ns_per_byte, 0.0);
        };
        const double time =
            metadata +
            moving(view.reads, static_cast<double>(view.read_time), view.bytes_read, Direction::read) +
            moving(view.writes,
                   static_cast<double>(view.write_time) - file.time_in_syncs(),  // as long in one file
                   view.bytes_written, Direction::write);
        small.time += time;
        small.metadata += metadata;
        small.lost.add_by_time(file.records, time);
        if (small.one == nullptr) small.one = file.use;
    }
    if (small.opens > nameless) small.arrays += nameless * small.arrays / (small.opens - nameless);
    small.count = counter.result();
    small.files = small.count.files;
    return small;
}

// A packaged tool that goes through files which are there already, as to copy them into an archive: that is
// what it is for.
bool is_archived(const SmallFiles& small, const AdvisedProgram& tool)
{
    return is_packaged(tool) && small.created < small.files / 4 && small.opens <= 2 * small.files;
}

// How often each is read, where that is several times and most of what is moved.
double passes_of(const SmallFiles& small)
{
    constexpr double several = 2.5, most = 0.8;
    return small.once > 0 && small.read >= several * small.once &&
                   small.read >= most * static_cast<double>(small.bytes)
               ? small.read / small.once
               : 1;
}

std::string title_of(const SmallFiles& small)
{
    std::string title = small.count.words() + " files";
    if (title[0] == 'a') title[0] = 'A';
    if (small.with_data == 0) return title + " without data";
    if (const double passes = passes_of(small); passes > 1)
        return fmt::format(
            "{} of {} on average, read {:.0f} times each", title,
            format_bytes(static_cast<std::uint64_t>(static_cast<double>(small.bytes) / passes) /
                         small.with_data),
            passes);
    constexpr double nearly_all = 0.95;
    if (static_cast<double>(small.with_data) < nearly_all * static_cast<double>(small.files))
        title += fmt::format(", {} of them with data,", format_count(small.with_data));
    return fmt::format("{} with {} moved in each on average", title,
                       format_bytes(small.bytes / small.with_data));
}

// Of those that are read several times.
constexpr Remedy keep_remedies[] = {
    {Language::c, "Read each once, and keep what it holds in memory, where that has room for all of them."},
    {Language::python,
     "Read each once, and keep what it holds in memory, where that has room for all of them:",
     {"@functools.cache", "def load(path): …"}},
    {Language::script, "Read each once, and keep what it holds in memory."},
};

constexpr Remedy small_file_remedies[] = {
    {Language::fortran,
     "In one file, each at its place:",
     {"open(newunit=unit, file='data', access='stream', form='unformatted')",
      "write(unit, pos=1 + (number - 1) * bytes_of_each) array"}},
    {Language::netcdf,
     "A variable, or a step along a dimension without limit, in one file in place of each file:",
     {"nc_def_dim(file, \"step\", NC_UNLIMITED, &step);",
      "nc_put_vara_double(file, variable, start, count, array);"}},
    {Language::adios2,
     "Fewer files by fewer aggregators, and all steps in one:",
     {"adios2_set_parameter(io, \"NumAggregators\", \"8\");"}},
    {Language::hdf5,
     "A dataset in one file in place of each file:",
     {"H5Dcreate2(file, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);"}},
    {Language::python,
     "Many arrays in one file, or other data in one archive:",
     {"numpy.savez(\"data.npz\", **arrays)",
      "with zipfile.ZipFile(\"data.zip\", \"w\") as archive:", "    archive.writestr(name, data)"}},
    {Language::netcdf4,
     "A step along a dimension without limit, in one file in place of each file:",
     {"dataset.createDimension(\"step\", None)", "variable[step, ...] = array"}},
    {Language::h5py,
     "A dataset in one file in place of each file:",
     {"with h5py.File(\"data.h5\", \"w\") as file:", "    file[name] = array"}},
    {Language::shell,
     "Where each turn of a loop makes a file, have all turns write into one:",
     {"for … done > FILE"}},
};

// Of those that were there before, which an archive of compressed members serves more slowly.
// Of files that the program makes.
constexpr Remedy made_file_remedies[] = {
    {Language::c,
     "In one file that stays open, each block after the one before, with its number and length:",
     {"fwrite(&head, sizeof head, 1, file);    // number and length",
      "fwrite(block, 1, head.length, file);"}},
};
constexpr Remedy given_file_remedies[] = {
    {Language::python,
     "Arrays of one shape in one file, made once for all later runs:",
     {"numpy.save(\"data.npy\", numpy.stack(arrays))    # once", "array = numpy.load(\"data.npy\")[number]"}},
};

std::vector<Advice> advice_on_files(const Scene& scene, const AdvisedProgram& program, const FileUse& one,
                                    bool given)
{
    if (program.language == Language::tar)
        return {
            {"Unpack the archive on a disk of each node rather than where all nodes see it, or leave the "
             "files in it where a program can read them from there:",
             {"srun --ntasks-per-node=1 tar -xf ARCHIVE -C /tmp"}}};
    std::vector<Advice> advice;
    if (program.language == Language::packaged)
        advice.push_back(
            {fmt::format("Look for an option of {} that has it make or take fewer and larger files; or "
                         "keep them in an archive, on a file system of the node where they are used.",
                         program.name)});
    if (one.path.find(".zarr/") != std::string_view::npos)
        advice.push_back({"Make the array's chunks larger, of some MiB: each is a file of its own:",
                          {"zarr.open(path, shape=shape, chunks=shape_of_chunk)"}});
    if (program.language != Language::packaged)
        advice.push_back({fmt::format(
            "Put them into a few large files: one for each {}, or one for all, {}{}.", scene.member(),
            scene.job.mpi ? "by MPI-IO or a library such as HDF5" : "by a library such as HDF5 or SQLite",
            given ? ", or as an archive" : "")});
    const bool arrays = given && program.language == Language::python;
    for (Advice& row :
         arrays ? advice_in(program, given_file_remedies) : advice_in(program, small_file_remedies))
        advice.push_back(std::move(row));
    if (!given)
        for (Advice& row : advice_in(program, made_file_remedies)) advice.push_back(std::move(row));
    // Who makes them puts them together as they are made.
    if (const std::string folder = folder_of(one.path);
        !folder.empty() && (given || program.language == Language::packaged))
        advice.push_back({"As an archive:", {fmt::format("tar cf data.tar -C '{}' .", folder)}});
    return advice;
}

}  // namespace

MaybeFinding many_files(const Scene& scene)
{
    constexpr double much_of_given = 0.15;
    const SmallFiles small = small_files(scene);
    if (small.files < few_files) return {};
    Finding finding;
    finding.title = title_of(small);
    const AdvisedProgram program = program_of(scene.job, small.lost, small.one->path);
    const AdvisedProgram tool = executable_of(scene.job, small.lost);
    if (keeps_versions(tool) || is_archived(small, tool)) return {};
    finding.cost = seconds(std::min(
        scene.cost(small.lost) +
            around_calls(scene, program, Around::open, static_cast<double>(small.opens), small.lost) +
            around_calls(scene, program, Around::array, static_cast<double>(small.arrays), small.lost),
        scene.run));
    finding.cost_basis =
        "the time in opening, closing, looking at and removing these files, and in reads and writes of those "
        "that take one or two, beyond what the bytes would take in large ones";
    finding.cost_basis += words_on_interpreter(program);
    if (const double past_link =
            scene.beyond_slow_link(*small.one, cost_of(finding), static_cast<double>(small.bytes));
        past_link < cost_of(finding)) {
        finding.cost_least = past_link;
        finding.cost_basis += "; the lower end leaves out what a link of 50 MiB/s takes for the data";
    }
    const bool were_there = tells(scene.job.log, &PosixCounters::creates) && small.created < small.files / 4;
    // To unpack or to copy them may be its task; and what it only reads once, others made as it is.
    const bool given = were_there && small.opens <= 2 * small.files && on_own_disk(scene.job, *small.one);
    const bool by_tool = is_packaged(tool) && on_own_disk(scene.job, *small.one);
    if ((given || by_tool) && cost_of(finding) < much_of_given * scene.run) return {};
    // To copy a tree, or to unpack it, is what it is for, and on one node's own disk there is no better
    // place.
    if (by_tool && (tool.language == Language::cp || tool.language == Language::tar)) return {};
    finding.confidence =
        given || by_tool || small.wanted > small.files / 2 ? Confidence::low : Confidence::medium;
    finding.evidence = {
        {"files", "small files used", count(small.files),
         fmt::format("of {} in all; of less than 1 MiB moved each", count_files(scene.job).words())},
        {"created", "made by the program", count(small.created), ""},
        {"time_per_file", "time for each but for its data",
         seconds(small.time / 1e9 / static_cast<double>(small.files)), ""},
        {"file", "one of them", path(small.one->path), ""}};
    if (!tells(scene.job.log, &PosixCounters::creates))
        std::erase_if(finding.evidence, [](const Entry& entry) { return entry.id == "created"; });
    finding.why =
        "Making, opening and closing a file takes longer than moving a little data, and the server for names "
        "is one for all jobs.";
    finding.doubt = "Files that other programs need as they are.";
    if (is_packaged(tool))
        finding.doubt += " A tool whose task it is to make, copy or compress these files, once.";
    finding.advice = small.modules > small.files / 2
                         ? advice_on_imports()
                         : advice_on_files(scene, program, *small.one, were_there);
    if (passes_of(small) > 1 && !is_packaged(program))
        for (Advice& keep : advice_in(program, keep_remedies))
            finding.advice.insert(finding.advice.begin(), std::move(keep));
    Found found(std::move(finding), small.lost);
    found.metadata = scene.cost(small.metadata);
    return found;
}

}  // namespace fathom
