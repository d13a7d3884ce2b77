import { Readable } from 'node:stream';
import { type AnyArgument, type Door, doorFaults, rereadingFaults } from '@cairn/errors/conformance';
import { afterAll, describe, expect, it } from 'vitest';
import { createExtractionPool, hashContent, readMultipart } from './index.ts';

const pool = createExtractionPool({ workers: 1 });
const bytes = new TextEncoder().encode('text');
const CLOSED = ['undefined', 'object'] as const;
afterAll(() => pool.close());

const extract = (more: AnyArgument) => pool.extract({ bytes, filename: 'a.txt', ...more });
const opened = (make: (options: AnyArgument) => { close(): Promise<void> }) => (options: AnyArgument) =>
  make(options).close();
const multipart = (request: AnyArgument, limits?: AnyArgument, signal?: AnyArgument) =>
  readMultipart(request, limits, signal);
const request = () =>
  Object.assign(Readable.from([Buffer.from('--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n--b--\r\n')]), {
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
  });

const requestOf = (text: string) => {
  const head = '--b\r\nContent-Disposition: form-data; name="a"; filename="a.txt"\r\n\r\n';
  return Object.assign(Readable.from([Buffer.from(`${head}${text}\r\n--b--\r\n`)]), {
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
  });
};

const DOORS: readonly Door[] = [
  ['createExtractionPool', opened(createExtractionPool), CLOSED],
  ['createExtractionPool, workers', (workers) => opened(createExtractionPool)({ workers }), ['undefined', 'number']],
  [
    'createExtractionPool, maxTextBytes',
    (n) => opened(createExtractionPool)({ maxTextBytes: n }),
    ['undefined', 'number'],
  ],
  ['extract', (wrong) => pool.extract(wrong), []],
  ['extract, bytes', (wrong) => extract({ bytes: wrong }), []],
  ['extract, filename', (filename) => extract({ filename }), ['text']],
  ['extract, declaredType', (declaredType) => extract({ declaredType }), ['text', 'undefined']],
  ['extract, options', (wrong) => pool.extract({ bytes, filename: 'a.txt' }, wrong), CLOSED],
  ['extract, signal', (signal) => pool.extract({ bytes, filename: 'a.txt' }, { signal }), ['undefined']],
  ['hashContent', (wrong) => hashContent(wrong), []],
  ['readMultipart', (wrong) => multipart(wrong), []],
  ['readMultipart, limits', (wrong) => multipart(request(), wrong), CLOSED],
  ['readMultipart, maxFiles', (maxFiles) => multipart(request(), { maxFiles }), ['undefined', 'number']],
  ['readMultipart, signal', (signal) => multipart(request(), {}, signal), ['undefined']],
];

describe('a door of this package', () => {
  it.each(DOORS)('%s refuses what it cannot use, with a code', async (_name, call, right) => {
    expect(await doorFaults(call, right)).toEqual([]);
  });

  it('gives neither parts nor the content of one that are empty in silence when they are read again', async () => {
    expect(await rereadingFaults(() => readMultipart(requestOf('a file')))).toEqual([]);
    const contentOf = async () => {
      const { value } = await readMultipart(requestOf('a file')).next();
      if (value === undefined) throw new Error('the request has a part');
      return value.content;
    };
    expect(await rereadingFaults(contentOf)).toEqual([]);
  });
});
