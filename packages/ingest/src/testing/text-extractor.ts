import { CodedError } from '@cairn/errors';
import type { Extraction, Extractor } from '../port/extractor.ts';

/** Reads plain text in UTF-8 and nothing else. A text that starts with `!poison` is refused. */
export function createTextExtractor(): Extractor {
  return {
    async extract({ bytes, filename }): Promise<Extraction> {
      const text = decode(bytes);
      if (text.startsWith('!poison')) throw refuse('the document is poisonous');
      const title = /^# (.+)$/m.exec(text)?.[1];
      return { contentType: 'text/plain', text, title: title ?? filename, metadata: { language: 'en' } };
    },
    async close() {},
  };
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw refuse('the document is not UTF-8', cause);
  }
}

function refuse(message: string, cause?: unknown): CodedError {
  return new CodedError({ code: 'ERR_EXTRACTION', kind: 'invalid', message, cause });
}
