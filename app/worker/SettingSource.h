// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/worker/Settings.h"
#include "core/config/SectionReader.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::worker {

/// Where settings come from: the file or the environment. A value of the wrong kind is reported by the source and then missing.
class SettingSource {
public:
    struct Entry {
        std::string key; ///< as fail() takes it
        std::string name; ///< of the dependency
        std::string address;
    };

    SettingSource() = default;
    SettingSource(const SettingSource&) = delete;
    SettingSource& operator=(const SettingSource&) = delete;
    virtual ~SettingSource() = default;

    [[nodiscard]] virtual std::optional<bool> flag(std::string_view key) = 0;
    [[nodiscard]] virtual std::optional<double> number(std::string_view key) = 0;
    [[nodiscard]] virtual std::optional<std::string> text(std::string_view key) = 0;
    /// `deps` and every `dep_<name>`, in order.
    [[nodiscard]] virtual std::vector<Entry> dependencies() = 0;
    /// Reports that the value of `key` breaks a rule.
    virtual void fail(std::string_view key, std::string code, std::string rule) = 0;
};

/// The section `health` of a file.
class FileSource final : public SettingSource {
public:
    /// Reports unknown and repeated keys at once.
    FileSource(config::IssueCollector& issues, const config::JsonNode& section);

    std::optional<bool> flag(std::string_view key) override { return m_reader.flag(key); }
    std::optional<double> number(std::string_view key) override { return m_reader.number(key); }
    std::optional<std::string> text(std::string_view key) override { return m_reader.text(key); }
    std::vector<Entry> dependencies() override;
    void fail(std::string_view key, std::string code, std::string rule) override;

private:
    void addDeps(std::vector<Entry>& entries);

    config::IssueCollector& m_issues;
    const config::JsonNode& m_section;
    std::vector<config::KeySpec> m_keys;
    config::SectionReader m_reader;
};

/// Variables `HEALTH_…`.
class EnvironmentSource final : public SettingSource {
public:
    explicit EnvironmentSource(const Environment& environment) : m_environment(environment) {}

    std::optional<bool> flag(std::string_view key) override;
    std::optional<double> number(std::string_view key) override;
    std::optional<std::string> text(std::string_view key) override;
    std::vector<Entry> dependencies() override;
    void fail(std::string_view key, std::string code, std::string rule) override;

    [[nodiscard]] const std::vector<std::string>& errors() const { return m_errors; }
    /// One sentence for each variable that stands for no setting.
    [[nodiscard]] std::vector<std::string> strangers() const;

private:
    const Environment& m_environment;
    std::vector<std::string> m_errors;
};

/// Keys of the section besides `dep_<name>`.
[[nodiscard]] std::vector<std::string> settingKeys();

} // namespace weir::worker
