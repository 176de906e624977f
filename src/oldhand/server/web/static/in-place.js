// A form that is sent as soon as its field is left with another value.
export function start(form) {
  form.addEventListener("change", () => form.requestSubmit());
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    event.target.blur();
  });
}
