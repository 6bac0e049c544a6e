import { byId, setText } from './dom.js';
import { FONT, GUTTER, Lanes } from './lanes.js';
import { allTurns } from './turns.js';

/** Drawn a little late, so that what the next frame brings is drawn in time. */
const LAG_MICROS = 300_000;

const WIDE_PIXELS = 560;

const canvas = byId('timeline');
const context = canvas.getContext('2d');
const calm = matchMedia('(prefers-reduced-motion: reduce)');

let offsetMicros;
let colours;
let lanes;
let blank = false;

/** The clock of the application, as seen from here. The fastest frame tells it best. */
export function setClock(nowMicros) {
  const offset = nowMicros - performance.now() * 1000;
  const stepped = offsetMicros === undefined || Math.abs(offset - offsetMicros) > 2_000_000;
  offsetMicros = stepped ? offset : Math.max(offset, offsetMicros - 100);
}

export function showTimeline() {
  new ResizeObserver(fit).observe(canvas);
  document.addEventListener('themechange', readColours);
  readColours();
  canvas.addEventListener('pointermove', point);
  canvas.addEventListener('pointerleave', () => { pointed = undefined; });
  next();
}

function next() {
  draw();
  if (calm.matches) {
    setTimeout(next, 500);
  } else {
    requestAnimationFrame(next);
  }
}

function fit() {
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.round(canvas.clientWidth * ratio);
  canvas.height = Math.round(canvas.clientHeight * ratio);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  blank = false;
}

function readColours() {
  const probe = document.body.appendChild(document.createElement('i'));
  const read = (name) => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const names = ['ink', 'soft', 'line', 'edge', 'card', 'one', 'two', 'good', 'warn', 'bad'];
  colours = Object.fromEntries(names.map((name) => [name, read(name)]));
  probe.remove();
  blank = false;
}

function draw() {
  if (offsetMicros === undefined || canvas.clientWidth === 0) {
    return;
  }
  const seconds = canvas.clientWidth > WIDE_PIXELS ? 10 : 6;
  const endMicros = performance.now() * 1000 + offsetMicros - LAG_MICROS;
  const view = { width: canvas.clientWidth, height: canvas.clientHeight, endMicros, seconds };
  const turns = [...allTurns()].filter((turn) => turn.endMicros === 0 || turn.endMicros > endMicros - seconds * 1e6);
  if (turns.length === 0 && blank) {
    return;
  }
  blank = turns.length === 0;
  context.clearRect(0, 0, view.width, view.height);
  grid(view);
  lanes = new Lanes(context, colours, view, turns);
  lanes.draw();
}

function grid({ width, height, seconds }) {
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

let pointed;

function point(event) {
  pointed = lanes?.at(event.offsetX, event.offsetY);
}

/** For those who cannot see the canvas. */
function name() {
  const names = lanes ? lanes.names().join(', ') : '';
  if (canvas.dataset.lanes !== names) {
    canvas.dataset.lanes = names;
    canvas.setAttribute('aria-label', `Timeline of the last seconds, who waited for the lock and who held it. ${names}`);
  }
}

/** What is under the pointer, or who has the lock. */
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
  const waited = turn.fence > 0 ? ` waited ${millis(turn.waitingMicros, turn.holdingMicros)},` : '';
  const end = turn.endMicros || turn.holdingMicros;
  const fence = turn.fence > 0 ? `, fence ${turn.fence}` : ', no fence';
  return `${who}:${waited} took ${millis(turn.holdingMicros, end)}${fence}.`;
}

function holders() {
  const turns = [...allTurns()].filter((turn) => turn.holdingMicros > 0);
  const last = turns.sort((a, b) => a.holdingMicros - b.holdingMicros).at(-1);
  if (!last) {
    return 'Nobody has had the lock lately.';
  }
  return last.fence > 0
    ? `The last to get the lock: ${last.jvm}, buyer ${last.buyer}, with the fence ${last.fence}.`
    : `${turns.filter((turn) => turn.phase === 'HOLDING').length} buyers think at the same time, without a lock.`;
}
