/** Texts for people who listen to the page. There is one announcement at a time. */
import { byId } from './dom.js';

const STEADY_MILLIS = 1000;
const EVENT_PAUSE_MILLIS = 5000;
const TOAST_MILLIS = 6000;

const announcer = byId('announcer');
const toast = byId('toast');

let wanted = '';
let steadyTimer;
let lastEvent = -EVENT_PAUSE_MILLIS;
let toastTimer;

/** Announces the state of the page once it has stayed the same for a second. */
export function announceState(text) {
  if (text !== wanted) {
    wanted = text;
    clearTimeout(steadyTimer);
    steadyTimer = setTimeout(() => { announcer.textContent = text; }, STEADY_MILLIS);
  }
}

/** Announces an event at once, unless there was one just before. */
export function announceEvent(text) {
  if (performance.now() - lastEvent >= EVENT_PAUSE_MILLIS) {
    lastEvent = performance.now();
    announcer.textContent = text;
  }
}

/** Says why a button did nothing. */
export function complain(text) {
  toast.textContent = text;
  toast.hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => { toast.hidden = true; }, TOAST_MILLIS);
}
