// Talking to the server: the API of this assistant, and parts of pages.

export class Problem extends Error {
  constructor(told, status) {
    super(told.detail ?? "The server did not answer.");
    this.type = told.type;
    this.status = status;
  }
}

export const place = document.body.dataset.api ?? "";

export async function checked(asked) {
  let response;
  try {
    response = await asked;
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem({ type: "Unreachable", detail: "The server can't be reached. Try again in a moment." }, 0);
  }
  if (response.ok) return response;
  const text = await response.text();
  let told = {};
  try { told = JSON.parse(text); } catch { /* no problem of ours */ }
  if (response.status === 401 && document.body.dataset.api) {
    location.assign(`/?next=${encodeURIComponent(location.pathname + location.search)}`);
  }
  throw new Problem(told, response.status);
}

export async function send(verb, path, body) {
  const address = path.startsWith("/api/") ? path : place + path;
  const options = { method: verb, headers: {} };
  if (body !== undefined && (verb === "GET" || verb === "DELETE")) {
    const query = new URLSearchParams(Object.entries(body).filter(([, it]) => it !== null && it !== ""));
    return read(await checked(fetch(`${address}?${query}`, options)));
  }
  if (body instanceof FormData) options.body = body;
  else if (verb !== "GET" && verb !== "DELETE") {
    options.headers["Content-Type"] = "application/json";
    options.body = JSON.stringify(body ?? {});
  }
  return read(await checked(fetch(address, options)));
}

async function read(response) {
  const text = await response.text();
  return text ? JSON.parse(text) : null;
}

export async function part(address) {
  const response = await checked(fetch(address, { headers: { Accept: "text/x-part" } }));
  const made = document.createElement("template");
  made.innerHTML = await response.text(); // made by a template of the server, which escapes all that people wrote
  return made.content;
}
