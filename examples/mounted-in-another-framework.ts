/**
 * The engines behind somebody else's handler. `Request` in, `Response` out is the shape of Hono, Remix, SvelteKit, Deno
 * and Bun, and of Next.js route handlers; here it is called directly.
 */
import { type ErrorKind, isCodedError } from '@cairn/errors';
import { openGraphDataset, parseRdf, writeResult } from '@cairn/rdf-graph';
import { openSearchIndex } from '@cairn/search';
import { createViewer, createViewerOfNothing, type Viewer } from '@cairn/security';

const index = await openSearchIndex({ indices: ['boats'] });
await index.apply([
  { type: 'put', index: 'boats', document: { uri: 'b1', name: 'Skerry', securityLabels: { defaults: '*' } } },
  { type: 'put', index: 'boats', document: { uri: 'b2', name: 'Skerry II', securityLabels: { defaults: 'crew' } } },
]);
const dataset = await openGraphDataset({ name: 'boats', nowMs: () => performance.now() });
const turtle = '<https://example.org/b1> <https://example.org/name> "Skerry" .';
for await (const quad of parseRdf(turtle, { contentType: 'text/turtle' })) {
  await dataset.apply([{ deletions: [], additions: [{ quad, label: '*' }] }]);
}

// Who is asking is the framework's business: its session becomes a viewer. Unknown people see nothing.
const SESSIONS: Readonly<Record<string, Viewer>> = {
  'session=crew': createViewer({ attributes: { crew: ['true'] } }),
  'session=guest': createViewer({ attributes: {} }),
};

// The kind of an error says what a caller should do, so one table serves every engine.
const STATUS: Readonly<Partial<Record<ErrorKind, number>>> = { invalid: 400, 'not-found': 404, timeout: 503 };

async function handle(request: Request): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  const viewer = SESSIONS[request.headers.get('Cookie') ?? ''] ?? createViewerOfNothing();
  const query = searchParams.get('query') ?? '';
  // The request's own signal ends the work when the client has gone.
  const { signal } = request;
  try {
    if (pathname === '/search') return Response.json(await index.search(viewer, { query, signal }));
    if (pathname === '/sparql') {
      const mediaType = 'application/sparql-results+json';
      const result = await dataset.query(viewer, query, { signal, budget: { timeLimitMs: 2000 } });
      return new Response(toBody(writeResult(result, { mediaType })), { headers: { 'Content-Type': mediaType } });
    }
    return new Response('no such page', { status: 404 });
  } catch (error) {
    if (!isCodedError(error)) throw error;
    return new Response(error.message, { status: STATUS[error.kind] ?? 500 });
  }
}

function toBody(text: AsyncIterable<string>): ReadableStream<Uint8Array> {
  const pieces = text[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(new TextEncoder().encode(value));
    },
    cancel: async () => void (await pieces.return?.()),
  });
}

async function get(path: string, session: string): Promise<Response> {
  return handle(new Request(`https://app.example${path}`, { headers: { Cookie: `session=${session}` } }));
}

for (const session of ['crew', 'guest', 'stranger']) {
  const { results } = (await (await get('/search?query=skerry', session)).json()) as { results: { id: string }[] };
  console.log(session, results.map(({ id }) => id).join() || 'nothing');
}
const sparql = encodeURIComponent('SELECT ?name { ?boat <https://example.org/name> ?name }');
console.log(JSON.stringify(await (await get(`/sparql?query=${sparql}`, 'guest')).json()));

const bad = await get('/sparql?query=SELECT', 'guest');
console.log(bad.status, (await bad.text()).split('\n')[0]);

/* Prints:
crew b1,b2
guest b1
stranger nothing
{"head":{"vars":["name"]},"results":{"bindings":[{"name":{"type":"literal","value":"Skerry"}}]}}
400 not SPARQL: the end at line 1, column 7 is not expected there
*/
