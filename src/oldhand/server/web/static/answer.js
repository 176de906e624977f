// An answer: rated, put right by picking or in words, linked to.
import { part, send } from "./api.js";
import { shown, toast } from "./app.js";

export function start(card) {
  const feedback = `/answers/${card.dataset.id}/feedback`;
  const mend = card.querySelector(".mend");
  const opens = card.querySelector("[data-mends]");
  const words = card.querySelector("form.words");
  const told = words.querySelector(".told");
  const picking = card.querySelector(".picking");
  const tags = () => [...card.querySelectorAll("[data-tag][aria-pressed=true]")].map((one) => one.dataset.tag);

  const guarded = (act) => async (...given) => {
    try {
      await act(...given);
    } catch (error) {
      toast(error.message, { bad: true });
    }
  };

  const open = guarded(async () => {
    mend.hidden = false;
    opens.setAttribute("aria-expanded", "true");
    if (picking && !picking.dataset.loaded) await look("");
  });

  async function look(picked) {
    picking.dataset.loaded = "yes";
    try {
      picking.replaceChildren(await part(`${picking.dataset.fixing}?picked=${picked}`));
      shown(picking);
    } catch (error) {
      picking.replaceChildren(Object.assign(document.createElement("p"), { className: "quiet", textContent: error.message }));
    }
  }

  const rate = guarded(async (button) => {
    const pressed = button.getAttribute("aria-pressed") === "true";
    const rating = pressed ? 0 : Number(button.dataset.rate);
    const receipt = await send("POST", feedback, { rating });
    for (const one of card.querySelectorAll("[data-rate]")) one.setAttribute("aria-pressed", String(one === button && !pressed));
    const said = pressed ? "Taken back." : receipt.learned.length ? "Noted, and learned." : "Noted.";
    toast([said, receipt.note].filter(Boolean).join(" "));
    if (rating === -1) await open();
  });

  card.addEventListener("click", guarded(async (event) => {
    const on = (selector) => event.target.closest(selector);
    if (on("[data-rate]")) return rate(on("[data-rate]"));
    if (on("[data-mends]")) {
      if (mend.hidden) return open();
      mend.hidden = true;
      opens.setAttribute("aria-expanded", "false");
    }
    const cites = on("[data-cites]");
    if (cites) {
      event.preventDefault();
      const cited = card.querySelector(`[data-cited="${cites.dataset.cites}"]`);
      cited.open = true;
      cited.querySelector("summary").focus();
    }
    const tag = on("[data-tag]");
    if (tag) tag.setAttribute("aria-pressed", String(tag.getAttribute("aria-pressed") !== "true"));
    if (on("[data-link]")) {
      await navigator.clipboard.writeText(new URL(card.dataset.url, location.href).href);
      toast("The link is copied: whoever may see this answer can open it.");
    }
    const passage = on("[data-passage]");
    if (passage) {
      const receipt = await send("POST", feedback, { rating: Number(passage.dataset.rating), passage: Number(passage.dataset.passage) });
      toast(["Noted.", receipt.note].filter(Boolean).join(" "));
    }
    if (on("[data-preview]")) await preview();
    const picked = picking?.querySelector("[data-picked]")?.dataset.picked ?? "";
    const reading = on("[data-choice]");
    if (reading) await look([picked, `0.${reading.dataset.choice}`].filter(Boolean).join(","));
    if (on("[data-back]")) await look(picked.split(",").slice(0, -1).join(","));
    if (on("[data-confirm-picked]")) {
      const pairs = picked.split(",").map((pair) => pair.split(".").map(Number));
      learned(await send("POST", `/answers/${card.dataset.id}/fix`, { picked: pairs }));
    }
  }));
  card.addEventListener("change", guarded(async (event) => {
    const select = event.target.closest("select[data-part]");
    if (!select?.value) return;
    const picked = picking.querySelector("[data-picked]").dataset.picked;
    await look([picked, `${select.dataset.part}.${select.value}`].filter(Boolean).join(","));
  }));
  words.addEventListener("submit", guarded(async (event) => {
    event.preventDefault();
    const given = said();
    if (given) learned(await send("POST", feedback, given));
  }));

  function said() {
    const correction = words.elements.correction.value.trim();
    if (!correction && !tags().length) {
      words.elements.correction.focus();
      return null;
    }
    return correction ? { correction, tags: tags() } : { rating: -1, tags: tags() };
  }

  async function preview() {
    const given = said();
    if (given) tell(await send("POST", feedback, { ...given, dry_run: true }), "would be");
  }

  function learned(receipt) {
    tell(receipt, "is");
    const again = told.appendChild(document.createElement("button"));
    again.type = "button";
    again.textContent = "Ask it again";
    again.addEventListener("click", () => card.dispatchEvent(new CustomEvent("ask-again", { detail: card.dataset.question, bubbles: true })));
    toast(receipt.learned.length ? "Thank you: learned." : "Thank you: noted.");
  }

  function tell(receipt, verb) {
    told.hidden = false;
    told.replaceChildren();
    const line = (text, kind = "") => told.append(Object.assign(document.createElement("p"), { textContent: text, className: kind }));
    for (const one of receipt.learned) line(`${verb === "is" ? "Learned" : "It would learn"}: ${one.summary}`);
    if (receipt.note) line(receipt.note, "note");
    const { otherwise, looked_at: looked } = receipt.consequences;
    if (otherwise.length) line(`${otherwise.length} earlier ${otherwise.length === 1 ? "question" : "questions"} ${verb === "is" ? "are" : "would be"} answered otherwise:`);
    for (const one of otherwise.slice(0, 5)) line(`${one.question}${one.confirmed ? " (confirmed)" : ""}: ${one.before ?? "no answer"} → ${one.after ?? "no answer"}`, "small");
    if (!otherwise.length && looked) line(`No other of ${looked} earlier questions ${verb === "is" ? "is" : "would be"} answered otherwise.`, "quiet");
    if (!told.childElementCount) line("Nothing would be learned from this.", "quiet");
  }
}
