// A chart of the rows of an answer; the script that draws it is loaded only when somebody wants one.
import { checked } from "./api.js";
import { toast } from "./app.js";

let library = null;

export function loaded(address) {
  library ??= new Promise((done, fail) => {
    const script = Object.assign(document.createElement("script"), { src: address, onload: () => done(window.Plotly), onerror: fail });
    document.head.append(script);
  });
  return library;
}

export function start(figure) {
  const canvas = figure.querySelector(".canvas");
  const tools = figure.querySelector("[data-tools]");
  const kind = figure.querySelector("select");
  const draws = figure.querySelector("[data-draw]");
  const { files, script, name, value, file } = figure.dataset;
  let data = null;
  kind.value = figure.dataset.kind;

  async function draw() {
    const plotly = await loaded(script);
    data ??= await (await checked(fetch(`${files}.json`))).json();
    const column = (place) => data.rows.map((row) => row[place]);
    const style = getComputedStyle(document.documentElement);
    const token = (one) => style.getPropertyValue(one).trim();
    const [x, y] = [column(Number(name)), column(Number(value))];
    const accent = token("--accent");
    const trace = kind.value === "pie"
      ? { type: "pie", labels: x, values: y, textinfo: "label+percent", sort: false }
      : { type: kind.value === "bar" ? "bar" : "scatter", mode: kind.value === "line" ? "lines+markers" : "markers", x, y, marker: { color: accent }, line: { color: accent } };
    if (kind.value === "bar") delete trace.mode;
    const axis = (title) => ({ title: { text: title.replaceAll("_", " ") }, gridcolor: token("--line"), zerolinecolor: token("--line-strong"), automargin: true });
    const layout = {
      height: "drawn" in figure.dataset ? 240 : 340, margin: { t: 16, r: 16, b: 48, l: 56 }, paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)",
      font: { family: "system-ui, sans-serif", size: 12, color: token("--fg") }, xaxis: { ...axis(data.columns[name]), type: typeof x[0] === "string" && kind.value !== "line" ? "category" : undefined }, yaxis: axis(data.columns[value]), showlegend: kind.value === "pie",
    };
    canvas.hidden = false;
    await plotly.react(canvas, [trace], layout, { displayModeBar: false, responsive: true });
  }

  const guarded = (act) => act().catch((error) => toast(error.message ?? "The chart could not be drawn.", { bad: true }));
  if ("drawn" in figure.dataset) guarded(draw);
  draws.addEventListener("click", () => guarded(async () => {
    if (!canvas.hidden) {
      canvas.hidden = tools.hidden = true;
      draws.textContent = "Chart";
      return;
    }
    await draw();
    tools.hidden = false;
    draws.textContent = "Hide the chart";
  }));
  kind.addEventListener("change", () => guarded(draw));
  for (const one of figure.querySelectorAll("[data-save]")) {
    one.addEventListener("click", () => guarded(() => window.Plotly.downloadImage(canvas, { format: one.dataset.save, filename: file, width: 1000, height: 600 })));
  }
}
