import { eventId } from '@cairn/events';
import { findMentions, type Mention } from '../entities/find-mentions.ts';
import type { Gazetteer } from '../entities/gazetteer.ts';
import { runWithPauses } from '../work/breather.ts';
import {
  type AnnotatedDocument,
  type DocumentText,
  EVENT_TYPE,
  INGEST_HEADER,
  isDeletion,
  labelOf,
  readJson,
  TOPIC,
} from './contract.ts';
import { deriveEvent } from './derive.ts';
import type { Stage, StageInput, StageOutput } from './stage-target.ts';

export interface FindEntitiesOptions {
  readonly gazetteer: Gazetteer;
  /** The position of each dataset's topic that the gazetteer has its names from. */
  readonly names: () => Readonly<Record<string, string>>;
  /** Lets others run; called for each document, and every few thousand words of a long one. */
  readonly pause: () => Promise<void>;
}

const STAGE = 'find-entities';

/**
 * Text to text with mentions. What it finds depends on the names known at that time, so its event is the record: a
 * rebuild replays it and does not run the stage again. A deletion passes.
 */
export function createFindEntities(options: FindEntitiesOptions): Stage {
  return async (input) => {
    const { event, value } = input;
    if (isDeletion(event)) return passOn(input);
    await options.pause();
    const document = readJson<DocumentText>(event, value);
    const names = options.names();
    const mentions = await annotate(document.text, labelOf(event), options);
    const annotated: AnnotatedDocument = { document, mentions, names };
    const made = { source: event, stage: STAGE, type: EVENT_TYPE.entities, value: JSON.stringify(annotated) };
    return [{ topic: TOPIC.entities, event: deriveEvent(made) }];
  };
}

/** The mentions of a text under a document's label, found in slices. */
export function annotate(
  text: string,
  label: string,
  { gazetteer, pause }: Pick<FindEntitiesOptions, 'gazetteer' | 'pause'>,
): Promise<Mention[]> {
  return runWithPauses(findMentions(text, label, gazetteer), pause);
}

/** A deletion voids the corrections before the document goes, and names that event, so that a replay does likewise. */
function passOn({ event, value }: StageInput): StageOutput[] {
  const derivation = { source: event, stage: STAGE, type: EVENT_TYPE.delete, value };
  const voiding = deriveEvent({ ...derivation, ordinal: 1 });
  const headers = { [INGEST_HEADER.voiding]: eventId(voiding) };
  return [
    { topic: TOPIC.corrections, event: voiding },
    { topic: TOPIC.entities, event: deriveEvent({ ...derivation, headers }) },
  ];
}
