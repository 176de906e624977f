// What changes by itself: the page is fetched anew until it is done, but never while somebody writes in it.
import { isUsed, refresh } from "./app.js";

export function start(root) {
  setTimeout(() => {
    if (!root.isConnected) return;
    if (isUsed(root)) start(root);
    else refresh(undefined, { unless: root }).catch(() => false).then((isNew) => { if (!isNew) start(root); });
  }, 3000);
}
