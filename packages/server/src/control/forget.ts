import type { Service } from '../composition/service.ts';
import type { Operation, OperationArguments, OperationLine } from './operation.ts';

/** The pipeline may have much to do before it comes to the removal. */
const SETTLE_MS = 3_600_000;

/**
 * `forget`: removes a document from every cache, and its bytes from the log, the blobs and the files of the caches. The
 * latter keep what was removed until they are merged, so those that had something of it are rebuilt.
 */
export const forget: Operation = { name: 'forget', run: forgetDocument };

async function* forgetDocument(
  service: Service,
  args: OperationArguments,
  signal: AbortSignal,
): AsyncGenerator<OperationLine> {
  const id = String(args['id']);
  const { ingest, storage, datasets } = service;
  const erasure = { eraseValues: storage.eraseValues, timeoutMs: SETTLE_MS, signal };
  const { events, blobs, topics } = await ingest.forget(id, erasure);
  yield { type: 'progress', text: `${events} events and ${blobs} blobs erased` };
  // The index is made from the datasets, so it comes last.
  for (const cache of [...topics.filter((topic) => datasets.has(topic)), ...(events > 0 ? ['search'] : [])]) {
    yield { type: 'progress', text: `rebuilding ${cache}` };
    await service.rebuild(cache, { signal });
  }
  yield { type: 'result', text: `forgot ${id}: ${events} events and ${blobs} blobs erased` };
}
