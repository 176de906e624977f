// Before anything is drawn: the theme that was chosen, else that of the system.
const dark = matchMedia("(prefers-color-scheme: dark)");
function paint() {
  document.documentElement.dataset.theme = localStorage.getItem("theme") ?? (dark.matches ? "dark" : "light");
}
paint();
dark.addEventListener("change", paint);
document.addEventListener("click", (event) => {
  if (!event.target.closest("[data-switch-theme]")) return;
  localStorage.setItem("theme", document.documentElement.dataset.theme === "dark" ? "light" : "dark");
  paint();
});
