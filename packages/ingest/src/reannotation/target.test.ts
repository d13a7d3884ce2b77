import { EventEmitter, once } from 'node:events';
import { createMemoryEventLog, type EventLog } from '@cairn/events';
import * as fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { readAll } from '../testing/drain.ts';
import { type House, NAMESPACE, openHouse, PUBLIC, SECRET } from '../testing/house.ts';
import { IS_LONG, PROPERTY_TIMEOUT_MS } from '../testing/runs.ts';

const RUNS = IS_LONG ? 300 : 15;
const AUTOMATIC = { reannotation: { automatic: true, restMs: 0 } };

const houses: House[] = [];

async function house(...[given, options]: Parameters<typeof openHouse>): Promise<House> {
  const opened = await openHouse(given, { ...AUTOMATIC, ...options });
  houses.push(opened);
  return opened;
}

afterEach(async () => {
  await Promise.all(houses.splice(0).map(({ ingest }) => ingest.stop()));
});

async function uriOf({ upload }: House, text: string, label?: string): Promise<string> {
  const { documents } = await upload({ 'a.txt': text }, label);
  return NAMESPACE + documents[0].id;
}

async function mentionsIn({ ingest }: House, uri: string, viewer = PUBLIC): Promise<unknown[]> {
  await ingest.settle();
  const entities = (await ingest.search.getDocument(viewer, uri))?.['entities'] ?? [];
  return (entities as { text: string; uri?: string }[]).map(
    (entity) => `${entity.text} ${entity.uri?.split('/').at(-1)}`,
  );
}

const eventsOf = async ({ log }: House): Promise<number> => (await readAll(log, 'document.entities')).length;

describe('documents follow the names of the graph by themselves', () => {
  it('when a name comes, changes, becomes another kind of thing, and goes', async () => {
    const opened = await house();
    const uri = await uriOf(opened, 'The Eagle has landed.');
    expect(await mentionsIn(opened, uri)).toEqual([]);
    await opened.load('ex:eagle rdfs:label "Eagle" .');
    expect(await mentionsIn(opened, uri)).toEqual(['Eagle eagle']);
    await opened.load('ex:eagle a ex:Vehicle .');
    await opened.ingest.settle();
    expect(await opened.ingest.search.getDocument(PUBLIC, uri)).toMatchObject({
      entities: [{ category: 'https://example.org/id/Vehicle' }],
    });
    await opened.load('ex:other skos:altLabel "The Eagle has" .');
    expect(await mentionsIn(opened, uri)).toEqual(['The Eagle has other']);
    await opened.update('DELETE WHERE { ?s skos:altLabel ?name }');
    expect(await mentionsIn(opened, uri)).toEqual(['Eagle eagle']);
    await opened.update('DELETE WHERE { ?s rdfs:label ?name }');
    expect(await mentionsIn(opened, uri)).toEqual([]);
  });

  it('through the nodes that a name hangs on', async () => {
    const opened = await house();
    const uri = await uriOf(opened, 'Signed by Collins.');
    await opened.load('ex:c ies:hasName ex:n . ex:n ies:representationValue "Collins" .');
    expect(await mentionsIn(opened, uri)).toEqual(['Collins c']);
    await opened.update('DELETE DATA { ex:c ies:hasName ex:n }');
    expect(await mentionsIn(opened, uri)).toEqual([]);
  });

  it('for those whom the label of the name permits, and tells the graph', async () => {
    const opened = await house();
    const uri = await uriOf(opened, 'At Tranquility.');
    await opened.load('ex:base rdfs:label "Tranquility" .', 'clearance=S');
    expect(await mentionsIn(opened, uri, SECRET)).toEqual(['Tranquility base']);
    expect(await mentionsIn(opened, uri)).toEqual([]);
    const mention = `ASK { <${uri}> <https://schema.org/mentions> <https://example.org/id/base> }`;
    expect(await opened.knowledge.query(SECRET, mention)).toMatchObject({ value: true });
    expect(await opened.knowledge.query(PUBLIC, mention)).toMatchObject({ value: false });
  });

  it('and records nothing for changes that concern no document, or no name', async () => {
    const opened = await house();
    await uriOf(opened, 'The Eagle has landed.');
    await opened.ingest.settle();
    await opened.load('ex:eagle rdfs:label "Eagle" .');
    await opened.ingest.settle();
    expect(await eventsOf(opened)).toBe(2);
    await opened.load('ex:eagle rdfs:comment "landed" . ex:columbia rdfs:label "Columbia" .');
    await opened.ingest.settle();
    expect(await eventsOf(opened)).toBe(2);
  });

  it('reads no text when only what the graph says of documents changes', async () => {
    const opened = await house();
    await opened.load('ex:eagle rdfs:label "Eagle" .');
    const uri = await uriOf(opened, 'The Eagle has landed.');
    await opened.ingest.settle();
    await opened.update(`INSERT DATA { <${uri}> rdfs:label "landed" }`);
    await opened.ingest.settle();
    expect(await eventsOf(opened)).toBe(1);
  });

  it('after a restart, when the change came while nobody followed', async () => {
    const first = await openHouse();
    const uri = await uriOf(first, 'The Eagle has landed.');
    await first.ingest.settle();
    await first.load('ex:eagle rdfs:label "Eagle" .');
    await first.ingest.stop();
    const second = await house(first);
    expect(await mentionsIn(second, uri)).toEqual(['Eagle eagle']);
    await second.ingest.stop();
    const third = await house(second);
    expect(await mentionsIn(third, uri)).toEqual(['Eagle eagle']);
    expect(await eventsOf(third)).toBe(2);
  });

  it('and a stop does not wait for a long run', async () => {
    const log = createMemoryEventLog({ nowMs: () => 0 });
    let source: EventLog = log;
    const opened = await house({ log: { ...bound(log), read: (topic, options) => source.read(topic, options) } });
    for (let at = 0; at < 20; at++) await uriOf(opened, `${at} birds`);
    await opened.ingest.settle();
    const long = heldAtFirst(log);
    source = long.log;
    await opened.load('ex:birds rdfs:label "Birds" .');
    await long.begun;
    const stopped = opened.ingest.stop();
    long.goOn();
    await stopped;
    expect(long.read()).toBeLessThan(5);
  });
});

/** A log whose documents are read one after the other by those who do not wait for more; the first comes when it may. */
function heldAtFirst(log: EventLog): { log: EventLog; begun: Promise<unknown>; goOn(): void; read(): number } {
  const gate = new EventEmitter();
  const [begun, goesOn] = [once(gate, 'begun'), once(gate, 'goesOn')];
  let read = 0;
  const slow: EventLog = {
    ...bound(log),
    async *read(topic, options) {
      const isHeld = topic === 'document.entities' && options?.wait !== true;
      for await (const batch of log.read(topic, isHeld ? { ...options, maxBatchEvents: 1 } : options)) {
        if (isHeld) {
          read++;
          gate.emit('begun');
          await goesOn;
        }
        yield batch;
      }
    },
  };
  return { log: slow, begun, goOn: () => void gate.emit('goesOn'), read: () => read };
}

function bound(log: EventLog): EventLog {
  const methods = [
    'append',
    'read',
    'end',
    'comparePositions',
    'lag',
    'commit',
    'committed',
    'topics',
    'close',
    'cuts',
  ] as const;
  return Object.fromEntries(methods.map((name) => [name, (log[name] as () => void).bind(log)])) as unknown as EventLog;
}

const NAMES = ['aa', 'bb', 'aa bb', 'cc'];
const change = fc.record({
  does: fc.constantFrom('INSERT', 'DELETE'),
  triple: fc.tuple(
    fc.constantFrom('ex:s1', 'ex:s2', 'ex:s3'),
    fc.constantFrom('rdfs:label', 'skos:altLabel', 'a'),
    fc.constantFrom(...NAMES),
  ),
  label: fc.constantFrom('*', 'clearance=S'),
  document: fc.option(fc.array(fc.constantFrom('aa', 'bb', 'cc', 'dd'), { minLength: 1, maxLength: 5 })),
});

describe('what documents mention in the end', () => {
  it('is what they would mention had every name been there before', { timeout: PROPERTY_TIMEOUT_MS }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), fc.boolean(), async (changes, settles) => {
        const opened = await house();
        const texts: string[] = [];
        for (const { does, triple, label, document } of changes) {
          const [subject, predicate, name] = triple;
          const object = predicate === 'a' ? `ex:${name.replace(' ', '')}` : JSON.stringify(name);
          await opened.update(`${does} DATA { ${subject} ${predicate} ${object} }`, label);
          if (document !== null) texts.push(document.join(' '));
          if (document !== null) await opened.upload({ 'd.txt': document.join(' ') });
          if (settles) await opened.ingest.settle();
        }
        await opened.ingest.settle();
        const late = await openHouse({ knowledge: opened.knowledge });
        for (const text of texts) await late.upload({ 'd.txt': text });
        await late.ingest.settle();
        for (const viewer of [PUBLIC, SECRET]) {
          const all = { query: '*:*', indices: ['doc-content'], limit: 1000 };
          expect(await opened.ingest.search.search(viewer, all)).toEqual(await late.ingest.search.search(viewer, all));
        }
        await late.ingest.stop();
        await opened.ingest.stop();
      }),
      { numRuns: RUNS },
    );
  });
});
