// What is folded away is fetched when it is first opened.
import { part } from "./api.js";
import { shown, toast } from "./app.js";

export function start(details) {
  const place = details.querySelector("[data-part]");
  details.addEventListener("toggle", async () => {
    if (!details.open || details.dataset.loaded) return;
    details.dataset.loaded = "yes";
    try {
      place.replaceChildren(await part(details.dataset.from));
      shown(place);
    } catch (error) {
      delete details.dataset.loaded;
      toast(error.message, { bad: true });
    }
  });
}
