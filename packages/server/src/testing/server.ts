import type { Adapters } from '../composition/adapters.ts';
import { type CairnServer, createServer } from '../composition/create-server.ts';
import type { Service } from '../composition/service.ts';
import type { ConfigurationInput } from '../config/configuration.ts';
import { type LoopWatch, watchLoop } from './loop-watch.ts';

/** JSON that a test looks into freely. */
// biome-ignore lint/suspicious/noExplicitAny: what a test expects is checked by the test
export type Loose = any;

/** A server on a free port, and requests to it as somebody. */
export interface TestServer {
  readonly server: CairnServer;
  readonly url: string;
  /** Sends a request as a user; without a user, without a token. */
  send(user: string | undefined, path: string, init?: RequestInit): Promise<Response>;
  /** The JSON of a GET as a user. @throws when the status is another than expected, 200 by default. */
  get(user: string | undefined, path: string, status?: number): Promise<Loose>;
  form(user: string, path: string, fields: Readonly<Record<string, string | readonly string[]>>): Promise<Response>;
  /** Uploads files to the route `local`. */
  upload(user: string, label: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<Response>;
  /** Runs a SPARQL update on the dataset `knowledge`. */
  update(user: string, label: string | undefined, text: string): Promise<Response>;
}

/** Users of different clearances and nationalities. */
export const TEST_CONFIGURATION: ConfigurationInput = {
  server: { port: 0, metrics: { enabled: false }, logLevel: 'error', shutdownDelayMs: 0 },
  auth: {
    users: {
      alice: { attributes: { clearance: 'TS', nationality: ['GBR'] }, roles: ['USER'] },
      dieter: { attributes: { clearance: 'O', nationality: ['DEU'] }, roles: ['USER'] },
      reader: { attributes: { clearance: 'TS' }, permissions: ['api.knowledge.read'], roles: [] },
      nobody: { attributes: {}, permissions: [], roles: [] },
    },
    hierarchies: { clearance: ['O', 'OS', 'S', 'TS'] },
  },
  datasets: { knowledge: { defaultLabel: '!' }, ontology: { defaultLabel: '*' }, catalog: { defaultLabel: '!' } },
};

/** Starts a server in memory, or in a directory. Its `close` rejects when a request held the event loop for too long. */
export async function startTestServer(
  configuration: ConfigurationInput = TEST_CONFIGURATION,
  dataDirectory?: string,
  adapters?: Adapters,
  prepare?: (service: Service) => Promise<void>,
): Promise<TestServer> {
  const server = createServer({ configuration, dataDirectory, ...(adapters && { adapters }) });
  const url = await server.start(prepare);
  const watch = watchLoop();
  failOnLongTurns(server, watch);
  const tokens = new Map<string, string>();
  const send: TestServer['send'] = async (user, path, init = {}) => {
    const headers = new Headers(init.headers);
    if (user !== undefined) {
      const token = tokens.get(user) ?? (await server.issueToken(user));
      tokens.set(user, token);
      headers.set('Authorization', `Bearer ${token}`);
    }
    const ended = watch.begin(`${init.method ?? 'GET'} ${path.slice(0, 200)}`);
    try {
      return await fetch(`${url}${path}`, { ...init, headers });
    } finally {
      ended();
    }
  };
  return {
    server,
    url,
    send,
    async get(user, path, status = 200) {
      const response = await send(user, path);
      const body = await response.text();
      if (response.status !== status) throw new Error(`${path}: ${response.status} ${body}`);
      return JSON.parse(body);
    },
    form: (user, path, fields) => send(user, path, { method: 'POST', body: toForm(fields) }),
    upload: (user, label, files) =>
      send(user, '/api/ingest/documents/local/upload', {
        method: 'POST',
        body: toParts(files),
        headers: { 'Security-Label': label },
      }),
    update: (user, label, text) =>
      send(user, '/api/graph/knowledge/update', {
        method: 'POST',
        body: text,
        headers: {
          'Content-Type': 'application/sparql-update',
          ...(label === undefined ? {} : { 'Security-Label': label }),
        },
      }),
  };
}

/** A test whose server computed for too long in one turn fails when it closes the server, and names the requests. */
function failOnLongTurns(server: CairnServer, watch: LoopWatch): void {
  const close = server.close.bind(server);
  server.close = async () => {
    await close();
    watch.stop();
    if (watch.longTurns.length > 0) throw new Error(`the event loop was held: ${watch.longTurns.join('; ')}`);
  };
}

function toForm(fields: Readonly<Record<string, string | readonly string[]>>): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, values] of Object.entries(fields)) for (const value of [values].flat()) form.append(name, value);
  return form;
}

function toParts(files: Readonly<Record<string, string | Uint8Array>>): FormData {
  const form = new FormData();
  for (const [name, content] of Object.entries(files)) form.append('file', new Blob([content as string]), name);
  return form;
}

/** Repeats a check until it gives something, for what happens after an answer. @throws after so many tries of 50 ms. */
export async function eventually<Value>(check: () => Promise<Value | undefined>, maxTries = 200): Promise<Value> {
  for (let tries = 0; tries < maxTries; tries++) {
    const value = await check();
    if (value !== undefined) return value;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`it did not happen within ${maxTries} tries`);
}
