import { h, count, age, rate } from './dom.js';
import { chart } from './chart.js';

const number = (name, value, more, hot) =>
  h('.card.number' + (hot ? '.hot' : ''), null, h('.name', null, name), h('.value', null, value), h('.more', null, more || ''));

const WORD = { bad: 'Failure', warning: 'Warning', note: 'Note', good: 'Good' };

// Live: drawn again at each look, without asking anything itself.
export function overview(place, live) {
  const wide = [640, 300];
  const draw = () => {
    const now = live.now();
    const late = live.waiting ? [{ level: 'warning', text: `The database has not answered for ${age(live.waiting)}.` + (now && !now.down ? ` The numbers are of ${new Date(now.at).toLocaleTimeString()}.` : '') }] : [];
    if (!now) return place.replaceChildren(h('h1', null, 'Overview'), late.length ? troubles(late) : h('p.card.none', null, 'Looking at the tables…'));
    if (now.down) return place.replaceChildren(h('h1', null, 'Overview'), troubles([...late, { level: 'bad', text: 'The database does not answer or refuses. The log of the console says why.' }]));
    const points = live.points();
    const isAtLink = place.contains(document.activeElement); // it has one
    place.replaceChildren(h('h1', null, 'Overview'), troubles([...late, ...now.troubles]),
      h('.cards', null,
        number('Ready', count(now.ready, now.bound), now.oldestReady === null ? 'nothing waits' : 'oldest ' + age(now.oldestReady), now.oldestReady > 60),
        number('Parked', count(now.parked, now.bound), now.oldestDue > 1 ? 'due for ' + age(now.oldestDue) : 'retries, held topics'),
        number('Delayed', count(now.delayed, now.bound), 'not due yet'),
        number('Dead letters', count(now.dead, now.bound), now.dead ? h('a', { href: '#/dead' }, 'show them') : 'none', now.dead > 0),
        number('Relays', String(now.relays.length), `${now.lanes} lanes`, !now.relays.length)),
      h('.charts', null,
        h('.card', null, chart('Messages a second', [
          { name: 'in', title: 'in', of: p => p.in, text: p => rate(p.in) },
          { name: 'out', title: 'out', of: p => p.out, text: p => rate(p.out) }], points, n => n < 10 ? n.toFixed(n % 1 ? 1 : 0) : Math.round(n).toLocaleString('en'), wide[0])),
        h('.card', null, chart('Oldest ready message', [
          { name: 'age', title: 'age', of: p => p.down ? null : p.oldestReady || 0, text: p => age(p.oldestReady) || 'nothing waits' }], points, n => age(n), wide[1]))),
      h('p.quiet', null, '“in” counts ids, so also rolled back transactions and replays; “out” is not known while more wait than are counted.'));
    if (isAtLink) place.querySelector('a')?.focus();
    fit();
  };
  // Text in a picture that is stretched would be stretched, too: it is drawn again for the room that there is.
  const fit = () => {
    const found = [...place.querySelectorAll('.chart svg')].map(picture => picture.clientWidth);
    if (found.length === 2 && found.every(n => n > 0) && found.some((n, i) => Math.abs(n - wide[i]) > 3)) {
      found.forEach((n, i) => { wide[i] = n; });
      draw();
    }
  };
  draw();
  requestAnimationFrame(fit);
  window.addEventListener('resize', fit);
  const end = live.watch(draw);
  return () => { end(); window.removeEventListener('resize', fit); };
}

export function troubles(list) {
  const all = list.length ? list : [{ level: 'good', text: 'All is well.' }];
  return h('ul.troubles', null, all.map(t => h('li.' + t.level, null, h('b', null, WORD[t.level]), t.text)));
}
