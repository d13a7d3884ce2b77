import { afterAll, describe, expect, it } from 'vitest';
import type { Bomb } from './testing/bombs/bomb.ts';
import { standBeside } from './testing/bombs/bystander.ts';
import { DOCUMENT_BOMBS } from './testing/bombs/document-bombs.ts';
import { GRAPHQL_BOMBS } from './testing/bombs/graphql-bombs.ts';
import { LABEL_BOMBS } from './testing/bombs/label-bombs.ts';
import { MULTIPART_BOMBS } from './testing/bombs/multipart-bombs.ts';
import { RDF_BOMBS } from './testing/bombs/rdf-bombs.ts';
import { SEARCH_BOMBS } from './testing/bombs/search-bombs.ts';
import { SHACL_BOMBS } from './testing/bombs/shacl-bombs.ts';
import { type SmallServer, startSmallServer, TIME_LIMIT_MS } from './testing/bombs/small-server.ts';
import { SPARQL_BOMBS } from './testing/bombs/sparql-bombs.ts';
import { STYLE_BOMBS } from './testing/bombs/style-bombs.ts';
import { throwBomb } from './testing/bombs/throw.ts';
import { LONG } from './testing/scale.ts';
import { testDirectories } from './testing/temporary-directory.ts';

/** One row each; a new bomb is one line in its language's file. */
const LANGUAGES: readonly (readonly [name: string, bombs: readonly Bomb[]])[] = [
  ['SPARQL', SPARQL_BOMBS],
  ['GraphQL', GRAPHQL_BOMBS],
  ['SHACL', SHACL_BOMBS],
  ['RDF', RDF_BOMBS],
  ['search', SEARCH_BOMBS],
  ['labels', LABEL_BOMBS],
  ['styles', STYLE_BOMBS],
  ['multipart', MULTIPART_BOMBS],
  ['documents', DOCUMENT_BOMBS],
];

/** Where other work shares the machine, waiting for a core is no fault of the server's. */
const MAX_LIVEZ_MS = LONG ? 100 : 5_000;
/** The same without the waiting: what the main thread itself does in one go. */
const MAX_STRETCH_MS = LONG ? 100 : 500;
const MAX_ANSWER_MS = (LONG ? 2 : 6) * TIME_LIMIT_MS;
/** Twice what reading a document may take. */
const MAX_READING_MS = 60_000;
const MAX_PEAK_BYTES = 512 * 1024 * 1024;
const MAX_KEPT_BYTES = 48 * 1024 * 1024;

const directories = testDirectories();
const ends: (() => void)[] = [];
let small: SmallServer | undefined;

afterAll(() => {
  for (const end of ends) end();
  directories.remove();
});

/** The server that is there; a new one when a bomb has killed the last. */
async function living(): Promise<SmallServer> {
  const isAlive =
    small !== undefined && (await fetch(`${small.process.url}/livez`).catch(() => undefined))?.ok === true;
  if (!isAlive) small = await startSmallServer(directories.make(), (end) => ends.push(end));
  return small as SmallServer;
}

describe.each(LANGUAGES)('%s: the server, and what others ask it, survives', (_, bombs) => {
  for (const bomb of bombs) {
    it.skipIf(!LONG && bomb.isLong === true)(
      bomb.name,
      async () => {
        // Before anybody asks: packing a bomb may keep this process from answering.
        const request = bomb.request();
        const server = await living();
        const before = await server.process.measure();
        const bystander = await standBeside(server);
        const startedMs = performance.now();
        const end = await throwBomb(server, request);
        const tookMs = performance.now() - startedMs;
        const sights = await bystander.leave();
        const after = await server.process.measure();
        expect(sights.faults).toEqual([]);
        expect(bomb.ends, `it took ${Math.round(tookMs)} ms`).toContain(end);
        expect(tookMs).toBeLessThan(request.isUpload === true ? MAX_READING_MS : MAX_ANSWER_MS);
        expect(after.longestStretchMs, 'a stretch on the main thread').toBeLessThan(MAX_STRETCH_MS);
        expect(sights.slowestLivezMs, 'livez').toBeLessThan(MAX_LIVEZ_MS);
        expect(sights.peakBytes - before.rss, 'bytes at the peak').toBeLessThan(MAX_PEAK_BYTES);
        // The collector takes buffers in its own time.
        const kept = async (): Promise<number> => held(await server.process.measure()) - held(before);
        await expect.poll(kept, { timeout: 20_000, message: 'bytes kept' }).toBeLessThan(MAX_KEPT_BYTES);
      },
      240_000,
    );
  }
});

function held({ heapUsed, external }: { readonly heapUsed: number; readonly external: number }): number {
  return heapUsed + external;
}
