import { isCodedError } from '@cairn/errors';
import { runAtOnce } from '@cairn/events';
import { createViewer } from '@cairn/security';
import { describe, expect, it } from 'vitest';
import { readLabelledDocument } from '../document/labelled-document.ts';
import type { SearchEngine } from '../engine/engine.ts';
import { openSearchIndex } from '../engine/open-search-index.ts';
import { compileIndexMapping } from '../mapping/index-mapping.ts';
import { mergeSegments } from '../merge/segment-merger.ts';
import { SegmentBuilder } from '../segment/segment-builder.ts';
import { createSegmentState, withoutDocuments } from '../segment/segment-state.ts';
import { createBlobsOf } from '../testing/blobs-of.ts';
import { Random } from '../testing/random.ts';
import { randomDocument } from '../testing/random-corpus.ts';
import { checksum } from './checksum.ts';
import { copyDeletions, decodeDeletions } from './deletions-file.ts';
import { indexFingerprint } from './fingerprint.ts';
import { decodeManifest, encodeManifest, type Manifest } from './manifest.ts';
import { checksumOf, encodeSectionFile } from './section-file.ts';
import { decodeSegment, encodeSegment } from './segment-file.ts';

const RUNS = process.env['CAIRN_LONG'] === '1' ? 6000 : 300;
/** Enough for every run on a busy machine. */
const LIMIT_MS = 600_000 + RUNS * 1000;
const mapping = compileIndexMapping('search');
const viewer = createViewer({ attributes: { c: ['O', 'S'], o: ['A', 'B'] } });

/** A segment that has every kind of section, among them blocks of many postings, histograms and deletions. */
function makeFiles(): { segment: Uint8Array; documents: Uint8Array; deletions: Uint8Array } {
  const random = new Random(3);
  const builder = new SegmentBuilder(mapping);
  for (let i = 0; i < 600; i++) {
    const document = { ...randomDocument(random), uri: `d${String(i).padStart(4, '0')}`, common: 'dust and dust' };
    runAtOnce(builder.add(readLabelledDocument(document, mapping)));
  }
  const segment = runAtOnce(builder.finish());
  const state = withoutDocuments(runAtOnce(createSegmentState(segment)), [3, 77, 500]);
  return {
    segment: runAtOnce(encodeSegment(segment)),
    documents: segment.stored.bytes,
    deletions: runAtOnce(
      encodeSectionFile({ header: {}, sections: copyDeletions(state.live ?? new Uint32Array(), state) }),
    ),
  };
}

const whole = makeFiles();
type FileName = keyof typeof whole;

/** Some bytes otherwise: flipped, cut off, zeroed, filled, or swapped with others. */
function damage(random: Random, bytes: Uint8Array, from: number): Uint8Array {
  const damaged = bytes.slice();
  const at = from + random.below(bytes.length - from);
  const length = 1 + random.below(random.chance(0.5) ? 4 : 200);
  random.pick([
    () => damaged.set([damaged[at] ^ (1 << random.below(8))], at),
    () => damaged.fill(0, at, at + length),
    () => damaged.fill(255, at, at + length),
    () => damaged.copyWithin(at, from + random.below(bytes.length - from), bytes.length - length),
    () => damaged.subarray(at, at + length).reverse(),
    () =>
      damaged.set(
        damaged.subarray(at, at + length).map(() => random.below(256)),
        at,
      ),
  ])();
  return random.chance(0.1) ? damaged.slice(0, at) : damaged;
}

/** The file with a checksum that is right for what it holds. */
function seal(bytes: Uint8Array): Uint8Array {
  if (bytes.length >= 16) new DataView(bytes.buffer).setUint32(12, checksum(bytes.subarray(16)), true);
  return bytes;
}

/** Like {@link damage}, of what is behind the preamble. */
function damageSealed(random: Random, bytes: Uint8Array): Uint8Array {
  return seal(damage(random, bytes, 16));
}

/** The code that work ends with; `undefined` when it does not fail. An error without a code escapes. */
async function codeOf(work: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (isCodedError(error)) return error.code;
    throw error;
  }
}

function load(files: typeof whole) {
  const segment = runAtOnce(decodeSegment({ blob: 's', bytes: files.segment }, { blob: 'd', bytes: files.documents }));
  return runAtOnce(decodeDeletions(segment, { blob: 'l', bytes: files.deletions }));
}

const QUERIES = [
  'dust',
  '"dust dust"',
  'moon landing',
  '"moon crew"~5',
  'run*',
  'apolo~1',
  'number:>1',
  '_exists_:notes',
];

/** Opens an index of the files and asks it about everything; every answer may fail with a coded error of its own. */
async function useAll(files: typeof whole): Promise<(string | undefined)[]> {
  const deletionsChecksum = files.deletions.length < 16 ? 0 : checksumOf(files.deletions);
  const names = { segment: 'search/s', documents: 'search/d', deletions: 'search/l', deletionsChecksum };
  const index = { fingerprint: indexFingerprint(mapping), segments: [names] };
  const manifest: Manifest = { version: 1, positions: {}, indices: { search: index } };
  const blobs = await createBlobsOf(
    { 'search/s': files.segment, 'search/d': files.documents, 'search/l': files.deletions },
    { search: encodeManifest(manifest) },
  );
  let opened: SearchEngine | undefined;
  const open = async (): Promise<void> => {
    opened = await openSearchIndex({ indices: ['search'], blobs });
  };
  const codes = [await codeOf(open)];
  if (opened === undefined) return codes;
  const engine: SearchEngine = opened;
  for (const query of QUERIES) codes.push(await codeOf(() => engine.search(viewer, { query, highlight: true })));
  codes.push(await codeOf(() => engine.typeahead(viewer, { query: 'ru' })));
  codes.push(await codeOf(() => engine.facets(viewer, { query: '*', facet: 'types' })));
  codes.push(await codeOf(() => engine.getDocument(viewer, 'd0007')));
  codes.push(await codeOf(() => engine.apply([{ type: 'delete', index: 'search', id: 'd0007' }])));
  codes.push(await codeOf(() => engine.compact()));
  await codeOf(() => engine.settle());
  return codes;
}

describe('a damaged file of a segment', () => {
  const files: FileName[] = ['segment', 'documents', 'deletions'];

  it.each(files)('is refused whatever was damaged: %s', { timeout: LIMIT_MS }, async (name) => {
    const random = new Random(11);
    for (let run = 0; run < RUNS; run++) {
      const bytes = damage(random, whole[name], 0);
      if (Buffer.compare(bytes, whole[name]) === 0) continue;
      const code = await codeOf(async () => load({ ...whole, [name]: bytes }));
      expect(code, `run ${run}`).toMatch(/^ERR_SEGMENT_(CORRUPT|VERSION)$/);
    }
  });

  it.each(files)(
    'whose checksum is right is refused or answers, and never hangs: %s',
    async (name) => {
      const random = new Random(12);
      expect((await useAll(whole)).every((code) => code === undefined)).toBe(true);
      const allowed = new Set([undefined, 'ERR_SEGMENT_CORRUPT', 'ERR_SEARCH_BUDGET', 'ERR_DOCUMENT']);
      for (let run = 0; run < RUNS / 3; run++) {
        const isDocuments = name === 'documents';
        const bytes = isDocuments ? damage(random, whole.documents, 0) : damageSealed(random, whole[name]);
        const segment = isDocuments ? withStoredChecksum(checksum(bytes)) : whole.segment;
        const codes = await useAll({ ...whole, segment, [name]: bytes });
        for (const code of codes) expect(allowed, `run ${run}: ${codes}`).toContain(code);
      }
    },
    LIMIT_MS,
  );

  it('whose checksum is right is refused in every section where a number leads out of its array', async () => {
    const random = new Random(13);
    const { entries, dataStart } = readHead(whole.segment);
    const named = entries.filter(({ name, type, length }) => {
      // There are more sets of labels than a byte counts.
      if (type === 'u8' && name.endsWith('labelSet')) return false;
      return (
        length > 1 && /offset|ofTerm|ofDocument|document$|labelSet$|field$|values\.term$|histograms\.term$/i.test(name)
      );
    });
    expect(named.length).toBeGreaterThan(30);
    for (const { name, type, offset, length } of named) {
      const size = Number(type.slice(1)) / 8;
      const bytes = whole.segment.slice();
      const at = dataStart + offset + size * random.below(length);
      bytes.fill(0xff, at, at + size);
      const code = await codeOf(async () => {
        const { segment } = load({ ...whole, segment: seal(bytes) });
        runAtOnce(
          mergeSegments([runAtOnce(createSegmentState(segment)), runAtOnce(createSegmentState(segment))], mapping),
        );
      });
      expect(code, name).toBe('ERR_SEGMENT_CORRUPT');
    }
  });

  it('is refused when it passes for another', async () => {
    const blobs = await createBlobsOf({}, {});
    const index = await openSearchIndex({ indices: ['search'], blobs });
    const put = (uri: string, text: string) => {
      const document = { uri, text, securityLabels: { defaults: '*' } };
      return { type: 'put', index: 'search', document } as const;
    };
    await index.apply([put('a', 'one')]);
    await index.flush();
    await index.apply([put('b', 'two')]);
    await index.flush();
    const { indices } = decodeManifest((await blobs.readManifest('search'))!, 'search');
    const [first, second] = indices['search'].segments;
    expect(second).toBeDefined();
    const get = (name: string) => blobs.get(name);
    const swapped = Object.assign(Object.create(blobs) as typeof blobs, {
      readManifest: (name: string) => blobs.readManifest(name),
      get: (name: string) => {
        const other = { [first.segment]: second.segment, [first.documents]: second.documents }[name];
        return get(other ?? name);
      },
    });
    const opening = openSearchIndex({ indices: ['search'], blobs: swapped });
    await expect(opening).rejects.toMatchObject({ code: 'ERR_SEGMENT_CORRUPT', kind: 'corrupt' });
  });
});

describe('a damaged manifest', () => {
  const manifest = encodeManifest({
    version: 1,
    positions: { topic: '5' },
    indices: { search: { fingerprint: 'x', segments: [{ segment: 's', documents: 'd', deletions: 'l' }] } },
  });

  it('is refused whatever was damaged', { timeout: LIMIT_MS }, async () => {
    const random = new Random(14);
    for (let run = 0; run < RUNS; run++) {
      const bytes = damage(random, manifest, 0);
      if (Buffer.compare(bytes, manifest) === 0) continue;
      expect(await codeOf(async () => decodeManifest(bytes, 'm'))).toMatch(/^ERR_SEGMENT_(CORRUPT|VERSION)$/);
    }
  });

  it('is refused when its checksum is right and it names no segments', async () => {
    const bodies: readonly unknown[] = [
      null,
      5,
      [],
      {},
      { version: 1 },
      { version: 1, positions: {}, indices: { a: {} } },
    ];
    for (const value of bodies) {
      const body = encodeManifest(value as Manifest);
      expect(await codeOf(async () => decodeManifest(body, 'm'))).toBe('ERR_SEGMENT_CORRUPT');
    }
  });
});

interface Entry {
  readonly name: string;
  readonly type: string;
  readonly offset: number;
  readonly length: number;
}

function readHead(bytes: Uint8Array): { header: Record<string, unknown>; entries: Entry[]; dataStart: number } {
  const headLength = new DataView(bytes.buffer).getUint32(8, true);
  const head = JSON.parse(new TextDecoder().decode(bytes.subarray(16, 16 + headLength)));
  return { ...head, dataStart: Math.ceil((16 + headLength) / 8) * 8 };
}

/** The segment's file, saying another checksum of its documents. */
function withStoredChecksum(storedChecksum: number): Uint8Array {
  const { header, entries, dataStart } = readHead(whole.segment);
  const head = new TextEncoder().encode(JSON.stringify({ header: { ...header, storedChecksum }, entries }));
  const start = Math.ceil((16 + head.length) / 8) * 8;
  const bytes = new Uint8Array(start + whole.segment.length - dataStart);
  bytes.set(whole.segment.subarray(0, 16));
  bytes.set(head, 16);
  bytes.set(whole.segment.subarray(dataStart), start);
  new DataView(bytes.buffer).setUint32(8, head.length, true);
  return seal(bytes);
}
