import { byId, complain, setData, setText } from './dom.js';
import { press } from './server.js';

const tiles = new Map();

const CONDITIONS = {
  RUNNING: 'The server runs.',
  KILLED: 'The server was killed.',
  FROZEN: 'The server is frozen.',
  CUT_OFF: 'The server is cut off.',
};

/** What a button needs, and what to say where that is missing. */
const NEEDS = {
  kill: (node) => node.condition !== 'KILLED',
  freeze: (node) => node.condition === 'RUNNING' || node.condition === 'CUT_OFF',
  cut: (node) => node.condition === 'RUNNING',
  restart: () => true,
  heal: (node) => node.condition !== 'RUNNING',
};

export function bindNodes() {
  byId('heal-all').addEventListener('click', () => press('nodes/heal'));
}

export function renderNodes({ nodes, majority }) {
  const votes = nodes.filter((node) => node.state === 'READY').length;
  setText(byId('quorum'), `${votes} of ${nodes.length} vote, ${majority} are needed`);
  renderPips(nodes, majority);
  nodes.forEach((node) => renderTile(tile(node.name), node));
}

function renderPips(nodes, majority) {
  const pips = byId('pips');
  if (pips.childElementCount !== nodes.length) {
    pips.replaceChildren(...nodes.map(() => document.createElement('i')));
  }
  const sorted = nodes.map((node) => node.state === 'READY').sort((a, b) => b - a);
  sorted.forEach((ready, i) => {
    setData(pips.children[i], 'votes', ready);
    pips.children[i].classList.toggle('needed', i < majority);
  });
}

function tile(name) {
  if (!tiles.has(name)) {
    const element = byId('tile').content.firstElementChild.cloneNode(true);
    element.dataset.node = name;
    element.setAttribute('aria-label', `Node ${name}`);
    setText(element.querySelector('.name'), name);
    element.querySelectorAll('button').forEach((button) => {
      button.setAttribute('aria-label', `${button.textContent}: node ${name}`);
      button.addEventListener('click', () => act(button, name));
    });
    tiles.set(name, element);
    byId('tiles').append(element);
  }
  return tiles.get(name);
}

function act(button, name) {
  if (button.getAttribute('aria-disabled') === 'true') {
    const condition = button.closest('.tile').querySelector('.condition').textContent;
    complain(`${condition} ${button.dataset.action === 'heal' ? 'There is nothing to heal.' : 'Heal it first.'}`);
  } else {
    press(`nodes/${name}/${button.dataset.action}`);
  }
}

function renderTile(element, node) {
  setData(element, 'state', node.state);
  setText(element.querySelector('.state'), node.state);
  setText(element.querySelector('.condition'), CONDITIONS[node.condition] ?? '');
  setText(element.querySelector('.reason'), reason(node));
  element.querySelectorAll('button').forEach((button) => {
    button.setAttribute('aria-disabled', String(!NEEDS[button.dataset.action](node)));
  });
}

function reason(node) {
  if (node.state === 'READY') {
    return node.condition === 'RUNNING' ? 'It votes.' : 'The lock has not noticed yet.';
  }
  if (node.state === 'QUARANTINED') {
    // What the lock says at length is among the notes; here a countdown is easier to watch.
    const seconds = Math.ceil((node.remainingMillis ?? 0) / 1000);
    return `It may have forgotten locks that are still held. It votes again in ${seconds} s.`;
  }
  return node.reason;
}
