// The kernel says by netlink (sock_diag) whose socket the other end is: any user of a machine can connect to
// an address of it.
#include "analyzer/serve/http/peer.h"

#include <arpa/inet.h>
#include <cstring>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <unistd.h>

namespace fathom::serve {
namespace {

struct End {
    in6_addr address{};  // of IPv4 in the first four bytes
    in_port_t port = 0;
};

End end_of(const sockaddr_storage& address)
{
    End end;
    if (address.ss_family == AF_INET6) {
        const auto& six = reinterpret_cast<const sockaddr_in6&>(address);
        end = {six.sin6_addr, six.sin6_port};
    } else {
        const auto& four = reinterpret_cast<const sockaddr_in&>(address);
        std::memcpy(&end.address, &four.sin_addr, sizeof four.sin_addr);
        end.port = four.sin_port;
    }
    return end;
}

class Socket {
  public:
    Socket() : number_(socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_SOCK_DIAG)) {}
    ~Socket()
    {
        if (number_ >= 0) close(number_);
    }
    Socket(const Socket&) = delete;
    Socket& operator=(const Socket&) = delete;
    int number() const { return number_; }

  private:
    int number_;
};

// The owner of the socket that has these two ends, its own first.
std::optional<uid_t> owner_of(sa_family_t family, const End& own, const End& other)
{
    struct {
        nlmsghdr head{};
        inet_diag_req_v2 question{};
    } ask;
    ask.head.nlmsg_len = sizeof ask;
    ask.head.nlmsg_type = SOCK_DIAG_BY_FAMILY;
    ask.head.nlmsg_flags = NLM_F_REQUEST;
    ask.question.sdiag_family = static_cast<std::uint8_t>(family);
    ask.question.sdiag_protocol = IPPROTO_TCP;
    ask.question.idiag_states = ~0U;
    ask.question.id.idiag_sport = own.port;
    ask.question.id.idiag_dport = other.port;
    std::memcpy(ask.question.id.idiag_src, &own.address, sizeof own.address);
    std::memcpy(ask.question.id.idiag_dst, &other.address, sizeof other.address);
    ask.question.id.idiag_cookie[0] = ask.question.id.idiag_cookie[1] = INET_DIAG_NOCOOKIE;
    const Socket socket;
    if (socket.number() < 0 || send(socket.number(), &ask, sizeof ask, 0) < 0) return {};
    alignas(nlmsghdr) char answer[4096];
    const ssize_t length = recv(socket.number(), answer, sizeof answer, 0);
    if (length < static_cast<ssize_t>(NLMSG_LENGTH(sizeof(inet_diag_msg)))) return {};
    nlmsghdr head;
    std::memcpy(&head, answer, sizeof head);
    if (head.nlmsg_type != SOCK_DIAG_BY_FAMILY) return {};
    inet_diag_msg found;
    std::memcpy(&found, answer + NLMSG_HDRLEN, sizeof found);
    return found.idiag_uid;
}

}  // namespace

bool is_loopback(const sockaddr_storage& address)
{
    const End end = end_of(address);
    if (address.ss_family == AF_INET6) return IN6_IS_ADDR_LOOPBACK(&end.address);
    return address.ss_family == AF_INET && end.address.s6_addr[0] == 127;
}

Peer peer_of(int connection)
{
    sockaddr_storage own{}, other{};
    socklen_t own_length = sizeof own, other_length = sizeof other;
    Peer peer;
    if (getsockname(connection, reinterpret_cast<sockaddr*>(&own), &own_length) != 0 ||
        getpeername(connection, reinterpret_cast<sockaddr*>(&other), &other_length) != 0)
        return peer;
    const End here = end_of(own), there = end_of(other);
    char text[INET6_ADDRSTRLEN] = "";
    inet_ntop(other.ss_family, &there.address, text, sizeof text);
    peer.address = text;
    peer.loopback = is_loopback(other);
    if (peer.loopback) peer.user = owner_of(other.ss_family, there, here);
    return peer;
}

}  // namespace fathom::serve
