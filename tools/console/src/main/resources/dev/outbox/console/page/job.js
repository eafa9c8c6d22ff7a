import { h, count } from './dom.js';
import { get, post } from './api.js';

const DONE = { replay: 'replayed', discard: 'deleted for good' };
const wait = ms => new Promise(resolve => setTimeout(resolve, ms));

// Counts first, asks for the number, then shows how far it is; it can be stopped.
export async function job(action, filter) {
  const title = h('h2', { id: 'job' }, action === 'replay' ? 'Replay dead letters' : 'Discard dead letters');
  const text = h('p', { role: 'status' }, 'Counting, nothing is changed yet…');
  const bar = h('progress', { 'aria-label': 'Progress' });
  const actions = h('.actions');
  const dialog = h('dialog', { 'aria-labelledby': 'job' }, title, whom(filter), text, bar, actions);
  let id = null, over = false;
  const stop = h('button', { onclick: () => id && post('jobs/stop', { id }).catch(show) }, 'Stop');
  const close = h('button', { onclick: () => dialog.close() }, 'Close');
  const show = e => { over = true; text.textContent = e.message; bar.hidden = true; actions.replaceChildren(h('span.grow'), close); };
  dialog.addEventListener('close', () => {
    dialog.remove();
    if (!over && id) post('jobs/stop', { id }).catch(() => {});
    window.dispatchEvent(new Event('hashchange'));
  });
  document.body.append(dialog);
  dialog.showModal();
  try {
    id = (await post('jobs', { action, filter: { ...filter } })).id;
    actions.replaceChildren(h('span.grow'), stop);
    const counted = await until(id, s => s.state !== 'COUNTING', s => { text.textContent = `Counting: ${count(s.counted)} so far…`; });
    if (counted.state !== 'COUNTED') return show(new Error('Stopped; nothing was changed.'));
    bar.hidden = true;
    if (!counted.counted) return show(new Error('No dead letter fits; nothing to do.'));
    text.textContent = `Dry run: ${count(counted.counted)} dead letters would be ${DONE[action]}. Those that die from now on are left out.`;
    await confirmed(id, action, counted.counted, actions, close, text);
    bar.hidden = false; bar.max = counted.counted; bar.value = 0;
    actions.replaceChildren(h('span.grow'), stop);
    const end = await until(id, s => !['RUNNING'].includes(s.state), s => { bar.value = s.done; text.textContent = `${count(s.done)} of ${count(s.counted)} ${DONE[action]}…`; });
    bar.value = end.done;
    over = true;
    text.textContent = end.state === 'DONE' ? `Done: ${count(end.done)} ${DONE[action]}.` : end.state === 'STOPPED' ? `Stopped: ${count(end.done)} of ${count(end.counted)} ${DONE[action]}; the rest is as it was.` : `It failed after ${count(end.done)}: the database does not answer or refuses. The rest is as it was.`;
    actions.replaceChildren(h('span.grow'), close);
    close.focus();
  } catch (e) { show(e); }
}

function whom(filter) {
  const parts = Object.entries(filter);
  return h('p.quiet', null, parts.length ? parts.map(([name, value]) => `${name === 'older' ? 'dead for minutes' : name}: ${value}`).join(', ') : 'All dead letters');
}

function confirmed(id, action, number, actions, close, text) {
  return new Promise(resolve => {
    const input = h('input', { name: 'number', inputMode: 'numeric', required: true, autocomplete: 'off' });
    const form = h('form.filters', { onsubmit: async event => {
      event.preventDefault();
      try {
        await post('jobs/confirm', { id, messages: Number(input.value.replaceAll(',', '')) });
        resolve();
      } catch (e) { text.textContent = e.message; }
    } }, h('label', null, `Type ${number} to go on`, input), h('button' + (action === 'discard' ? '.danger' : '.main'), { type: 'submit' }, action === 'discard' ? 'Delete for good' : 'Replay'), close);
    actions.replaceChildren(form);
    input.focus();
  });
}

async function until(id, isOver, tell) {
  for (;;) {
    const state = await get('job', { id });
    if (isOver(state)) return state;
    tell(state);
    await wait(200);
  }
}
