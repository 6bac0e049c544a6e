import { byId, setData, setText } from './dom.js';
import { bindHolder, forgetHolder, renderHolder } from './holder.js';
import { bindJvms, renderJvms } from './jvms.js';
import { bindNodes, renderNodes } from './nodes.js';
import { forgetNotes, renderNotes } from './notes.js';
import { bindSale, renderSale } from './sale.js';
import { listen } from './server.js';
import { forgetSpeed, renderSpeed } from './speed.js';
import { setClock, showCaption, showTimeline } from './timeline.js';
import { forgetTurns, keepTurns } from './turns.js';

const LINKS = { live: 'live', lost: 'not connected, trying again' };

let chapter;

function onFrame(frame) {
  const begins = frame.chapter !== chapter;
  if (begins) {
    chapter = frame.chapter;
    [forgetTurns, forgetNotes, forgetSpeed, forgetHolder].forEach((forget) => forget());
  }
  setClock(frame.nowMicros);
  keepTurns(frame.turns, frame.nowMicros);
  renderSale(frame.state);
  renderSpeed(frame.state, frame.nowMicros);
  renderNodes(frame.state);
  renderHolder(frame.state, frame.turns);
  renderJvms(frame.state);
  renderNotes(frame.notes, !begins);
  showCaption();
  document.body.classList.remove('loading');
}

function onLink(link) {
  setData(byId('link'), 'link', link);
  setText(byId('link-text'), LINKS[link]);
}

[bindSale, bindNodes, bindHolder, bindJvms].forEach((bind) => bind());
showTimeline();
listen(onFrame, onLink);
