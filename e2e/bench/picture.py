"""The picture of the README: a few rows, the same four ways to run Python in each."""

from harness.figures import label

# The same order and colours in each row; both can be read on a light and on a dark page.
CONTESTANTS = {"this server": "#2da44e", "uv run": "#8957e5", "python": "#848d97", "previous": "#d9822b"}
OURS = ("native", "this")
ROWS = {"first": "from the start of the server to the first result", "hello": "print('hello')",
        "pandas": "pandas, describe a frame", "plot": "numpy and matplotlib, save a plot",
        "new_large_set": "first call of a new set: pandas, matplotlib", "next_calls": "the next two calls of the new set",
        "parallel": "16 hellos at once"}  # fmt: skip
WIDTH, LEFT, RIGHT, BAR = 760, 110, 70, 18
STYLE = "<style>text{fill:#1f2328}@media(prefers-color-scheme:dark){text{fill:#e6edf3}}</style>"


def picture(rows: dict) -> str:
    """Bars as long as the milliseconds; each row has a scale of its own."""
    y, parts = 18, [label(10, 18, "Milliseconds, median; shorter is better; each row has its own scale", font_weight="bold")]
    for row, title in ROWS.items():
        figures = {name: median(rows.get(row, {}), name) for name in CONTESTANTS}
        if not figures["this server"] or len([figure for figure in figures.values() if figure]) < 2:
            continue
        y += 28
        parts.append(label(10, y, title, font_weight="bold"))
        y += 6
        for name, figure in figures.items():
            if figure:
                length = max(2.0, figure / max(filter(None, figures.values())) * (WIDTH - LEFT - RIGHT))
                parts.append(label(LEFT - 8, y + 12, name, text_anchor="end"))
                parts.append(f'<rect x="{LEFT}" y="{y}" width="{length:.1f}" height="{BAR - 4}" fill="{CONTESTANTS[name]}"/>')
                parts.append(label(LEFT + length + 6, y + 12, f"{figure:.0f}"))
                y += BAR
    size = f'width="{WIDTH}" height="{y + 10}" viewBox="0 0 {WIDTH} {y + 10}"'
    return (f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="12">{STYLE}'
            + "".join(parts) + "</svg>\n")  # fmt: skip


def median(figures: dict, name: str) -> float | None:
    names = OURS if name == "this server" else (name,)
    return next((figures[each]["median_ms"] for each in names if each in figures), None)
