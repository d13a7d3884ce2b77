import type { Service } from '../composition/service.ts';
import type { Operation, OperationArguments, OperationLine } from './operation.ts';

/** The pipeline may have much to do before it comes to the removal. */
const SETTLE_MS = 3_600_000;

/** `forget`: removes a document from every cache, and its bytes from the log and the blobs. */
export const forget: Operation = { name: 'forget', run: forgetDocument };

async function* forgetDocument(
  { ingest, storage }: Service,
  args: OperationArguments,
  signal: AbortSignal,
): AsyncGenerator<OperationLine> {
  const id = String(args['id']);
  const { events, blobs } = await ingest.forget(id, { eraseValues: storage.eraseValues, timeoutMs: SETTLE_MS, signal });
  yield { type: 'result', text: `forgot ${id}: ${events} events and ${blobs} blobs erased` };
}
