import { readdirSync, readFileSync } from 'node:fs';
import type { Extraction } from '@cairn/ingest';
import { afterAll, describe, expect, it } from 'vitest';
import { createExtractionPool } from './pool.ts';

const fixtures = new URL('../../../../test-fixtures/formats/', import.meta.url);
const pool = createExtractionPool({ workers: 2 });

afterAll(() => pool.close());

const load = (path: string): Buffer => readFileSync(new URL(path, fixtures));

describe('extraction of good files', () => {
  it.each(readdirSync(new URL('good', fixtures)))('reads text and metadata of %s', async (filename) => {
    const golden = JSON.parse(load(`golden/${filename}.json`).toString()) as Extraction;
    expect(await pool.extract({ bytes: load(`good/${filename}`), filename })).toEqual(golden);
  });
});

const MALFORMED: Readonly<Record<string, string>> = {
  'climbing.epub': 'no package document',
  'deep.html': '256 deep',
  'deep.json': '256 deep',
  'deep.pptx': '256 deep',
  'deep.rtf': '256 deep',
  'entities.docx': 'internal subset',
  'entities.xml': 'internal subset',
  'external.xml': 'internal subset',
  'lying-binary.rtf': 'more binary data than it has',
  'lying-size.xlsx': 'too many bytes in the stream',
  'matryoshka.eml': '5 deep',
  'open-quote.csv': 'CSV_QUOTE_NOT_CLOSED',
  'same-name-twice.ods': 'same entry twice',
  'truncated.odt': 'End of central directory record signature not found',
  'truncated.pdf': 'Invalid PDF structure',
  'unknown-entity.odp': 'undefined entity',
};

const HARMLESS: Readonly<Record<string, Partial<Extraction>>> = {
  'controls.txt': { contentType: 'application/octet-stream', text: '', reason: 'unknown type' },
  'image.md': { contentType: 'image/png', text: '', reason: 'unsupported type' },
  'no-pages.pdf': { contentType: 'application/pdf', text: '' },
  'pdf-named.docx': { contentType: 'application/pdf', title: 'Lighthouses – маяки – 灯台' },
};

describe('extraction of hostile files', () => {
  it('has an expectation for every file', () => {
    const expected = [...Object.keys(MALFORMED), ...Object.keys(HARMLESS)].sort();
    expect(readdirSync(new URL('hostile', fixtures)).sort()).toEqual(expected);
  });

  it.each(Object.entries(MALFORMED))('refuses %s because of: %s', async (filename, reason) => {
    const error = { code: 'ERR_EXTRACTION', kind: 'invalid', message: expect.stringContaining(reason) };
    await expect(pool.extract({ bytes: load(`hostile/${filename}`), filename })).rejects.toMatchObject(error);
  });

  it.each(Object.entries(HARMLESS))('takes %s for what it is', async (filename, expected) => {
    expect(await pool.extract({ bytes: load(`hostile/${filename}`), filename })).toMatchObject(expected);
  });
});
