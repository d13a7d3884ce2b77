import { checkText } from '@cairn/errors';
import { createEvent, createHeaders, type Event, HEADER, type HeadersInit } from '@cairn/events';
import { RDF_PATCH_MEDIA_TYPE } from '../../rdf/media-types.ts';
import { takeChanges } from '../port/arguments.ts';
import type { ChangeSet, LabelledQuad, PrefixChange } from '../port/graph-dataset.ts';
import { inTurns, Pace } from '../store/scheduler.ts';
import { toPatchBytes } from './writer.ts';

/** The `Event-Type` of an event whose value is an RDF patch. */
export const PATCH_EVENT_TYPE = 'graph.patched';

/** Options of {@link toPatchEvents}. */
export interface ToPatchEventsOptions {
  /** Identifies the request: the same one gives the same events, so that consumers drop a repeat. */
  readonly eventId: string;
  /** Further headers of each event. */
  readonly headers?: HeadersInit | undefined;
}

/** Finding the part of a quad, in the unit of {@link Pace}. */
const WORK_PER_QUAD = 10;

interface Part {
  readonly label: string | undefined;
  readonly deletions: LabelledQuad[];
  readonly additions: LabelledQuad[];
  readonly prefixes: PrefixChange[];
}

/**
 * The events that carry a change set: one for each label, with that `Security-Label`; what goes under every label
 * comes first, in one without it. Append them as one batch. No change gives no event.
 *
 * The ids are the given one, or, when there are several, the given one with `.0`, `.1`, ... Others have their turn while
 * a large one is written.
 */
export async function toPatchEvents(changes: ChangeSet, options: ToPatchEventsOptions): Promise<Event[]> {
  const taking = inTurns(takeChanges([changes]));
  checkText(options?.eventId, 'the id of the event');
  const own = { eventId: options.eventId, headers: createHeaders(options.headers) };
  const [taken] = taking instanceof Promise ? await taking : taking;
  const parts = await inTurns(toParts(taken));
  const events: Event[] = [];
  for (const [ordinal, part] of parts.entries()) {
    const value = await inTurns(toPatchBytes(part));
    events.push(toEvent(part, value, parts.length === 1 ? '' : `.${ordinal}`, own));
  }
  return events;
}

function* toParts(changes: ChangeSet): Generator<void, Part[]> {
  const pace = new Pace();
  const parts = new Map<string | undefined, Part>();
  const partOf = (label: string | undefined): Part => {
    const part = parts.get(label) ?? { label, deletions: [], additions: [], prefixes: [] };
    parts.set(label, part);
    return part;
  };
  // A deletion under every label must not undo an addition of the same change set, so its part is made first.
  const everyLabel = changes.deletions.filter(({ label }) => label === undefined);
  for (const deletion of everyLabel) partOf(undefined).deletions.push(deletion);
  for (const change of changes.prefixes ?? []) partOf(change.label).prefixes.push(change);
  for (const deletion of changes.deletions) {
    if (deletion.label !== undefined) partOf(deletion.label).deletions.push(deletion);
    if (pace.did(WORK_PER_QUAD)) yield;
  }
  for (const addition of changes.additions) {
    partOf(addition.label).additions.push(addition);
    if (pace.did(WORK_PER_QUAD)) yield;
  }
  return [...parts.values()];
}

function toEvent(part: Part, value: Uint8Array, suffix: string, { eventId, headers }: ToPatchEventsOptions): Event {
  const labelled = part.label === undefined ? [] : [part.label];
  return createEvent({
    id: `${eventId}${suffix}`,
    type: PATCH_EVENT_TYPE,
    headers: createHeaders(headers)
      .with(HEADER.contentType, RDF_PATCH_MEDIA_TYPE)
      .with(HEADER.securityLabel, ...labelled),
    value,
  });
}
