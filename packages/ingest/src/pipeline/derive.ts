import {
  createEvent,
  createHeaders,
  derivedEventId,
  type Event,
  HEADER,
  type Headers,
  type StoredEvent,
} from '@cairn/events';
import { INGEST_HEADER, PIPELINE_SCHEMA_VERSION } from './contract.ts';

export interface Derivation {
  readonly source: StoredEvent;
  /** The stage that made it; appended to `Exec-Path`. */
  readonly stage: string;
  readonly type: string;
  /** Number of the output among those of the same source and stage. Default 0. */
  readonly ordinal?: number;
  readonly value: Uint8Array | string;
  /** Headers that differ from the source's; `undefined` removes one. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

/**
 * The event that a stage makes from another. Its id and its `Request-ID` are derived from the source, the source's
 * `Request-ID` becomes `Input-Request-ID`, `Exec-Path` gains the stage, and the other headers travel on.
 */
export function deriveEvent({ source, stage, type, ordinal = 0, value, headers = {} }: Derivation): Event {
  const id = derivedEventId(source, stage, ordinal);
  const request = source.headers.get(HEADER.requestId);
  let travelling: Headers = createHeaders(source.headers)
    .with(HEADER.valueBlob)
    .with(INGEST_HEADER.sender)
    .with(HEADER.requestId, id.slice(0, 36))
    .append(HEADER.execPath, stage);
  if (request !== undefined) travelling = travelling.with(HEADER.inputRequestId, request);
  for (const [name, text] of Object.entries(headers)) {
    travelling = text === undefined ? travelling.with(name) : travelling.with(name, text);
  }
  const { key } = source;
  return createEvent({ id, type, schemaVersion: PIPELINE_SCHEMA_VERSION, key, headers: travelling, value });
}
