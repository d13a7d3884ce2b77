import path from 'node:path';
import { type Position, type StoredEvent, valueBlob } from '@cairn/events';
import { checkBlobFiles, checkLogFiles, type EventVisitor, type LogDamage } from '@cairn/storage-fs';
import { blobFile } from '@cairn/storage-fs/experimental';
import type { Finding } from './finding.ts';

export interface StoredData {
  readonly directory: string;
  /** Reads the whole log. Default: its files, which nobody writes to. */
  readonly checkLog?: (visit: EventVisitor) => AsyncIterable<LogDamage>;
  readonly visit?: EventVisitor;
}

/** Record of what {@link verifyStoredData} has read, and found lost. */
export class VerifiedData {
  /** The last event of each topic. */
  readonly ends: Map<string, Position> = new Map();
  /** Names of the blobs of values that are damaged or missing. */
  readonly lostValues: Set<string> = new Set();
  events = 0;
  blobs = 0;
}

/** Blobs of caches; manifests are all of theirs. What is in the log makes them anew. */
const CACHES = 'caches/';

interface Reference {
  readonly sizeBytes: number;
  readonly place: string;
}

/**
 * Reads a data directory or a backup whole: every batch of the log, every blob and manifest, and whether each event's
 * value is there. Changes nothing. Cost: reads everything.
 */
export async function* verifyStoredData(
  { directory, checkLog, visit: visitor }: StoredData,
  verified: VerifiedData,
): AsyncGenerator<Finding> {
  const references = new Map<string, Reference>();
  const visit = (event: StoredEvent): void => {
    visitor?.(event);
    verified.events++;
    verified.ends.set(event.topic, event.position);
    const blob = referenceOf(event);
    if (blob !== undefined) references.set(blob.name, blob);
  };
  const damages =
    checkLog?.(visit) ?? checkLogFiles({ directory: path.join(directory, 'log'), mayBeTrimmed: false, visit });
  for await (const damage of damages) yield ofLog(damage);
  for await (const { kind, name, file, sizeBytes, damage } of checkBlobFiles({
    directory: path.join(directory, 'blobs'),
  })) {
    verified.blobs++;
    const reference = kind === 'blob' ? takeReference(references, name) : undefined;
    const reason = damage ?? (reference && sizeOf(reference, sizeBytes));
    if (reason === undefined) continue;
    if (reference !== undefined) verified.lostValues.add(name);
    yield kind === 'manifest' || name.startsWith(CACHES)
      ? ofCache(`blobs/${file}`, reason)
      : ofValue(file, reason, reference);
  }
  for (const [name, reference] of references) {
    verified.lostValues.add(name);
    yield ofValue(blobFile(name), 'it is missing', reference);
  }
}

function takeReference(references: Map<string, Reference>, name: string): Reference | undefined {
  const reference = references.get(name);
  references.delete(name);
  return reference;
}

function referenceOf(event: StoredEvent): (Reference & { readonly name: string }) | undefined {
  try {
    const blob = valueBlob(event);
    return blob && { ...blob, place: `${event.topic} ${event.position}` };
  } catch {
    // A header that names no blob: the event is a dead letter.
    return undefined;
  }
}

function sizeOf({ sizeBytes }: Reference, found: number): string | undefined {
  return found === sizeBytes ? undefined : `it has ${found} bytes, and its event says ${sizeBytes}`;
}

const LOG_REMEDIES: Readonly<Record<LogDamage['kind'], string>> = {
  cut: 'restore from a backup if what was lost matters; cairn verify --accept takes note of it',
  tail: 'the next start takes note of it as a cut, keeps aside what is left of it, and goes on',
  damage: 'stop the server and run cairn verify --accept: every whole event is kept, the rest is set aside',
};

function ofLog({ kind, file, reason }: LogDamage): Finding {
  return { area: kind === 'cut' ? 'cut' : 'log', what: `log/${file}`, reason, remedy: LOG_REMEDIES[kind] };
}

function ofValue(file: string, reason: string, reference: Reference | undefined): Finding {
  const what = `blobs/${file}`;
  if (reference === undefined) return { area: 'value', what, reason, remedy: 'no event refers to it: remove the file' };
  const remedy = 'put the file back from a backup, or run cairn verify --give-up-values';
  return { area: 'value', what, reason: `${reason}; it is the value of the event ${reference.place}`, remedy };
}

export function ofCache(what: string, reason: string): Finding {
  return { area: 'cache', what, reason, remedy: 'the server builds it anew at its next start, or cairn rebuild now' };
}
