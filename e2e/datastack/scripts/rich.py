"""A table and styled text on a console of known width."""

from rich.console import Console
from rich.table import Table

table = Table("city", "people")
table.add_row("[bold]Zürich[/]", "443,037")
console = Console(width=30, color_system=None)
console.print(table)
console.print("[red]done[/] :tada:", end="\n")

# prints:
# ┏━━━━━━━━┳━━━━━━━━━┓
# ┃ city   ┃ people  ┃
# ┡━━━━━━━━╇━━━━━━━━━┩
# │ Zürich │ 443,037 │
# └────────┴─────────┘
# done 🎉
