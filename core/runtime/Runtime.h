// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/Clock.h"
#include "core/base/Log.h"
#include "core/config/Config.h"
#include "core/config/ListenAddress.h"
#include "core/plane/ControlPlane.h"

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace weir::runtime {

struct RuntimeOptions {
    std::filesystem::path dataDir;
    std::optional<std::string> configFile; ///< unset: `weir.json` in the data directory, if there is one
    std::optional<config::ListenAddress> adminListen;   ///< before the file's
    std::optional<config::ListenAddress> gatewayListen;
    bool listenByDefault = true; ///< false: no listener unless an option or the file asks for one
    bool insecureAdmin = false;
    bool configWins = false;
};

/// Exit codes of the programs (architecture.md).
enum class ExitCode : int { Fine = 0, Usage = 2, DataDirectory = 3, AddressInUse = 4 };

struct StartFailure {
    ExitCode code = ExitCode::Usage;
    std::vector<std::string> lines; ///< sentences for standard error
};

/// A running control plane: store, live fleet, prober, listeners and their threads, started and stopped in the right order.
class Runtime {
public:
    /// `configured` is called once the file is read, before anything is logged by it (level, format), and on the store thread
    /// after each reload.
    [[nodiscard]] static tl::expected<std::unique_ptr<Runtime>, StartFailure> start(Clock& clock, Log& log, RuntimeOptions options,
        const std::function<void(const config::LogSettings&)>& configured = {});
    Runtime(const Runtime&) = delete;
    Runtime& operator=(const Runtime&) = delete;
    ~Runtime();

    /// Listeners close first, requests under way get `shutdown_grace_seconds`, then all ends. Blocks; idempotent.
    void stop();

    /// Reads the configuration file again; a bad one is logged, recorded and changes nothing.
    void reload();

    [[nodiscard]] plane::ControlPlane& plane() { return *m_plane; }
    /// `http://127.0.0.1:8700` (`https` with TLS), empty without the listener.
    [[nodiscard]] std::string adminUrl() const;
    [[nodiscard]] std::string gatewayUrl() const;
    [[nodiscard]] const std::filesystem::path& dataDir() const { return m_options.dataDir; }

private:
    struct Net;

    Runtime(Clock& clock, Log& log, RuntimeOptions options);
    std::optional<StartFailure> open(const std::function<void(const config::LogSettings&)>& configured);
    std::optional<StartFailure> listen(const config::Config& config);
    [[nodiscard]] std::optional<std::string> configPath() const;
    void takeOver(const config::Config& config);

    Clock& m_clock;
    Log& m_log;
    RuntimeOptions m_options;
    std::function<void(const config::LogSettings&)> m_configured;
    std::atomic<double> m_graceSeconds = 30;
    std::unique_ptr<plane::ControlPlane> m_plane;
    std::unique_ptr<Net> m_net;
    bool m_adminTls = false;
    bool m_gatewayTls = false;
    bool m_proxyProtocol = false;
    bool m_stopped = false;
};

/// All errors of a configuration file as `weir-server check-config` prints them; empty when it can be used. Warnings come first in
/// `warnings`.
[[nodiscard]] std::vector<std::string> checkConfig(const std::string& file, std::vector<std::string>& warnings);

/// `$XDG_DATA_HOME/weir`, or `/var/lib/weir` for root when `system` is set.
[[nodiscard]] std::filesystem::path defaultDataDir(bool system);

} // namespace weir::runtime
