import { announceEvent } from './announcer.js';
import { byId } from './dom.js';

const MOST_NOTES = 60;

/** Announced at once. Other changes are in the headline, which is announced too. */
const EVENT = /^(Refused|Wrong write|Failed):/;

const list = byId('notes');

const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });

export function forgetNotes() {
  list.replaceChildren();
}

export function renderNotes(notes, isNew) {
  notes.forEach((note) => list.prepend(item(note)));
  while (list.childElementCount > MOST_NOTES) {
    list.lastElementChild.remove();
  }
  const event = notes.filter((note) => EVENT.test(note.text)).at(-1);
  if (event && isNew) {
    announceEvent(event.text);
  }
}

function item({ micros, tone, text }) {
  const element = document.createElement('li');
  element.dataset.tone = tone;
  const time = document.createElement('time');
  time.textContent = clock.format(micros / 1000);
  const sentence = document.createElement('span');
  sentence.textContent = text;
  element.append(time, sentence);
  return element;
}
