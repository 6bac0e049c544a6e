/** The five steps: their buttons, and what came of each. */
import { complain } from './announcer.js';
import { byId, count, isDisabled, setAria, setData, setText } from './dom.js';
import { outcome } from './holder.js';
import { killSome } from './nodes.js';
import { sellsWithLock } from './sale.js';
import { press } from './server.js';

const steps = [...byId('walk').children];
const killTwo = byId('kill-two');
const killThree = byId('kill-three');
const healThree = byId('heal-three');

/** What was seen of steps 3 and 4. */
let seen;
let last;

export function bindGuide() {
  killTwo.addEventListener('click', () => kill(killTwo, 0));
  killThree.addEventListener('click', () => kill(killThree, 1));
  healThree.addEventListener('click', () => {
    if (isDisabled(healThree)) {
      complain('All servers run. There is nothing to heal.');
    } else {
      press('nodes/heal');
    }
  });
  byId('pause').addEventListener('click', () => press('holder/pause'));
}

export function forgetGuide() {
  seen = { sold: 0, stillMicros: 0, wentOn: false };
  last = undefined;
}

function kill(button, more) {
  if (isDisabled(button)) {
    complain(whyNot(button));
  } else {
    killSome(mayFail(last.state) + more);
  }
}

function whyNot(button) {
  if (!sellsWithLock(last.state)) {
    return 'Start step 2 first: a sale with the lock.';
  }
  return button === killThree && broken(last.state) < mayFail(last.state) ? 'Kill two servers first.'
    : 'So many servers are broken already.';
}

const broken = ({ nodes }) => nodes.filter((node) => node.condition !== 'RUNNING').length;

const votes = ({ nodes }) => nodes.filter((node) => node.state === 'READY').length;

/** The number of nodes that a majority can do without. */
const mayFail = ({ nodes, majority }) => nodes.length - majority;

export function renderGuide(state, nowMicros) {
  watch(state, nowMicros);
  last = { state, nowMicros };
  renderButtons(state);
  renderBooks(byId('result-unlocked'), state.results.unlocked);
  renderBooks(byId('result-locked'), state.results.locked);
  setText(byId('result-two'), seen.sold > 0 ? `Sold ${count(seen.sold)} with ${state.majority} votes.` : 'Not tried yet.');
  setText(byId('result-three'), stillness());
  const pause = outcome(state);
  setText(byId('result-pause'), pause.words);
  renderProgress([state.results.unlocked?.promisedTooOften > 0, state.results.locked?.sold > 0, seen.sold > 0,
    seen.stillMicros > 0, pause.done]);
}

function watch(state, nowMicros) {
  if (!last || !sellsWithLock(state) || !sellsWithLock(last.state)) {
    return;
  }
  const sold = Math.max(0, state.stock.sold - last.state.stock.sold);
  if (votes(state) < state.majority) {
    seen.stillMicros += nowMicros - last.nowMicros;
    seen.wentOn = false;
  } else if (sold > 0) {
    seen.sold += votes(state) === state.majority ? sold : 0;
    seen.wentOn = true;
  }
}

function stillness() {
  if (seen.stillMicros === 0) {
    return 'Not tried yet.';
  }
  const seconds = (seen.stillMicros / 1e6).toFixed(0);
  return seen.wentOn ? `No sale for ${seconds} s, and then it went on.` : `No sale for ${seconds} s so far.`;
}

function renderButtons(state) {
  const locked = sellsWithLock(state);
  setAria(killTwo, 'disabled', !locked || broken(state) >= mayFail(state));
  setAria(killThree, 'disabled', !locked || broken(state) !== mayFail(state));
  setAria(healThree, 'disabled', broken(state) === 0);
  setAria(byId('pause'), 'disabled', !locked || votes(state) < state.majority);
}

function renderBooks(list, books) {
  const [sold, wrong] = list.querySelectorAll('dd');
  setText(sold, books ? count(books.sold) : '–');
  setText(wrong, books ? count(books.promisedTooOften) : '–');
  setData(wrong.parentElement, 'bad', books?.promisedTooOften > 0);
}

function renderProgress(done) {
  const next = done.findIndex((isDone) => !isDone);
  steps.forEach((step, i) => {
    setData(step, 'done', done[i] === true);
    setAria(step, 'current', i === next ? 'step' : 'false');
  });
}
