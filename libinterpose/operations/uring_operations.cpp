// io_uring_register, whose argument depends on what is registered.
#include "libinterpose/operations/uring_operations.h"

namespace fathom {
namespace {

const int* descriptors_at(std::uint64_t address)
{
    return reinterpret_cast<const int*>(address);
}

}  // namespace

void UringRegister::passed(long result) const
{
    Ring* const ring = rings::of(fd);
    if (ring == nullptr || result < 0) return;
    switch (operation) {
        case IORING_REGISTER_FILES:
            return rings::register_files(*ring, 0, static_cast<const int*>(argument), n);
        case IORING_UNREGISTER_FILES:
            return rings::forget_files(*ring);
        case IORING_REGISTER_FILES_UPDATE: {
            const auto& update = *static_cast<const io_uring_files_update*>(argument);
            return rings::register_files(*ring, update.offset, descriptors_at(update.fds),
                                         std::min(n, static_cast<unsigned>(result)));
        }
        case IORING_REGISTER_FILES2: {
            const auto& files = *static_cast<const io_uring_rsrc_register*>(argument);
            if (files.data == 0) return;  // room for some, none yet
            return rings::register_files(*ring, 0, descriptors_at(files.data), files.nr);
        }
        case IORING_REGISTER_FILES_UPDATE2: {
            const auto& update = *static_cast<const io_uring_rsrc_update2*>(argument);
            return rings::register_files(*ring, update.offset, descriptors_at(update.data),
                                         std::min(update.nr, static_cast<unsigned>(result)));
        }
        default:
            return;
    }
}

}  // namespace fathom
