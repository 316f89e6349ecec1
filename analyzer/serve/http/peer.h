// Who is at the other end of a connection.
#pragma once

#include <optional>
#include <string>
#include <sys/socket.h>
#include <sys/types.h>

namespace fathom::serve {

struct Peer {
    std::string address;  // "127.0.0.1", "::1"
    bool loopback = false;
    // Of a connection from this machine: whose process it is, as the kernel has it. Nothing of others.
    std::optional<uid_t> user;
};

// Of a connection that was accepted.
Peer peer_of(int connection);

// "127.0.0.1", "::1" and the like.
bool is_loopback(const sockaddr_storage& address);

}  // namespace fathom::serve
