// Modules that Python imports.
#include "analyzer/findings/python_modules.h"

#include <algorithm>

#include "analyzer/findings/file_names.h"
#include "analyzer/findings/remedy.h"
#include "analyzer/job/mounts.h"

namespace fathom {

Imports imports_in(const Scene& scene)
{
    constexpr double mostly = 0.6, half = 0.5;
    double all = 0, modules = 0, local = 0;
    const Mounts mounts(scene.job.log);
    for (const FileCase& file : scene.files) {
        const auto time = static_cast<double>(file.use->system.metadata_time);
        all += time;
        const bool module = is_python_module(file.use->path);
        if (module) modules += time;
        if ((module || scene.job.nodes() > 1) && is_local(mounts.type_of(*file.use))) local += time;
    }
    return {.most = modules > mostly * all, .local = local > half * all};
}

std::vector<report::Advice> advice_on_imports()
{
    return {
        {"These are modules of Python, which every process imports one by one: copy the environment as one "
         "archive to a disk of each node before the run, or keep it in a container's image:",
         {"srun --ntasks-per-node=1 tar -xf ENVIRONMENT.tar -C /tmp",
          "source /tmp/ENVIRONMENT/bin/activate"}}};
}

PathLooks looks_along_path(const Scene& scene, std::uint64_t all_looks)
{
    constexpr std::uint64_t many_folders = 8, many_imports = 10;
    constexpr double as_often = 0.9;
    std::vector<std::uint64_t> looks;
    scene.job.each_file([&](const FileUse& use, std::span<const RecordView> records) {
        if (use.kind != NameKind::directory) return;
        const std::uint64_t of_folder = FileCase{&use, records}.in_posix(&PosixCounters::stats);
        if (of_folder >= many_imports * scene.job.ranks.size()) looks.push_back(of_folder);
    });
    if (looks.size() < many_folders) return {};
    const auto middle = looks.begin() + static_cast<std::ptrdiff_t>(looks.size() / 2);
    std::nth_element(looks.begin(), middle, looks.end());
    PathLooks along;
    for (const auto usual = static_cast<double>(*middle); const std::uint64_t one : looks)
        if (static_cast<double>(one) >= as_often * usual && as_often * static_cast<double>(one) <= usual)
            ++along.folders, along.looks += one;
    return along.folders >= many_folders && along.looks > all_looks / 2 ? along : PathLooks{};
}

std::vector<report::Advice> advice_on_path_looks()
{
    return {
        {"Keep few folders on Python's path (PYTHONPATH, sys.path): each import looks at all of them, one "
         "after the other, until one has the module. Install what they have into one environment:",
         {"python3 -m venv ENVIRONMENT", "ENVIRONMENT/bin/pip install PACKAGE …"}}};
}

}  // namespace fathom
