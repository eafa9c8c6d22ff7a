import { h, fill, table, age } from './dom.js';
import { get } from './api.js';

export async function lanes(place) {
  const { relays, lanes } = await get('lanes');
  const owners = [...new Set([...relays.map(r => r.name), ...lanes.map(l => l.owner).filter(Boolean)])];
  const colour = owner => 'owner-' + owners.indexOf(owner) % 6;
  const rows = relays.map(r => {
    const own = lanes.filter(l => l.owner === r.name);
    return [h('span', null, h('i.swatch.' + colour(r.name)), r.name), age(r.seconds), String(own.length), ranges(own.map(l => l.lane)),
      r.sharing ? 'works' : h('span.tag.warning', null, 'its brokers are down')];
  });
  fill(place, h('h1', null, 'Lanes and relays'),
    h('p.lead', null, lanes.length ? 'A key is always in the same lane, and only the owner of a lane publishes from it. Lanes of a relay that is gone are free after its lease, 15 s.'
      : 'Here relays claim rows; none owns a lane.'),
    h('.wide', null, table('Relays', [['Relay', 'name'], ['Runs for'], ['Lanes', 'n'], ['Which'], ['State']], rows, 'No relay is running.')),
    lanes.length ? h('.card', null, h('h2', null, 'Lanes'),
      h('ul.lanes', null, lanes.map(l => h('li' + (l.owner ? '.' + colour(l.owner) : '.free'), { title: l.owner || 'without an owner' }, String(l.lane), h('span.skip', null, l.owner ? ' of ' + l.owner : ' without an owner'))))) : null);
}

function ranges(numbers) {
  const parts = [];
  for (const n of numbers) {
    const last = parts[parts.length - 1];
    if (last && last[1] === n - 1) last[1] = n; else parts.push([n, n]);
  }
  return parts.map(([a, b]) => a === b ? a : `${a}–${b}`).join(', ');
}
