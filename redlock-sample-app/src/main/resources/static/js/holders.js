/** The small timeline that stays in view: holders at once, and what was done to the nodes. */
import { animate, colours, FONT, secondsShown } from './canvas.js';
import { drawnMicros } from './clock.js';
import { byId, setData, setText } from './dom.js';
import { overlaps } from './overlap.js';
import { allTurns } from './turns.js';

const TOP = 14;
const LEAST_SCALE = 2;
const MOST_MARKS = 20;

const canvas = byId('holders');

let marks = [];

export function forgetMarks() {
  marks = [];
}

export function keepMarks(notes) {
  marks.push(...notes.filter((note) => note.mark));
  marks = marks.slice(-MOST_MARKS);
}

export function showHolders() {
  animate(canvas, (context, width, height) => {
    const end = drawnMicros();
    if (end !== undefined) {
      const seconds = secondsShown();
      const x = (micros) => width - ((end - micros) / (seconds * 1e6)) * width;
      context.clearRect(0, 0, width, height);
      drawSpans(context, visible(end, seconds), x, height);
      drawMarks(context, x, height);
    }
  });
}

/** Says in words what the picture shows. */
export function renderHolders({ sale }) {
  const end = drawnMicros();
  // The picture still shows the sale before, which may have been one without the lock.
  const spans = end === undefined ? [] : visible(end, secondsShown()).filter((span) => span.from >= sale.openedMicros);
  const most = Math.max(0, ...spans.map((span) => span.holders));
  const late = spans.some((span) => span.late > 0);
  setData(canvas, 'most', most);
  setText(byId('holders-text'), words(most) + (late ? ', and one whose lock has ended' : ''));
}

function words(most) {
  switch (most) {
    case 0: return 'none';
    case 1: return 'at most 1';
    default: return `at most ${most}, so they overwrite each other`;
  }
}

function visible(end, seconds) {
  const begin = end - seconds * 1e6;
  const turns = [...allTurns()].filter((turn) => turn.endMicros === 0 || turn.endMicros > begin);
  return overlaps(turns, end).filter((span) => span.to > begin && span.from < end);
}

function drawSpans(context, spans, x, height) {
  const scale = Math.max(LEAST_SCALE, ...spans.map((span) => Math.max(1, span.holders) + span.late));
  const level = (height - TOP) / scale;
  for (const { from, to, holders, late } of spans) {
    const left = x(from);
    const width = Math.max(1, x(to) - left);
    context.fillStyle = holders > 1 ? colours.bad : colours.one;
    context.fillRect(left, height - holders * level, width, holders * level);
    context.fillStyle = colours.warn;
    // Above the place of the holder, also while that is empty.
    context.fillRect(left, height - (Math.max(1, holders) + late) * level, width, late * level);
  }
  context.strokeStyle = colours.edge;
  context.setLineDash([3, 3]);
  line(context, 0, Math.round(height - level) + 0.5, canvas.clientWidth, Math.round(height - level) + 0.5);
  context.setLineDash([]);
}

function drawMarks(context, x, height) {
  context.font = `600 11px ${FONT}`;
  context.textBaseline = 'top';
  const labels = [];
  for (const { micros, mark, tone } of marks) {
    const at = Math.round(x(micros)) + 0.5;
    if (at > 0) {
      const colour = tone === 'GOOD' ? colours.good : colours.warn;
      context.strokeStyle = colour;
      line(context, at, TOP, at, height);
      label(context, labels, { at, colour, text: mark });
    }
  }
  labels.forEach(({ at, colour, text }) => {
    context.fillStyle = colour;
    context.fillText(text, Math.max(0, Math.min(at, canvas.clientWidth - context.measureText(text).width)), 1);
  });
}

/** Marks that are close to each other share a label, so that none covers another. */
function label(context, labels, next) {
  const last = labels.at(-1);
  if (last && next.at < last.at + context.measureText(last.text).width + 8) {
    last.text += `, ${next.text}`;
    last.colour = next.colour;
  } else {
    labels.push(next);
  }
}

function line(context, fromX, fromY, toX, toY) {
  context.lineWidth = 1;
  context.beginPath();
  context.moveTo(fromX, fromY);
  context.lineTo(toX, toY);
  context.stroke();
}
