import { h } from './dom.js';
import { get } from './api.js';

export async function schema(place) {
  const s = await get('schema');
  const fact = (name, value) => [h('dt', null, name), h('dd', null, String(value))];
  place.replaceChildren(h('h1', null, 'Schema'),
    h('.card.wide', null, h('dl.facts', null, fact('Version', s.version), fact('Claims by', s.claiming), fact('Lanes', s.lanes),
      fact('Cluster', s.clusters === 1 ? 'the only one' : `${s.cluster} of ${s.clusters}`), s.archive ? fact('Archive', 'delivered messages are kept') : null)),
    s.differences === null ? h('p.quiet', null, 'To compare the tables with this version, run the command: outbox schema diff')
      : h('ul.troubles', null, s.differences.length ? s.differences.map(d => h('li.warning', null, h('b', null, 'Differs'), d)) : h('li.good', null, h('b', null, 'Good'), 'The tables are as this version makes them.')));
}
