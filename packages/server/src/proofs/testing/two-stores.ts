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
  server: { ...TEST_CONFIGURATION.server, metrics: { enabled: true } },
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

const IS_STATE_OF = '<http://ies.data.gov.uk/ontology/ies4#isStateOf>';

export const WORDS: readonly string[] = ['eagle', 'eagles', 'falcon', 'orion', 'columbia', 'eagle-eyed'];

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
  await settled(server);
}

/** Waits until no projector has anything to do, twice in a row. */
async function settled(server: TestServer): Promise<void> {
  let before = '';
  for (let tries = 0; tries < 500; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 30));
    const text = await (await fetch(server.server.metricsUrl as string)).text();
    const lags = [...text.matchAll(/^cairn_projector_lag_events.* (\d+)$/gm)].map(([, lag]) => Number(lag));
    const applied = [...text.matchAll(/^cairn_projector_applied_events.*$/gm)].join('\n');
    if (lags.length > 0 && lags.every((lag) => lag === 0) && applied === before) return;
    before = applied;
  }
  throw new Error('the projectors did not come to rest');
}

/** As an update, or as a file that brings a prefix along. */
function insert(server: TestServer, { label, subject, type, words }: Stored): Promise<Response> {
  const about = `<urn:s:${subject}>`;
  const name = `<http://www.w3.org/2000/01/rdf-schema#label> "${words.join(' ')}"`;
  const relation = `<urn:knows> <urn:s:${type}> ; <urn:weight> ${words.length} ; ${IS_STATE_OF} <urn:s:${subject % 2}>`;
  const style = `<urn:t:${type}> <http://telicent.io/ontology/style> ${JSON.stringify(styleOf(words))} .`;
  const triples = `${about} a <urn:t:${type}> ; ${name} ; ${relation} . ${style}`;
  if (words.length % 2 === 0) return server.update('writer', label, `INSERT DATA { ${triples} }`);
  const prefix = `@prefix p${subject % 3}: <urn:${type === 0 ? 't' : 's'}:> .`;
  return server.send('writer', '/api/graph/knowledge/upload', {
    method: 'POST',
    headers: { 'Security-Label': label, 'Content-Type': 'text/turtle' },
    body: `${prefix} ${triples}`,
  });
}

function styleOf(words: readonly string[]): string {
  return JSON.stringify({
    defaultStyles: { shape: words.length > 2 ? 'diamond' : 'ellipse', iconFallbackText: words[0] },
  });
}

function uploadDocument(server: TestServer, { label, words }: Stored): Promise<Response> {
  const text = `The ${words.join(' and the ')} wrote to ${words[0]}@example.org in the fog.`;
  return server.upload('writer', label, { [`${words.join('-')}.txt`]: text });
}
