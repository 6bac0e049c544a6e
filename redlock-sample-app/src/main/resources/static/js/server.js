import { complain } from './announcer.js';

const REOPEN_MILLIS = 2000;
const SILENCE_MILLIS = 3000;
const LOOK_EVERY_MILLIS = 500;
const ANSWER_WITHIN_MILLIS = 30_000;
const MOST_WAITING = 20;

const GONE = 'The application does not answer. Is it still running?';

/** The page itself is the first answer of the application. */
let live = true;
let lastFrame = performance.now();

/**
 * Listens to the application. The browser connects again by itself, and says how far it has
 * read. If it gives up, because the answer was not a stream, this connects again.
 */
export function listen(onFrame, onLink) {
  connect(onFrame, onLink);
  // A process that is stopped keeps its connections, so only the silence tells.
  setInterval(() => {
    if (live && performance.now() - lastFrame > SILENCE_MILLIS) {
      become(false, onLink);
    }
  }, LOOK_EVERY_MILLIS);
}

function connect(onFrame, onLink) {
  const source = new EventSource('demo/events');
  source.onmessage = (message) => {
    lastFrame = performance.now();
    become(true, onLink);
    onFrame(JSON.parse(message.data));
  };
  source.onerror = () => {
    become(false, onLink);
    if (source.readyState === EventSource.CLOSED) {
      setTimeout(() => connect(onFrame, onLink), REOPEN_MILLIS);
    }
  };
}

function become(isLive, onLink) {
  live = isLive;
  onLink(isLive ? 'live' : 'lost');
}

/** Whether the application sends frames. */
export const isLive = () => live;

const lanes = { nodes: lane(), sale: lane(), 'second-jvm': lane() };

function lane() {
  return { last: Promise.resolve(), waiting: 0 };
}

/**
 * Presses a button of the application. Requests about the same thing are sent one after the
 * other, because two that are under way at once can arrive in the wrong order.
 */
export function press(path, parameters = {}) {
  const queue = lanes[path.split('/')[0]] ?? lanes.sale;
  if (!live || queue.waiting >= MOST_WAITING) {
    complain(live ? 'The application is still busy with the last clicks.' : GONE);
    return Promise.resolve(false);
  }
  queue.waiting += 1;
  queue.last = queue.last.then(() => send(path, parameters)).finally(() => { queue.waiting -= 1; });
  return queue.last;
}

async function send(path, parameters) {
  try {
    const response = await fetch(`demo/${path}?${new URLSearchParams(parameters)}`,
      { method: 'POST', signal: AbortSignal.timeout(ANSWER_WITHIN_MILLIS) });
    if (!response.ok) {
      const problem = await response.json().catch(() => ({}));
      complain(problem.detail ?? `The application answered ${response.status}.`);
    }
    return response.ok;
  } catch {
    complain(GONE);
    return false;
  }
}
