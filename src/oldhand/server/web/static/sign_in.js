// The page to sign in: a link carries its token behind the hash, a key is typed.
import { send } from "./api.js";

export function start(form) {
  const fault = form.querySelector(".fault");
  const signIn = async (token) => {
    fault.hidden = true;
    form.setAttribute("aria-busy", "true");
    try {
      await send("POST", "/api/sign-in", { token });
      location.replace(form.dataset.next);
    } catch (error) {
      fault.textContent = error.status === 401 ? form.dataset.refused : error.message;
      fault.hidden = false;
      form.removeAttribute("aria-busy");
    }
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const given = form.elements.token.value.trim();
    signIn(given.includes("#sign-in=") ? given.split("#sign-in=")[1] : given);
  });
  if (location.hash.startsWith("#sign-in=")) {
    const token = location.hash.slice("#sign-in=".length);
    history.replaceState(null, "", location.pathname);
    signIn(token);
  }
}
