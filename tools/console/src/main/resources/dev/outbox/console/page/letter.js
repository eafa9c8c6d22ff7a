import { h, fill, ask, say } from './dom.js';
import { get, post } from './api.js';

export async function letter(place, live, query, me) {
  const l = await get('letter', { number: query.get('number') });
  const fact = (name, value) => value === null || value === '' ? [] : [h('dt', null, name), h('dd', null, value)];
  const headers = Object.entries(l.headers);
  fill(place, h('p', null, h('a', { href: '#/dead' }, '‹ Dead letters')),
    h('h1', null, `Dead letter ${l.number}`),
    me.operate ? actions(l) : null,
    h('.card.wide', null, h('dl.facts', null, fact('Topic', l.topic), fact('Key', l.key), fact('Message id', l.id), fact('Reason', l.reason.toLowerCase()),
      fact('Tried', String(l.attempts)), fact('Dead since', new Date(l.deadSince).toLocaleString()), fact('Its key', l.holdsKey ? 'is held until this is replayed or discarded' : ''),
      fact('Payload', l.reference || `${l.bytes.toLocaleString('en')} bytes, ${l.contentType}`))),
    h('.card.wide', null, h('h2', null, 'Last error'), h('pre', { tabIndex: 0 }, l.error || 'none')),
    l.history ? h('.card.wide', null, h('h2', null, 'History'), h('pre', { tabIndex: 0 }, l.history)) : null,
    h('.card.wide', null, h('h2', null, 'Headers'), headers.length ? h('dl.facts', null, headers.map(([name, value]) => fact(name, value))) : h('p.quiet', null, 'none')),
    h('.card', null, h('h2', null, 'Payload'), l.reference ? h('p.quiet', null, `It is the ${l.reference}, which the relay reads.`) : l.payload === null ? h('p.quiet', null, 'Payloads are hidden, unless the console is started with --show-payloads or showPayloads().') : h('pre', { tabIndex: 0 }, pretty(l.payload))));
}

function pretty(text) {
  try { return JSON.stringify(JSON.parse(text), null, 2); } catch { return text; }
}

function actions(l) {
  const act = (action, done, title, text) => async () => {
    if (await ask(title, text, { button: title, danger: action === 'discard' }) === null) return;
    try {
      const { changed } = await post('letters', { action, letters: [{ number: l.number, id: l.id }] });
      say(changed ? done : 'It was gone already.');
      location.hash = '#/dead';
    } catch (e) { say(e.message); }
  };
  return h('.actions', null,
    h('button.main', { onclick: act('replay', 'It is replayed.', 'Replay', 'It is published again, with the same message id.') }, 'Replay…'),
    h('button.danger', { onclick: act('discard', 'It is deleted.', 'Delete for good', 'Nothing can bring it back.') }, 'Discard…'));
}
