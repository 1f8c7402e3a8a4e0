// SPDX-License-Identifier: GPL-3.0-or-later
// The cases of tests/data/own-condition-*.json, and of reference-condition-*.json in the folder that WEIR_REFERENCE_VECTORS names.
// A case's field "weir" says where we differ on purpose.
#include "core/routing/condition/Condition.h"
#include "core/routing/condition/ConditionTime.h"
#include "core/routing/condition/Parser.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <vector>

using namespace weir;
using namespace weir::routing;

Q_DECLARE_METATYPE(QJsonObject)

namespace {

constexpr auto kReferenceFolder = "WEIR_REFERENCE_VECTORS";

QJsonArray casesOf(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        return {};
    }
    return QJsonDocument::fromJson(file.readAll()).object().value(QLatin1String("cases")).toArray();
}

QString ownPath(const char* kind)
{
    return QStringLiteral(WEIR_SOURCE_DIR "/tests/data/own-condition-%1.json").arg(QLatin1String(kind));
}

QString referencePath(const char* kind)
{
    return QDir(qEnvironmentVariable(kReferenceFolder)).filePath(QStringLiteral("reference-condition-%1.json").arg(QLatin1String(kind)));
}

std::string text(const QJsonValue& value)
{
    return value.toString().toStdString();
}

// The shape of the vectors: binary operators grouped from the left.
QJsonValue shapeOf(const SyntaxNode& node)
{
    switch (node.kind) {
    case SyntaxNode::Kind::Name:
        return QString::fromStdString(node.name);
    case SyntaxNode::Kind::Not:
        return QJsonArray{QStringLiteral("!"), shapeOf(node.children.front())};
    case SyntaxNode::Kind::Call: {
        QJsonArray call{QStringLiteral("call"), QString::fromStdString(node.name)};
        for (const Literal& argument : node.arguments) {
            call.append(QString::fromStdString(argument.text));
        }
        return call;
    }
    case SyntaxNode::Kind::And:
    case SyntaxNode::Kind::Or: {
        const QString sign = node.kind == SyntaxNode::Kind::And ? QStringLiteral("&&") : QStringLiteral("||");
        QJsonValue shape = shapeOf(node.children.front());
        for (std::size_t i = 1; i < node.children.size(); ++i) {
            shape = QJsonArray{sign, shape, shapeOf(node.children[i])};
        }
        return shape;
    }
    case SyntaxNode::Kind::Broken:
        break;
    }
    return {};
}

QString placeText(const ConditionIssue& issue)
{
    return QStringLiteral("%1:%2").arg(issue.place.line).arg(issue.place.column);
}

/// A request of the vectors with all that its views point into.
struct VectorExchange {
    std::string method, target, path, scratch, host, protocol, serverName, clientCa, hostTag, body;
    std::vector<std::pair<std::string, std::string>> headers, responseHeaders;
    Context context;
    RequestView request;
    ResponseView response;
    bool hasResponse = false;

    explicit VectorExchange(const QJsonObject& fields, const QJsonObject& vector);
    [[nodiscard]] Exchange view() const { return {&request, hasResponse ? &response : nullptr}; }
};

std::string trimmed(const QJsonValue& value)
{
    return value.toString().trimmed().toStdString();
}

std::optional<IpAddress> addressOf(const QJsonValue& value)
{
    return value.isUndefined() ? std::nullopt : IpAddress::parse(text(value));
}

VectorExchange::VectorExchange(const QJsonObject& fields, const QJsonObject& vector)
{
    const auto field = [&fields](const char* name, const char* fallback) {
        return text(fields.value(QLatin1String(name)).toString(QString::fromLatin1(fallback)));
    };
    method = field("method", "GET");
    target = field("target", "/");
    protocol = field("session_proto", "");
    serverName = field("sni", "");
    clientCa = field("client_ca", "");
    hostTag = field("host_tag", "");
    body = field("body", "");
    const TargetParts parts = splitTarget(target, scratch);
    host = parts.authority.empty() ? field("host", "example.org") : std::string(parts.authority);
    for (const QJsonValue pair : fields.value(QLatin1String("headers")).toArray()) {
        // The clock of a case, unless it is about that header having no say.
        if (text(pair[0]) == "X-Bfe-Debug-Time") {
            const auto time = parseDateTime(text(pair[1]));
            request.time = std::chrono::sys_seconds(std::chrono::seconds(time.value_or(0)));
            continue;
        }
        headers.emplace_back(text(pair[0]), trimmed(pair[1]));
    }
    const QJsonObject values = fields.value(QLatin1String("context")).toObject();
    for (auto it = values.begin(); it != values.end(); ++it) {
        context.set(it.key().toStdString(), text(it.value()));
    }
    const QJsonObject tags = fields.value(QLatin1String("tags")).toObject();
    for (auto it = tags.begin(); it != tags.end(); ++it) {
        for (const QJsonValue tag : it.value().toArray()) {
            context.addTag(it.key().toStdString(), text(tag));
        }
    }
    if (!fields.value(QLatin1String("headers")).isArray() && vector.value(QLatin1String("group")) == QLatin1String("time")) {
        request.time = std::chrono::sys_seconds(std::chrono::seconds(1700000000));
    }
    request.method = method;
    request.target = target;
    request.path = parts.path;
    request.query = parts.query;
    request.host = host;
    request.headers = HeaderFields(headers);
    request.client = addressOf(fields.value(QLatin1String("client_ip")));
    request.peer = addressOf(fields.value(QLatin1String("remote_ip")));
    request.vip = addressOf(fields.value(QLatin1String("vip")));
    request.isTrusted = fields.value(QLatin1String("trusted")).toBool();
    request.tls = {fields.value(QLatin1String("secure")).toBool(), protocol, serverName,
        fields.value(QLatin1String("client_auth")).toBool(), clientCa};
    request.hostTag = hostTag;
    request.context = &context;
    request.body = body;
    const QJsonObject answer = fields.value(QLatin1String("response")).toObject();
    hasResponse = !answer.isEmpty();
    response.status = answer.value(QLatin1String("status")).toInt();
    for (const QJsonValue pair : answer.value(QLatin1String("headers")).toArray()) {
        responseHeaders.emplace_back(text(pair[0]), trimmed(pair[1]));
    }
    response.headers = HeaderFields(responseHeaders);
}

} // namespace

class TestConditionVectors : public QObject {
    Q_OBJECT

private slots:
    void parse_data();
    void parse();
    void errors_data() { rows("errors"); }
    void errors();
    void eval_data() { rows("eval"); }
    void eval();

private:
    static void rows(const char* kind);
};

void TestConditionVectors::rows(const char* kind)
{
    QTest::addColumn<QJsonObject>("vector");
    const QJsonArray own = casesOf(ownPath(kind));
    QVERIFY(own.size() > 30);
    for (const QJsonValue vector : own) {
        QTest::newRow(qPrintable(vector[QLatin1String("id")].toString())) << vector.toObject();
    }
    if (qEnvironmentVariableIsEmpty(kReferenceFolder)) {
        return;
    }
    const QJsonArray reference = casesOf(referencePath(kind));
    QVERIFY2(!reference.isEmpty(), qPrintable(referencePath(kind)));
    for (const QJsonValue vector : reference) {
        QTest::newRow(qPrintable(vector[QLatin1String("id")].toString() + QLatin1String(" (reference)"))) << vector.toObject();
    }
}

void TestConditionVectors::parse_data()
{
    QTest::addColumn<QJsonObject>("vector");
    const QJsonArray cases = casesOf(ownPath("parse"));
    QVERIFY(cases.size() > 30);
    for (const QJsonValue vector : cases) {
        QTest::newRow(qPrintable(vector[QLatin1String("text")].toString())) << vector.toObject();
    }
}

void TestConditionVectors::parse()
{
    QFETCH(QJsonObject, vector);
    const std::string condition = text(vector.value(QLatin1String("text")));
    const ParsedCondition parsed = parseCondition(condition, Dialect::Imported);
    if (!vector.contains(QLatin1String("error"))) {
        QVERIFY2(parsed.errors.empty(), toText(parsed.errors).c_str());
        QCOMPARE(shapeOf(parsed.root), vector.value(QLatin1String("shape")));
        return;
    }
    // Faults of calls come with compiling; it would also name each bare name of a text that cannot be read.
    const auto compiled = Condition::compile(condition, Dialect::Imported);
    QVERIFY(!compiled);
    const ConditionIssue& first = parsed.errors.empty() ? compiled.error().front() : parsed.errors.front();
    const QString expected = vector.value(QLatin1String("error")).toString();
    if (first.code == "keyword") {
        QVERIFY(expected.contains(QLatin1String("keyword"))); // there the place is behind the word, here before it
        return;
    }
    QCOMPARE(placeText(first), expected.section(QLatin1Char(' '), 0, 0));
}

void TestConditionVectors::errors()
{
    QFETCH(QJsonObject, vector);
    const auto compiled = Condition::compile(text(vector.value(QLatin1String("cond"))), Dialect::Imported);
    QVERIFY(!compiled);
    const ConditionIssues& issues = compiled.error();
    const std::string expected = text(vector.value(QLatin1String("error_class")));
    // The reference reports the first fault of its first failing stage; we report all, by place.
    const auto found = std::find_if(issues.begin(), issues.end(), [&](const ConditionIssue& issue) { return issue.code == expected; });
    QVERIFY2(found != issues.end(), toText(issues).c_str());
    if (vector.value(QLatin1String("group")) == QLatin1String("error")) {
        QVERIFY(!found->message.empty());
    }
    const QString reference = vector.value(QLatin1String("bfe_error")).toString();
    const QStringList classes{QStringLiteral("syntax"), QStringLiteral("token"), QStringLiteral("unknown_primitive"),
        QStringLiteral("arity"), QStringLiteral("arg_type"), QStringLiteral("unterminated")};
    if (classes.contains(QString::fromStdString(expected)) && reference.contains(QLatin1Char(':'))) {
        QCOMPARE(placeText(*found), reference.section(QLatin1Char(' '), 0, 0));
    }
    if (expected == "unresolved_variable") {
        QCOMPARE(QString::number(found->place.column), reference.section(QLatin1Char(' '), -1));
    }
}

void TestConditionVectors::eval()
{
    QFETCH(QJsonObject, vector);
    const std::string condition = text(vector.value(QLatin1String("cond")));
    const QString note = vector.value(QLatin1String("weir")).toString();
    bool expected = vector.value(QLatin1String("expect")).toBool();
    const bool importedOnly = note.startsWith(QLatin1String("imported files only"));
    if (note.startsWith(QLatin1String("differs: without a port")) || note.startsWith(QLatin1String("differs: a bracketed"))) {
        expected = !expected;
    } else if (note.startsWith(QLatin1String("differs: no header sets the clock"))) {
        expected = false; // of a case in 2019, evaluated now
    } else if (!importedOnly && !note.startsWith(QLatin1String("the header is the test's clock"))) {
        QCOMPARE(note, QString());
    }
    QCOMPARE(!Condition::compile(condition), importedOnly);
    ConditionIssues warnings;
    const auto compiled = Condition::compile(condition, Dialect::Imported, &warnings);
    QVERIFY2(compiled, compiled ? "" : toText(compiled.error()).c_str());
    QCOMPARE(!warnings.empty(), importedOnly);

    VectorExchange exchange(vector.value(QLatin1String("request")).toObject(), vector);
    if (note.startsWith(QLatin1String("differs: no header sets the clock"))) {
        exchange.request.time = std::chrono::sys_seconds(std::chrono::seconds(1700000000));
    }
    QCOMPARE(compiled->matches(exchange.view()), expected);
    QCOMPARE(compiled->trace(exchange.view()).value == ConditionTrace::Value::True, expected);
}

QTEST_GUILESS_MAIN(TestConditionVectors)
#include "TestConditionVectors.moc"
