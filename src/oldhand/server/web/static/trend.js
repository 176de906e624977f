// A line over time.
import { loaded } from "./chart.js";

export async function start(root) {
  const chart = JSON.parse(root.querySelector("script").textContent);
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(name).trim();
  const colours = [colour("--accent"), colour("--good"), colour("--warn")];
  const lines = Object.entries(chart.lines).map(([name, y], n) => ({
    x: chart.days, y, name, type: "scatter", mode: chart.days.length > 1 ? "lines+markers" : "markers", connectgaps: true,
    line: { color: colours[n], width: 2 }, marker: { size: 4 }, hovertemplate: `%{y}${chart.unit === "%" ? " %" : ""}<extra>${name}</extra>`,
  }));
  const axis = { gridcolor: colour("--line"), zerolinecolor: colour("--line"), fixedrange: true };
  const layout = {
    height: 180, margin: { l: 40, r: 8, t: 8, b: 28 }, showlegend: lines.length > 1, legend: { orientation: "h", y: 1.15, x: 0 },
    paper_bgcolor: "transparent", plot_bgcolor: "transparent", font: { color: colour("--quiet"), size: 12, family: "inherit" },
    xaxis: { ...axis, type: chart.days.length < 8 ? "category" : "date", nticks: 5 }, yaxis: { ...axis, rangemode: "tozero", nticks: 4 }, hovermode: "x unified",
  };
  const drawing = root.appendChild(document.createElement("div"));
  await (await loaded(root.dataset.plotly)).newPlot(drawing, lines, layout, { displayModeBar: false, responsive: true });
}
