// What is installed beside this program, wherever the whole was moved.
#pragma once

#include <string>

namespace fathom {

// The file, where there is one; else the installed model of that name.
std::string model_path(const std::string& asked_for);

}  // namespace fathom
