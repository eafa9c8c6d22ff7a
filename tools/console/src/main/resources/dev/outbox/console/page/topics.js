import { h, fill, table, count, age, ask, say } from './dom.js';
import { get, post } from './api.js';

// Topics can be made of data, and a browser takes seconds for thousands of rows.
const MOST = 500;
const isSet = t => Object.values(t.setting).some(Boolean);
const most = list => list.length > MOST ? [...list.filter(isSet), ...list.filter(t => !isSet(t))].slice(0, MOST) : list;

export async function topics(place, live, query, me) {
  const { topics: list, cut } = await get('topics');
  const columns = [['Topic', 'name'], ['Ready', 'n'], ['Parked', 'n'], ['Delayed', 'n'], ['Dead', 'n'], ['State', 'text']];
  if (me.operate) columns.push(['Change', 'text']);
  fill(place, h('h1', null, 'Topics'),
    h('p.lead', null, 'Limits hold for each relay. A change is seen by every relay within seconds, and survives restarts.'),
    Object.values(cut).some(Boolean) ? h('p.lead', null, 'Counting stops at 10,000 in each table; a number with + is at least that.') : null,
    list.length > MOST ? h('p.lead', null, `${MOST} of ${count(list.length)} topics are shown, those with a setting first. The command outbox topics has all.`) : null,
    table('Topics', columns, most(list).map(t => row(t, cut, me)), 'No topic has a message or a setting.'),
    me.operate ? unlisted() : null);
}

// Counting ends before some topics, and others have no message yet.
const unlisted = () => h('form.filters.actions', { onsubmit: event => {
  event.preventDefault();
  const topic = new FormData(event.target).get('topic');
  guarded(topic, () => post('topic', { topic, change: 'pause' }))();
} }, h('label', null, 'A topic that is not listed', h('input', { name: 'topic', required: true, autocomplete: 'off' })), h('button', { type: 'submit' }, 'Pause'));

function row(t, cut, me) {
  const least = name => count(t[name]) + (cut[name] ? '+' : '');
  const cells = [t.topic, least('ready'), least('parked'), least('delayed'),
    t.dead || cut.dead ? h('a', { href: '#/dead?topic=' + encodeURIComponent(t.topic) }, least('dead')) : '0', state(t)];
  if (me.operate) cells.push(changes(t));
  return cells;
}

function state(t) {
  const tags = [];
  if (t.setting.paused) tags.push(h('span.tag.warning', null, 'paused'));
  if (t.nextProbe !== null) tags.push(h('span.tag.bad', null, 'broker down, next probe in ' + age(t.nextProbe)));
  if (t.setting.perSecond) tags.push(h('span.tag', null, t.setting.perSecond + ' a second'));
  if (t.setting.inFlight) tags.push(h('span.tag', null, t.setting.inFlight + ' in flight'));
  if (t.setting.strict) tags.push(h('span.tag', null, 'strict'));
  return tags.length ? tags : h('span.quiet', null, 'publishes');
}

const guarded = (topic, work) => async () => {
  try {
    const set = await work();
    if (set) say(`${topic}: ${set.paused ? 'paused' : 'publishes'}${set.perSecond ? `, ${set.perSecond} a second` : ''}${set.inFlight ? `, ${set.inFlight} in flight` : ''}`);
    if (set?.doubt) say(set.doubt);
  } catch (e) { say(e.message); }
  window.dispatchEvent(new Event('hashchange'));
};

function changes(t) {
  const change = (what, number) => post('topic', number === undefined ? { topic: t.topic, change: what } : { topic: t.topic, change: what, number });
  const limit = async () => {
    const typed = await ask('Limit ' + t.topic, 'Each relay keeps to it. An empty field is no limit.', { button: 'Limit', fields: [
      { name: 'perSecond', label: 'Messages a second', value: t.setting.perSecond }, { name: 'inFlight', label: 'In flight at a time', value: t.setting.inFlight }] });
    if (!typed) return null;
    let setting = null;
    if ((t.setting.perSecond && !typed.perSecond) || (t.setting.inFlight && !typed.inFlight)) setting = await change('unlimited');
    if (typed.perSecond) setting = await change('limit', typed.perSecond);
    if (typed.inFlight) setting = await change('cap', typed.inFlight);
    return setting;
  };
  const name = action => `${action} ${t.topic}`;
  return [
    t.setting.paused ? h('button.small', { onclick: guarded(t.topic, () => change('resume')), 'aria-label': name('Resume') }, 'Resume')
      : h('button.small', { onclick: guarded(t.topic, () => change('pause')), 'aria-label': name('Pause') }, 'Pause'),
    h('button.small', { onclick: guarded(t.topic, limit), 'aria-label': name('Limit') }, 'Limit…'),
    h('button.small', { onclick: guarded(t.topic, () => change(t.setting.strict ? 'loose' : 'strict')), 'aria-label': name(t.setting.strict ? 'Not strict:' : 'Strict:') }, t.setting.strict ? 'Not strict' : 'Strict')];
}
