import { announce, byId, setData, setText } from './dom.js';
import { press } from './server.js';

const form = byId('controls');
const bar = byId('bar');

export function bindSale() {
  byId('open-locked').addEventListener('click', () => open(true));
  byId('open-unlocked').addEventListener('click', () => open(false));
  byId('close').addEventListener('click', () => press('sale/close'));
  byId('reset').addEventListener('click', () => {
    if (form.reportValidity()) {
      press('sale/reset', { units: form.units.value });
    }
  });
  form.addEventListener('submit', (event) => event.preventDefault());
}

function open(locked) {
  if (form.reportValidity()) {
    press('sale/open', { locked, buyers: form.buyers.value, units: form.units.value });
  }
}

export function renderSale({ situation, stock }) {
  renderSituation(situation);
  setText(byId('left'), stock.left);
  setText(byId('sold'), stock.sold);
  renderLoss(byId('sold-twice'), stock.soldTwice);
  renderLoss(byId('oversold'), stock.oversold);
  renderBar(stock);
}

function renderSituation({ code, headline, text }) {
  const box = byId('situation');
  if (box.dataset.code !== code || byId('situation-headline').textContent !== headline) {
    announce(`${headline}. ${text}`);
  }
  setData(box, 'code', code);
  setText(byId('situation-headline'), headline);
  setText(byId('situation-text'), text);
}

function renderLoss(element, count) {
  setText(element, count);
  setData(element.parentElement, 'bad', count > 0);
}

/** As long as all that was sold, once that is more than there was. */
function renderBar({ units, sold }) {
  const whole = Math.max(units, sold, 1);
  const percent = (count) => `${(100 * count) / whole}%`;
  const over = Math.max(0, sold - units);
  bar.querySelector('.sold').style.width = percent(Math.min(sold, units));
  bar.querySelector('.over').style.left = percent(units);
  bar.querySelector('.over').style.width = percent(over);
  byId('bar-units').style.left = over > 0 ? percent(units) : '100%';
}
