// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QSettings>
#include <QTemporaryDir>
#include <QTimer>
#include <functional>
#include <memory>

namespace weir::ui {

/// Where the console keeps how it looks, per profile. Written one second after a change, not only at the end. A demo has a store of its
/// own that goes with the window.
class ShellSettings : public QObject {
    Q_OBJECT

public:
    static constexpr int kWriteAfterMs = 1000;
    static constexpr int kVersion = 1;

    /// `file`: an ini file in place of the user's settings; empty: the user's.
    ShellSettings(const QString& profile, bool demo, const QString& file, QObject* parent);
    ~ShellSettings() override;

    /// Called to fill the store before it is written.
    void setWriter(std::function<void(QSettings&)> writer) { m_writer = std::move(writer); }
    [[nodiscard]] QSettings& store() { return *m_store; }
    void touch();
    void writeNow();

private:
    std::unique_ptr<QTemporaryDir> m_demoDir;
    std::unique_ptr<QSettings> m_store;
    std::function<void(QSettings&)> m_writer;
    QTimer m_timer;
};

} // namespace weir::ui
