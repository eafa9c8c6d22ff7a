import { h, count, visible } from './dom.js';
import { get, post } from './api.js';

export const DONE = { replay: 'replayed', discard: 'deleted for good' };
const wait = ms => new Promise(resolve => setTimeout(resolve, ms));

// Counts first, asks for the number, then shows how far it is. Once it is confirmed it goes on, also without this window.
export async function job(action, filter, pace) {
  const at = dialog(action, which(filter, pace));
  let id = null, isConfirmed = false;
  const stop = () => id && post('jobs/stop', { id }).catch(() => {});
  at.window.addEventListener('close', () => isConfirmed || stop());
  try {
    id = (await post('jobs', { action, filter, pace })).id;
    at.offer(button('Stop', stop));
    const counted = await until(at, id, s => s.state !== 'COUNTING', s => at.say(`Counting: ${count(s.counted)} so far…`));
    if (!counted) return;
    if (counted.state !== 'COUNTED') return at.end(counted.state === 'FAILED' ? 'Counting failed: the database does not answer or refuses. Nothing was changed.' : 'Stopped; nothing was changed.');
    at.bar.hidden = true;
    if (!counted.counted) return at.end('No dead letter fits; nothing to do.');
    at.say(`Dry run: ${letters(counted.counted)} would be ${DONE[action]}. Those that die from now on are left out.`);
    await confirmed(at, id, action, counted.counted);
    isConfirmed = true;
    await progress(at, id, action);
  } catch (e) { at.end(e.message); }
}

// Shows one that was begun elsewhere, or before this page was loaded again.
export async function follow(begun) {
  const action = begun.action.toLowerCase();
  const at = dialog(action, h('p.quiet', null, begun.which === 'all' ? 'All dead letters' : begun.which));
  try { await progress(at, begun.id, action); } catch (e) { at.end(e.message); }
}

export const letters = n => count(n) + (n === 1 ? ' dead letter' : ' dead letters');

// How a replay or discard ended, or how far it is.
export function outcome(s) {
  const done = DONE[s.action.toLowerCase()];
  if (s.state === 'DONE') return `Done: ${count(s.done)} ${done}.`;
  if (s.state === 'STOPPED') return `Stopped: ${count(s.done)} of ${count(s.counted)} ${done}; the rest is as it was.`;
  if (s.state === 'FAILED') return `Failed after ${count(s.done)} of ${count(s.counted)}: the database does not answer or refuses. The rest is as it was.`;
  return `${count(s.done)} of ${count(s.counted)} ${done}…`;
}

async function progress(at, id, action) {
  at.bar.hidden = false;
  at.offer(button('Stop', () => post('jobs/stop', { id }).catch(e => at.say(e.message))), button('Hide', () => at.window.close()));
  const draw = s => { at.bar.max = Math.max(1, s.counted); at.bar.value = s.done; at.say(outcome(s)); };
  const end = await until(at, id, s => s.state !== 'RUNNING', draw);
  if (!end) return;
  draw(end);
  at.end(outcome(end), true);
}

const button = (name, onclick) => h('button', { type: 'button', onclick }, name);

function dialog(action, about) {
  const text = h('p', { role: 'status' }, 'Counting, nothing is changed yet…');
  const bar = h('progress', { 'aria-label': 'Progress' });
  const actions = h('.actions');
  const window_ = h('dialog', { 'aria-labelledby': 'job' }, h('h2', { id: 'job' }, action === 'replay' ? 'Replay dead letters' : 'Discard dead letters'), about, text, bar, actions);
  window_.addEventListener('close', () => { window_.remove(); window.dispatchEvent(new Event('hashchange')); });
  document.body.append(window_);
  window_.showModal();
  const at = { window: window_, bar, actions, say: t => { text.textContent = visible(t); }, offer: (...buttons) => actions.replaceChildren(h('span.grow'), ...buttons) };
  at.end = (t, keepsBar) => { at.say(t); bar.hidden = !keepsBar; const close = button('Close', () => window_.close()); at.offer(close); close.focus(); };
  return at;
}

function which(filter, pace) {
  const parts = Object.entries(filter).map(([name, value]) => `${name === 'older' ? 'dead for minutes' : name}: ${value}`);
  return h('p.quiet', null, (parts.length ? parts.join(', ') : 'All dead letters') + (pace ? `; at most ${count(pace)} a second` : ''));
}

function confirmed(at, id, action, number) {
  return new Promise(resolve => {
    const input = h('input', { name: 'number', inputMode: 'numeric', required: true, autocomplete: 'off' });
    const form = h('form.filters', { onsubmit: async event => {
      event.preventDefault();
      try {
        await post('jobs/confirm', { id, messages: Number(input.value.replaceAll(',', '')) });
        resolve();
      } catch (e) { at.say(e.message); }
    } }, h('label', null, `Type ${number} to go on`, input), h('button' + (action === 'discard' ? '.danger' : '.main'), { type: 'submit' }, action === 'discard' ? 'Delete for good' : 'Replay'), button('Cancel', () => at.window.close()));
    at.actions.replaceChildren(form);
    input.focus();
  });
}

// The state at the end; nothing when the window was closed before.
async function until(at, id, isOver, tell) {
  for (;;) {
    const state = await get('job', { id });
    if (isOver(state)) return state;
    if (!at.window.open) return null;
    tell(state);
    await wait(200);
  }
}
