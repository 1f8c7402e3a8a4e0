// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/live/FleetStore.h"

#include <QDialog>

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace weir::ui {

class PreviewTableModel;
class TableView;
class TextLabel;
class Theme;

/// Frame of the dialogs that change what apps resolve to: title, lead, a form, how the apps would stand, Cancel and the button that
/// acts. Cancel has the focus and is the default, so that Enter changes nothing; the other button names verb and object, and is off
/// while the change is not possible, with the reason beside it.
class AppDialog : public QDialog {
    Q_OBJECT

public:
    AppDialog(FleetStore& store, const Theme& theme, const QString& name, QWidget* parent);

    [[nodiscard]] const PreviewTableModel& preview() const { return *m_preview; }

protected:
    /// What the form asks for now; previewed with previewBinding.
    struct Question {
        QString app;
        QString pool;
        bool allowFallback = false;
        friend bool operator==(const Question&, const Question&) = default;
    };

    /// The form's place, between lead and table.
    [[nodiscard]] QVBoxLayout& form() { return *m_form; }
    void setTexts(const QString& title, const QString& lead, const QString& confirm);
    /// What the table is to show; asked at once and again whenever the fleet changes.
    void ask(const QList<Question>& questions);
    /// Reads the form again: texts, question, reason.
    virtual void refresh() = 0;
    /// Why the change is not possible as the form stands; empty where it is.
    [[nodiscard]] virtual QString obstacle() const = 0;
    void updateConfirm();
    [[nodiscard]] FleetStore& store() const { return m_store; }

private:
    void buildTable(const Theme& theme);
    void askNow();
    void takeAnswer(int round, qsizetype question, const tl::expected<BindingPreview, ClientError>& answer);

    FleetStore& m_store;
    TextLabel* m_title;
    TextLabel* m_lead;
    QVBoxLayout* m_form;
    PreviewTableModel* m_preview;
    TableView* m_table;
    TextLabel* m_note;
    QPushButton* m_cancel;
    QPushButton* m_confirm;
    QList<Question> m_questions;
    QList<QList<AppImpactRow>> m_answers; ///< of the round under way, by question
    QString m_refusal;
    int m_round = 0;
    qsizetype m_open = 0;
};

} // namespace weir::ui
