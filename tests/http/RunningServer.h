// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/http/Server.h"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <condition_variable>
#include <deque>
#include <future>
#include <mutex>
#include <optional>
#include <thread>

namespace weir::http::test {

/// A server with the thread that runs it.
class RunningServer {
public:
    explicit RunningServer(Handler handler, ServerOptions options = {})
        : m_server(std::in_place, m_context, std::move(options), std::move(handler))
    {
        m_listened = m_server->listen();
        m_thread = std::thread([this] { m_context.run(); });
    }
    ~RunningServer()
    {
        boost::asio::post(m_context, [this] {
            m_server.reset();
            m_work.reset();
        });
        m_thread.join();
    }
    RunningServer(const RunningServer&) = delete;
    RunningServer& operator=(const RunningServer&) = delete;

    [[nodiscard]] const Result<void>& listened() const { return m_listened; }
    [[nodiscard]] std::uint16_t port() const { return m_server->port(); }
    [[nodiscard]] std::string url() const { return m_server->url(); }

    void setTls(std::shared_ptr<const TlsContext> tls) { m_server->setTls(std::move(tls)); }
    /// Ready when the server has closed.
    std::future<void> close(Duration grace)
    {
        auto promise = std::make_shared<std::promise<void>>();
        m_server->close(grace, [promise] { promise->set_value(); });
        return promise->get_future();
    }
    /// Ends the server while its thread runs on.
    void destroyServer()
    {
        std::promise<void> gone;
        boost::asio::post(m_context, [&] {
            m_server.reset();
            gone.set_value();
        });
        gone.get_future().wait();
    }
    /// Runs `work` on the io thread and waits for it.
    void onIoThread(const std::function<void()>& work)
    {
        std::promise<void> over;
        boost::asio::post(m_context, [&] {
            work();
            over.set_value();
        });
        over.get_future().wait();
    }

private:
    boost::asio::io_context m_context{1};
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> m_work{m_context.get_executor()};
    std::optional<Server> m_server;
    Result<void> m_listened;
    std::thread m_thread;
};

/// Takes requests from the io thread to the test, which answers them when it likes.
class Inbox {
public:
    struct Item {
        Request request;
        Reply reply;
    };

    [[nodiscard]] Handler handler()
    {
        return [this](Request request, Reply reply) {
            const std::lock_guard lock(m_mutex);
            m_items.push_back({std::move(request), std::move(reply)});
            m_arrived.notify_all();
        };
    }
    /// Nothing when none comes within five seconds.
    std::optional<Item> take()
    {
        std::unique_lock lock(m_mutex);
        if (!m_arrived.wait_for(lock, std::chrono::seconds(5), [this] { return !m_items.empty(); })) {
            return std::nullopt;
        }
        Item item = std::move(m_items.front());
        m_items.pop_front();
        return item;
    }
    [[nodiscard]] std::size_t waiting()
    {
        const std::lock_guard lock(m_mutex);
        return m_items.size();
    }

private:
    std::mutex m_mutex;
    std::condition_variable m_arrived;
    std::deque<Item> m_items;
};

/// Keeps what was logged: `event key=value …`.
class RecordingLog final : public weir::Log {
public:
    void write(weir::LogLevel, std::string_view event, std::string_view, std::initializer_list<weir::LogField> fields) override
    {
        const std::lock_guard lock(m_mutex);
        m_text += std::string(event);
        for (const weir::LogField& field : fields) {
            m_text += " " + std::string(field.key) + "=" + field.value;
        }
    }
    std::string text()
    {
        const std::lock_guard lock(m_mutex);
        return m_text;
    }

private:
    std::mutex m_mutex;
    std::string m_text;
};

inline Response text(std::string body)
{
    Response response;
    response.contentType = "text/plain";
    response.body = std::move(body);
    return response;
}

/// Answers "METHOD target body".
inline void echo(Request request, const Reply& reply)
{
    reply(text(request.method + " " + request.target + " " + request.body));
}

} // namespace weir::http::test
