import fc from 'fast-check';
import type { ConfigurationInput } from '../../config/configuration.ts';
import { TEST_CONFIGURATION, type TestServer } from '../../testing/server.ts';

/** The viewers that are compared, and the labels that each of them may see. */
export const MAY: Readonly<Record<'alice' | 'dieter', readonly string[]>> = {
  alice: ['*', 'clearance=O', 'clearance=S', 'clearance=TS&nationality=GBR', 'nationality=GBR|nationality=DEU'],
  dieter: ['*', 'clearance=O', 'nationality=DEU', 'nationality=GBR|nationality=DEU'],
};
const LABELS = [...new Set(Object.values(MAY).flat()), 'nationality=DEU&clearance=TS'];

/** The users of the tests and `writer`, who writes under every label. */
export const WITH_WRITER: ConfigurationInput = {
  ...TEST_CONFIGURATION,
  auth: {
    ...TEST_CONFIGURATION.auth,
    users: {
      ...TEST_CONFIGURATION.auth?.users,
      writer: { attributes: { clearance: 'TS', nationality: ['GBR', 'DEU'] }, roles: [] },
    },
  },
};

/** Something that is stored under a label: triples about a subject, or a document. */
export interface Stored {
  readonly kind: 'triples' | 'document';
  readonly label: string;
  readonly subject: number;
  readonly type: number;
  readonly words: readonly string[];
}

export const WORDS: readonly string[] = ['eagle', 'eagles', 'falcon', 'orion', 'columbia', 'eagle-eyed'];

/** One thing to store. */
export const stored: fc.Arbitrary<Stored> = fc.record({
  kind: fc.constantFrom('triples', 'triples', 'document'),
  label: fc.constantFrom(...LABELS),
  subject: fc.nat(5),
  type: fc.nat(2),
  words: fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 }),
});

/** Stores things in their order, and waits until every cache has them. @throws when one is refused. */
export async function fill(server: TestServer, things: readonly Stored[]): Promise<void> {
  for (const thing of things) {
    const { status } = thing.kind === 'triples' ? await insert(server, thing) : await uploadDocument(server, thing);
    if (status >= 300) throw new Error(`${thing.kind} under ${thing.label}: ${status}`);
  }
  const documents = new Set(things.filter(({ kind }) => kind === 'document').map(documentKey));
  for (let tries = 0; tries < 400; tries++) {
    const found = await server.get('writer', '/api/search/documents?query=*&indices=doc-content&limit=1000');
    const { results } = await server.get('writer', `/api/graph/knowledge/query?query=${encodeURIComponent(SOURCES)}`);
    if (found.results.length === documents.size && results.bindings.length === documents.size) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`${documents.size} documents did not arrive`);
}

const SOURCES = 'SELECT ?d { ?d <http://purl.org/dc/terms/title> ?t }';

function documentKey({ words, label }: Stored): string {
  return `${label} ${words.join(' ')}`;
}

function insert(server: TestServer, { label, subject, type, words }: Stored): Promise<Response> {
  const about = `<urn:s:${subject}>`;
  const name = `<http://www.w3.org/2000/01/rdf-schema#label> "${words.join(' ')}"`;
  const relation = `<urn:knows> <urn:s:${type}> ; <urn:weight> ${words.length}`;
  return server.update('writer', label, `INSERT DATA { ${about} a <urn:t:${type}> ; ${name} ; ${relation} }`);
}

function uploadDocument(server: TestServer, { label, words }: Stored): Promise<Response> {
  const text = `The ${words.join(' and the ')} wrote to ${words[0]}@example.org in the fog.`;
  return server.upload('writer', label, { [`${words.join('-')}.txt`]: text });
}
