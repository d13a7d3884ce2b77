import type { Loose } from '../../testing/server.ts';

/** Requests to a running server as one user. */
export interface Client {
  readonly token: string;
  send(path: string, init?: RequestInit): Promise<Response>;
  /** The JSON of an answer with status 200. @throws when the status is another. */
  json(path: string, init?: RequestInit): Promise<Loose>;
  /** Uploads one text file to the route `local`; the status, and the id when it was accepted. */
  upload(label: string, filename: string, text: string): Promise<{ readonly status: number; readonly id: string }>;
  /** Runs a SPARQL update on `knowledge`; its status. */
  update(label: string, text: string): Promise<number>;
  /** The rows of a SPARQL SELECT on `knowledge`, the values of their variables by name. */
  select(text: string): Promise<Readonly<Record<string, string>>[]>;
  /** Posts JSON; the status. */
  post(path: string, body: unknown): Promise<number>;
}

/** A client that sends a token with everything. No request may take longer than `timeoutMs`, 30 s by default. */
export function createClient(url: string, token: string, timeoutMs = 30_000): Client {
  const send: Client['send'] = (path, init = {}) =>
    fetch(`${url}${path}`, {
      signal: AbortSignal.timeout(timeoutMs),
      ...init,
      headers: { ...init.headers, Authorization: `Bearer ${token}` },
    });
  const json: Client['json'] = async (path, init) => {
    const response = await send(path, init);
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`);
    return JSON.parse(text);
  };
  return {
    token,
    send,
    json,
    async upload(label, filename, text) {
      const body = new FormData();
      body.append('file', new Blob([text]), filename);
      const headers = { 'Security-Label': label };
      const response = await send('/api/ingest/documents/local/upload', { method: 'POST', body, headers });
      const answer = (await response.json()) as Loose;
      return { status: response.status, id: answer.documents?.[0]?.id ?? '' };
    },
    async update(label, text) {
      const headers = { 'Content-Type': 'application/sparql-update', 'Security-Label': label };
      return statusOf(await send('/api/graph/knowledge/update', { method: 'POST', body: text, headers }));
    },
    async select(text) {
      const answer = await json(`/api/graph/knowledge/query?query=${encodeURIComponent(text)}`);
      return answer.results.bindings.map(toRow);
    },
    async post(path, body) {
      const headers = { 'Content-Type': 'application/json' };
      return statusOf(await send(path, { method: 'POST', headers, body: JSON.stringify(body) }));
    },
  };
}

function toRow(binding: Loose): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(binding as Loose).map(([name, term]) => [name, (term as Loose).value]));
}

async function statusOf(response: Response): Promise<number> {
  await response.text();
  return response.status;
}
