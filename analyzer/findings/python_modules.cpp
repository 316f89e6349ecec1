// Modules that Python imports.
#include "analyzer/findings/python_modules.h"

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

}  // namespace fathom
