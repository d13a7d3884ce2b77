import { CodedError } from '@cairn/errors';
import { type BlobStore, type EventLog, HEADER, type Position, type StoredEvent } from '@cairn/events';
import { cutAround } from '@cairn/events/experimental';
import { blobsWith } from './blob-views.ts';

export interface KnownEvent {
  readonly position: Position;
  /** Its `Event-Id`. Derived ones say what the event was made of, and can be the same in two logs. */
  readonly id: string;
  /** When the log appended it, milliseconds since the epoch. */
  readonly timestampMs: number;
}

/** By what a cache is tied to its log: an event of each topic that it has applied, as it was when it was stored. */
export type LogTie = Readonly<Record<string, KnownEvent>>;

/** Something that keeps how far it has applied topics. */
export interface PositionedCache {
  positions(): Readonly<Record<string, Position>>;
}

/** Takes note of the tie of a stored cache. @throws `ERR_CACHE_LOG`, `ERR_CACHE_POSITION` (corrupt) to refuse it */
export type CheckTie = (tie: LogTie) => Promise<void>;

/** Stands before a manifest, with the tie as JSON and the end of the line behind it. Manifests of earlier releases lack it. */
const MAGIC = 'cairn-tie ';
const LINE_END = 10;

/**
 * Opens a cache over blobs in which its manifest carries its tie to a log. A stored one that was made from another log is
 * refused; one without a tie gets it when it is stored the next time.
 * @throws `ERR_CACHE_LOG`, `ERR_CACHE_POSITION` (corrupt), and what `open` throws
 */
export async function openTied<Cache extends PositionedCache>(
  blobs: BlobStore,
  log: EventLog,
  open: (blobs: BlobStore) => Promise<Cache>,
): Promise<Cache> {
  let opened: PositionedCache | undefined;
  let tie: LogTie = {};
  const store = checkedBlobs(blobs, async (stored) => {
    // Once it is open, it reads its manifest to see that it is still its own; the log was cut and mended meanwhile.
    if (opened !== undefined) return;
    await checkTie(stored, log);
    tie = stored;
  });
  const cache = await open({
    ...store,
    async replaceManifest(name, manifest) {
      tie = await tieTo(log, opened?.positions() ?? {}, tie);
      await store.replaceManifest(name, withTie(tie, manifest));
    },
  });
  opened = cache;
  return cache;
}

/** Blobs that give manifests without their ties, once these are checked. */
export function checkedBlobs(blobs: BlobStore, check: CheckTie): BlobStore {
  return blobsWith(blobs, {
    async readManifest(name) {
      const bytes = await blobs.readManifest(name);
      if (bytes === undefined) return undefined;
      const { tie, manifest } = withoutTie(bytes, name);
      await check(tie);
      return manifest;
    },
  });
}

/** Refuses a cache that was made from another log than this. @throws `ERR_CACHE_LOG`, `ERR_CACHE_POSITION` (corrupt) */
export async function checkTie(tie: LogTie, log: EventLog): Promise<void> {
  const known = Object.entries(tie);
  await checkPositions(Object.fromEntries(known.map(([topic, { position }]) => [topic, position])), log);
  for (const [topic, event] of known) {
    const found = await log.eventAt?.(topic, event.position);
    if (!isAnother(event, found)) continue;
    throw new CodedError({ code: 'ERR_CACHE_LOG', kind: 'corrupt', message: otherLogReason(topic, event, found) });
  }
}

/** Refuses a cache that has applied what the log does not hold: what comes at those positions would not be applied. */
export async function checkPositions(positions: Readonly<Record<string, Position>>, log: EventLog): Promise<void> {
  for (const [topic, position] of Object.entries(positions)) {
    const end = await log.end(topic);
    const isBeyond = end === undefined || log.comparePositions(position, end) > 0;
    if (!isBeyond && (await cutAround(log, topic, position)) === undefined) continue;
    const message = `it has applied the position ${position} of the topic ${topic}, which the log does not hold any more`;
    throw new CodedError({ code: 'ERR_CACHE_POSITION', kind: 'corrupt', message });
  }
}

/** Returns true if a log has another event at the position. One that is not there any more tells nothing. */
export function isAnother(event: KnownEvent, found: StoredEvent | undefined): found is StoredEvent {
  return found !== undefined && (idOf(found) !== event.id || found.timestampMs !== event.timestampMs);
}

/** In words, that a cache is not of the log. */
export function otherLogReason(topic: string, { position, id, timestampMs }: KnownEvent, found: StoredEvent): string {
  const [known, there] = [`${id} of ${timeOf(timestampMs)}`, `${idOf(found)} of ${timeOf(found.timestampMs)}`];
  return `it was made from another log: at ${position} of the topic ${topic} it knows the event ${known}, the log has ${there}`;
}

function idOf({ headers }: StoredEvent): string {
  return headers.get(HEADER.eventId) ?? '';
}

function timeOf(timestampMs: number): string {
  const time = new Date(timestampMs);
  return Number.isNaN(time.getTime()) ? String(timestampMs) : time.toISOString();
}

/** Ties positions to what the log has there. What cannot be read now stays tied as before. */
async function tieTo(log: EventLog, positions: Readonly<Record<string, Position>>, before: LogTie): Promise<LogTie> {
  const tie: Record<string, KnownEvent> = { ...before };
  for (const [topic, position] of Object.entries(positions)) {
    if (before[topic]?.position === position) continue;
    const event = await log.eventAt?.(topic, position).catch(() => undefined);
    if (event !== undefined) tie[topic] = { position, id: idOf(event), timestampMs: event.timestampMs };
  }
  return tie;
}

function withTie(tie: LogTie, manifest: Uint8Array): Uint8Array {
  const head = new TextEncoder().encode(`${MAGIC}${JSON.stringify(tie)}\n`);
  const bytes = new Uint8Array(head.length + manifest.length);
  bytes.set(head);
  bytes.set(manifest, head.length);
  return bytes;
}

function withoutTie(bytes: Uint8Array, name: string): { readonly tie: LogTie; readonly manifest: Uint8Array } {
  const start = new TextDecoder().decode(bytes.subarray(0, MAGIC.length));
  if (start !== MAGIC) return { tie: {}, manifest: bytes };
  const end = bytes.indexOf(LINE_END);
  if (end < 0) throw damagedTie(name);
  return {
    tie: parseTie(new TextDecoder().decode(bytes.subarray(MAGIC.length, end)), name),
    manifest: bytes.slice(end + 1),
  };
}

function parseTie(text: string, name: string): LogTie {
  try {
    const tie: unknown = JSON.parse(text);
    if (isTie(tie)) return tie;
  } catch (error) {
    throw damagedTie(name, error);
  }
  throw damagedTie(name);
}

function isTie(value: unknown): value is LogTie {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every(
    (event: Partial<KnownEvent> | null) =>
      typeof event?.position === 'string' && typeof event.id === 'string' && typeof event.timestampMs === 'number',
  );
}

function damagedTie(name: string, cause?: unknown): CodedError {
  const message = `the manifest ${name} does not say which log it was made from`;
  return new CodedError({ code: 'ERR_CACHE_LOG', kind: 'corrupt', message, cause });
}
