// A httplib::Server that never listens: its parser and writer work on a stream that is a piece of memory.
#include "analyzer/serve/http/http.h"

#include <algorithm>
#include <cstring>
#include <httplib.h>
#include <strings.h>

namespace fathom::serve {
namespace {

class MemoryStream : public httplib::Stream {
  public:
    explicit MemoryStream(std::string_view in) : in_(in) {}

    bool is_readable() const override { return !in_.empty(); }
    bool is_writable() const override { return true; }
    ssize_t read(char* to, std::size_t size) override
    {
        const std::size_t length = std::min(size, in_.size());
        std::memcpy(to, in_.data(), length);
        in_.remove_prefix(length);
        return static_cast<ssize_t>(length);
    }
    ssize_t write(const char* from, std::size_t size) override
    {
        out_.append(from, size);
        return static_cast<ssize_t>(size);
    }
    void get_remote_ip_and_port(std::string&, int&) const override {}
    void get_local_ip_and_port(std::string&, int&) const override {}
    socket_t socket() const override { return -1; }
    std::string take() { return std::move(out_); }

  private:
    std::string_view in_;
    std::string out_;
};

// What the parser adds of its own.
constexpr std::string_view not_sent[] = {"REMOTE_ADDR", "REMOTE_PORT", "LOCAL_ADDR", "LOCAL_PORT"};

}  // namespace

std::vector<std::string> Request::header(std::string_view name) const
{
    std::vector<std::string> values;
    for (const auto& [key, value] : headers)
        if (key.size() == name.size() && strncasecmp(key.data(), name.data(), name.size()) == 0)
            values.push_back(value);
    return values;
}

std::string Request::parameter(const std::string& name) const
{
    const auto found = parameters.find(name);
    return found == parameters.end() ? std::string() : found->second;
}

struct Http::Parser : httplib::Server {
    explicit Parser(Answer work) : answer(std::move(work))
    {
        set_keep_alive_max_count(1000);
        set_pre_routing_handler([this](const httplib::Request& asked, httplib::Response& response) {
            fill(asked, response);
            return HandlerResponse::Handled;
        });
    }

    void fill(const httplib::Request& asked, httplib::Response& response)
    {
        Request request{asked.method, asked.path, "", {}, {}, peer};
        const std::size_t mark = asked.target.find('?');
        if (mark != std::string::npos) request.query = asked.target.substr(mark + 1);
        request.parameters.insert(asked.params.begin(), asked.params.end());
        for (const auto& [name, value] : asked.headers)
            if (std::ranges::find(not_sent, name) == std::end(not_sent))
                request.headers.emplace_back(name, value);
        Reply reply = answer(request);
        response.status = reply.status;
        for (const auto& [name, value] : reply.headers) response.set_header(name, value);
        response.set_content(std::move(reply.body), reply.type);
    }

    Answered reply_to(std::string_view head, const Peer& from)
    {
        peer = from;
        MemoryStream stream(head);
        bool closed = false, body = false;
        const bool done = process_request(stream, false, closed, [&](httplib::Request& asked) {
            body = asked.has_header("Content-Length") || asked.has_header("Transfer-Encoding") ||
                   asked.has_header("Expect");
            asked.ranges.clear();  // pages are made anew each time
            asked.headers.erase("Expect");
        });
        Answered answered{stream.take(), closed || body || !done};
        return answered;
    }

    Answer answer;
    Peer peer;
};

Http::Http(Answer answer) : parser_(std::make_unique<Parser>(std::move(answer))) {}

Http::~Http() = default;

Answered Http::reply_to(std::string_view head, const Peer& peer)
{
    return parser_->reply_to(head, peer);
}

}  // namespace fathom::serve
