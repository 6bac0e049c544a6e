/** The clock of the application, as seen from here. */

/** The timelines are drawn a little late, so that what the next frame brings is drawn in time. */
const LAG_MICROS = 300_000;

const STEP_MICROS = 2_000_000;

let offsetMicros;
let lastMicros;
let stoppedMicros;

const here = () => performance.now() * 1000;

/** The fastest frame tells the time best. */
export function setClock(nowMicros) {
  const offset = nowMicros - here();
  const stepped = offsetMicros === undefined || Math.abs(offset - offsetMicros) > STEP_MICROS;
  offsetMicros = stepped ? offset : Math.max(offset, offsetMicros - 100);
  lastMicros = nowMicros;
  stoppedMicros = undefined;
}

/** Nothing is known about the time after the last frame. */
export function stopClock() {
  stoppedMicros = lastMicros;
}

/** The right end of the timelines, or undefined before the first frame. */
export function drawnMicros() {
  return stoppedMicros ?? (offsetMicros === undefined ? undefined : here() + offsetMicros - LAG_MICROS);
}
