import { setClock, stopClock } from './clock.js';
import { byId, setAria, setData, setText } from './dom.js';
import { bindGuide, forgetGuide, renderGuide } from './guide.js';
import { bindHolder, forgetHolder, renderHolder } from './holder.js';
import { forgetMarks, keepMarks, renderHolders, showHolders } from './holders.js';
import { bindJvms, renderJvms } from './jvms.js';
import { bindNodes, renderNodes, renderNodesUnknown } from './nodes.js';
import { forgetNotes, renderNotes } from './notes.js';
import { bindSale, renderSale } from './sale.js';
import { listen } from './server.js';
import { renderStatus, renderStatusUnknown } from './status.js';
import { showCaption, showTimeline } from './timeline.js';
import { forgetTurns, keepTurns } from './turns.js';

const LINKS = { live: 'live', lost: 'not connected, trying again' };

let chapter;

function onFrame(frame) {
  const begins = frame.chapter !== chapter;
  if (begins) {
    chapter = frame.chapter;
    [forgetTurns, forgetNotes, forgetMarks, forgetHolder, forgetGuide].forEach((forget) => forget());
  }
  setClock(frame.nowMicros);
  keepTurns(frame.turns, frame.nowMicros);
  keepMarks(frame.notes);
  renderStatus(frame.state);
  renderHolders(frame.state);
  renderSale(frame.state);
  renderNodes(frame.state);
  renderHolder(frame.state, frame.turns);
  renderGuide(frame.state, frame.nowMicros);
  renderJvms(frame.state);
  renderNotes(frame.notes, !begins);
  showCaption();
}

function onLink(link) {
  setData(byId('link'), 'link', link);
  setText(byId('link-text'), LINKS[link]);
  if (link === 'lost') {
    stopClock();
    renderStatusUnknown();
    renderNodesUnknown();
    ['open-locked', 'open-unlocked'].forEach((id) => setAria(byId(id), 'pressed', false));
  }
}

[bindSale, bindGuide, bindNodes, bindHolder, bindJvms].forEach((bind) => bind());
showTimeline();
showHolders();
onFrame(JSON.parse(byId('first-frame').textContent));
listen(onFrame, onLink);
