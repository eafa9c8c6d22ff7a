import { h, fill, table, age } from './dom.js';
import { get } from './api.js';
import { job } from './job.js';

const REASONS = ['REJECTED', 'EXHAUSTED', 'EXPIRED', 'UNREADABLE', 'CRASH'];
const NAMES = ['topic', 'key', 'reason', 'error', 'older'];

export async function dead(place, live, query, me) {
  const filter = Object.fromEntries(NAMES.map(n => [n, query.get(n) || '']).filter(([, v]) => v));
  const { letters, more } = await get('dead', { ...filter, after: query.get('after') });
  const now = Date.now();
  const rows = letters.map(l => [h('a', { href: '#/letter?number=' + l.number }, String(l.number)), l.topic,
    [l.key ?? h('span.quiet', null, 'none'), l.holdsKey ? h('span.tag.warning', null, 'held') : null],
    h('span.tag', null, l.reason.toLowerCase()), String(l.attempts), age((now - l.deadSince) / 1000), l.error]);
  fill(place, h('h1', null, 'Dead letters'),
    h('p.lead', null, 'They do not move by themselves. Repair the cause, then replay them; or discard what nobody needs.'),
    filters(filter), me.operate && letters.length ? bulk(filter) : null,
    table('Dead letters', [['Number', 'n'], ['Topic', 'name'], ['Key', 'name'], ['Reason'], ['Tried', 'n'], ['Dead for', 'n'], ['Last error', 'text']], rows,
      Object.keys(filter).length ? 'No dead letter fits.' : 'There is none.'),
    h('.actions', null, query.get('after') ? h('a.button', { href: '#/dead?' + new URLSearchParams(filter) }, 'From the first') : null,
      more ? h('a.button', { href: '#/dead?' + new URLSearchParams({ ...filter, after: letters[letters.length - 1].number }) }, 'Next 50') : null));
}

function filters(filter) {
  const field = (name, label, type = 'text') => h('label', null, label, h('input', { name, type, value: filter[name] || '', min: type === 'number' ? 0 : null }));
  return h('form.filters', { role: 'search', onsubmit: event => {
    event.preventDefault();
    const asked = new FormData(event.target);
    location.hash = '#/dead?' + new URLSearchParams([...asked].filter(([, value]) => value));
  } },
  field('topic', 'Topic'), field('key', 'Key'),
  h('label', null, 'Reason', h('select', { name: 'reason' }, h('option', { value: '' }, 'any'), REASONS.map(r => h('option', { value: r, selected: filter.reason === r }, r.toLowerCase())))),
  field('error', 'Error has'), field('older', 'Dead for minutes', 'number'),
  h('button.main', { type: 'submit' }, 'Search'), Object.keys(filter).length ? h('a.button', { href: '#/dead' }, 'Clear') : null);
}

function bulk(filter) {
  const whom = Object.keys(filter).length ? 'all that fit' : 'all';
  return h('.actions', null,
    h('button', { onclick: () => job('replay', filter) }, `Replay ${whom}…`),
    h('button.danger', { onclick: () => job('discard', filter) }, `Discard ${whom}…`));
}
