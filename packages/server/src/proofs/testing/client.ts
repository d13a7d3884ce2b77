import type { Loose } from '../../testing/server.ts';

/** Requests to a running server as one user, whose token goes with everything. */
export class Client {
  readonly token: string;
  readonly #url: string;
  readonly #timeoutMs: number;

  /** No request may take longer than `timeoutMs`. */
  constructor(url: string, token: string, timeoutMs = 30_000) {
    this.token = token;
    this.#url = url;
    this.#timeoutMs = timeoutMs;
  }

  send(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { ...init.headers, Authorization: `Bearer ${this.token}` };
    return fetch(`${this.#url}${path}`, { signal: AbortSignal.timeout(this.#timeoutMs), ...init, headers });
  }

  /** The JSON of an answer with status 200. @throws when the status is another. */
  async json(path: string, init?: RequestInit): Promise<Loose> {
    const response = await this.send(path, init);
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`);
    return JSON.parse(text);
  }

  /** Uploads one text file to the route `local`; the status, and the id when it was accepted. */
  async upload(
    label: string,
    filename: string,
    text: string,
  ): Promise<{ readonly status: number; readonly id: string }> {
    const body = new FormData();
    body.append('file', new Blob([text]), filename);
    const headers = { 'Security-Label': label };
    const response = await this.send('/api/ingest/documents/local/upload', { method: 'POST', body, headers });
    const answer = (await response.json()) as Loose;
    return { status: response.status, id: answer.documents?.[0]?.id ?? '' };
  }

  /** Runs a SPARQL update on `knowledge`; its status. */
  async update(label: string, text: string): Promise<number> {
    const headers = { 'Content-Type': 'application/sparql-update', 'Security-Label': label };
    return statusOf(await this.send('/api/graph/knowledge/update', { method: 'POST', body: text, headers }));
  }

  /** The rows of a SPARQL SELECT on `knowledge`, the values of their variables by name. */
  async select(text: string): Promise<Readonly<Record<string, string>>[]> {
    const answer = await this.json(`/api/graph/knowledge/query?query=${encodeURIComponent(text)}`);
    return answer.results.bindings.map(toRow);
  }

  /** Posts JSON; the status. */
  async post(path: string, body: unknown): Promise<number> {
    const headers = { 'Content-Type': 'application/json' };
    return statusOf(await this.send(path, { method: 'POST', headers, body: JSON.stringify(body) }));
  }
}

function toRow(binding: Loose): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(binding as Loose).map(([name, term]) => [name, (term as Loose).value]));
}

async function statusOf(response: Response): Promise<number> {
  await response.text();
  return response.status;
}
