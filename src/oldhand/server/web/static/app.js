// What every page does: components, forms that call the API, toasts, dialogs, keys.
import { part, send } from "./api.js";
import * as answer from "./answer.js";
import * as ask from "./ask.js";
import * as chart from "./chart.js";
import * as inPlace from "./in-place.js";
import * as issued from "./issued.js";
import * as lazy from "./lazy.js";
import * as preview from "./preview.js";
import * as signIn from "./sign_in.js";
import * as table from "./table.js";

// What people touch at once is here from the start, so that no click is lost; all else is loaded where a page has it.
const STARTED = { answer, ask, chart, "in-place": inPlace, issued, lazy, preview, "sign-in": signIn, table };
const COMPONENTS = { inbox: "./inbox.js", poll: "./poll.js", trend: "./trend.js" };
const version = new URL(".", import.meta.url);

export const moment = (text) => new Date(text).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });

export function shown(root = document) {
  for (const one of root.querySelectorAll("time[datetime]")) {
    one.textContent = moment(one.dateTime);
  }
  for (const one of root.querySelectorAll("[data-zone]")) one.value ||= Intl.DateTimeFormat().resolvedOptions().timeZone;
  for (const one of root.querySelectorAll("[data-is]")) {
    if (one.dataset.ready) continue;
    one.dataset.ready = "yes";
    const { is } = one.dataset;
    if (STARTED[is]) STARTED[is].start(one);
    else import(new URL(COMPONENTS[is], version)).then((module) => module.start(one));
  }
}

export function toast(text, { bad = false, undo = null } = {}) {
  const one = document.createElement("div");
  one.className = bad ? "toast bad" : "toast";
  const said = one.appendChild(document.createElement("div"));
  said.className = "grow";
  said.textContent = text;
  if (undo) {
    const back = one.appendChild(document.createElement("button"));
    back.textContent = "Undo";
    back.addEventListener("click", () => { one.remove(); undo(); });
  }
  document.getElementById("toasts").append(one);
  setTimeout(() => one.remove(), bad || undo ? 12000 : 6000);
}

export function sure(text, { title = "Are you sure?", action = "Yes" } = {}) {
  const dialog = document.getElementById("sure");
  dialog.querySelector("h2").textContent = title;
  dialog.querySelector("p").textContent = text;
  dialog.querySelector(".primary").textContent = action;
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((done) => {
    dialog.addEventListener("close", () => done(dialog.returnValue === "yes"), { once: true });
  });
}

// Says whether the page is new: it stays as it is where somebody writes in it by the time it is there.
export async function refresh(address = location.href, { unless } = {}) {
  const fresh = await part(address);
  const main = document.getElementById("main");
  // What was looked at when this began may have been exchanged meanwhile.
  if (unless && isUsed(unless.isConnected ? unless : main)) return false;
  main.replaceChildren(...fresh.querySelector("main").childNodes);
  shown(main);
  return true;
}

export function isUsed(root) {
  const written = [...root.querySelectorAll("textarea")].some((one) => one.value);
  return written || root.contains(document.activeElement?.closest("form")) || document.querySelector("dialog[open]") !== null;
}

function values(form) {
  const found = {};
  for (const field of form.elements) {
    if (!field.name || field.disabled || (field.type === "radio" && !field.checked)) continue;
    if (field.type === "checkbox" && field.dataset.type === "list") {
      found[field.name] ??= [];
      if (field.checked) found[field.name].push(field.value);
      continue;
    }
    let value = field.type === "checkbox" ? field.checked : field.value;
    if (field.dataset.type === "list") value = value.split(/[\n,]/).map((it) => it.trim()).filter(Boolean);
    else if (field.dataset.type === "json") value = JSON.parse(value);
    else if (field.type === "number") value = value === "" ? null : Number(value);
    else if (value === "" && !field.required) continue;
    found[field.name] = value;
  }
  return found;
}

// What a form sends: once, or once for each of its files. With data-wrap, only what was changed, under that name.
function bodies(form) {
  const files = form.querySelector("input[type=file]");
  if (files) {
    return [...files.files].map((file) => {
      const body = new FormData();
      for (const [name, value] of Object.entries(values(form))) if (name !== files.name) body.append(name, value);
      body.append(files.name, file);
      return body;
    });
  }
  if (!form.dataset.wrap) return [values(form)];
  const changed = [...form.elements].filter((it) => it.type === "checkbox" ? it.checked !== it.defaultChecked : it.matches("select") ? !it.selectedOptions[0].defaultSelected : it.value !== it.defaultValue);
  const all = values(form);
  return [{ [form.dataset.wrap]: Object.fromEntries(changed.filter((it) => it.name).map((it) => [it.name, all[it.name] ?? ""])) }];
}

// Names in braces of a path are fields of the form, or of what came back: {board.name}.
function filled(path, given) {
  return path.replace(/\{([\w.]+)\}/g, (_, name) => {
    const value = name.split(".").reduce((from, one) => from[one], given);
    delete given[name];
    return encodeURIComponent(value);
  });
}

const isBusy = (button) => button?.getAttribute("aria-busy") === "true";

function setBusy(button, busy) {
  for (const name of ["aria-busy", "aria-disabled"]) busy ? button?.setAttribute(name, "true") : button?.removeAttribute(name);
}

// <form data-api="POST /path"> sends its fields, <button data-api="DELETE /path" data-body='{…}'> what it carries.
async function call(source) {
  const { api, confirm, says, then = "refresh", body } = source.dataset;
  const [verb, path] = api.split(" ");
  const button = source.matches("form") ? source.querySelector("[type=submit], button:not([type])") : source;
  if (isBusy(button)) return; // pressed twice: it is sent once
  if (confirm && !(await sure(confirm, { action: source.dataset.action ?? "Yes" }))) return;
  setBusy(button, true);
  try {
    const given = source.matches("form") ? bodies(source) : [body ? JSON.parse(body) : undefined];
    let result;
    for (const one of given) result = await send(verb, filled(path, one), one);
    source.closest("dialog")?.close();
    const leads = then === "refresh" || then === "stay" ? "" : filled(then, result ?? {});
    if (says && leads) sessionStorage.setItem("says", says); // the next page tells it
    else if (says) toast(says);
    const event = new CustomEvent("done", { detail: result, bubbles: true, cancelable: true });
    if (!source.dispatchEvent(event)) return;
    if (then === "refresh") await refresh();
    else if (leads) location.assign(leads);
  } catch (error) {
    toast(error.message, { bad: true });
  } finally {
    setBusy(button, false);
  }
}

document.addEventListener("submit", (event) => {
  if (!event.target.dataset.api) return;
  event.preventDefault();
  call(event.target);
});

document.addEventListener("click", (event) => {
  const on = (selector) => event.target.closest(selector);
  const api = on("button[data-api]");
  if (api) call(api);
  const opens = on("[data-opens]");
  if (opens) document.getElementById(opens.dataset.opens).showModal();
  if (on("[data-closes]")) on("dialog").close();
  const copies = on("[data-copies]");
  if (copies) {
    const source = document.getElementById(copies.dataset.copies);
    navigator.clipboard.writeText(source.value ?? source.textContent).then(() => toast("Copied."));
  }
  if (event.target.matches("dialog")) event.target.close(); // its backdrop
  const side = document.getElementById("side");
  if (on("[data-menu]")) side.toggleAttribute("data-open");
  else if (side && !on("#side")) side.removeAttribute("data-open");
});

let before = "";
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") document.getElementById("side")?.removeAttribute("data-open");
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select, dialog[open]")) return;
  const pressed = before ? `${before} ${event.key}` : event.key;
  const target = document.querySelector(`[data-key="${CSS.escape(pressed)}"]`);
  before = event.key === "g" && !before ? "g" : "";
  if (pressed === "?") help();
  else if (target) {
    event.preventDefault();
    if (target.matches("input, textarea")) target.focus();
    else target.click();
  }
});

function help() {
  const dialog = document.getElementById("help");
  const list = dialog.querySelector("dl");
  list.replaceChildren();
  for (const one of document.querySelectorAll("[data-key]")) {
    const keys = list.appendChild(document.createElement("dt"));
    for (const key of one.dataset.key.split(" ")) {
      keys.append(Object.assign(document.createElement("kbd"), { textContent: key }), " ");
    }
    list.appendChild(document.createElement("dd")).textContent = one.dataset.does ?? one.textContent.trim();
  }
  dialog.showModal();
}

document.addEventListener("click", (event) => { if (event.target.closest("[data-help]")) help(); });

if (document.body.dataset.api && location.hash.startsWith("#sign-in=")) {
  const token = location.hash.slice("#sign-in=".length);
  history.replaceState(null, "", location.pathname);
  sure("You are signed in already. Sign in with this link instead?", { title: "Another person?", action: "Sign in" })
    .then((yes) => yes && send("POST", "/api/sign-in", { token }).then(() => location.assign("/")))
    .catch((error) => toast(error.message, { bad: true }));
}
shown();
if (sessionStorage.getItem("says")) toast(sessionStorage.getItem("says"));
sessionStorage.removeItem("says");
