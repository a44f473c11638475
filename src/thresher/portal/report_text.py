"""The report as plain text, for a terminal, mail or a feed."""

from collections.abc import Iterator

from markupsafe import Markup

from thresher.api.morning_report import MorningReport
from thresher.portal.messages import Messages
from thresher.portal.times import Times
from thresher.taxonomy.topic_tree import parsed


def summary(report: MorningReport, messages: Messages) -> str:
    """Return the report in a few sentences."""
    say = messages.say
    if not report.crawls and not report.new:
        return _plain(say("report.nothing"))
    told = [say("report.read", n=report.read, kept=report.kept), say("report.new", n=report.new)]
    if report.changed:
        told.append(say("report.changed", n=report.changed))
    if report.gone:
        told.append(say("report.gone", n=report.gone))
    if report.doubts:
        told.append(say("report.doubts", n=report.doubts))
    if report.running:
        told.append(say("report.running"))
    return " ".join(_plain(text) for text in told)


def report_lines(report: MorningReport, messages: Messages) -> Iterator[str]:
    """Yield the report line by line, with an empty line before every heading."""
    say, times = messages.say, Times(messages, report.until)
    yield summary(report, messages)
    if report.best:
        yield from _heading(say("report.best"))
        for page in report.best:
            yield f"  {parsed(page.topic)[-1]}: {page.title or page.url}"
            yield f"    {page.url}"
    if report.topics:
        yield from _heading(say("report.by_topic"))
        for news in report.topics:
            right = ""
            if news.right is not None:
                right = f"; {_plain(say('report.right_about', p=round(100 * news.right), s=round(100 * news.spread)))}"
            yield f"  {parsed(news.topic)[-1]}: {_plain(say('report.topic_new', n=news.new, total=news.total))}{right}"
    if report.doubtful:
        yield from _heading(say("report.doubtful"))
        for page in report.doubtful:
            yield f"  {page.title or page.url} ({parsed(page.topic)[-1]})"
            yield f"    {page.url}"
    if report.sites:
        yield from _heading(say("report.sites", n=report.new_sites))
        yield "  " + ", ".join(f"{host} ({number})" for host, number in report.sites)
    if report.failed or report.held:
        yield from _heading(say("report.failed"))
        for reason, number in report.failed:
            yield f"  {number:>6}  {_plain(say(f'why.{reason.value}'))}"
        for host in report.held:
            yield f"  {host.host}: {_plain(say(f'why.{host.closed.value}')) if host.closed else ''}"
    yield from _heading(say("report.next"))
    for plan in report.plans:
        yield f"  {times.clock(plan.due)}: {_plain(say(f'schedule.do_{plan.schedule.kind.value}'))}"
    if not report.plans:
        yield f"  {_plain(say('report.no_plan'))}"


def _heading(text: Markup) -> Iterator[str]:
    yield ""
    yield _plain(text)


def _plain(text: Markup) -> str:
    return str(text.striptags())
