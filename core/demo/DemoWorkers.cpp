// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/demo/DemoWorkers.h"

#include "core/http/Problem.h"
#include "core/http/Server.h"

#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/json.hpp>
#include <future>
#include <mutex>
#include <thread>

namespace weir::demo {
namespace json = boost::json;
namespace {

constexpr double kDiskFree = 24.6;
constexpr double kDiskFull = 3.1;

constexpr std::uint64_t kOpenErrorEvery = 10;
constexpr auto kWorkTakes = std::chrono::milliseconds(120);

http::Response workAnswer(WorkerMode mode, std::uint64_t number)
{
    if (mode != WorkerMode::DiskFull) {
        return http::json(200, json::object{{"code", 0}, {"image", "image-" + std::to_string(number) + ".png"}});
    }
    if (number % kOpenErrorEvery == 0) {
        return http::problem(Error{"internal", "The image cannot be written.", {}});
    }
    return http::json(200, json::object{{"code", 50'007}, {"message", "no space left on device"}});
}

http::Response healthAnswer(WorkerMode mode, bool deep)
{
    if (mode == WorkerMode::DiskFull && !deep) {
        return http::json(200, json::object{{"status", "ok"}, {"model", "loaded"}});
    }
    const bool dependency = mode != WorkerMode::Dependency;
    json::object body{{"status", mode == WorkerMode::Healthy ? "ok" : "degraded"}};
    if (mode == WorkerMode::DiskFull) {
        body["reason"] = "disk_free_below_5.0g";
    } else if (!dependency) {
        body["reason"] = "dep_down:comfyui";
    }
    body["disk_free_gb"] = mode == WorkerMode::DiskFull ? kDiskFull : kDiskFree;
    body["deps"] = json::object{{"comfyui", dependency}, {"change_hair", true}};
    return http::json(mode == WorkerMode::Healthy ? 200 : 503, body);
}

} // namespace

struct DemoWorkers::Private {
    struct Worker {
        std::atomic<WorkerMode> mode{WorkerMode::Healthy};
        std::unique_ptr<http::Server> server;
        std::atomic<std::uint64_t> works{0};
        std::mutex mutex;
        std::vector<http::Reply> unanswered; ///< of a silent worker; dropped when it talks again
    };

    boost::asio::io_context context{1};
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work = boost::asio::make_work_guard(context);
    std::vector<std::unique_ptr<Worker>> workers;
    std::thread thread;
    std::atomic<bool> deepHealth{true};

    void finishWork(Worker& worker, WorkerMode mode, http::Reply reply)
    {
        auto timer = std::make_shared<boost::asio::steady_timer>(context, kWorkTakes);
        timer->async_wait([timer, mode, number = ++worker.works, reply = std::move(reply)](const boost::system::error_code&) { reply(workAnswer(mode, number)); });
    }

    void answer(Worker& worker, const http::Request& request, http::Reply reply)
    {
        const WorkerMode mode = worker.mode.load();
        if (mode != WorkerMode::Silent) {
            if (request.path == "/health") {
                reply(healthAnswer(mode, deepHealth.load()));
            } else {
                finishWork(worker, mode, std::move(reply));
            }
            return;
        }
        constexpr std::size_t kMostUnanswered = 16;
        const std::scoped_lock lock(worker.mutex);
        if (worker.unanswered.size() >= kMostUnanswered) {
            worker.unanswered.erase(worker.unanswered.begin());
        }
        worker.unanswered.push_back(std::move(reply));
    }
};

DemoWorkers::DemoWorkers()
    : m_private(std::make_unique<Private>())
{
}

Result<std::unique_ptr<DemoWorkers>> DemoWorkers::start(std::size_t count, Log& log)
{
    std::unique_ptr<DemoWorkers> workers(new DemoWorkers());
    Private& self = *workers->m_private;
    for (std::size_t i = 0; i < count; ++i) {
        self.workers.push_back(std::make_unique<Private::Worker>());
        Private::Worker& worker = *self.workers.back();
        http::ServerOptions options;
        options.log = &log;
        worker.server = std::make_unique<http::Server>(self.context, options,
            [&self, &worker](const http::Request& request, http::Reply reply) { self.answer(worker, request, std::move(reply)); });
        if (auto listening = worker.server->listen(); !listening) {
            return tl::unexpected(listening.error());
        }
    }
    self.thread = std::thread([&self] { self.context.run(); });
    return workers;
}

DemoWorkers::~DemoWorkers()
{
    Private& self = *m_private;
    self.work.reset();
    self.context.stop();
    if (self.thread.joinable()) {
        self.thread.join();
    }
    for (const auto& worker : self.workers) {
        worker->unanswered.clear();
        worker->server.reset();
    }
}

std::string DemoWorkers::url(std::size_t worker) const
{
    return m_private->workers[worker]->server->url();
}

void DemoWorkers::setMode(std::size_t index, WorkerMode mode)
{
    Private::Worker& worker = *m_private->workers[index];
    worker.mode.store(mode);
    std::vector<http::Reply> dropped;
    const std::scoped_lock lock(worker.mutex);
    dropped.swap(worker.unanswered);
}

void DemoWorkers::setDeepHealth(bool deep)
{
    m_private->deepHealth.store(deep);
}

WorkerMode DemoWorkers::mode(std::size_t worker) const
{
    return m_private->workers[worker]->mode.load();
}

} // namespace weir::demo
