/** Begins and ends sales. */
import { complain } from './announcer.js';
import { byId, isDisabled, setAria } from './dom.js';
import { press } from './server.js';

/** Until then the frames show the new sale. */
const SHOWN_WITHIN_MILLIS = 700;

const form = byId('controls');
const locked = byId('open-locked');
const unlocked = byId('open-unlocked');

/** The sale that is being started: its button, or undefined. */
let starting;

/** The values of the form that the application told last. */
const told = {};

export function bindSale() {
  locked.addEventListener('click', (event) => open(locked, event));
  unlocked.addEventListener('click', (event) => open(unlocked, event));
  byId('close').addEventListener('click', close);
  byId('reset').addEventListener('click', () => {
    if (form.reportValidity()) {
      press('sale/reset', { units: form.units.value });
    }
  });
  form.addEventListener('submit', (event) => event.preventDefault());
}

async function open(button, event) {
  const shown = button.getAttribute('aria-pressed') === 'true';
  const again = event.detail > 1 || (starting === button && !shown);
  if (again || !form.reportValidity()) {
    return;
  }
  if (shown && (!starting || starting === button)) {
    complain('This sale is running already. Stop it first to begin another one like it.');
    return;
  }
  starting = button;
  await press('sale/open', { locked: button === locked, buyers: form.buyers.value, units: form.units.value });
  setTimeout(() => {
    if (starting === button) {
      starting = undefined;
    }
  }, SHOWN_WITHIN_MILLIS);
}

function close() {
  if (isDisabled(byId('close'))) {
    complain('No sale is running.');
  } else {
    press('sale/close');
  }
}

export const sellsWithLock = ({ sale }) => sale.open && sale.protection !== 'NONE';

export function renderSale(state) {
  const { sale, stock } = state;
  setAria(locked, 'pressed', sellsWithLock(state));
  setAria(unlocked, 'pressed', sale.open && !sellsWithLock(state));
  setAria(byId('close'), 'disabled', !sale.open && !starting);
  fill('units', stock.units);
  fill('buyers', sale.buyers);
}

/** A value that another page has chosen is shown here too, unless someone is typing here. */
function fill(name, value) {
  if (told[name] !== value) {
    told[name] = value;
    if (document.activeElement !== form[name]) {
      form[name].value = value;
    }
  }
}
