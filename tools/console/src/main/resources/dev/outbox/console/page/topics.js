import { h, fill, table, count, age, ask, say } from './dom.js';
import { get, post } from './api.js';

export async function topics(place, live, query, me) {
  const draw = async () => {
    const { topics: list, cut } = await get('topics');
    const columns = [['Topic', 'name'], ['Ready', 'n'], ['Parked', 'n'], ['Delayed', 'n'], ['Dead', 'n'], ['State', 'text']];
    if (me.operate) columns.push(['Change', 'text']);
    fill(place, h('h1', null, 'Topics'),
      h('p.lead', null, 'Limits hold for each relay. A change is seen by every relay within seconds, and survives restarts.'),
      Object.values(cut).some(Boolean) ? h('p.lead', null, 'Counting ended at 10,000 in a table: a number with + is the least.') : null,
      table('Topics', columns, list.map(t => row(t, cut, me, draw)), 'No topic has a message or a setting.'));
  };
  await draw();
}

function row(t, cut, me, draw) {
  const least = name => count(t[name]) + (cut[name] ? '+' : '');
  const cells = [t.topic, least('ready'), least('parked'), least('delayed'),
    t.dead || cut.dead ? h('a', { href: '#/dead?topic=' + encodeURIComponent(t.topic) }, least('dead')) : '0', state(t)];
  if (me.operate) cells.push(changes(t, draw));
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

function changes(t, draw) {
  const change = async (what, number) => {
    const setting = await post('topic', number === undefined ? { topic: t.topic, change: what } : { topic: t.topic, change: what, number });
    say(`${t.topic}: ${setting.paused ? 'paused' : 'publishes'}${setting.perSecond ? ', ' + setting.perSecond + ' a second' : ''}`);
    await draw();
  };
  const guarded = work => () => work().catch(e => say(e.message));
  const limit = async () => {
    const typed = await ask('Limit ' + t.topic, 'At most so many messages a second, from each relay.', { field: 'Messages a second', button: 'Limit' });
    if (typed !== null) await change('limit', Number(typed));
  };
  const name = action => `${action} ${t.topic}`;
  return [
    t.setting.paused ? h('button.small', { onclick: guarded(() => change('resume')), 'aria-label': name('Resume') }, 'Resume')
      : h('button.small', { onclick: guarded(() => change('pause')), 'aria-label': name('Pause') }, 'Pause'),
    t.setting.perSecond || t.setting.inFlight ? h('button.small', { onclick: guarded(() => change('unlimited')), 'aria-label': name('Remove the limit of') }, 'No limit')
      : h('button.small', { onclick: guarded(limit), 'aria-label': name('Limit') }, 'Limit'),
    h('button.small', { onclick: guarded(() => change(t.setting.strict ? 'loose' : 'strict')), 'aria-label': name(t.setting.strict ? 'Not strict:' : 'Strict:') }, t.setting.strict ? 'Not strict' : 'Strict')];
}
