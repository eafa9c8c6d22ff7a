import { h } from './dom.js';
import { get } from './api.js';

export async function doctor(place, live, query) {
  const role = query.get('role') || 'operator';
  place.replaceChildren(h('h1', null, 'Doctor'), h('p.card.none', null, 'Examining…'));
  const { findings } = await get('doctor', { role });
  const choice = h('select', { onchange: event => { location.hash = '#/doctor?role=' + event.target.value; } },
    ['operator', 'relay', 'writer'].map(r => h('option', { value: r, selected: r === role }, r)));
  place.replaceChildren(h('h1', null, 'Doctor'),
    h('p.lead', null, 'What would break or slow the work on this database, for the user and the connection of this console.'),
    h('form.filters', { onsubmit: event => event.preventDefault() }, h('label', null, 'Role', choice)),
    h('ul.troubles', null, findings.length ? findings.map(f => h('li.' + (f.severity === 'failure' ? 'bad' : 'warning'), null, h('b', null, f.code), f.text))
      : h('li.good', null, h('b', null, 'Good'), 'Nothing was found.')));
}
