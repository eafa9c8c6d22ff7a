// What nobody sees can make one name look like another, or turn the words behind it: it is shown as \u202E.
// Ends of lines stay, and the joiners of Persian, of Indian scripts and of pictures.
const UNSEEN = /(?![\n\r\t\u200C\u200D])[\p{Cc}\p{Cf}]/gu;
export const visible = text => text.replace(UNSEEN, sign => '\\u' + sign.codePointAt(0).toString(16).toUpperCase().padStart(4, '0'));
const SHOWN = ['title', 'aria-label'];

// Builds elements. Text is always text: nothing that a message says becomes markup.
export function h(name, properties, ...children) {
  const [tag, ...classes] = name.split('.');
  const element = document.createElement(tag || 'div');
  if (classes.length) element.className = classes.join(' ');
  for (const [key, given] of Object.entries(properties || {})) {
    if (given === null || given === undefined || given === false) continue;
    const value = SHOWN.includes(key) ? visible(given) : given;
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (key in element && key !== 'list') element[key] = value;
    else element.setAttribute(key, value === true ? '' : value);
  }
  const shown = children.flat(3).filter(child => child !== null && child !== undefined && child !== false);
  element.append(...shown.map(child => typeof child === 'string' ? visible(child) : child));
  return element;
}

// What is in a place from now on; nothing stays nothing.
export const fill = (place, ...children) => place.replaceChildren(...children.filter(Boolean));

export function svg(name, attributes, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes || {})) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

export const count = (n, bound) => n.toLocaleString('en') + (bound && n >= bound ? '+' : '');

export function age(seconds) {
  if (seconds === null || seconds === undefined) return '';
  const s = Math.abs(seconds);
  if (s < 1) return Math.round(s * 1000) + ' ms';
  if (s < 120) return Math.round(s) + ' s';
  if (s < 7200) return Math.floor(s / 60) + ' min';
  return s < 172800 ? Math.floor(s / 3600) + ' h' : Math.floor(s / 86400) + ' d';
}

export const rate = n => n === null || n === undefined ? '?' : (n < 100 ? n.toFixed(1) : Math.round(n).toLocaleString('en')) + '/s';

// Rows as a table; on a phone each row becomes a card with the names of its cells.
export function table(label, columns, rows, none) {
  if (!rows.length) return h('p.card.none', null, none);
  const head = h('tr', null, columns.map(([name, kind]) => h('th' + (kind === 'n' ? '.n' : ''), { scope: 'col' }, name)));
  const body = rows.map(cells => h('tr', null, cells.map((cell, i) => {
    const [name, kind] = columns[i];
    const shown = kind === 'text' && typeof cell === 'string' ? h('span.lines', { title: cell }, cell) : cell;
    return h('td' + (kind ? '.' + kind : ''), { 'data-name': name || null }, shown);
  })));
  return h('.scroll', { tabIndex: 0, role: 'region', 'aria-label': label },
    h('table.stack', null, h('caption.skip', null, label), h('thead', null, head), h('tbody', null, body)));
}

export function say(text) {
  const line = h('p', null, text);
  document.getElementById('said').append(line);
  setTimeout(() => line.remove(), 6000);
}

// Asks in a dialog; answers the numbers that were typed by the names of their fields, null for an empty one; or null.
export function ask(title, text, { fields = [], button = 'Go on', danger = false } = {}) {
  return new Promise(resolve => {
    const inputs = fields.map(f => h('input', { type: 'number', min: 1, step: 1, value: f.value ?? '', autocomplete: 'off', name: f.name }));
    const dialog = h('dialog', { 'aria-labelledby': 'asked' });
    let answer = null;
    dialog.append(h('form', { method: 'dialog', onsubmit: () => { answer = Object.fromEntries(inputs.map(i => [i.name, i.value ? Number(i.value) : null])); } },
      h('h2', { id: 'asked' }, title), h('p', null, text),
      inputs.map((input, i) => h('label', null, fields[i].label, input)),
      h('.actions', null, h('span.grow'),
        h('button', { type: 'button', onclick: () => dialog.close() }, 'Cancel'),
        h('button' + (danger ? '.danger' : '.main'), { type: 'submit' }, button))));
    dialog.addEventListener('close', () => { dialog.remove(); resolve(answer); });
    document.body.append(dialog);
    dialog.showModal();
  });
}
