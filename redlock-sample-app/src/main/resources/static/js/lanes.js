/** Draws the buyers of each JVM in a lane of its own, one row for each. */

import { FONT } from './canvas.js';

export const GUTTER = 50;

const AXIS = 20;
const GAP = 8;
const TALLEST_ROW = 28;
const TALLEST_BAR = 18;

const LATE = { REFUSED: 'write refused', WRONG: 'wrong write', LATE: 'late write' };

export class Lanes {
  constructor(context, colours, view, turns) {
    this.context = context;
    this.colours = colours;
    this.view = view;
    this.turns = turns;
    this.rows = layOut(turns, view.height - AXIS);
  }

  draw() {
    this.labels();
    // What matters most is drawn last, and so lies on top.
    this.turns.forEach((turn) => this.wait(turn));
    this.turns.forEach((turn) => this.hold(turn));
    this.turns.forEach((turn) => this.mark(turn));
  }

  names() {
    return [...this.rows.keys()];
  }

  /** The purchase at a point of the canvas. */
  at(x, y) {
    const micros = this.view.endMicros - ((this.view.width - x) / (this.view.width - GUTTER)) * this.view.seconds * 1e6;
    return this.turns.find((turn) => {
      const { top, height } = this.row(turn);
      return y >= top && y < top + height && micros >= turn.waitingMicros
        && micros <= (turn.endMicros || this.view.endMicros);
    });
  }

  labels() {
    const { context, colours } = this;
    context.textAlign = 'left';
    context.textBaseline = 'middle';
    context.font = `600 12px ${FONT}`;
    for (const [jvm, lane] of this.rows) {
      context.fillStyle = colours[lane.colour];
      context.fillText(jvm, 8, lane.top + lane.height / 2);
    }
  }

  wait(turn) {
    if (turn.protection === 'NONE') {
      return;
    }
    const { top, height } = this.row(turn);
    const end = turn.holdingMicros || turn.endMicros || this.view.endMicros;
    this.span(turn.waitingMicros, end, (x, width) => {
      this.context.fillStyle = this.colours.edge;
      this.context.globalAlpha = 0.55;
      this.context.fillRect(x, top + height / 2 - 0.75, width, 1.5);
      this.context.globalAlpha = 1;
    });
    if (turn.phase === 'GAVE_UP') {
      this.cross(this.x(turn.endMicros), top + height / 2, this.colours.warn);
    }
  }

  hold(turn) {
    if (turn.holdingMicros === 0) {
      return;
    }
    const end = turn.endMicros || this.view.endMicros;
    const valid = turn.lostMicros > 0 ? Math.min(turn.lostMicros, end) : end;
    const unsafe = turn.protection === 'NONE';
    this.bar(turn, turn.holdingMicros, valid, unsafe ? this.colours.bad : this.colours[this.row(turn).colour],
      unsafe ? 0.5 : 1);
    if (turn.lostMicros > 0) {
      this.hatched(turn, valid, end);
    }
  }

  bar(turn, from, to, colour, alpha) {
    const { top, height } = this.row(turn);
    this.span(from, to, (x, width) => {
      this.context.fillStyle = colour;
      this.context.globalAlpha = alpha;
      this.context.beginPath();
      this.context.roundRect(x, top + 1, Math.max(width, 1.5), height - 2, Math.min(3, width / 2));
      this.context.fill();
      this.context.globalAlpha = 1;
      if (turn.paused && width > 150) {
        this.text('stands still with the lock', x + 6, top + height / 2, this.colours.card);
      }
    });
  }

  /** No longer a holder, and does not know it. */
  hatched(turn, from, to) {
    const { context, colours } = this;
    const { top, height } = this.row(turn);
    this.span(from, to, (x, width) => {
      context.save();
      context.beginPath();
      context.rect(x, top + 1, width, height - 2);
      context.clip();
      context.strokeStyle = colours.warn;
      context.lineWidth = 1.5;
      context.beginPath();
      // Bound to the time, so that the pattern moves with the bar.
      const start = x - height - ((x - this.x(from)) % 6);
      for (let i = start; i < x + width + height; i += 6) {
        context.moveTo(i, top + height);
        context.lineTo(i + height, top);
      }
      context.stroke();
      context.strokeRect(x + 0.5, top + 1.5, width - 1, height - 3);
      context.restore();
    });
  }

  mark(turn) {
    const label = LATE[turn.phase];
    if (!label) {
      return;
    }
    const { context, colours } = this;
    const { top, height } = this.row(turn);
    const x = this.x(turn.endMicros);
    const colour = { REFUSED: colours.good, WRONG: colours.bad, LATE: colours.warn }[turn.phase];
    context.beginPath();
    context.arc(x, top + height / 2, 6, 0, 2 * Math.PI);
    context.fillStyle = turn.phase === 'REFUSED' ? colours.card : colour;
    context.fill();
    context.strokeStyle = colour;
    context.lineWidth = 2.5;
    context.stroke();
    const width = context.measureText(label).width + 12;
    const left = x + 10 + width > this.view.width ? x - 10 - width : x + 10;
    context.fillStyle = colours.card;
    context.beginPath();
    context.roundRect(left, top + height / 2 - 9, width, 18, 5);
    context.fill();
    context.strokeStyle = colour;
    context.lineWidth = 1;
    context.stroke();
    this.text(label, left + 6, top + height / 2 + 0.5, colour);
  }

  cross(x, y, colour) {
    const { context } = this;
    if (x > GUTTER) {
      context.strokeStyle = colour;
      context.lineWidth = 2;
      context.beginPath();
      context.moveTo(x - 3, y - 3);
      context.lineTo(x + 3, y + 3);
      context.moveTo(x - 3, y + 3);
      context.lineTo(x + 3, y - 3);
      context.stroke();
    }
  }

  text(text, x, y, colour) {
    this.context.font = `600 11px ${FONT}`;
    this.context.textAlign = 'left';
    this.context.textBaseline = 'middle';
    this.context.fillStyle = colour;
    this.context.fillText(text, x, y);
  }

  span(from, to, paint) {
    const left = Math.max(GUTTER, this.x(from));
    const right = Math.min(this.view.width, this.x(to));
    if (right > left) {
      paint(left, right - left);
    }
  }

  x(micros) {
    const share = (this.view.endMicros - micros) / (this.view.seconds * 1e6);
    return this.view.width - share * (this.view.width - GUTTER);
  }

  row(turn) {
    const lane = this.rows.get(turn.jvm);
    const height = Math.min(lane.rowHeight, TALLEST_BAR);
    const middle = lane.top + (turn.buyer - 0.5) * lane.rowHeight;
    return { top: middle - height / 2, height, colour: lane.colour };
  }
}

function layOut(turns, height) {
  const buyers = new Map();
  turns.forEach((turn) => buyers.set(turn.jvm, Math.max(turn.buyer, buyers.get(turn.jvm) ?? 0)));
  const names = [...buyers.keys()].sort();
  const share = (height - GAP) / names.length - GAP;
  return new Map(names.map((name, i) => {
    const rowHeight = Math.min(TALLEST_ROW, share / buyers.get(name));
    const laneHeight = rowHeight * buyers.get(name);
    const top = GAP + i * (share + GAP) + (share - laneHeight) / 2;
    return [name, { top, height: laneHeight, rowHeight, colour: i === 0 ? 'one' : 'two' }];
  }));
}
