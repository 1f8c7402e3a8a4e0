// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/ReportDialog.h"

#include "ui/live/AlarmWords.h"
#include "ui/widgets/Theme.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSaveFile>
#include <QSignalBlocker>
#include <QStandardPaths>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextTable>
#include <QVBoxLayout>

namespace weir::ui {

namespace {

// The report is in English; so is what stands before it.
const QString kDemoLine = QStringLiteral("**DEMO**: a simulated fleet; nothing of this happened.\n\n");

constexpr int kDocumentMargin = 12;
constexpr int kCellPadding = 4;

// Markdown knows no looks: headings of the console's sizes, tables of single lines.
void applyLook(QTextDocument& document, const QFont& body, const QColor& line)
{
    document.setDocumentMargin(kDocumentMargin);
    QTextCursor cursor(&document);
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        const int level = block.blockFormat().headingLevel();
        if (level > 0) {
            cursor.setPosition(block.position());
            cursor.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
            QTextCharFormat look = cursor.charFormat();
            look.clearProperty(QTextFormat::FontSizeAdjustment); // it would have the last word on the size
            look.setFont(scaledFont(body, level == 1 ? TextSize::Value : TextSize::Headline, true));
            cursor.setCharFormat(look);
            QTextBlockFormat room;
            room.setTopMargin(level == 1 ? 4 : 12);
            room.setBottomMargin(4);
            cursor.mergeBlockFormat(room);
        }
    }
    const auto frames = document.rootFrame()->childFrames();
    for (QTextFrame* frame : frames) {
        if (auto* table = qobject_cast<QTextTable*>(frame)) {
            QTextTableFormat format = table->format();
            format.setBorderCollapse(true);
            format.setCellSpacing(0);
            format.setCellPadding(kCellPadding);
            format.setBorder(1);
            format.setBorderBrush(line);
            table->setFormat(format);
        }
    }
}

} // namespace

ReportDialog::ReportDialog(ControlPlaneClient& client, bool demo, const QString& folder, QWidget* parent)
    : QDialog(parent)
    , m_client(client)
    , m_demo(demo)
    , m_folder(folder.isEmpty() ? QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation) : folder)
    , m_caption(new QLabel(this))
    , m_incident(new QComboBox(this))
    , m_preview(new QTextBrowser(this))
    , m_result(new QLabel(this))
    , m_save(new QPushButton(this))
    , m_copy(new QPushButton(this))
    , m_close(new QPushButton(this))
{
    setObjectName(QStringLiteral("report.dialog"));
    m_chooser = [this](const QString& suggested) {
        return QFileDialog::getSaveFileName(this, windowTitle(), suggested, tr("Markdown (*.md);;All files (*)"));
    };
    build();
    retranslate();
    showProblem(tr("Asking the control plane for its incidents…"));
    m_client.fetchIncidents(
        kIncidents, this, [this](const tl::expected<QList<IncidentRow>, ClientError>& answer) { takeIncidents(answer); });
}

void ReportDialog::build()
{
    resize(820, 600);
    m_incident->setObjectName(QStringLiteral("report.incident"));
    m_preview->setObjectName(QStringLiteral("report.preview"));
    m_result->setObjectName(QStringLiteral("report.result"));
    m_save->setObjectName(QStringLiteral("report.save"));
    m_copy->setObjectName(QStringLiteral("report.copy"));
    m_close->setObjectName(QStringLiteral("report.close"));
    m_caption->setBuddy(m_incident);
    m_incident->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_incident->setMinimumContentsLength(30);
    m_preview->setOpenLinks(false);
    m_result->setWordWrap(true);
    m_close->setDefault(true);
    for (QPushButton* button : {m_save, m_copy}) {
        button->setAutoDefault(false);
    }
    auto* head = new QHBoxLayout;
    head->setSpacing(metrics::kGap);
    head->addWidget(m_caption);
    head->addWidget(m_incident, 1);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(metrics::kGap);
    buttons->addWidget(m_result, 1);
    buttons->addWidget(m_save);
    buttons->addWidget(m_copy);
    buttons->addWidget(m_close);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 12);
    layout->setSpacing(12);
    layout->addLayout(head);
    layout->addWidget(m_preview, 1);
    layout->addLayout(buttons);
    connect(m_incident, &QComboBox::currentIndexChanged, this, &ReportDialog::fetchReport);
    connect(m_save, &QPushButton::clicked, this, &ReportDialog::save);
    connect(m_copy, &QPushButton::clicked, this, &ReportDialog::copy);
    connect(m_close, &QPushButton::clicked, this, &QDialog::reject);
}

void ReportDialog::choose(qint64 incident)
{
    m_wanted = incident;
    const int at = incident == 0 ? 0 : m_incident->findData(incident);
    if (at >= 0 && at < m_incident->count()) {
        m_incident->setCurrentIndex(at);
    }
}

qint64 ReportDialog::chosen() const
{
    return m_incident->currentData().toLongLong();
}

void ReportDialog::takeIncidents(const tl::expected<QList<IncidentRow>, ClientError>& answer)
{
    if (!answer.has_value()) {
        showProblem(answer.error().message);
        return;
    }
    if (answer->isEmpty()) {
        showProblem(tr("There is no incident yet. One opens when a node goes out or an app is refused."));
        return;
    }
    {
        const QSignalBlocker quiet(m_incident);
        for (const IncidentRow& row : *answer) {
            m_incident->addItem(AlarmWords::incident(row), row.number);
            m_incident->setItemData(m_incident->count() - 1, row.headline, Qt::ToolTipRole);
        }
        m_incident->setCurrentIndex(qMax(0, m_incident->findData(m_wanted)));
    }
    m_incident->setEnabled(answer->size() > 1);
    fetchReport();
}

void ReportDialog::fetchReport()
{
    m_asked = chosen();
    m_incident->setToolTip(m_incident->currentText());
    m_client.fetchReport(m_asked, this, [this, asked = m_asked](const tl::expected<QString, ClientError>& answer) {
        if (asked != m_asked) {
            return; // another one was chosen meanwhile
        }
        if (answer.has_value()) {
            showText(m_demo ? kDemoLine + *answer : *answer);
        } else {
            showProblem(answer.error().message);
        }
    });
}

void ReportDialog::showText(const QString& markdown)
{
    m_markdown = markdown;
    m_preview->setMarkdown(markdown);
    applyLook(*m_preview->document(), font(), palette().color(QPalette::Mid));
    m_result->setText({});
    for (QPushButton* button : {m_save, m_copy}) {
        button->setEnabled(true);
        button->setToolTip({});
    }
}

void ReportDialog::showProblem(const QString& sentence)
{
    m_markdown.clear();
    m_preview->setPlainText(sentence);
    for (QPushButton* button : {m_save, m_copy}) {
        button->setEnabled(false);
        button->setToolTip(sentence);
    }
}

void ReportDialog::save()
{
    const QString name = QStringLiteral("%1incident-%2.md").arg(m_demo ? QStringLiteral("DEMO-") : QString()).arg(m_asked);
    const QString path = m_chooser(QDir(m_folder).filePath(name));
    if (path.isEmpty()) {
        return;
    }
    QSaveFile file(path);
    const QByteArray text = m_markdown.toUtf8();
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size() || !file.commit()) {
        m_result->setText(tr("Not saved to %1: %2").arg(QDir::toNativeSeparators(path), file.errorString()));
        return;
    }
    m_folder = QFileInfo(path).absolutePath();
    const QString sentence = tr("Report of incident %1 saved to %2.").arg(QString::number(m_asked), QDir::toNativeSeparators(path));
    m_result->setText(sentence);
    emit taken(sentence);
}

void ReportDialog::copy()
{
    QApplication::clipboard()->setText(m_markdown);
    const QString sentence = tr("Report of incident %1 copied.").arg(m_asked);
    m_result->setText(sentence);
    emit taken(sentence);
}

void ReportDialog::retranslate()
{
    setWindowTitle(m_demo ? QStringLiteral("DEMO – ") + tr("Export report") : tr("Export report"));
    m_caption->setText(tr("&Incident"));
    m_incident->setAccessibleName(tr("Incident"));
    m_preview->setAccessibleName(tr("Report, as it will be saved"));
    m_save->setText(tr("&Save as…"));
    m_copy->setText(tr("&Copy as Markdown"));
    m_close->setText(tr("Close"));
    for (QPushButton* button : {m_save, m_copy, m_close}) {
        button->setAccessibleName(QString(button->text()).remove(QLatin1Char('&')));
    }
}

void ReportDialog::changeEvent(QEvent* event)
{
    QDialog::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
    }
}

} // namespace weir::ui
