import { type BlobStore, type EventLog, offloadValue, type Position } from '@cairn/events';
import { type EventFile, orderEventFiles, type ParseYaml, parseEventFile } from './file-event.ts';

/** What {@link replayFiles} takes. */
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
 * @throws `ERR_EVENT_FILE` (invalid), naming the file
 */
export async function replayFiles(options: ReplayOptions): Promise<readonly Position[]> {
  const { log, blobs, topic, parseYaml } = options;
  const ordered = orderEventFiles(options.files);
  for (const { name, read } of ordered) parseEventFile({ name, bytes: await read() }, parseYaml);
  const positions: Position[] = [];
  for (const { name, read } of ordered) {
    const file: EventFile = { name, bytes: await read() };
    const event = await offloadValue(parseEventFile(file, parseYaml), blobs);
    positions.push(...(await log.append(topic, [event])));
    options.onProgress?.(positions.length, ordered.length);
  }
  return positions;
}
