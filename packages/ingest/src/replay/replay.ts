import { CodedError, isCodedError } from '@cairn/errors';
import { type BlobStore, type Event, type EventLog, HEADER, offloadValue, type Position } from '@cairn/events';
import { bodyPlaceOf, checkStatedLabels, type JudgeLabel } from '@cairn/rdf-graph/experimental';
import { checkStatedLabel } from '@cairn/security';
import { rdfTypeOf } from '../pipeline/detect-type.ts';
import { type EventFile, orderEventFiles, type ParseYaml, parseEventFile } from './file-event.ts';

/** Options of {@link replayFiles}. */
export interface ReplayOptions {
  readonly log: EventLog;
  readonly blobs: BlobStore;
  readonly topic: string;
  readonly files: readonly { readonly name: string; readonly read: () => Promise<Uint8Array> }[];
  readonly parseYaml: ParseYaml;
  readonly onProgress?: ((done: number, all: number) => void) | undefined;
}

/**
 * Appends the events that files hold to a topic, in the order of the numbers in their names. All files are read before
 * the first is appended, so that a malformed one leaves the log as it was.
 * @throws `ERR_EVENT_FILE` (invalid), naming the file, also for a label that cannot be read: in its headers, or in the
 *   label graph of its RDF
 */
export async function replayFiles(options: ReplayOptions): Promise<readonly Position[]> {
  const { log, blobs, topic, parseYaml } = options;
  const ordered = orderEventFiles(options.files);
  for (const { name, read } of ordered)
    await checkLabels(name, parseEventFile({ name, bytes: await read() }, parseYaml));
  const positions: Position[] = [];
  for (const { name, read } of ordered) {
    const file: EventFile = { name, bytes: await read() };
    const event = await offloadValue(parseEventFile(file, parseYaml), blobs);
    positions.push(...(await log.append(topic, [event])));
    options.onProgress?.(positions.length, ordered.length);
  }
  return positions;
}

/** An operator may state labels that he may not read, but none that nobody can. */
async function checkLabels(file: string, event: Event): Promise<void> {
  const judge: JudgeLabel = (label, where) => checkStatedLabel(label, { where, writer: undefined });
  try {
    // A blank one is none: the default label holds.
    const stated = event.headers.getAll(HEADER.securityLabel).filter((label) => label.trim() !== '');
    for (const label of stated) judge(label, `its ${HEADER.securityLabel}`);
    const contentType = event.headers.get(HEADER.contentType);
    if (contentType === undefined || rdfTypeOf('', contentType) === undefined) return;
    await checkStatedLabels(event.value, { ...bodyPlaceOf(event), contentType, judge });
  } catch (cause) {
    if (!isCodedError(cause) || !LABEL_FAULTS.has(cause.code)) return;
    const message = `${JSON.stringify(file)} must be an event whose labels can be read: ${cause.message}`;
    throw new CodedError({ code: 'ERR_EVENT_FILE', kind: 'invalid', message, cause });
  }
}

/** Other faults of RDF become dead letters where they are read. */
const LABEL_FAULTS: ReadonlySet<string> = new Set(['ERR_SECURITY_LABEL', 'ERR_LABEL_RULE', 'ERR_LABEL_TOO_LARGE']);
