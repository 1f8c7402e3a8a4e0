// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/client/ControlPlaneClient.h"

#include <QDialog>

class QComboBox;
class QLabel;
class QPushButton;
class QTextBrowser;

namespace weir::ui {

/// The report of an incident, as it will be saved: choose the incident, read, save or copy. A report of the demo starts with DEMO.
class ReportDialog : public QDialog {
    Q_OBJECT

public:
    static constexpr int kIncidents = 100;
    using FileChooser = std::function<QString(const QString& suggested)>;

    /// `folder`: where the last one was saved; empty: the documents of the user.
    ReportDialog(ControlPlaneClient& client, bool demo, const QString& folder, QWidget* parent);

    /// Goes to that incident once it is known; 0: the newest.
    void choose(qint64 incident);
    [[nodiscard]] const QString& folder() const { return m_folder; }
    /// In place of the system's dialog.
    void setFileChooser(FileChooser chooser) { m_chooser = std::move(chooser); }

signals:
    /// The report was saved or copied, in a sentence.
    void taken(const QString& sentence);

protected:
    void changeEvent(QEvent* event) override;

private:
    void build();
    void takeIncidents(const tl::expected<QList<IncidentRow>, ClientError>& answer);
    void fetchReport();
    void showText(const QString& markdown);
    void showProblem(const QString& sentence);
    void save();
    void copy();
    void retranslate();
    [[nodiscard]] qint64 chosen() const;

    ControlPlaneClient& m_client;
    bool m_demo;
    QString m_folder;
    FileChooser m_chooser;
    qint64 m_wanted = 0;
    qint64 m_asked = 0; ///< whose report is on its way or shown
    QString m_markdown; ///< empty: none is shown
    QLabel* m_caption;
    QComboBox* m_incident;
    QTextBrowser* m_preview;
    QLabel* m_result;
    QPushButton* m_save;
    QPushButton* m_copy;
    QPushButton* m_close;
};

} // namespace weir::ui
