import { h, fill, table, age, count } from './dom.js';
import { get } from './api.js';
import { job, follow, outcome, letters as amount } from './job.js';

const REASONS = ['REJECTED', 'EXHAUSTED', 'EXPIRED', 'UNREADABLE', 'CRASH'];
const NAMES = ['topic', 'key', 'reason', 'error', 'older'];

export async function dead(place, live, query, me) {
  const filter = Object.fromEntries(NAMES.map(n => [n, query.get(n) || '']).filter(([, v]) => v));
  const after = query.get('after');
  const [found, begun] = await Promise.all([get('dead', { ...filter, after }), me.operate ? get('jobs') : { jobs: [] }]);
  const { letters, more, now } = found;
  const rows = letters.map(l => [h('a', { href: '#/letter?number=' + l.number }, String(l.number)), l.topic,
    [l.key ?? h('span.quiet', null, 'none'), l.holdsKey ? h('span.tag.warning', null, 'held') : null],
    h('span.tag', null, l.reason.toLowerCase()), String(l.attempts), age((now - l.deadSince) / 1000), l.error]);
  fill(place, h('h1', null, 'Dead letters'),
    h('p.lead', null, 'They stay here until you act. Fix the cause, then replay them; or discard those that are not needed.'),
    begun.jobs.length ? jobs(begun.jobs) : null,
    filters(filter), letters.length ? summary(found, filter) : null, me.operate && letters.length ? bulk(filter) : null,
    table('Dead letters', [['Number', 'n'], ['Topic', 'name'], ['Key', 'name'], ['Reason'], ['Tried', 'n'], ['Dead for', 'n'], ['Last error', 'text']], rows,
      Object.keys(filter).length ? 'No dead letter fits.' : 'There is none.'),
    h('.actions', null, after ? h('a.button', { href: '#/dead?' + new URLSearchParams(filter) }, 'Oldest') : null,
      more ? h('a.button', { href: '#/dead?' + new URLSearchParams({ ...filter, after: letters[letters.length - 1].number }) }, 'Next 50') : null,
      more && !Object.keys(filter).length ? h('a.button', { href: '#/dead?after=' + Math.max(0, found.last - 50) }, 'Newest') : null));
}

const summary = (found, filter) => h('p', null, h('b', null, count(found.count, found.bound)), Object.keys(filter).length ? ' fit, the oldest first.' : ', the oldest first.');

// What was begun goes on when its window is closed: it is found here again.
function jobs(list) {
  const rows = list.map(j => [j.action.toLowerCase(), j.which, outcome(j), j.who, j.state === 'RUNNING' ? h('button.small', { onclick: () => follow(j), 'aria-label': `Show the ${j.action.toLowerCase()} of ${amount(j.counted)}` }, 'Show') : null]);
  return h('.wide', null, table('Replays and discards', [['What'], ['Which', 'text'], ['State', 'text'], ['By', 'name'], ['Progress']], rows, ''));
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
  const which = Object.keys(filter).length ? 'all that fit' : 'all';
  const pace = h('input.short', { name: 'pace', type: 'number', min: 1, placeholder: 'no limit' });
  return h('.actions', null,
    h('button', { onclick: () => pace.reportValidity() && job('replay', filter, pace.value ? Number(pace.value) : null) }, `Replay ${which}…`),
    h('label.beside', null, 'at most a second', pace), h('span.grow'),
    h('button.danger', { onclick: () => job('discard', filter, null) }, `Discard ${which}…`));
}
