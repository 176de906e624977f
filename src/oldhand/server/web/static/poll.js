// What changes by itself: the page is fetched anew until it is done, but never while somebody writes in it.
import { refresh } from "./app.js";

export function start(root) {
  setTimeout(() => {
    const writes = root.contains(document.activeElement?.closest("form")) || [...root.querySelectorAll("textarea")].some((one) => one.value);
    if (root.isConnected && !writes && !document.querySelector("dialog[open]")) refresh().catch(() => start(root));
    else if (root.isConnected) start(root);
  }, 3000);
}
