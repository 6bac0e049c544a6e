/** What both timelines have in common: size, colours, and the right moment to draw. */

const WIDE_PIXELS = 560;
const CALM_MILLIS = 500;

const NAMES = ['ink', 'soft', 'line', 'edge', 'card', 'one', 'two', 'good', 'warn', 'bad'];

const calm = matchMedia('(prefers-reduced-motion: reduce)');

export const FONT = getComputedStyle(document.body).fontFamily;

/** The colours of the theme. They change with it. */
export const colours = {};

/** As many seconds on both timelines, so that one can be compared with the other. */
export const secondsShown = () => (document.body.clientWidth > WIDE_PIXELS ? 10 : 6);

readColours();
document.addEventListener('themechange', readColours);

function readColours() {
  const probe = document.body.appendChild(document.createElement('i'));
  NAMES.forEach((name) => {
    probe.style.color = `var(--${name})`;
    colours[name] = getComputedStyle(probe).color;
  });
  probe.remove();
}

/** Calls a function for each picture, with the context of the canvas. */
export function animate(canvas, draw) {
  const context = canvas.getContext('2d');
  new ResizeObserver(() => fit(canvas, context)).observe(canvas);
  const next = () => {
    if (canvas.clientWidth > 0) {
      draw(context, canvas.clientWidth, canvas.clientHeight);
    }
    if (calm.matches) {
      setTimeout(next, CALM_MILLIS);
    } else {
      requestAnimationFrame(next);
    }
  };
  next();
}

function fit(canvas, context) {
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.round(canvas.clientWidth * ratio);
  canvas.height = Math.round(canvas.clientHeight * ratio);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
}
