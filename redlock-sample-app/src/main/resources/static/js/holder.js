/** The last holder that stood still, and what became of its write. */
import { byId, setData, setText } from './dom.js';
import { press } from './server.js';

const steps = byId('steps');
const fence = byId('fence');

const OUTCOMES = {
  REFUSED: ['Its late write is refused', 'The stock has seen a later fence. Nothing was written.'],
  WRONG: ['Its wrong write goes through', 'It writes an old number over what others have sold since. The stock did not check its fence.'],
  LATE: ['It wrote too late', 'and did no harm: no other buyer had bought in between.'],
  STOPPED: ['It was stopped', 'before it could write.'],
};

let sleeper;

export function bindHolder() {
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
  const phase = hasEnded() ? sleeper.phase : 'none';
  setData(steps, 'outcome', phase);
  const [title, text] = OUTCOMES[phase] ?? ['It wakes up and writes', 'a number that is no longer true'];
  setText(byId('write-title'), title);
  setText(byId('write-text'), text);
}

/** A few words about the last holder that stood still, and whether its story has ended. */
export function outcome({ sale, situation }) {
  if (sale.aboutToPause) {
    return { words: situation.code === 'NO_QUORUM' ? 'No buyer gets the lock, so none stands still.'
      : 'The next holder will stand still.', done: false };
  }
  if (!sleeper) {
    return { words: 'Not tried yet.', done: false };
  }
  if (hasEnded()) {
    return { words: `${(OUTCOMES[sleeper.phase] ?? ['It ended otherwise'])[0]}.`, done: sleeper.phase !== 'STOPPED' };
  }
  return { words: sleeper.lostMicros > 0 ? 'Its lock is lost.' : 'It stands still with the lock.', done: false };
}

function hasEnded() {
  return sleeper !== undefined && sleeper.endMicros > 0;
}

function light(step, on) {
  setData(steps.querySelector(`[data-step="${step}"]`), 'on', on);
}
