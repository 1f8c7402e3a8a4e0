// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Clock.h"
#include "core/base/Roles.h"
#include "core/gateway/ClientFacts.h"
#include "core/gateway/HeadView.h"

#include <bitset>
#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace weir::gateway {

/// How requests of one cluster are forwarded (configuration.md `routing.clusters`). Immutable once it is in use.
struct ClusterSettings {
    std::string name = "default";
    Role role = Role::Worker;
    Duration connectTimeout = std::chrono::seconds(2);
    Duration responseHeaderTimeout = std::chrono::seconds(60); ///< from the last byte of the request to the last of the answer's head
    Duration idleTimeout = std::chrono::seconds(60);           ///< without a byte of a body, in either direction
    Duration totalTimeout = Duration::zero();                  ///< zero: none
    unsigned retryMax = 3;   ///< further tries in the pool
    unsigned crossRetry = 1; ///< further tries in other pools of the cluster
    unsigned retryLevel = 0; ///< 1: also after the request was sent, where it is a GET or HEAD without a body
    std::bitset<600> retryStatus;
    std::size_t queueMax = 1000;
    Duration queueTimeout = std::chrono::seconds(30);
    std::string fixedHost; ///< empty: the client's Host header is passed on
};

/// Where a request goes.
struct Routed {
    std::shared_ptr<const ClusterSettings> cluster; ///< null: refused with `code`
    std::string app;
    std::string rule;      ///< what decided, for the access log; empty: the built-in route
    std::string_view code; ///< `no_product`, `no_route`
};

/// Host to app to cluster. Io thread only; the table behind it may be swapped between two calls, requests under way keep what they got.
class Router {
public:
    Router() = default;
    Router(const Router&) = delete;
    Router& operator=(const Router&) = delete;
    virtual ~Router() = default;

    [[nodiscard]] virtual Routed route(const RequestView& request, const ClientFacts& client) = 0;
};

/// What holds without a routing table: every host is the app `default`, whose cluster takes its pools from the app.
class BuiltInRouter final : public Router {
public:
    explicit BuiltInRouter(ClusterSettings settings) : m_cluster(std::make_shared<const ClusterSettings>(std::move(settings))) {}

    [[nodiscard]] Routed route(const RequestView&, const ClientFacts&) override { return {m_cluster, "default", {}, {}}; }

private:
    std::shared_ptr<const ClusterSettings> m_cluster;
};

} // namespace weir::gateway
