"""A headless Chromium, spoken to over its DevTools protocol: what a page shows, asks for and complains of."""

from __future__ import annotations

import json
import shutil
import subprocess
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Self
from urllib.request import urlopen

from websockets.sync.client import connect

if TYPE_CHECKING:
    from types import TracebackType

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
WHY_NOT = "no Chromium on this machine: apt-get install chromium"

FAINT = """(() => {
  const channels = colour => colour.match(/[\\d.]+/g).map(Number);
  const bright = ([r, g, b]) => [r, g, b].map(c => c / 255).map(c => c <= .03928 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4)
    .reduce((sum, c, i) => sum + c * [.2126, .7152, .0722][i], 0);
  const behind = node => { for (; node; node = node.parentElement) {
    const c = channels(getComputedStyle(node).backgroundColor); if (c.length < 4 || c[3] > 0) return c; } return [255, 255, 255]; };
  const opacity = node => { let all = 1; for (; node; node = node.parentElement) all *= getComputedStyle(node).opacity; return all; };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [];
  while (texts.nextNode()) {
    const node = texts.currentNode.parentElement;
    if (!texts.currentNode.data.trim() || node.closest("figure svg, title, .mark")) continue;
    const style = getComputedStyle(node), paper = behind(node), part = opacity(node);
    const ink = channels(node.closest("svg") ? style.fill : style.color).map((c, i) => part * c + (1 - part) * paper[i]);
    const [a, b] = [ink, paper].map(bright).sort((x, y) => y - x);
    if ((a + .05) / (b + .05) < 4.5) found.push(node.outerHTML.slice(0, 80));
  }
  return found;
})()"""
"""Contrast by WCAG 2.1 of every text that stands on the page, with the colour behind it: those that are too faint. Charts are left out."""

OPENED = "[...document.querySelectorAll('details > :not(summary)')].every(one => one.checkVisibility())"
"""Whether everything that can be folded up is shown."""

_PATIENCE = 120
"""Seconds: a busy machine starts a browser slowly."""
_KEYS = {"Tab": 9, "Enter": 13}


class Browser:
    """One page of a browser of its own, without a profile.

    Attributes:
        problems: console errors and warnings, exceptions, dialogues and refused loads, as told.
        requests: every address that the page asked for.
    """

    def __init__(self) -> None:
        self.problems: list[str] = []
        self.requests: list[str] = []
        self._loaded = 0
        self._number = 0

    def __enter__(self) -> Self:
        self._folder = TemporaryDirectory(ignore_cleanup_errors=True)
        switches = ("--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--remote-debugging-port=0", "about:blank")
        self._process = subprocess.Popen(  # noqa: S603
            [str(CHROMIUM), *switches[:-1], f"--user-data-dir={self._folder.name}", switches[-1]],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        port = self._port()
        pages: list[dict[str, str]] = []
        until = time.monotonic() + _PATIENCE
        while not pages and time.monotonic() < until:
            with urlopen(f"http://127.0.0.1:{port}/json", timeout=_PATIENCE) as told:
                pages = [page for page in json.load(told) if page["type"] == "page"]
        self._line = connect(pages[0]["webSocketDebuggerUrl"], max_size=None, open_timeout=_PATIENCE)
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._line.close()
        self._process.terminate()
        self._process.wait(_PATIENCE)
        self._folder.cleanup()

    def open(self, page: Path) -> None:
        """Load a page from the disk, and wait for it."""
        self.problems.clear()
        self.requests.clear()
        before = self._loaded
        self.call("Page.navigate", url=page.resolve().as_uri())
        while self._loaded == before:
            self._hear()

    def evaluate(self, script: str) -> Any:
        """What a piece of JavaScript in the page gives."""
        told = self.call("Runtime.evaluate", expression=script, returnByValue=True)
        assert "exceptionDetails" not in told, told["exceptionDetails"]
        return told["result"].get("value")

    def press(self, key: str) -> None:
        """Press a key, and let go of it."""
        text = {"text": "\r"} if key == "Enter" else {}
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=_KEYS[key], **text)

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Call a method of the DevTools protocol."""
        self._number += 1
        self._line.send(json.dumps({"id": self._number, "method": method, "params": parameters}))
        while True:
            told = self._hear()
            if told.get("id") == self._number:
                assert "error" not in told, told["error"]
                result: dict[str, Any] = told["result"]
                return result

    def _hear(self) -> dict[str, Any]:
        told: dict[str, Any] = json.loads(self._line.recv(timeout=_PATIENCE))
        of = told.get("params", {})
        match told.get("method"):
            case "Page.loadEventFired":
                self._loaded += 1
            case "Network.requestWillBeSent":
                self.requests.append(of["request"]["url"])
            case "Log.entryAdded":
                self.problems.append(f"{of['entry']['level']}: {of['entry']['text']}")
            case "Runtime.consoleAPICalled" | "Runtime.exceptionThrown" | "Page.javascriptDialogOpening":
                self.problems.append(json.dumps(of))
        return told

    def _port(self) -> int:
        told = Path(self._folder.name) / "DevToolsActivePort"
        until = time.monotonic() + _PATIENCE
        while time.monotonic() < until:
            if told.exists() and (lines := told.read_text().split()):
                return int(lines[0])
            time.sleep(0.05)
        raise TimeoutError("the browser did not start")
