/** The bar that stays in view: headline, numbers, and how many nodes vote. */
import { announceState } from './announcer.js';
import { byId, count, setData, setText } from './dom.js';

const GONE = {
  code: 'GONE',
  headline: 'The application does not answer',
  text: 'These are the last numbers it sent. Nothing is known about the nodes. The page tries to connect again.',
};

const headline = byId('situation-headline');

export function renderStatus({ situation, stock, nodes, majority }) {
  const votes = nodes.filter((node) => node.state === 'READY').length;
  renderSituation(situation);
  renderQuorum(nodes.map((node) => node.state === 'READY'), majority,
    `${votes} of ${nodes.length} vote, ${majority} are needed`);
  setText(byId('sold'), count(stock.sold));
  setText(byId('left'), count(stock.left));
  const wrong = byId('promised-too-often');
  setText(wrong, count(stock.promisedTooOften));
  setData(wrong.parentElement, 'bad', stock.promisedTooOften > 0);
  announceState(`${situation.headline}. ${votes} of ${nodes.length} nodes vote.`);
}

export function renderStatusUnknown() {
  renderSituation(GONE);
  renderQuorum([...byId('pips').children].map(() => false), 0, 'It is not known which nodes vote');
  announceState(`${GONE.headline}.`);
}

function renderSituation({ code, headline: words, text }) {
  setData(byId('situation'), 'code', code);
  setText(headline, words);
  setText(byId('situation-text'), text);
}

function renderQuorum(voters, majority, text) {
  const pips = byId('pips');
  if (pips.childElementCount !== voters.length) {
    pips.replaceChildren(...voters.map(() => document.createElement('i')));
  }
  voters.sort((a, b) => b - a).forEach((votes, i) => {
    setData(pips.children[i], 'votes', votes);
    pips.children[i].classList.toggle('needed', i < majority);
  });
  setText(byId('quorum'), text);
}
