export const byId = (id) => document.getElementById(id);

/** Touches the page only where something is new: the frames come several times a second. */
export function setText(element, text) {
  const value = String(text);
  if (element.textContent !== value) {
    element.textContent = value;
  }
}

export function setData(element, name, value) {
  const text = String(value);
  if (element.dataset[name] !== text) {
    element.dataset[name] = text;
  }
}

const toast = byId('toast');
let toastTimer;

/** Says what went wrong with a button. */
export function complain(text) {
  toast.textContent = text;
  toast.hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => { toast.hidden = true; }, 6000);
}

const announcer = byId('announcer');

/** For those who listen to the page: only what matters. */
export function announce(text) {
  announcer.textContent = text;
}
