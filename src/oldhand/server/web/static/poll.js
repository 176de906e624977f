// Work that is under way: the page is fetched anew until it is done.
import { refresh } from "./app.js";

export function start(root) {
  setTimeout(() => {
    if (root.isConnected && !document.querySelector("dialog[open]")) refresh().catch(() => start(root));
    else if (root.isConnected) start(root);
  }, 3000);
}
