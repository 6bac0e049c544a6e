import { animate, colours, FONT, secondsShown } from './canvas.js';
import { drawnMicros } from './clock.js';
import { byId, setText } from './dom.js';
import { GUTTER, Lanes } from './lanes.js';
import { allTurns } from './turns.js';

const canvas = byId('timeline');

let lanes;
let pointed;

export function showTimeline() {
  canvas.addEventListener('pointermove', (event) => { pointed = lanes?.at(event.offsetX, event.offsetY); });
  canvas.addEventListener('pointerleave', () => { pointed = undefined; });
  animate(canvas, draw);
}

function draw(context, width, height) {
  const endMicros = drawnMicros();
  if (endMicros === undefined) {
    return;
  }
  const view = { width, height, endMicros, seconds: secondsShown() };
  const turns = [...allTurns()].filter((turn) => turn.endMicros === 0 || turn.endMicros > endMicros - view.seconds * 1e6);
  context.clearRect(0, 0, width, height);
  grid(context, view);
  lanes = new Lanes(context, colours, view, turns);
  lanes.draw();
}

function grid(context, { width, height, seconds }) {
  context.font = `11px ${FONT}`;
  context.textBaseline = 'alphabetic';
  context.textAlign = 'center';
  for (let second = 0; second <= seconds; second++) {
    const x = Math.round(width - ((width - GUTTER) * second) / seconds) + 0.5;
    context.strokeStyle = colours.line;
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(x, 0);
    context.lineTo(x, height - 18);
    context.stroke();
    if (second > 0 && second < seconds && second % 2 === 0) {
      context.fillStyle = colours.soft;
      context.fillText(`${second} s ago`, x, height - 5);
    }
  }
}

/** For people who cannot see the canvas. */
function name() {
  const names = lanes ? lanes.names().join(', ') : '';
  if (canvas.dataset.lanes !== names) {
    canvas.dataset.lanes = names;
    canvas.setAttribute('aria-label', `Timeline of the last seconds, who waited for the lock and who held it. ${names}`);
  }
}

/** What is under the pointer, or the last holder. */
export function showCaption() {
  name();
  setText(byId('caption'), pointed ? describe(pointed) : holders());
}

function describe(turn) {
  const millis = (from, to) => `${Math.round((to - from) / 1000)} ms`;
  const who = `${turn.jvm}, buyer ${turn.buyer}`;
  if (turn.holdingMicros === 0) {
    return `${who} waits for the lock.`;
  }
  const waited = turn.fence > 0 ? `waited ${millis(turn.waitingMicros, turn.holdingMicros)} for the lock` : 'did not ask for the lock';
  const end = turn.endMicros || drawnMicros();
  return `${who} ${waited}, and took ${millis(turn.holdingMicros, end)} to buy.`;
}

function holders() {
  const turns = [...allTurns()].filter((turn) => turn.holdingMicros > 0);
  const last = turns.sort((a, b) => a.holdingMicros - b.holdingMicros).at(-1);
  if (!last) {
    return 'No buyer has had the lock lately.';
  }
  return last.fence > 0
    ? `The last to get the lock: ${last.jvm}, buyer ${last.buyer}.`
    : `${turns.filter((turn) => turn.phase === 'HOLDING').length} buyers think at the same time, without a lock.`;
}
