import { complain } from './dom.js';

const REOPEN_MILLIS = 2000;

/**
 * Listens to the application. The browser connects again by itself, and says how far it has
 * read; where it gives up, since it got an answer that is no stream, it is begun anew.
 */
export function listen(onFrame, onLink) {
  const source = new EventSource('demo/events');
  source.onopen = () => onLink('live');
  source.onmessage = (message) => onFrame(JSON.parse(message.data));
  source.onerror = () => {
    onLink('lost');
    if (source.readyState === EventSource.CLOSED) {
      setTimeout(() => listen(onFrame, onLink), REOPEN_MILLIS);
    }
  };
}

/** Presses a button of the application; what it answers against it is shown. */
export async function press(path, parameters = {}) {
  try {
    const response = await fetch(`demo/${path}?${new URLSearchParams(parameters)}`, { method: 'POST' });
    if (!response.ok) {
      const problem = await response.json().catch(() => ({}));
      complain(problem.detail ?? `The application answered ${response.status}.`);
    }
    return response.ok;
  } catch {
    complain('The application does not answer. Is it still running?');
    return false;
  }
}
