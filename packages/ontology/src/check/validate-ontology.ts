import { checkObject } from '@cairn/errors';
import type * as RDF from '@rdfjs/types';
import type { Finding } from '../finding/finding.ts';
import { createOntologyModel, type OntologyModel } from '../model/ontology-model.ts';
import type { SourceLines } from '../model/source-lines.ts';
import { RULES } from '../rules/rules.ts';

/** Options of {@link validateOntology}. */
export interface ValidateOntologyOptions {
  /** The ontology that is extended. Without it, parents that are not declared are warnings. */
  readonly base?: OntologyModel | undefined;
  /** The ontology is itself a base: a missing parent or name is a note. Default false. */
  readonly isBase?: boolean | undefined;
  /** Default `http://telicent.io/ontology/style`. */
  readonly stylePredicate?: string | undefined;
  /** Gives the findings their lines, see {@link readSourceLines}. */
  readonly lines?: SourceLines | undefined;
}

/**
 * Checks an ontology against every rule. Findings are in the order of the rules, and within a rule in the order of the
 * source. Never throws because of what the quads say. Cost: O(quads).
 */
export function validateOntology(quads: Iterable<RDF.Quad>, options: ValidateOntologyOptions = {}): Finding[] {
  const work = validateOntologyInSteps(quads, options);
  for (let step = work.next(); ; step = work.next()) if (step.done) return step.value;
}

const FINDINGS_PER_STEP = 64;

/**
 * The same for a caller that lets others run meanwhile: yields between the rules, and among the findings of one. Where
 * there is nothing to find, the longest step takes about a third of the whole. Begins with the first call of `next`.
 */
export function* validateOntologyInSteps(
  quads: Iterable<RDF.Quad>,
  options: ValidateOntologyOptions = {},
): Generator<void, Finding[], undefined> {
  checkObject(options, 'the options');
  const { base, isBase = false, stylePredicate, lines } = options;
  const ontology = createOntologyModel(quads, { stylePredicate, lines });
  const findings: Finding[] = [];
  for (const rule of RULES) {
    yield;
    for (const finding of rule.check({ ontology, base, isBase })) {
      findings.push(finding);
      if (findings.length % FINDINGS_PER_STEP === 0) yield;
    }
  }
  return findings;
}
