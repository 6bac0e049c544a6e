import { byId, count, setText } from './dom.js';

const SAMPLES = 90;
const EVERY_MILLIS = 500;

const perSecond = [];
const slowWait = [];
let lastSample = 0;

export function forgetSpeed() {
  perSecond.length = 0;
  slowWait.length = 0;
}

export function renderSpeed({ speed }, nowMicros) {
  setText(byId('per-second'), speed.soldPerSecond.toFixed(1));
  setText(byId('slow-wait'), speed.p99WaitMillis == null ? '–' : `${count(Math.round(speed.p99WaitMillis))} ms`);
  if (nowMicros / 1000 - lastSample >= EVERY_MILLIS) {
    lastSample = nowMicros / 1000;
    draw('per-second-spark', perSecond, speed.soldPerSecond);
    draw('slow-wait-spark', slowWait, speed.p99WaitMillis ?? 0);
  }
}

function draw(id, samples, value) {
  samples.push(value);
  samples.splice(0, samples.length - SAMPLES);
  const top = Math.max(...samples, 1) * 1.1;
  const from = SAMPLES - samples.length;
  const points = samples.map((sample, i) => `${from + i},${(1 - sample / top) * 100}`);
  const svg = byId(id);
  svg.setAttribute('viewBox', `0 -4 ${SAMPLES - 1} 108`);
  svg.firstElementChild.setAttribute('points', points.join(' '));
}
