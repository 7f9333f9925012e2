"""Percentiles of measurements, and helpers for SVG pictures."""

import math
from xml.sax.saxutils import escape


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[max(0, min(len(values) - 1, math.ceil(len(values) * share) - 1))]


def svg(width: float, height: float, parts: list[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="white"/>'
        + "".join(parts) + "</svg>\n"
    )  # fmt: skip


def label(x: float, y: float, words: str, **attributes: str) -> str:
    more = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in attributes.items())
    return f'<text x="{x:.1f}" y="{y:.1f}"{more}>{escape(words)}</text>'
