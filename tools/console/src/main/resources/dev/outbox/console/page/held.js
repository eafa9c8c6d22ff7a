import { h, fill, table, age } from './dom.js';
import { get } from './api.js';

export async function held(place, live, query) {
  const { held: list, now } = await get('held', { topic: query.get('topic') });
  const next = at => at > now ? 'in ' + age((at - now) / 1000) : 'due for ' + age((now - at) / 1000);
  fill(place, h('h1', null, 'Held keys'),
    h('p.lead', null, 'Messages that failed and are tried again, the next first. What comes later in the same key waits for them.'),
    table('Held keys', [['Topic', 'name'], ['Key', 'name'], ['Tried', 'n'], ['Next try'], ['Last error', 'text']],
      list.map(m => [h('a', { href: '#/held?topic=' + encodeURIComponent(m.topic) }, m.topic), m.key ?? h('span.quiet', null, 'none'), String(m.attempts), next(m.nextTry), m.error]),
      'No message waits for another try.'),
    list.length >= 200 ? h('p.quiet', null, 'The next 200 are shown.') : null,
    query.get('topic') ? h('p', null, h('a', { href: '#/held' }, 'All topics')) : null);
}
