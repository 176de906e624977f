// The inbox as it is now: the server says what has changed, and the page is fetched anew, but never while somebody writes in it.
import { place } from "./api.js";
import { isUsed, refresh, toast } from "./app.js";

let root, socket, chats = [], known = null, stale = false, settling = 0, pause = 500;

export function start(fresh) {
  root = fresh;
  const button = document.querySelector("[data-notifies]");
  button.hidden = !("Notification" in window) || Notification.permission !== "default";
  button.addEventListener("click", () => Notification.requestPermission().then(() => { button.hidden = true; }));
  root.querySelector("[data-chats]").addEventListener("submit", reply);
  if (socket) draw();
  else connect();
}

function connect() {
  socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${place}/inbox/live`);
  socket.addEventListener("open", () => { pause = 500; });
  socket.addEventListener("message", (event) => take(JSON.parse(event.data)));
  socket.addEventListener("close", () => {
    setTimeout(connect, pause);
    pause = Math.min(pause * 2, 10000);
    known = null;
    stale = true; // what it is not told, the page looks for itself
    settle();
  });
}

function take({ waiting, chats: found, sent, problem }) {
  if (problem) toast(problem, { bad: true });
  if (sent) {
    toast("Passed on.");
    root.querySelector(`[data-thread="${CSS.escape(sent)}"]`)?.remove();
    draw();
  }
  if (found) {
    tell(found.filter((one) => !chats.some((it) => it.thread === one.thread)).map((one) => one.text));
    chats = found;
    draw();
  }
  if (waiting) {
    tell(known ? waiting.filter((one) => !known.includes(one)) : []);
    known = waiting;
    stale = true;
    settle();
  }
  document.title = document.title.replace(/^(\(\d+\) )?/, known?.length + chats.length ? `(${known.length + chats.length}) ` : "");
}

function tell(texts) {
  if (!document.hidden || !("Notification" in window) || Notification.permission !== "granted") return;
  for (const text of texts) new Notification("Somebody asks you", { body: text, tag: text });
}

function again() {
  settling = setTimeout(() => { settling = 0; settle(); }, 1000);
}

function settle() {
  if (!stale || settling) return;
  if (isUsed(root)) again();
  else {
    stale = false;
    refresh(undefined, { unless: root }).catch(() => false).then((isNew) => { if (!isNew) { stale = true; again(); } });
  }
}

// What is being written stays: only cards that are new or gone change.
function draw() {
  const section = root.querySelector("[data-chats]"), list = section.querySelector("div");
  for (const card of [...list.children]) if (!card.querySelector("textarea").value && !chats.some((one) => one.thread === card.dataset.thread)) card.remove();
  for (const one of chats) {
    if (list.querySelector(`[data-thread="${CSS.escape(one.thread)}"]`)) continue;
    const card = section.querySelector("template").content.firstElementChild.cloneNode(true);
    card.dataset.thread = one.thread;
    card.querySelector(".quiet").textContent = one.sender;
    card.querySelector("pre").textContent = one.text;
    list.append(card);
  }
  section.hidden = !list.children.length;
}

function reply(event) {
  event.preventDefault();
  const { thread } = event.target.closest("article").dataset;
  if (socket.readyState !== WebSocket.OPEN) toast("The server can't be reached. Try again in a moment.", { bad: true });
  else socket.send(JSON.stringify({ thread, text: event.target.elements.text.value }));
}
