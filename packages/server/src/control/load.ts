import { CodedError, isCodedError } from '@cairn/errors';
import type { Service } from '../composition/service.ts';
import { type Operation, usageError } from './operation.ts';
import { listRdfFiles, type RdfFile, readRdfFile } from './rdf-files.ts';

/** A file may be large, and nobody waits for an answer over HTTP. */
const APPLY_MS = 3_600_000;

/**
 * `load`: RDF files into a dataset, one event each. Nothing of a file that cannot be read is kept; it stops the load, and
 * those before it stay.
 */
export const load: Operation = {
  name: 'load',
  async *run(service, args, signal) {
    const dataset = String(args['dataset']);
    const { datasets } = service;
    if (!datasets.has(dataset)) throw usageError(`the dataset must be one of ${[...datasets.keys()].join(', ')}`);
    const files = await listRdfFiles([args['files'] ?? []].flat());
    const label = typeof args['label'] === 'string' ? args['label'] : undefined;
    let loaded = 0;
    for (const file of files) {
      const sizeBytes = await loadFile(service, file, { dataset, label, signal });
      loaded += 1;
      yield { type: 'progress', text: `${loaded}/${files.length} ${file.name}: ${sizeBytes} bytes` };
    }
    yield { type: 'result', text: `loaded ${loaded} files into ${dataset}` };
  },
};

async function loadFile(
  { ingest }: Service,
  file: RdfFile,
  target: { readonly dataset: string; readonly label: string | undefined; readonly signal: AbortSignal },
): Promise<number> {
  try {
    const value = await readRdfFile(file);
    await ingest.load({ ...target, contentType: file.contentType, value, isHandedOver: true, timeoutMs: APPLY_MS });
    return value.byteLength;
  } catch (error) {
    throw isCodedError(error) ? named(file, error) : error;
  }
}

/** The same error, which says which file it is about. */
function named({ name }: RdfFile, cause: CodedError): CodedError {
  const { code, kind, message, retryable, position, expected } = cause;
  return new CodedError({
    ...{ code, kind, retryable, cause },
    message: `${name}: ${message}`,
    ...(position && { position }),
    ...(expected && { expected }),
  });
}
