// What is known of MPI libraries and of Lustre.
#include "analyzer/findings/remedy.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <optional>

#include "analyzer/job/mounts.h"
#include "logformat/job_identity.h"

namespace fathom {

MpiKind mpi_of(const Job& job)
{
    const auto library = job.log.fact("mpi");
    if (!library) return MpiKind::unknown;
    if (library->find("Open MPI") != std::string_view::npos) return MpiKind::open_mpi;
    for (const std::string_view romio : {"MPICH", "Intel(R) MPI", "MVAPICH", "CRAY MPICH"})
        if (library->find(romio) != std::string_view::npos) return MpiKind::romio;
    return MpiKind::unknown;
}

std::vector<std::string> collective_buffering(const Job& job)
{
    switch (mpi_of(job)) {
        case MpiKind::romio:
            return {
                "printf 'romio_cb_write enable\\nromio_cb_read enable\\ncb_buffer_size 16777216\\n' > hints",
                "export ROMIO_HINTS=$PWD/hints"};
        case MpiKind::open_mpi:
            // Of one node the ranks share what they copy with: it is as slow.
            if (job.nodes() > 1) return {"export OMPI_MCA_io=^ompio"};
            break;
        case MpiKind::unknown:
            break;
    }
    return {};
}

std::vector<std::string> no_collective_buffering(const Job& job)
{
    switch (mpi_of(job)) {
        case MpiKind::romio:
            return {"printf 'romio_cb_write disable\\nromio_cb_read disable\\n' > hints",
                    "export ROMIO_HINTS=$PWD/hints"};
        case MpiKind::open_mpi:
            return {"export OMPI_MCA_io=ompio OMPI_MCA_fcoll=individual"};
        case MpiKind::unknown:
            break;
    }
    return {};
}

std::vector<std::string> aggregator_count(const Job& job, std::uint64_t wanted)
{
    switch (mpi_of(job)) {
        case MpiKind::romio:
            return {fmt::format("printf 'cb_nodes {}\\ncb_config_list *:1\\n' > hints", wanted),
                    "export ROMIO_HINTS=$PWD/hints"};
        case MpiKind::open_mpi:
            return {fmt::format("export OMPI_MCA_io=ompio OMPI_MCA_io_ompio_num_aggregators={}", wanted)};
        case MpiKind::unknown:
            break;
    }
    return {};
}

std::string started_as_here(const Job& job, std::string line)
{
    constexpr std::string_view by_slurm = "srun --ntasks-per-node=1 ", exported = "export ",
                               passed_on = "OMPI_MCA_";  // as Open MPI does with these
    if (job.log.fact(identity::batch_system) == "Slurm") return line;
    const MpiKind mpi = mpi_of(job);
    if (line.starts_with(exported) && mpi == MpiKind::open_mpi && job.mpi && job.nodes() > 1 &&
        line.compare(exported.size(), passed_on.size(), passed_on) != 0) {
        const std::string name = line.substr(exported.size(), line.find('=') - exported.size());
        return fmt::format("{}{}mpirun -x {}", line,
                           line.find('#') == std::string::npos ? "    # and " : ", and ", name);
    }
    if (!line.starts_with(by_slurm) || mpi == MpiKind::unknown) return line;
    return line.replace(0, by_slurm.size(),
                        mpi == MpiKind::open_mpi ? "mpirun --map-by ppr:1:node "
                                                 : fmt::format("mpiexec -n {} -ppn 1 ", job.nodes()));
}

namespace {

// Calls visit(value) for what the program asked for by this hint of MPI-IO.
template <class Visit>
void each_asked(const Job& job, std::string_view name, Visit visit)
{
    for (const Hints& hints : job.log.rows<Hints>())
        for (std::string_view rest = hints.asked; !rest.empty();) {
            const std::string_view one = rest.substr(0, rest.find(';'));
            rest.remove_prefix(std::min(one.size() + 1, rest.size()));
            if (one.starts_with(name) && one.substr(name.size(), 1) == "=")
                visit(one.substr(name.size() + 1));
        }
}

std::optional<std::uint64_t> least_asked(const Job& job, std::string_view name)
{
    std::optional<std::uint64_t> least;
    each_asked(job, name, [&](std::string_view value) {
        std::uint64_t number = 0;
        const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
        if (error == std::errc()) least = std::min(least.value_or(number), number);
    });
    return least;
}

}  // namespace

std::string without_small_buffers(const Job& job)
{
    constexpr std::uint64_t large_enough = 1 << 20;
    const auto bytes = least_asked(job, "cb_buffer_size");
    if (!bytes || *bytes >= large_enough) return {};
    return fmt::format(
        "Leave out the hint cb_buffer_size: the ranks that do the I/O take no more than its {} bytes at a "
        "time. MPI libraries have 16 MiB and more by themselves.",
        *bytes);
}

std::string without_disabled(const Job& job)
{
    for (const std::string_view name : {"romio_cb_write", "romio_cb_read"}) {
        bool disabled = false;
        each_asked(job, name, [&](std::string_view value) { disabled = disabled || value == "disable"; });
        if (disabled)
            return fmt::format("Leave out the hint {}=disable: with it, each rank moves its own pieces.",
                               name);
    }
    return {};
}

std::string without_few_aggregators(const Job& job)
{
    const auto nodes = least_asked(job, "cb_nodes");
    if (!nodes || *nodes >= job.nodes()) return {};
    return fmt::format("Leave out the hint cb_nodes: with it, {} the I/O of all nodes.",
                       *nodes == 1 ? "one rank does" : fmt::format("{} ranks do", *nodes));
}

bool is_local(std::string_view type_of_mount)
{
    constexpr std::array<std::string_view, 10> local = {"ext2", "ext3", "ext4",  "xfs",   "btrfs",
                                                        "zfs",  "f2fs", "tmpfs", "ramfs", "overlay"};
    return std::find(local.begin(), local.end(), type_of_mount) != local.end();
}

bool on_local_file_system(const Job& job, const FileUse& use)
{
    return is_local(Mounts(job.log).type_of(use));
}

bool on_own_disk(const Job& job, const FileUse& use)
{
    return job.nodes() == 1 && on_local_file_system(job, use);
}

bool gains_nothing_alone(const Job& job, const FileUse& use, std::uint64_t bytes)
{
    constexpr std::uint64_t enough = 64 << 10;
    return bytes >= enough && on_own_disk(job, use) && without_small_buffers(job).empty() &&
           without_disabled(job).empty();
}

bool on_lustre(const Job& job, const FileUse& use)
{
    return Mounts(job.log).type_of(use) == "lustre";
}

std::vector<std::string> lustre_stripes(std::string_view folder, std::uint64_t count)
{
    if (folder.empty()) return {};
    return {fmt::format("lfs setstripe -c {} -S 4M '{}'", count, folder)};
}

std::string folder_of(std::string_view path)
{
    const std::size_t slash = path.rfind('/');
    return slash == std::string_view::npos || slash == 0 ? std::string() : std::string(path.substr(0, slash));
}

}  // namespace fathom
