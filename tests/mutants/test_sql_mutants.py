from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.mutants import mutants

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("a = 1", ["a <> 1", "a = 2"]),
        ("f(x := 1)", ["f(x := 2)"]),
        ("x -> y <> z", ["x -> y = z"]),
        ("a BETWEEN 1 AND 2", ["a BETWEEN 2 AND 2", "a BETWEEN 1 AND 3"]),
        ("a IS NULL AND NOT b", ["a IS NOT NULL AND NOT b", "a IS NULL OR NOT b", "a IS NULL AND b"]),
        ("LEFT JOIN t USING (k)", ["JOIN t USING (k)"]),
        ("coalesce(f(a, 'b'), c)", ["(f(a, 'b'))"]),
        ("CAST(a AS DECIMAL(18, 6)) -- = 1", []),
        ("'a = 1' || t1.b", []),
        ("a IS DISTINCT FROM b", ["a <> b"]),
    ],
)
def test_a_text_has_these_mutants_and_no_other(text: str, changed: list[str]) -> None:
    assert [one.text for one in mutants(text)] == changed


def test_each_file_of_the_engine_has_some() -> None:
    for path in (ROOT / "sql/settle").glob("*.sql"):
        text = path.read_text()
        assert all(one.text != text for one in mutants(text))
        assert any(True for _ in mutants(text)), path.name
