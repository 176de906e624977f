// Asking: a question is sent, its steps are shown while it works, and its answer takes their place.
import { Problem, checked, part, place, send } from "./api.js";
import { shown, toast } from "./app.js";

const PAUSE = 1000;
const TRIES = 60;

export function start(root) {
  const form = root.querySelector("form.ask");
  const field = form.elements.question;
  const live = root.querySelector(".live");
  const answers = root.querySelector(".answers");
  const ask = form.querySelector(".primary");
  const stop = form.querySelector(".stop");
  let working = null;

  const grow = () => { field.style.height = "auto"; field.style.height = `${Math.min(field.scrollHeight + 2, 240)}px`; };
  field.addEventListener("input", grow);
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      form.requestSubmit();
    }
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const question = field.value.trim();
    if (question && !working) go(question);
  });
  stop.addEventListener("click", () => working?.abort());
  root.addEventListener("click", (event) => {
    const given = event.target.closest("[data-question]:is(button)");
    if (!given || working) return;
    const card = given.closest(".answer");
    if (card) form.dataset.session = card.dataset.session;
    go(given.dataset.question);
  });
  root.addEventListener("ask-again", (event) => { if (!working) go(event.detail); });
  if (!root.querySelector(".answer")) field.focus();

  async function go(question) {
    working = new AbortController();
    // Chosen here, so that the answer can be found again whatever becomes of the stream.
    form.dataset.session ||= Array.from(crypto.getRandomValues(new Uint8Array(16)), (it) => it.toString(16).padStart(2, "0")).join("");
    ask.hidden = true;
    stop.hidden = false;
    live.hidden = false;
    live.replaceChildren();
    const say = steps(live, question);
    try {
      await done(await streamed(question, say));
    } catch (error) {
      if (error.name === "AbortError") say("Stopped.");
      else if (error.status === 0) await recover(question, say);
      else say(error.message, "fault");
    } finally {
      working = null;
      ask.hidden = false;
      stop.hidden = true;
    }
  }

  async function streamed(question, say) {
    const body = { question, session_id: form.dataset.session };
    const response = await checked(fetch(`${place}/ask/stream`, {
      method: "POST", body: JSON.stringify(body), signal: working.signal, headers: { "Content-Type": "application/json" },
    }));
    for await (const { event, data } of events(response)) {
      if (event === "answer") return data;
      if (event === "problem") throw new Problem(data, data.status);
      tell(event, data, say);
    }
    throw new Problem({ detail: "The server went away in the middle of it." }, 0);
  }

  // The server was stopped while it worked: what it finished is kept, so look for it before asking once more.
  async function recover(question, say) {
    const known = new Set([...root.querySelectorAll(".answer")].map((it) => it.dataset.id));
    say("The server does not answer. Waiting for it …", "fault");
    for (let tries = 0; tries < TRIES; tries += 1) {
      await new Promise((then) => setTimeout(then, PAUSE));
      if (working.signal.aborted) return;
      try {
        const kept = await send("GET", "/answers", { user: document.body.dataset.user, session_id: form.dataset.session, limit: 1 });
        const mine = kept.find((one) => one.answer.question === question && !known.has(one.id));
        if (mine) await done(mine.answer);
        else {
          say("It is back, and had not finished: asking once more.", "fault");
          await done(await streamed(question, say));
        }
        return;
      } catch (error) {
        if (error.status !== 0) throw error;
      }
    }
    say("The server does not come back. Your question is still in the field.", "fault");
  }

  async function done(answer) {
    const address = `/clones/${document.body.dataset.clone}/answers/${answer.episode_id}`;
    const card = await part(`${address}/card`);
    live.hidden = true;
    live.replaceChildren();
    const newest = card.querySelector(".answer");
    if (root.querySelector(".start")) answers.prepend(card);
    else answers.append(card);
    root.querySelector(".start")?.setAttribute("hidden", "");
    form.dataset.session = answer.session_id;
    field.placeholder = "Ask a follow-up";
    field.value = "";
    grow();
    history.replaceState(null, "", address);
    shown(answers);
    newest.scrollIntoView({ block: "nearest" });
  }
}

function steps(live, question) {
  live.appendChild(Object.assign(document.createElement("p"), { className: "asked", textContent: question }));
  const list = live.appendChild(document.createElement("ol"));
  const text = live.appendChild(Object.assign(document.createElement("p"), { className: "said" }));
  live.scrollIntoView({ block: "nearest" });
  return (said, kind = "") => {
    if (kind === "text") text.textContent = said;
    else list.append(Object.assign(document.createElement("li"), { textContent: said, className: kind }));
  };
}

function tell(event, data, say) {
  switch (event) {
    case "understood": say(`Read the question: ${data.databases.join(", ") || "documents"}`); break;
    case "planned": if (data.steps.length > 1) say(`${data.steps.length} steps planned`); break;
    case "attempted": say(`Asking ${data.database}${data.attempt > 1 ? `, attempt ${data.attempt}` : ""} …`); break;
    case "attempt_failed": say(data.error, "fault"); break;
    case "step_done": say(`${data.step.purpose}: ${data.step.row_count.toLocaleString("en")} rows`); break;
    case "text_draft": case "text_delta": say(data.text, "text"); break;
  }
}

async function* events(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let held = "";
  for (;;) {
    let piece;
    try {
      piece = await reader.read();
    } catch (error) {
      if (error.name === "AbortError") throw error;
      throw new Problem({ detail: "The server went away in the middle of it." }, 0);
    }
    if (piece.done) return;
    held += piece.value.replaceAll("\r\n", "\n");
    for (let end; (end = held.indexOf("\n\n")) >= 0; held = held.slice(end + 2)) {
      const lines = held.slice(0, end).split("\n");
      const field = (name) => lines.filter((it) => it.startsWith(`${name}:`)).map((it) => it.slice(name.length + 1).trim()).join("\n");
      if (field("event")) yield { event: field("event"), data: JSON.parse(field("data") || "null") };
    }
  }
}
