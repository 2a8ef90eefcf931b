"""A report in the making: parts with facts, pictures and tables, written as HTML and as Markdown."""

from __future__ import annotations

import base64
import html
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reluca.training import Name

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DPI = 130

_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:76em;margin:2em auto;padding:0 1em;color:#222}"
    "img{max-width:100%}table{border-collapse:collapse;font-size:14px;font-variant-numeric:tabular-nums;margin:1em 0}"
    "td,th{padding:.15em .7em;text-align:right;white-space:nowrap;border-bottom:1px solid #ddd}"
    "td:first-child,th:first-child{text-align:left}th{border-bottom:2px solid #999}figure{margin:1.5em 0}"
    "figcaption{color:#555}.table{overflow-x:auto}details{margin:1em 0}summary{cursor:pointer;color:#246}"
)


@dataclass(frozen=True)
class Picture:
    """A picture and the end of its file's name."""

    name: str
    caption: str
    figure: Figure


@dataclass(frozen=True)
class Table:
    """A table; a long one is folded away in HTML."""

    caption: str
    heading: Sequence[str]
    rows: Sequence[Sequence[str]]

    @property
    def is_long(self) -> bool:
        """Whether it would fill the page."""
        return len(self.rows) > 24


@dataclass(frozen=True)
class Part:
    """A part of a report."""

    title: str
    facts: Sequence[str] = ()
    pictures: Sequence[Picture] = ()
    tables: Sequence[Table] = ()


def provenance(settings: dict[str, Any]) -> str:
    """The settings of a measurement in one line."""
    return "; ".join(f"{name.replace('_', ' ')} {_plain(value)}" for name, value in settings.items())


def _plain(value: Any) -> str:
    """A setting without brackets."""
    if isinstance(value, dict):
        return ", ".join(f"{name.replace('_', ' ')} {_plain(part)}" for name, part in value.items())
    return " and ".join(map(_plain, value)) if isinstance(value, list) else str(value)


def write(directory: Name, name: str, title: str, parts: Sequence[Part]) -> None:
    """Writes `name.html`, `name.md` and the pictures `name-….png` into a directory."""
    folder = Path(directory)
    folder.mkdir(parents=True, exist_ok=True)
    for part in parts:
        for picture in part.pictures:
            picture.figure.savefig(folder / f"{name}-{picture.name}.png", dpi=DPI)
    markdown = "\n".join([f"# {title}", "", *(_markdown(part, name) for part in parts)])
    (folder / f"{name}.md").write_text(markdown, encoding="utf-8")
    body = "".join(_html(part, folder, name) for part in parts)
    head = f"<meta charset=utf-8><meta name=viewport content='width=device-width'><title>{html.escape(title)}</title>"
    page = f"<!doctype html><html lang=en>{head}<style>{_STYLE}</style><h1>{html.escape(title)}</h1>{body}\n"
    (folder / f"{name}.html").write_text(page, encoding="utf-8")


def _markdown(part: Part, name: str) -> str:
    lines = [f"## {part.title}", "", *(f"- {fact}" for fact in part.facts)]
    if part.facts:
        lines.append("")
    for picture in part.pictures:
        lines += [f"![{picture.caption}]({name}-{picture.name}.png)", "", f"*{picture.caption}*", ""]
    for table in filter(_has_rows, part.tables):
        rows = [table.heading, ["---"] * len(table.heading), *table.rows]
        lines += [f"{table.caption}:", "", *("| " + " | ".join(row) + " |" for row in rows), ""]
    return "\n".join(lines)


def _html(part: Part, folder: Path, name: str) -> str:
    found = [f"<h2>{html.escape(part.title)}</h2>"]
    if part.facts:
        found.append("<ul>" + "".join(f"<li>{html.escape(fact)}</li>" for fact in part.facts) + "</ul>")
    for picture in part.pictures:
        data = base64.b64encode((folder / f"{name}-{picture.name}.png").read_bytes()).decode("ascii")
        text = html.escape(picture.caption)
        image = f'<img alt="{text}" src="data:image/png;base64,{data}">'
        found.append(f"<figure>{image}<figcaption>{text}</figcaption></figure>")
    for table in filter(_has_rows, part.tables):
        rows = _html_row("th", table.heading) + "".join(_html_row("td", row) for row in table.rows)
        text = html.escape(table.caption)
        inside = f"<div class=table><table>{rows}</table></div>"
        if table.is_long:
            found.append(f"<details><summary>{text} ({len(table.rows)} rows)</summary>{inside}</details>")
        else:
            found.append(f"<p>{text}:</p>{inside}")
    return "".join(found)


def _has_rows(table: Table) -> bool:
    return bool(table.rows)


def _html_row(tag: str, cells: Sequence[str]) -> str:
    return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"
