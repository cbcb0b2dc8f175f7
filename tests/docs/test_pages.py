"""What the pages name exists: links, commands and their options, make targets, paths; and every query that they show runs."""

from __future__ import annotations

import re
import shlex
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
import pytest

from flows.command import run as nightly_flow
from pipeline.cli import main
from pipeline.lake.catalogue import statements
from pipeline.lake.manifest import State
from pipeline.lake.scan import connect
from tests.support.pages import ROOT, blocks, prose, text

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGES: Final = sorted(
    page.relative_to(ROOT).as_posix()
    for page in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("sample_data/*.md"), *ROOT.glob("bench/*.md"))
)
OURS: Final = re.compile(r"`((?:bench|docs|flows|pipeline|sample_data|sql|tests|\.ci)/[\w./-]*)`")
OTHERS: Final = {"--type", "--pool", "--all"}
"""Options of Prefect's own commands."""


@pytest.mark.parametrize("page", PAGES)
def test_each_relative_link_leads_somewhere(page: str) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        if target.startswith("http"):
            continue
        file, _, anchor = target.partition("#")
        there = ((ROOT / page).parent / file).resolve() if file else ROOT / page
        assert there.exists(), f"{page}: {target}"
        assert not anchor or anchor in anchors(there.relative_to(ROOT).as_posix()), f"{page}: {target}"


@pytest.mark.parametrize("page", PAGES)
def test_each_command_and_option_exists(page: str) -> None:
    for words in commands(page):
        if words[0] == "resettle":
            assert unknown(main, words[1:]) == [], f"{page}: {' '.join(words)}"
        elif words[0] == "make":
            assert set(words[1:2]) <= targets(), f"{page}: {' '.join(words)}"
    known = {option for command in (*leaves(main).values(), nightly_flow) for option in options(command)} | OTHERS
    assert set(re.findall(r"`(--[a-z-]+)", prose(page))) <= known, page


def test_each_command_stands_in_the_readme() -> None:
    named = set(re.findall(r"`resettle ([a-z ]+)`", text("README.md")))
    missing = [command for command in leaves(main) if command not in named and command.split()[0] not in named]
    assert missing == []


@pytest.mark.parametrize("page", PAGES)
def test_each_path_of_the_project_exists(page: str) -> None:
    for path in OURS.findall(prose(page)):
        assert (ROOT / path).exists(), f"{page}: {path}"


def test_each_query_that_a_page_shows_runs() -> None:
    queries = [(page, query) for page in PAGES for query in shown_queries(page)]
    assert len(queries) > 5
    with connect() as con:
        for statement in statements(Path("lake"), State(0, "", "", "", [], []), {}):
            con.execute(statement)
        for page, query in queries:
            unasked = dict.fromkeys(re.findall(r"\$(\w+)", query))
            assert con.sql(query, params=unasked).columns, page


def shown_queries(page: str) -> Iterator[str]:
    yield from (block for block in blocks(page, "sql") if not block.startswith("-- check:"))
    for words in commands(page):
        if words[:2] == ["resettle", "query"]:
            yield from (word for word in words[2:3] if word.startswith("SELECT "))


def commands(page: str) -> Iterator[list[str]]:
    """The commands of ours that stand in shell blocks, indented blocks and code within the text, as words."""
    lines = [line for block in blocks(page, "", "sh") for line in block.replace("\\\n", " ").splitlines()]
    lines += re.findall(r"^    ((?:\.venv/bin/)?resettle .*)$", prose(page), re.MULTILINE)
    lines += [code for code in re.findall(r"`([^`\n]+)`", prose(page)) if not code.endswith(("…", "...)"))]
    for line in lines:
        if re.match(r"\s*(\.venv/bin/)?(resettle|make) ", line):
            words = takewhile(lambda word: word not in {"|", "||", "&&"}, shlex.split(line, comments=True))
            yield [word.removeprefix(".venv/bin/") for word in words]


def unknown(command: click.Command, words: list[str]) -> list[str]:
    """The words that name no command or option of it."""
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        if words[0] not in command.commands:
            return words[:1]
        command, words = command.commands[words[0]], words[1:]
    return [word for word in words if re.match(r"--?[a-z]", word) and word.split("=")[0] not in options(command)]


def leaves(command: click.Command, path: str = "") -> dict[str, click.Command]:
    if not isinstance(command, click.Group):
        return {path: command}
    return {name: leaf for word, below in command.commands.items() for name, leaf in leaves(below, f"{path} {word}".strip()).items()}


def options(command: click.Command) -> set[str]:
    return {name for param in command.get_params(click.Context(command)) for name in (*param.opts, *param.secondary_opts)} | {"--help"}


@cache
def targets() -> frozenset[str]:
    return frozenset(re.findall(r"^([a-z]+):", text("Makefile"), re.MULTILINE))


@cache
def anchors(page: str) -> frozenset[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", prose(page), re.MULTILINE)
    return frozenset(re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings)
