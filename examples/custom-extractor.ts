/**
 * A format of one's own: an extractor that reads it and hands every other file to the one it wraps.
 */
import { CodedError } from '@cairn/errors';
import type { Extraction, Extractor } from '@cairn/ingest';
import { createExtractionPool } from '@cairn/node-runtime';

/** Ships' logs: `LOG 1`, then lines `HH:MM what happened`. */
const MAGIC = 'LOG 1\n';
const ENTRY = /^(\d\d:\d\d) (.+)$/;
const MAX_BYTES = 1_000_000;

function withShipLogs(others: Extractor): Extractor {
  return {
    async extract(request, options) {
      // By content first: what a sender calls a file is only a hint.
      const head = new TextDecoder('latin1').decode(request.bytes.subarray(0, MAGIC.length));
      return head === MAGIC ? readShipLog(request.bytes) : others.extract(request, options);
    },
    close: () => others.close(),
  };
}

function readShipLog(bytes: Uint8Array): Extraction {
  if (bytes.length > MAX_BYTES) throw refused(`a log has at most ${MAX_BYTES} bytes; got ${bytes.length}`);
  const lines = new TextDecoder().decode(bytes).slice(MAGIC.length).trimEnd().split('\n');
  const entries = lines.map((line, number) => {
    const match = ENTRY.exec(line);
    // The document then goes to the dead letters, with this reason.
    if (match === null) throw refused(`line ${number + 2} of a log must be "HH:MM text"`);
    const [, time = '', text = ''] = match;
    return { time, text };
  });
  return {
    contentType: 'application/x-ship-log',
    title: `Log of ${entries.length} entries`,
    text: entries.map(({ text }) => text).join('\n'),
    metadata: { first: entries[0]?.time ?? '', last: entries.at(-1)?.time ?? '' },
  };
}

function refused(message: string): CodedError {
  return new CodedError({ code: 'ERR_EXTRACTION', kind: 'invalid', message });
}

// The pool reads some twenty formats in worker threads of its own. Hand `extractor` to createIngest.
const extractor = withShipLogs(createExtractionPool({ workers: 1 }));
const files = {
  'night.log': 'LOG 1\n22:10 Lamp lit.\n04:55 Storm, lamp out.\n',
  'torn.log': 'LOG 1\n22:10 Lamp lit.\n??\n',
  'note.html': '<title>Lamp</title><p>Was <b>mended</b>.</p>',
};
for (const [filename, content] of Object.entries(files)) {
  try {
    const { contentType, title, text } = await extractor.extract({
      bytes: new TextEncoder().encode(content),
      filename,
    });
    console.log(`${filename}: ${contentType}, ${title}: ${text.replaceAll('\n', ' / ')}`);
  } catch (error) {
    console.log(`${filename}: ${(error as Error).message}`);
  }
}
await extractor.close();

/* Prints:
night.log: application/x-ship-log, Log of 2 entries: Lamp lit. / Storm, lamp out.
torn.log: line 3 of a log must be "HH:MM text"
note.html: text/html, Lamp: Was mended.
*/
