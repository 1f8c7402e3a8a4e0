// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/IssueCollector.h"
#include "core/config/JsonReader.h"
#include "core/gateway/modules/ModuleChain.h"

#include <QByteArray>
#include <QStringList>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::test {

/// A chain read from a list in JSON, with ' for ", and one request on its way through it.
class ModuleWorld {
public:
    using Headers = std::vector<std::pair<std::string, std::string>>;

    explicit ModuleWorld(QByteArray list)
        : m_text(list.replace('\'', '"').toStdString())
    {
        config::IssueCollector issues(m_text);
        const auto tree = config::JsonReader(m_text).read();
        if (tree) {
            m_chain = gateway::ModuleChain::read(issues, *tree, "modules");
        }
        for (const config::ConfigIssue& issue : issues.takeErrors()) {
            faults.append(QString::fromStdString(issue.path + ' ' + issue.code));
            messages.append(QString::fromStdString(issue.message));
        }
        begin();
    }

    /// A new request; what was set on the last one is gone.
    gateway::Turn& begin(std::string target = "/v1/images?size=1", Headers headers = {}, const char* method = "GET")
    {
        m_target = std::move(target);
        m_headers = std::move(headers);
        turn = gateway::Turn();
        const routing::TargetParts parts = routing::splitTarget(m_target, m_scratch);
        turn.request.method = method;
        turn.request.target = m_target;
        turn.request.path = parts.path;
        turn.request.query = parts.query;
        turn.request.host = "api.example.test";
        turn.request.headers = routing::HeaderFields(m_headers);
        turn.request.client = IpAddress::v4(10, 0, 0, 7);
        turn.request.peer = IpAddress::v4(127, 0, 0, 1);
        turn.app = "demo";
        turn.now = Instant(std::chrono::seconds(1000));
        return turn;
    }

    /// The node's answer.
    gateway::Turn& answer(int status, Headers headers = {})
    {
        m_responseHeaders = std::move(headers);
        turn.response.status = status;
        turn.response.headers = routing::HeaderFields(m_responseHeaders);
        turn.hasResponse = true;
        return turn;
    }

    gateway::Verdict run(gateway::Point point) { return m_chain->run(point, turn); }
    [[nodiscard]] const gateway::Module& module(std::size_t i = 0) const { return *m_chain->modules().at(i); }
    [[nodiscard]] std::uint64_t count(std::string_view name, std::size_t i = 0) const
    {
        for (const gateway::ModuleCounter& counter : module(i).counters()) {
            if (counter.name == name) {
                return counter.value;
            }
        }
        return ~std::uint64_t{0};
    }

    /// "Name: value" of the last line of that name that is added; empty without one.
    [[nodiscard]] static std::string added(const gateway::HeadEdits& edits, std::string_view name)
    {
        std::string found;
        for (const auto& [key, value] : edits.added) {
            found = routing::equalsIgnoringAsciiCase(key, name) ? value : found;
        }
        return found;
    }
    [[nodiscard]] static std::string header(const gateway::ModuleReply& reply, std::string_view name)
    {
        for (const auto& [key, value] : reply.headers) {
            if (routing::equalsIgnoringAsciiCase(key, name)) {
                return value;
            }
        }
        return {};
    }

    QStringList faults; ///< "path code"
    QStringList messages;
    gateway::Turn turn;

private:
    std::string m_text;
    std::unique_ptr<gateway::ModuleChain> m_chain;
    std::string m_target;
    std::string m_scratch;
    Headers m_headers;
    Headers m_responseHeaders;
};

} // namespace weir::test
