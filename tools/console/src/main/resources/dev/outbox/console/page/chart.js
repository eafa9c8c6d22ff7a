import { h, svg } from './dom.js';

const HIGH = 200, LEFT = 52, BOTTOM = 22, TOP = 8;

function nice(highest) {
  if (highest <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(highest));
  return [1, 1.5, 2, 3, 4, 5, 6, 8, 10].map(n => n * power).find(n => n >= highest);
}

// Lines over the last minutes, as wide as there is room. A gap is where nothing is known.
export function chart(title, series, points, unit, wide) {
  const last = points.length ? points[points.length - 1].at : 0;
  const span = 5 * 60 * 1000;
  const top = nice(Math.max(0, ...points.flatMap(p => series.map(s => s.of(p) || 0))));
  const x = at => LEFT + (wide - LEFT) * Math.max(0, 1 - (last - at) / span);
  const y = n => TOP + (HIGH - TOP - BOTTOM) * (1 - n / top);
  const picture = svg('svg', { viewBox: `0 0 ${wide} ${HIGH}`, role: 'img', 'aria-label': summary(title, series, points, unit) });
  for (const part of [0, .5, 1]) {
    picture.append(svg('line', { class: 'grid', x1: LEFT, x2: wide, y1: y(top * part), y2: y(top * part) }));
    const label = svg('text', { class: 'label', x: LEFT - 8, y: y(top * part) + 4, 'text-anchor': 'end' });
    label.textContent = unit(top * part);
    picture.append(label);
  }
  for (const minutes of wide > 420 ? [5, 4, 3, 2, 1, 0] : [5, 3, 0]) {
    const label = svg('text', { class: 'label', x: x(last - minutes * 60000), y: HIGH - 5, 'text-anchor': minutes === 5 ? 'start' : minutes ? 'middle' : 'end' });
    label.textContent = minutes ? `−${minutes} min` : 'now';
    picture.append(label);
  }
  for (const s of series) for (const run of runs(points, s.of)) {
    const line = run.map(p => `${x(p.at).toFixed(1)},${y(s.of(p)).toFixed(1)}`).join(' L');
    picture.append(svg('path', { class: s.name + '-area', d: `M${x(run[0].at).toFixed(1)},${y(0)} L${line} L${x(run[run.length - 1].at).toFixed(1)},${y(0)} Z` }));
    picture.append(svg('path', { class: s.name + '-line', d: 'M' + line }));
  }
  const now = points[points.length - 1];
  return h('.chart', null, h('h2', null, title),
    h('.legend', null, series.map(s => h('span', null, h('i.key.' + s.name), s.title + ' ', h('b', null, now ? s.text(now) : '?')))), picture);
}

function runs(points, of) {
  const usual = Math.min(...points.slice(1).map((p, i) => p.at - points[i].at));
  const runs = [[]];
  for (const [i, p] of points.entries()) {
    const n = of(p);
    if (i && p.at - points[i - 1].at > Math.max(15000, 4 * usual)) runs.push([]);
    if (n === null || n === undefined) { if (runs[runs.length - 1].length) runs.push([]); } else runs[runs.length - 1].push(p);
  }
  return runs.filter(run => run.length > 1);
}

function summary(title, series, points, unit) {
  if (!points.length) return title + ': nothing yet';
  return title + '. ' + series.map(s => {
    const known = points.map(s.of).filter(n => n !== null && n !== undefined);
    return `${s.title}: now ${s.text(points[points.length - 1])}` + (known.length ? `, highest ${unit(Math.max(...known))}` : '');
  }).join('; ');
}
