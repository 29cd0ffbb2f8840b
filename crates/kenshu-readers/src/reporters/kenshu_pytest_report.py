"""Writes what pytest saw, one JSON object a line, to the file named by KENSHU_PYTEST_REPORT.

It changes no result. Besides the reports it notes the tests whose call raised although their report says passed
(a conftest that rewrites outcomes), which no report format shows.
"""

import io
import json
import os

import pytest

_PATH = os.environ.get("KENSHU_PYTEST_REPORT")


class _Recorder(object):
    def __init__(self, path):
        self.file = io.open(path, "a", encoding="utf-8")

    def write(self, **fields):
        line = json.dumps(fields, ensure_ascii=True)
        self.file.write(line if isinstance(line, type(u"")) else line.decode("ascii"))
        self.file.write(u"\n")
        self.file.flush()

    def pytest_collectreport(self, report):
        if report.failed:
            self.write(event="collect", id=report.nodeid, message=_first_line(report))

    def pytest_runtest_logreport(self, report):
        self.write(
            event="report",
            id=report.nodeid,
            when=report.when,
            outcome=report.outcome,
            xfail=hasattr(report, "wasxfail"),
            subtest=hasattr(report, "context"),
            raised=getattr(report, "kenshu_raised", False),
            message=_first_line(report) if report.failed else None,
        )

    def pytest_deselected(self, items):
        self.write(event="deselected", count=len(items))

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session, exitstatus):
        self.write(event="end", exit=int(exitstatus), collected=session.testscollected)


def _first_line(report):
    text = getattr(report, "longreprtext", "") or ""
    crash = getattr(getattr(report, "longrepr", None), "reprcrash", None)
    if crash is not None:
        text = crash.message
    return text.strip().split("\n")[0][:400]


def _outermost(**options):
    # pytest < 7 has no wrapper=True; hookwrapper has been there since 2.7.
    return pytest.hookimpl(hookwrapper=True, **options)


@_outermost(tryfirst=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    report = outcome.get_result()
    info = call.excinfo
    if info is None or report.outcome != "passed" or hasattr(report, "wasxfail"):
        return
    if not issubclass(info.type, pytest.skip.Exception):
        report.kenshu_raised = True


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config):
    # The workers of pytest-xdist send their reports to the process that started them; only that one writes.
    if _PATH and not hasattr(config, "workerinput"):
        recorder = _Recorder(_PATH)
        recorder.write(event="start", pytest=pytest.__version__)
        config.pluginmanager.register(recorder, "kenshu-recorder")
