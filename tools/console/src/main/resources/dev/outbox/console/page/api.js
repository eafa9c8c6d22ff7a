// Asks the server. What changes something carries a header that no form of another page can send.
const root = new URL('.', import.meta.url);
export class Refused extends Error {
  constructor(status, text, wantsToken) { super(text); this.status = status; this.wantsToken = wantsToken; }
}

async function answer(response) {
  const values = await response.json().catch(() => ({ error: 'The console does not answer.' }));
  if (!response.ok) throw new Refused(response.status, values.error, response.headers.has('WWW-Authenticate'));
  return values;
}

export async function get(path, query = {}) {
  const url = new URL('api/' + path, root);
  for (const [name, value] of Object.entries(query)) if (value) url.searchParams.set(name, value);
  return answer(await fetch(url, { credentials: 'same-origin' }));
}

export async function post(path, values) {
  return answer(await fetch(new URL('api/' + path, root), {
    method: 'POST',
    credentials: 'same-origin',
    headers: { 'Content-Type': 'application/json', 'X-Outbox-Console': '1' },
    body: JSON.stringify(values),
  }));
}

export const events = () => new EventSource(new URL('api/events', root));
