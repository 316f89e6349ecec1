// How a Lustre file is spread over its servers, from the bytes of its extended attribute "lustre.lov".
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace fathom {

struct LustreLayout {
    static constexpr std::size_t most_servers = 64;

    std::uint64_t stripe_size = 0;         // bytes, not 0
    std::uint64_t stripe_count = 0;        // not 0; may be more than most_servers
    std::string_view pool;                 // points into the attribute; empty where there is none
    std::uint32_t server[most_servers]{};  // numbers of the OSTs, in turn

    std::size_t servers() const
    {
        return stripe_count < most_servers ? static_cast<std::size_t>(stripe_count) : most_servers;
    }
};

// The attribute is a lov_user_md of version 1 or 3 or a composite of these (lustre/lustre_user.h of Lustre
// 2.x, section "lov_user_md"), in the byte order of this machine. Of a composite's components it is the last
// one that has objects on servers and no stale or parity data. Nothing where the bytes are anything else, end
// too early, or have no object on a server.
std::optional<LustreLayout> lustre_layout(std::span<const std::byte> attribute);

}  // namespace fathom
