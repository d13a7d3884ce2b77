import type { Operation } from './operation.ts';

/** The pipeline may have much to do before it comes to the removal. */
const SETTLE_MS = 3_600_000;

/**
 * `forget`: names documents, removes them from every cache, and erases their bytes from the log, the blobs and the files
 * of the caches. With `dryRun` it only names them. One id that names no document refuses the whole command.
 */
export const forget: Operation = {
  name: 'forget',
  async *run(service, args, signal) {
    const ids = [args['id'] ?? []].flat();
    const isDryRun = args['dryRun'] === 'true';
    const { ingest, storage, datasets } = service;
    const found = await ingest.findForgettable(ids);
    for (const { uri, filename, events } of found) {
      const name = filename === undefined ? '' : ` (${filename})`;
      const verb = isDryRun ? 'would forget' : 'forgetting';
      yield { type: isDryRun ? 'result' : 'progress', text: `${verb} ${uri}${name}: ${events} events` };
    }
    if (isDryRun) return;
    const erasure = { eraseValues: storage.eraseValues, timeoutMs: SETTLE_MS, signal };
    const { uris, events, blobs, topics } = await ingest.forget(ids, erasure);
    yield { type: 'progress', text: `${events} events and ${blobs} blobs erased` };
    for (const cache of [...topics.filter((topic) => datasets.has(topic)), 'search']) {
      yield { type: 'progress', text: `purging ${cache}` };
      await service.purge(cache, { signal });
    }
    // Nobody can tell of damaged bytes whose they are.
    const removed = await storage.removeSetAside();
    if (removed > 0)
      yield { type: 'progress', text: `${removed} files and caches removed that were set aside as damaged` };
    await service.endForgetting(uris);
    yield { type: 'result', text: `forgot ${ids.join(' ')}: ${events} events and ${blobs} blobs erased` };
  },
};
