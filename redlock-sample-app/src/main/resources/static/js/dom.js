export const byId = (id) => document.getElementById(id);

/** Changes the page only where the value is new: frames come several times a second. */
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

/** Sets aria-pressed, aria-disabled or another state of a control. */
export function setAria(element, name, value) {
  const text = String(value);
  if (element.getAttribute(`aria-${name}`) !== text) {
    element.setAttribute(`aria-${name}`, text);
  }
}

/** Disabled buttons keep the focus, and say why when they are pressed. */
export const isDisabled = (button) => button.getAttribute('aria-disabled') === 'true';

const numbers = new Intl.NumberFormat('en-GB');

export const count = (number) => numbers.format(number);
