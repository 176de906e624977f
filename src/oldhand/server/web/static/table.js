// A table: sorts, filters and turns the pages of all rows; only one page of them is ever drawn.
import { checked } from "./api.js";
import { moment } from "./app.js";

const PAGE = 50;
const YEAR = /(^|_)(year|id|zip|postcode|code)$/i;
const order = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });
const text = (cell) => (cell === null ? "" : typeof cell === "object" ? cell.text : String(cell));

function said(cell, column) {
  if (typeof cell === "boolean") return cell ? "yes" : "no";
  if (typeof cell !== "number") return text(cell);
  if (Number.isInteger(cell)) return YEAR.test(column) ? String(cell) : cell.toLocaleString("en");
  if (Math.abs(cell) >= 1e15) return String(cell);
  const digits = Math.abs(cell) >= 1 ? { minimumFractionDigits: 2, maximumFractionDigits: 2 } : { maximumSignificantDigits: 4 };
  return cell.toLocaleString("en", digits);
}

export function drawCell(cell, column, numeric) {
  const td = document.createElement("td");
  if (numeric) td.className = "number";
  let inside = td;
  if (cell !== null && typeof cell === "object") {
    if (cell.href) {
      inside = inside.appendChild(document.createElement("a"));
      inside.href = cell.href;
    }
    if (cell.tone === "time") {
      td.append(Object.assign(document.createElement("time"), { dateTime: cell.text, textContent: moment(cell.text) }));
      return td;
    }
    if (cell.tone) {
      inside = inside.appendChild(document.createElement("span"));
      inside.className = `badge ${cell.tone}`;
    }
  }
  if (cell === null) {
    inside = inside.appendChild(document.createElement("span"));
    inside.className = "none";
  }
  inside.textContent = cell === null ? "–" : said(cell, column);
  return td;
}

export function start(root) {
  const body = root.querySelector("tbody");
  const count = root.querySelector("[data-count]");
  const turns = root.querySelector("[data-turns]");
  const filter = root.querySelector("input[type=search]");
  let data = null, found = [], at = 0, sorted = null, down = false;

  async function load() {
    if (data) return;
    const inline = root.querySelector("script[type='application/json']");
    data = inline ? JSON.parse(inline.textContent) : await (await checked(fetch(root.dataset.files + ".json"))).json();
    found = data.rows;
  }

  function look() {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    found = words.length
      ? data.rows.filter((row) => {
          const line = row.map(text).join(" ").toLowerCase();
          return words.every((word) => line.includes(word));
        })
      : data.rows.slice();
    if (sorted !== null) {
      const numeric = data.numeric[sorted], sign = down ? -1 : 1;
      const less = numeric ? (a, b) => a - b : (a, b) => order.compare(text(a), text(b));
      const empty = found.filter((row) => row[sorted] === null);
      found = found.filter((row) => row[sorted] !== null).sort((a, b) => sign * less(a[sorted], b[sorted])).concat(empty);
    }
    at = 0;
    draw();
  }

  function draw() {
    const rows = found.slice(at, at + PAGE).map((row) => {
      const line = document.createElement("tr");
      line.append(...row.map((cell, n) => drawCell(cell, data.columns[n], data.numeric[n])));
      return line;
    });
    body.replaceChildren(...rows);
    const all = data.rows.length.toLocaleString("en");
    const last = Math.min(at + PAGE, found.length);
    const shown = found.length > PAGE ? `${(at + 1).toLocaleString("en")}–${last.toLocaleString("en")} of ` : "";
    count.textContent = found.length === data.rows.length ? `${shown}${all} rows` : `${shown}${found.length.toLocaleString("en")} of ${all} rows`;
    turns.hidden = found.length <= PAGE;
    turns.children[0].disabled = at === 0;
    turns.children[1].disabled = last >= found.length;
    root.querySelector(".scroll").scrollTop = 0;
  }

  root.querySelector("thead").addEventListener("click", async (event) => {
    const head = event.target.closest("th");
    if (!head) return;
    await load();
    const column = head.cellIndex;
    if (sorted === column && down !== data.numeric[column]) sorted = null;
    else {
      down = sorted === column ? !down : data.numeric[column]; // numbers: the largest first
      sorted = column;
    }
    for (const one of root.querySelectorAll("th")) one.removeAttribute("aria-sort");
    if (sorted !== null) head.setAttribute("aria-sort", down ? "descending" : "ascending");
    look();
  });
  filter?.addEventListener("input", async () => { await load(); look(); });
  turns?.addEventListener("click", async (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    await load();
    at += button === turns.children[0] ? -PAGE : PAGE;
    draw();
  });
  root.querySelector("[data-csv]")?.addEventListener("click", async () => {
    await load();
    const quoted = (cell) => (/[",\n\r]/.test(text(cell)) ? `"${text(cell).replaceAll('"', '""')}"` : text(cell));
    const lines = [data.columns, ...found].map((row) => row.map(quoted).join(",")).join("\n");
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob(["\ufeff", lines, "\n"], { type: "text/csv" }));
    link.download = `${root.dataset.name}.csv`;
    link.click();
    URL.revokeObjectURL(link.href);
  });
}
