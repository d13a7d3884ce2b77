import { isCodedError } from '@cairn/errors';
import { type BlobStore, createMemoryBlobStore } from '@cairn/events';
import { createViewerOfEverything } from '@cairn/security';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openGraphDataset } from '../../dataset/open.ts';
import { Checksum } from './array-file.ts';

const RUNS = process.env['CAIRN_LONG'] === undefined ? 200 : 10_000;
const viewer = createViewerOfEverything();
const MANIFEST = 'graph/d';

const DATA = [
  'INSERT DATA { <e:a> <e:p> 7, "ä"@en, <<<e:a> <e:b> 1>>, "text" . GRAPH <e:g> { <e:a> <e:p> <e:b>, [] } }',
  'INSERT DATA { <e:c> <e:q> <<<e:a> <e:b> <<<e:c> <e:d> "deep">>>> . GRAPH <e:h> { <e:a> <e:p> <e:b> } }',
];

/** Of {@link DATA}, once for each label. */
const QUADS = 8;

async function stored(): Promise<Map<string, Uint8Array>> {
  const blobs = createMemoryBlobStore();
  const dataset = await openGraphDataset({ name: 'd', blobs });
  for (const [at, text] of DATA.entries()) {
    await dataset.apply([await dataset.evaluateUpdate(viewer, text, { label: at === 0 ? '*' : 'a=1' })]);
    await dataset.flush();
  }
  const files = new Map<string, Uint8Array>();
  for await (const { name } of blobs.list('graph/d/')) files.set(name, (await blobs.get(name))!);
  files.set(MANIFEST, (await blobs.readManifest(MANIFEST))!);
  return files;
}

type Damage = {
  readonly at: number;
  readonly to: number;
  readonly value: number;
  readonly kind: 'flip' | 'cut' | 'swap';
};
const damage: fc.Arbitrary<Damage> = fc.record({
  at: fc.nat(),
  to: fc.nat(),
  value: fc.constantFrom(0, 1, 127, 255),
  kind: fc.constantFrom('flip' as const, 'cut' as const, 'swap' as const),
});

function damagedBytes(bytes: Uint8Array, { at, to, value, kind }: Damage): Uint8Array {
  const copy = bytes.slice(0, kind === 'cut' ? at % bytes.length : bytes.length);
  const [i, j] = [at % bytes.length, to % bytes.length];
  if (kind === 'flip') copy[i] = copy[i] === value ? value ^ 1 : value;
  if (kind === 'swap') [copy[i], copy[j]] = [copy[j], copy[i]];
  return copy;
}

/** Everything that can be read of what was opened. */
async function readAll(blobs: BlobStore): Promise<number> {
  const dataset = await openGraphDataset({ name: 'd', blobs });
  let count = 0;
  for await (const _ of dataset.matchLabelled()) count++;
  expect(await dataset.count(viewer)).toBeLessThanOrEqual(count);
  return count;
}

describe('a damaged snapshot', () => {
  it.each([false, true])(
    'opens or is refused as corrupt, and never hangs (checksums made to fit: %s)',
    async (fits) => {
      const files = await stored();
      const names = [...files.keys()].sort();
      await fc.assert(
        fc.asyncProperty(fc.nat(names.length - 1), damage, async (which, how) => {
          const name = names[which];
          const bytes = damagedBytes(files.get(name)!, how);
          const checksum = new Checksum();
          checksum.update(bytes);
          const blobs = createMemoryBlobStore();
          for (const [other, content] of files) {
            if (other !== MANIFEST) await blobs.put(other, other === name ? bytes : content);
          }
          const manifest = JSON.parse(new TextDecoder().decode(files.get(MANIFEST)));
          for (const reference of [...manifest.terms, ...manifest.runs]) {
            if (fits && reference.name === name)
              Object.assign(reference, { sizeBytes: bytes.length, checksum: checksum.digest() });
          }
          const written = name === MANIFEST ? bytes : new TextEncoder().encode(JSON.stringify(manifest));
          await blobs.replaceManifest(MANIFEST, written);
          try {
            const count = await readAll(blobs);
            // A checksum that was made to fit is no damage that could be told from other data.
            if (!fits) expect(count).toBe(QUADS);
          } catch (error) {
            if (!isCodedError(error)) throw error;
            expect(['corrupt', 'unsupported']).toContain(error.kind);
          }
        }),
        { numRuns: RUNS },
      );
    },
  );
});
