"""Takes a page apart: selectors, a table, text and broken markup."""

from bs4 import BeautifulSoup

page = """<html><body><h1>Prices &amp; more</h1>
<table id=t><tr><th>what<th>eur<tr><td>tea<td>2.50<tr><td>cake<td>3.75</table>
<p class="note x">see <a href="/all?a=1&amp;b=2">all</a>"""
soup = BeautifulSoup(page, "html.parser")
print(soup.h1.get_text())
cells = [cell.find(string=True, recursive=False).strip() for cell in soup.select("#t td")]
print(dict(zip(cells[::2], map(float, cells[1::2]))))
print(soup.select_one("p.note a[href]")["href"], soup.p["class"])

# prints:
# Prices & more
# {'tea': 2.5, 'cake': 3.75}
# /all?a=1&b=2 ['note', 'x']
