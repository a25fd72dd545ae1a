// Tables inside .ledger: a click on a heading sorts, a box filters, a list chooses a verdict. No library, no request.
const GOOD = ["reproduced", "holds", "consistent", "yes"];
const MIDDLE = ["partly", "inconclusive", "unclear", "no power"];
const BAD = ["not reproduced", "fails", "growth exceeds the bound", "above the bound"];

const words = (cell) => cell.textContent.trim();
const number = (text) => parseFloat(text.replace(/,/g, ""));

function compare(a, b) {
  const [x, y] = [number(a), number(b)];
  if (Number.isNaN(x) || Number.isNaN(y)) return a.localeCompare(b, undefined, { numeric: true });
  return x - y;
}

function sortBy(table, column, heading) {
  const falls = heading.getAttribute("aria-sort") === "ascending";
  table.querySelectorAll("th").forEach((th) => th.removeAttribute("aria-sort"));
  heading.setAttribute("aria-sort", falls ? "descending" : "ascending");
  const body = table.tBodies[0];
  const rows = [...body.rows].sort((a, b) => compare(words(a.cells[column]), words(b.cells[column])));
  body.append(...(falls ? rows.reverse() : rows));
}

function colour(row, column) {
  const cell = row.cells[column];
  const word = words(cell);
  if (GOOD.includes(word)) cell.classList.add("good");
  if (MIDDLE.includes(word)) cell.classList.add("middle");
  if (BAD.includes(word)) cell.classList.add("bad");
}

function tools(table, verdict) {
  const bar = document.createElement("div");
  bar.className = "ledger-tools";
  const box = Object.assign(document.createElement("input"), { type: "search", placeholder: "filter rows" });
  box.setAttribute("aria-label", "filter rows");
  const list = document.createElement("select");
  list.setAttribute("aria-label", "verdict");
  const shown = document.createElement("span");
  const rows = [...table.tBodies[0].rows];
  if (verdict >= 0) {
    const found = [...new Set(rows.map((row) => words(row.cells[verdict])))].sort();
    list.append(new Option("all verdicts", ""), ...found.map((word) => new Option(word)));
  }
  const filter = () => {
    const text = box.value.toLowerCase();
    for (const row of rows) {
      const fits = row.textContent.toLowerCase().includes(text);
      row.hidden = !fits || (list.value !== "" && words(row.cells[verdict]) !== list.value);
    }
    shown.textContent = `${rows.filter((row) => !row.hidden).length} of ${rows.length} rows`;
  };
  box.addEventListener("input", filter);
  list.addEventListener("change", filter);
  bar.append(box, ...(verdict >= 0 ? [list] : []), shown);
  filter();
  return bar;
}

for (const table of document.querySelectorAll(".ledger table")) {
  const headings = [...table.tHead.rows[0].cells];
  const verdict = headings.findIndex((th) => words(th) === "verdict");
  headings.forEach((th, column) => {
    th.tabIndex = 0;
    th.addEventListener("click", () => sortBy(table, column, th));
    th.addEventListener("keydown", (event) => event.key === "Enter" && sortBy(table, column, th));
  });
  if (verdict >= 0) for (const row of table.tBodies[0].rows) colour(row, verdict);
  const frame = table.closest(".pst-scrollable-table-container") ?? table;
  frame.before(tools(table, verdict));
}
