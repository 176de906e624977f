// A form that shows what it would do: the part of a page that its address answers with.
import { part } from "./api.js";
import { shown, toast } from "./app.js";

export function start(form) {
  const place = form.querySelector("[data-part]");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    form.setAttribute("aria-busy", "true");
    try {
      place.replaceChildren(await part(`${form.getAttribute("action")}?${new URLSearchParams(new FormData(form))}`));
      shown(place);
    } catch (error) {
      place.replaceChildren();
      toast(error.message, { bad: true });
    } finally {
      form.removeAttribute("aria-busy");
    }
  });
}
