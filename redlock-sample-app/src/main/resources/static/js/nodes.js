/** A tile for each node: its server, whether it votes, and the ways to break it. */
import { complain } from './announcer.js';
import { byId, isDisabled, setAria, setData, setText } from './dom.js';
import { isLive, press } from './server.js';

/** Until then the frames show what was asked for. */
const SHOWN_WITHIN_MILLIS = 500;

const CONDITIONS = {
  RUNNING: 'The server runs.',
  KILLED: 'The server was killed.',
  FROZEN: 'The server is frozen.',
  CUT_OFF: 'The server is cut off.',
};

const STATES = {
  READY: 'votes',
  QUARANTINED: 'quarantine',
  CHECKING: 'checking',
  UNAVAILABLE: 'no answer',
  UNFIT: 'unfit',
  UNKNOWN: 'unknown',
};

/** The conditions in which a button does something, and the condition that it leads to. */
const ACTIONS = {
  kill: { from: ['RUNNING', 'FROZEN', 'CUT_OFF'], to: 'KILLED' },
  freeze: { from: ['RUNNING', 'CUT_OFF'], to: 'FROZEN' },
  cut: { from: ['RUNNING'], to: 'CUT_OFF' },
  restart: { from: ['RUNNING', 'KILLED', 'FROZEN', 'CUT_OFF'], to: 'RUNNING' },
  heal: { from: ['KILLED', 'FROZEN', 'CUT_OFF'], to: 'RUNNING' },
};

const tiles = new Map();

/** The conditions that were asked for and are not in the frames yet, by node. */
const asked = new Map();

let nodes = [];

export function bindNodes() {
  byId('heal-all').addEventListener('click', () => {
    if (isDisabled(byId('heal-all'))) {
      complain('All servers run. There is nothing to heal.');
    } else {
      press('nodes/heal');
    }
  });
}

/** Kills servers until so many are broken. */
export function killSome(number) {
  const broken = nodes.filter((node) => condition(node) !== 'RUNNING').length;
  nodes.filter((node) => condition(node) === 'RUNNING').slice(0, Math.max(0, number - broken))
    .forEach((node) => act(node.name, 'kill'));
}

export function renderNodes(state) {
  nodes = state.nodes;
  nodes.forEach((node) => renderTile(tile(node.name), node));
  setAria(byId('heal-all'), 'disabled', nodes.every((node) => condition(node) === 'RUNNING'));
}

/** Shows that nothing is known, because the application does not answer. */
export function renderNodesUnknown() {
  for (const element of tiles.values()) {
    show(element, 'UNKNOWN', 'Nothing is known.', 'The application does not answer.');
    element.querySelectorAll('button').forEach((button) => setAria(button, 'disabled', true));
  }
}

/** The last thing that was asked for counts, also while it is being done. */
const condition = (node) => asked.get(node.name)?.condition ?? node.condition;

function tile(name) {
  if (!tiles.has(name)) {
    const element = byId('tile').content.firstElementChild.cloneNode(true);
    element.dataset.node = name;
    element.setAttribute('aria-label', `Node ${name}`);
    setText(element.querySelector('.name'), name);
    element.querySelectorAll('button').forEach((button) => {
      button.setAttribute('aria-label', `${button.textContent}: node ${name}`);
      button.addEventListener('click', () => click(button, name));
    });
    tiles.set(name, element);
    byId('tiles').append(element);
  }
  return tiles.get(name);
}

function click(button, name) {
  const { action } = button.dataset;
  if (!isDisabled(button)) {
    act(name, action);
  } else if (tiles.get(name).dataset.state === 'UNKNOWN') {
    complain('The application does not answer. Is it still running?');
  } else {
    const now = CONDITIONS[condition(nodes.find((node) => node.name === name))] ?? '';
    complain(`${now} ${action === 'heal' ? 'There is nothing to heal.' : 'Heal it first.'}`);
  }
}

async function act(name, action) {
  const wish = { condition: ACTIONS[action].to };
  if (isLive()) {
    asked.set(name, wish);
    renderNodes({ nodes });
  }
  await press(`nodes/${name}/${action}`);
  setTimeout(() => {
    if (asked.get(name) === wish) {
      asked.delete(name);
    }
  }, SHOWN_WITHIN_MILLIS);
}

function renderTile(element, node) {
  show(element, node.state, CONDITIONS[node.condition] ?? '', reason(node));
  element.querySelectorAll('button').forEach((button) => {
    setAria(button, 'disabled', !ACTIONS[button.dataset.action].from.includes(condition(node) ?? 'RUNNING'));
  });
}

function show(element, state, server, why) {
  setData(element, 'state', state);
  setText(element.querySelector('.state'), STATES[state]);
  setText(element.querySelector('.condition'), server);
  setText(element.querySelector('.reason'), why);
}

function reason(node) {
  if (node.state === 'READY') {
    return node.condition === 'RUNNING' ? 'It votes.' : 'The lock has not noticed yet.';
  }
  if (node.state === 'QUARANTINED') {
    // The notes have the whole reason; here a countdown is easier to watch.
    const seconds = Math.ceil((node.remainingMillis ?? 0) / 1000);
    return `It may have forgotten locks that are still held. It votes again in ${seconds} s.`;
  }
  // The notes have the whole reason, which is too long for a tile.
  return node.state === 'UNAVAILABLE' ? 'The lock cannot reach it, so it does not vote.' : node.reason;
}
