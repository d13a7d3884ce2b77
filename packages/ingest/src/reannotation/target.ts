import { throwIfAborted } from '@cairn/errors';
import { type Position, type StoredEvent, valueSizeBytes } from '@cairn/events';
import type { ChangeSet } from '@cairn/rdf-graph';
import type { ChangesOf } from '../document-rdf/stated.ts';
import type { LabelledGraph } from '../entity-documents/labelled-graph.ts';
import { namingPredicates } from '../entity-documents/mapping.ts';
import type { FindTouched } from '../entity-documents/touched.ts';
import type { TextSet } from '../entity-documents/wide-set.ts';
import { type AnnotatedDocument, TOPIC } from '../pipeline/contract.ts';
import type { Clock } from '../port/clock.ts';
import type { Mutex } from '../projector/mutex.ts';
import type { ProjectionTarget } from '../projector/projector.ts';
import { runWithPauses } from '../work/breather.ts';
import { type ReannotationOptions, reannotate } from './reannotate.ts';

export interface ReannotationTargetOptions extends Omit<ReannotationOptions, 'concerns' | 'onProgress' | 'signal'> {
  readonly topic: string;
  readonly group: string;
  readonly graph: LabelledGraph;
  readonly findTouched: FindTouched;
  readonly clock: Clock;
  readonly changesOf: ChangesOf;
  /** Resolves when the gazetteer has its names from a position of the topic, or later. */
  readonly namesReached: (position: Position) => Promise<void>;
  /** Resolves when every text that was searched with earlier names is on `document.entities`. */
  readonly textsReached: () => Promise<void>;
  /** Least pause between two runs, milliseconds. */
  readonly restMs: number;
  /** One run at a time, whatever dataset it is for. */
  readonly turn: Mutex;
}

/** With more entities than these no document is left out: telling which are concerned would cost more. */
const MAX_ENTITIES_TOLD_APART = 10_000;
/** Larger values are not read a second time: they are taken to have changed everything. */
const MAX_READ_BYTES = 8 * 1024 * 1024;
/** A run rests so many times as long as it took, so that steady changes take a fifth of one core at most. */
const REST_FACTOR = 4;

/**
 * Follows the changes of names in a dataset and looks for them in the documents that they concern: those that hold a
 * name of a changed entity now, and those that mention one of old.
 *
 * Its place is the group's committed position, and what it does depends on the log and the names of now alone: a run
 * that was cut short by a crash is done again, and appends what is missing. What it appends changes no names, so it
 * comes to an end.
 */
export function createReannotationTarget(options: ReannotationTargetOptions): ProjectionTarget {
  const { log, group, topic, clock } = options;
  const naming = namingPredicates(options.graph.mapping);
  let restUntilMs = 0;
  return {
    start: () => log.committed(group, topic),
    async apply(events, upTo, signal) {
      const changes = await namingChanges(events, naming, options);
      if (changes.length === 0) return undefined;
      await clock.sleep(Math.max(0, restUntilMs - clock.nowMs()), signal);
      throwIfAborted(signal);
      await options.turn.run(async () => {
        await options.namesReached(upTo);
        // Waiting is no work that others would have to be spared.
        const startedMs = clock.nowMs();
        await run(changes, options, signal);
        restUntilMs = clock.nowMs() + Math.max(options.restMs, REST_FACTOR * (clock.nowMs() - startedMs));
      });
      return undefined;
    },
  };
}

type NamingChange = ChangeSet | 'everything';

/** Returns the changes of some events that can alter names. */
async function namingChanges(
  events: readonly StoredEvent[],
  naming: ReadonlySet<string>,
  { changesOf }: ReannotationTargetOptions,
): Promise<NamingChange[]> {
  const isNaming = ({ quad }: ChangeSet['additions'][number]): boolean => naming.has(quad.predicate.value);
  const found: NamingChange[] = [];
  for (const event of events) {
    if (valueSizeBytes(event) > MAX_READ_BYTES) {
      found.push('everything');
      continue;
    }
    const changes = await changesOf(event);
    const deletions = changes?.deletions.filter(isNaming) ?? [];
    const additions = changes?.additions.filter(isNaming) ?? [];
    if (deletions.length + additions.length > 0) found.push({ deletions, additions });
  }
  return found;
}

async function run(
  changes: readonly NamingChange[],
  options: ReannotationTargetOptions,
  signal: AbortSignal,
): Promise<void> {
  await options.textsReached();
  if ((await options.log.end(TOPIC.entities)) === undefined) return;
  const told = changes.filter((change) => change !== 'everything');
  if (told.length < changes.length) return void (await reannotate({ ...options, signal }));
  const entities = await options.findTouched(told);
  if (entities.size === 0) return;
  const concerns = entities.size > MAX_ENTITIES_TOLD_APART ? undefined : concernedBy(entities, options);
  await reannotate({ ...options, concerns, signal });
}

/** Returns true if a document mentions one of the entities of old, or holds a name that one has now. */
function concernedBy(
  entities: TextSet,
  { gazetteer, pause }: Pick<ReannotationTargetOptions, 'gazetteer' | 'pause'>,
): (recorded: AnnotatedDocument) => Promise<boolean> {
  const find = gazetteer.finderOf(entities);
  return async ({ document, mentions }) => {
    if (mentions.some(({ uri }) => uri !== undefined && entities.has(uri))) return true;
    return runWithPauses(find(document.text), pause);
  };
}
