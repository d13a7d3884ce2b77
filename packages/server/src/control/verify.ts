import { randomUUID } from 'node:crypto';
import { type BlobStore, type StoredEvent, valueBlob } from '@cairn/events';
import { noteGivenUpValues } from '@cairn/ingest/experimental';
import type { EventPredicate, EventVisitor, FileEventLog } from '@cairn/storage-fs';
import { verifyCacheFiles } from '../verification/cache-files.ts';
import { verifyPositions } from '../verification/caches.ts';
import { damaged, type Finding } from '../verification/finding.ts';
import { VerifiedData, verifyStoredData } from '../verification/stored-data.ts';
import { type Operation, type OperationLine, usageError } from './operation.ts';

/** `verify`: reads the data of the running server whole, and says what is damaged. */
export const verify: Operation = {
  name: 'verify',
  async *run(service, args) {
    const { fileLog, dataDirectory } = service.storage;
    if (fileLog === undefined || dataDirectory === undefined) throw usageError('there is no log in files to verify');
    if (args['accept'] === 'true') yield* acceptedLines(await service.acceptCuts());
    const verified = new VerifiedData();
    const report = new VerifyReport(args['json'] === 'true');
    const checkLog = (visit: EventVisitor) => fileLog.check({ mayBeTrimmed: false, visit });
    for await (const finding of verifyStoredData({ directory: dataDirectory, checkLog }, verified)) {
      yield report.line(finding);
    }
    for await (const finding of verifyCacheFiles(service.storage.blobs, fileLog, service.datasets.keys())) {
      yield report.line(finding);
    }
    const datasets = [...service.datasets].map(([name, dataset]) => ({ name, positions: dataset.positions() }));
    const caches = [{ name: 'search', positions: service.search.positions() }, ...datasets];
    const ends = await endsOf(fileLog);
    for (const finding of verifyPositions(caches, ends, fileLog.allCuts)) yield report.line(finding);
    if (args['giveUpValues'] === 'true' && verified.lostValues.size > 0) {
      yield* giveUpValues({ log: fileLog, blobs: service.storage.blobs }, verified);
      await service.ingest.restartStages();
    }
    yield report.end(verified);
  },
};

/** The ends of now: caches go on while the log is being read. */
async function endsOf(log: FileEventLog): Promise<Map<string, string>> {
  const ends = new Map<string, string>();
  for (const topic of await log.topics()) {
    const end = await log.end(topic);
    if (end !== undefined) ends.set(topic, end);
  }
  return ends;
}

/** Yields a line for each accepted loss. */
export function* acceptedLines(
  cuts: readonly { readonly topic: string; readonly reason: string; readonly resumesAt: string }[],
): Generator<OperationLine> {
  for (const { topic, resumesAt, reason } of cuts) {
    yield { type: 'progress', text: `accepted: the topic ${topic} lost events before ${resumesAt}: ${reason}` };
  }
}

/**
 * Erases the values of events whose blobs are damaged or missing, so that projectors pass over them. Stages make what is
 * whole at their source again when they start next.
 */
export async function* giveUpValues(
  { log, blobs }: { readonly log: FileEventLog; readonly blobs: BlobStore },
  { lostValues }: VerifiedData,
): AsyncGenerator<OperationLine> {
  if (lostValues.size === 0) return;
  const isLost = (event: StoredEvent): boolean => lostValues.has(blobNameOf(event) ?? '');
  for (const topic of await log.topics()) {
    if (!(await holdsAny(log, topic, isLost))) continue;
    await noteGivenUpValues(blobs, topic, randomUUID());
    const { length } = await log.eraseValues(topic, isLost);
    yield { type: 'progress', text: `gave up ${length} values of the topic ${topic}` };
  }
}

async function holdsAny(log: FileEventLog, topic: string, picks: EventPredicate): Promise<boolean> {
  for await (const batch of log.read(topic)) if (batch.some(picks)) return true;
  return false;
}

function blobNameOf(event: StoredEvent): string | undefined {
  try {
    return valueBlob(event)?.name;
  } catch {
    return undefined;
  }
}

/** Turns findings into lines, and counts them. */
export class VerifyReport {
  readonly #isJson: boolean;
  #count = 0;

  constructor(isJson: boolean) {
    this.#isJson = isJson;
  }

  line(finding: Finding): OperationLine {
    this.#count++;
    const { area, what, reason, remedy } = finding;
    const text = this.#isJson ? JSON.stringify(finding) : `${area}: ${what}: ${reason}\n  ${remedy}`;
    return { type: 'result', text };
  }

  /** The last line. @throws `ERR_DAMAGED` (corrupt) when anything was found */
  end({ events, blobs }: VerifiedData): OperationLine {
    if (this.#count > 0) throw damaged(this.#count);
    const facts = `${events} events and ${blobs} blobs and manifests are as they were written`;
    return { type: this.#isJson ? 'progress' : 'result', text: facts };
  }
}
