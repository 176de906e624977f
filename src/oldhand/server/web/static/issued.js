// A secret that was just made: it is shown this once.
import { refresh } from "./app.js";

const HINTS = {
  invite: "Send this link: it signs in once, within a week.",
  share: "Whoever has this link may ask as an external person, until you revoke it.",
  view: "Whoever has this link sees the latest answer, until it ends or you end all links.",
  key: "A program sends this key with each request, until you revoke it.",
};

export function start(root) {
  const dialog = root.querySelector("[data-issued]");
  root.addEventListener("done", (event) => {
    const { credential, token } = event.detail ?? {};
    if (!token) return;
    const paths = { key: token, view: `${location.origin}/shared/${token}` };
    const link = paths[credential.kind] ?? `${location.origin}/#sign-in=${token}`;
    dialog.querySelector("input").value = link;
    dialog.querySelector("[data-hint]").textContent = HINTS[credential.kind] ?? "";
    dialog.showModal();
    dialog.querySelector("input").select();
  });
  dialog.addEventListener("close", () => refresh());
}
