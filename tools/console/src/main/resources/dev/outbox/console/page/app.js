import { h, say } from './dom.js';
import { get, post, events } from './api.js';
import { overview } from './overview.js';
import { lanes } from './lanes.js';
import { topics } from './topics.js';
import { held } from './held.js';
import { dead } from './dead.js';
import { letter } from './letter.js';
import { doctor } from './doctor.js';
import { schema } from './schema.js';

const VIEWS = { overview, lanes, topics, held, dead, letter, doctor, schema };
const NAMES = { overview: 'Overview', lanes: 'Lanes', topics: 'Topics', held: 'Held keys', dead: 'Dead letters', doctor: 'Doctor', schema: 'Schema' };
const HEALTH = { good: 'all is well', note: 'all is well', warning: 'warnings', bad: 'not delivering' };
const place = document.getElementById('main');
let me = null, leave = () => {}, turn = 0, shown = null;

// What the stream told, for the overview and the mark in the header.
const live = {
  all: [], watchers: new Set(), source: null, waiting: 0,
  now() { return this.all[this.all.length - 1]; },
  points() { return this.all; },
  watch(draw) { this.watchers.add(draw); return () => this.watchers.delete(draw); },
  start() {
    if (this.source || document.hidden) return;
    this.source = events();
    this.source.onmessage = event => {
      const sample = JSON.parse(event.data);
      this.waiting = sample.waiting || 0; // seconds for which the database has not answered
      if (this.waiting) return this.wait();
      if (this.all.length && sample.at <= this.now().at) return;
      this.all.push(sample);
      this.all = this.all.filter(b => sample.at - b.at < 5 * 60 * 1000);
      if (sample.down || sample.health) this.tell(sample);
    };
    this.source.onerror = () => {
      pill('bad', 'no connection');
      if (this.source?.readyState === EventSource.CLOSED) this.refused();
    };
  },
  // A page in the background is not worth a query.
  pause() {
    this.source?.close();
    this.source = null;
    pill('', 'paused');
  },
  // The browser does not ask again after a refusal: the login has ended, too many pages watch, or a proxy answered.
  async refused() {
    this.source = null;
    try { await get('me'); } catch (e) { if (e.wantsToken) return login(); }
    setTimeout(() => this.start(), 10000);
  },
  wait() {
    pill('warning', 'waiting for the database');
    this.watchers.forEach(draw => draw());
  },
  tell(sample) {
    pill(sample.down ? 'bad' : sample.health === 'note' ? 'good' : sample.health, sample.down ? 'no database' : HEALTH[sample.health]);
    this.watchers.forEach(draw => draw());
  },
};

function pill(level, text) {
  const mark = document.getElementById('health');
  if (mark.textContent !== text) mark.textContent = text;
  mark.className = 'pill ' + level;
}

async function show() {
  const mine = ++turn;
  const isSame = location.hash === shown;
  const [name, query] = (location.hash.slice(2) || 'overview').split('?');
  const view = VIEWS[name] || overview;
  leave();
  leave = () => {};
  navigation(name === 'letter' ? 'dead' : name);
  document.title = (NAMES[name] || 'Dead letter') + ' · Outbox console';
  const late = setTimeout(() => mine === turn && waiting(isSame, NAMES[name] || 'Dead letter'), 1500);
  try {
    const fresh = h('div');
    const end = await view(fresh, live, new URLSearchParams(query || ''), me);
    if (mine !== turn) return void (typeof end === 'function' && end());
    present(isSame, name === 'overview' ? null : asOf(), fresh);
    leave = typeof end === 'function' ? end : leave;
  } catch (e) {
    if (e.wantsToken) return login();
    if (mine === turn) present(isSame, asOf(), h('h1', null, NAMES[name] || 'Dead letter'), refusal(e));
  } finally { clearTimeout(late); }
}

// What was shown before stays if it is the same view.
function waiting(isSame, title) {
  const note = h('p.card.none', { role: 'status' }, 'Waiting for the database…');
  if (isSame) place.prepend(note); else place.replaceChildren(h('h1', null, title), note);
}

// Who works by keyboard stays where they were when a view is drawn again.
function present(isSame, ...parts) {
  const stops = () => [...place.querySelectorAll('a, button, input, select')];
  const focused = isSame ? stops().indexOf(document.activeElement) : -1;
  place.replaceChildren(...parts.filter(Boolean));
  if (focused >= 0) stops()[focused]?.focus();
  if (!isSame) window.scrollTo(0, 0);
  shown = location.hash;
}

const asOf = () => h('.as-of', null, h('span', null, 'As of ' + new Date().toLocaleTimeString()), h('button.small', { onclick: show }, 'Refresh'));

function navigation(current) {
  const nav = document.getElementById('nav');
  if (!nav.children.length) nav.append(...Object.entries(NAMES).map(([name, title]) => h('a', { href: '#/' + name, onclick: () => location.hash === '#/' + name && show() }, title)));
  for (const link of nav.children) {
    if (link.hash === '#/' + current) link.setAttribute('aria-current', 'page'); else link.removeAttribute('aria-current');
  }
  document.querySelector('nav [aria-current]')?.scrollIntoView({ inline: 'center', block: 'nearest' });
}

const refusal = e => h('ul.troubles', null, h('li.bad', null, h('b', null, 'Refused'), e.message));

function login() {
  pill('', 'not logged in');
  const token = h('input', { name: 'token', type: 'password', required: true, autocomplete: 'off' });
  place.replaceChildren(h('.card.login', null, h('h1', null, 'Outbox console'),
    h('form', { onsubmit: async event => {
      event.preventDefault();
      try { await post('login', { token: token.value.trim() }); await begin(); } catch (e) { say(e.message); }
    } }, h('label', null, 'Token, as the console showed it at its start', token), h('button.main', { type: 'submit' }, 'Open'))));
  token.focus();
}

async function begin() {
  try { me = await get('me'); } catch (e) {
    if (e.wantsToken) return login();
    pill('', e.status === 401 ? 'not logged in' : 'refused');
    return place.replaceChildren(refusal(e));
  }
  document.getElementById('mode').textContent = (me.operate ? 'can change things' : 'read-only') + (me.payloads ? ', with payloads' : '');
  live.start();
  await show();
}

async function start() {
  const given = /^#token=([\w-]+)$/.exec(location.hash);
  if (given) {
    history.replaceState(null, '', location.pathname);
    await post('login', { token: given[1] }).catch(e => say(e.message));
  }
  await begin();
}

document.addEventListener('visibilitychange', () => me && (document.hidden ? live.pause() : live.start()));
window.addEventListener('hashchange', async () => {
  if (/^#token=/.test(location.hash)) return start();
  if (location.hash === '#main') return place.focus();
  if (!me) return;
  await show();
});
start();
