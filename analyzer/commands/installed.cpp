// What is installed beside this program, wherever the whole was moved.
#include "analyzer/commands/installed.h"

#include <filesystem>

namespace fathom {

std::string model_path(const std::string& asked_for)
{
    namespace fs = std::filesystem;
    std::error_code error;
    if (asked_for.find('/') != std::string::npos || fs::exists(asked_for, error)) return asked_for;
    const fs::path self = fs::read_symlink("/proc/self/exe", error);
    const fs::path model =
        self.parent_path().parent_path() / FATHOM_DATA_FOLDER / "models" / (asked_for + ".json");
    return fs::exists(model, error) ? model.string() : asked_for;
}

}  // namespace fathom
