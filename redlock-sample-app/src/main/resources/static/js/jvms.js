import { byId, setData, setText } from './dom.js';
import { press } from './server.js';

const TEXTS = { OFF: 'off', STARTING: 'starting …', RUNNING: 'a process of its own' };

const toggle = byId('second-jvm');

export function bindJvms() {
  toggle.addEventListener('change', () => press('second-jvm', { running: toggle.checked }));
}

export function renderJvms({ secondJvm }) {
  setData(byId('jvm-two'), 'state', secondJvm);
  setText(byId('jvm-two-text'), TEXTS[secondJvm]);
  toggle.checked = secondJvm !== 'OFF';
}
