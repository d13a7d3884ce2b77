import { CodedError } from '@cairn/errors';
import { nextTurn } from '@cairn/events';
import { type Finding, validateOntologyInSteps } from '@cairn/ontology';
import { type ChangeSet, type GraphDataset, writeQuad } from '@cairn/rdf-graph';
import type { Viewer } from '@cairn/security';
import { inTurns } from './in-turns.ts';
import { visibleQuads } from './visible-ontology.ts';

/** The dataset that holds the ontology: updates of it are validated before they are appended. */
export const ONTOLOGY_DATASET = 'ontology';

/**
 * Refuses a change that would bring an error into the ontology that was not there before, as far as its author may see
 * it. Errors that are there already are not in the way of mending others. Cost: O(visible quads), in a few turns.
 *
 * @throws `ERR_ONTOLOGY` (invalid) with the first new finding and how many there are.
 */
export async function guardOntologyUpdate(
  dataset: GraphDataset,
  viewer: Viewer,
  changes: ChangeSet,
  stylePredicate: string,
): Promise<void> {
  if (changes.additions.length === 0 && changes.deletions.length === 0) return;
  const options = { isBase: true, stylePredicate };
  const visible = await visibleQuads(dataset, viewer);
  await nextTurn();
  const deleted = new Set(changes.deletions.map(({ quad }) => writeQuad(quad)));
  const kept = [...visible].filter(([line]) => !deleted.has(line)).map(([, quad]) => quad);
  await nextTurn();
  const known = new Set(errorsOf(await inTurns(validateOntologyInSteps(visible.values(), options))).map(keyOf));
  await nextTurn();
  const after = [...kept, ...changes.additions.map(({ quad }) => quad)];
  const added = errorsOf(await inTurns(validateOntologyInSteps(after, options))).filter(
    (finding) => !known.has(keyOf(finding)),
  );
  const [first] = added;
  if (first === undefined) return;
  const others = added.length === 1 ? '' : `; and ${added.length - 1} more`;
  const message = `the update would break the ontology: ${first.rule}: ${first.message}${others}`;
  throw new CodedError({ code: 'ERR_ONTOLOGY', kind: 'invalid', message });
}

function errorsOf(findings: readonly Finding[]): readonly Finding[] {
  return findings.filter(({ severity }) => severity === 'error');
}

function keyOf({ rule, subject, message }: Finding): string {
  return JSON.stringify([rule, subject, message]);
}
