import { createEvent, createMemoryEventLog, HEADER, type StoredEvent } from '@cairn/events';
import { describe, expect, it } from 'vitest';
import type { ExtractionRequest, Extractor } from '../port/extractor.ts';
import { parseRoute } from '../routes/parser.ts';
import { EVENT_TYPE } from './contract.ts';
import { createExtractText } from './extract-text.ts';

const ROUTES = [parseRoute({ name: 'local', topic: 'native', namespace: 'urn:d:' }, { file: 'test' })];

async function appended(headers: Readonly<Record<string, string>>): Promise<StoredEvent> {
  const log = createMemoryEventLog();
  await log.append('native', [createEvent({ id: 'e1', type: EVENT_TYPE.uploaded, headers, value: '' })]);
  for await (const [event] of log.read('native')) if (event !== undefined) return event;
  throw new Error('nothing was appended');
}

/** An extractor that takes bytes away from whoever hands them over, as one in another thread does. */
function createTakingExtractor(): Extractor & { readonly requests: ExtractionRequest[] } {
  const requests: ExtractionRequest[] = [];
  return {
    requests,
    async extract(request) {
      requests.push(request);
      if (request.isHandedOver) structuredClone(request.bytes, { transfer: [request.bytes.buffer as ArrayBuffer] });
      return { contentType: 'text/plain', text: 'words', metadata: {} };
    },
    async close() {},
  };
}

async function extract(headers: Readonly<Record<string, string>>): Promise<{ isHandedOver: unknown; made: unknown }> {
  const extractor = createTakingExtractor();
  const stage = createExtractText({ extractor, routes: ROUTES, rdfTopic: undefined });
  const value = new TextEncoder().encode('words');
  const [output] = await stage({ event: await appended(headers), value, signal: new AbortController().signal });
  const made = JSON.parse(new TextDecoder().decode(output?.event.value));
  return { isHandedOver: extractor.requests[0]?.isHandedOver, made };
}

describe('extracting text', () => {
  it('keeps the bytes of a value that the event itself holds', async () => {
    expect(await extract({ [HEADER.documentId]: 'urn:d:1' })).toMatchObject({
      isHandedOver: false,
      made: { uri: 'urn:d:1', sizeBytes: 5, text: 'words' },
    });
  });

  it('hands the bytes of a blob over, and has measured and named them before', async () => {
    const { isHandedOver, made } = await extract({ [HEADER.valueBlob]: 'uploads/1/a 5' });
    expect([isHandedOver, made]).toMatchObject([true, { sizeBytes: 5, text: 'words' }]);
    expect(made).toMatchObject({ uri: ((await extract({})).made as { readonly uri: string }).uri });
  });
});
