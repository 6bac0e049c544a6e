import { byId, setData, setText } from './dom.js';
import { press } from './server.js';

const steps = byId('steps');
const fence = byId('fence');

/** The last holder that stood still. */
let sleeper;

export function bindHolder() {
  byId('pause').addEventListener('click', () => press('holder/pause'));
  fence.addEventListener('change', () => press('fence', { checked: fence.checked }));
}

export function forgetHolder() {
  sleeper = undefined;
}

export function renderHolder({ sale }, turns) {
  if (document.activeElement !== fence || fence.checked === sale.fenceChecked) {
    fence.checked = sale.fenceChecked;
  }
  sleeper = turns.filter((turn) => turn.paused).sort((a, b) => a.holdingMicros - b.holdingMicros).at(-1) ?? sleeper;
  light('paused', sleeper !== undefined);
  light('lost', sleeper?.lostMicros > 0);
  const outcome = sleeper && sleeper.endMicros > 0 ? sleeper.phase : 'none';
  setData(steps, 'outcome', outcome);
  const [title, text] = words(outcome);
  setText(byId('write-title'), title);
  setText(byId('write-text'), text);
}

function light(step, on) {
  setData(steps.querySelector(`[data-step="${step}"]`), 'on', on);
}

function words(outcome) {
  switch (outcome) {
    case 'REFUSED': return ['Its late write is refused', 'The stock has seen a later fence. Nothing was written.'];
    case 'WRONG': return ['Its wrong write goes through', 'An old number is written over what others sold since. Nobody checked its fence.'];
    case 'LATE': return ['It wrote too late', 'and did no harm: nobody had been in between.'];
    case 'STOPPED': return ['It was stopped', 'before it could write.'];
    default: return ['It wakes up and writes', 'a number that is no longer true'];
  }
}
