// Asks the server. What changes something carries a header that no form of another page can send.
const root = new URL('.', import.meta.url);
export class Refused extends Error {
  constructor(status, text, wantsToken) { super(text); this.status = status; this.wantsToken = wantsToken; }
}

// What is no JSON is no answer of the console: an application shows its log-in, also with 200, or a proxy an error.
async function answer(asked) {
  const response = await asked.catch(() => null);
  const values = await response?.json().catch(() => null);
  if (response?.ok && values) return values;
  throw new Refused(response?.status, values?.error || 'The console does not answer. Reload this page; you may have to log in again.',
    Boolean(values?.error) && response.headers.get('WWW-Authenticate') === 'Bearer');
}

export async function get(path, query = {}) {
  const url = new URL('api/' + path, root);
  for (const [name, value] of Object.entries(query)) if (value) url.searchParams.set(name, value);
  return answer(fetch(url, { credentials: 'same-origin' }));
}

export async function post(path, values) {
  return answer(fetch(new URL('api/' + path, root), {
    method: 'POST',
    credentials: 'same-origin',
    headers: { 'Content-Type': 'application/json', 'X-Outbox-Console': '1' },
    body: JSON.stringify(values),
  }));
}

export const events = () => new EventSource(new URL('api/events', root));
