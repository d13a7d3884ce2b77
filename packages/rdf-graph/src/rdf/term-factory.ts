import type * as RDF from '@rdfjs/types';
import type { BlankNodeScope } from './blank-node-scope.ts';
import { dataFactory, toLiteral } from './data-factory.ts';
import { isAbsoluteIri } from './iri.ts';
import { createIriCache } from './iri-cache.ts';
import { isLanguageTag } from './language-tag.ts';
import { namedNode, sayable } from './terms.ts';
import type { TextBudget } from './text-budget.ts';
import { isWellFormed } from './well-formed.ts';

/**
 * Makes the terms of one document for a parser library: blank nodes in the document's scope, IRIs checked to be
 * absolute and languages to be tags, repeated ones made once, and none beyond the budget.
 */
export function createTermFactory(blankNodes: BlankNodeScope, budget: TextBudget): RDF.DataFactory {
  const iri = createIriCache((value): RDF.NamedNode => {
    budget.make(value.length);
    if (!isWellFormed(value)) throw notWellFormed();
    if (!isAbsoluteIri(value)) throw new Error('expected an absolute IRI: there is no base for a relative one');
    return namedNode(value);
  });
  const toNamedNode = (value: string): RDF.NamedNode => {
    budget.name(value.length);
    return iri(value);
  };
  const factory = toTermFactory(toNamedNode, blankNodes);
  return { ...factory, literal: (value, type) => sayable(factory.literal(value, type)) };
}

/** The same with IRIs as somebody else makes them; it keeps nothing, so that one for a short text costs little. */
export function toTermFactory(
  toNamedNode: (value: string) => RDF.NamedNode,
  blankNodes: BlankNodeScope,
): RDF.DataFactory {
  return {
    ...dataFactory,
    namedNode: toNamedNode as RDF.DataFactory['namedNode'],
    blankNode: (label?: string) => (label === undefined ? blankNodes.fresh() : blankNodes.labelled(label)),
    literal: (value, type) => {
      if (!isWellFormed(value)) throw notWellFormed();
      return withLanguageTag(toLiteral(value, type));
    },
    variable: () => {
      throw new Error('unexpected variable');
    },
    fromTerm: ((term: RDF.Term) => term) as RDF.DataFactory['fromTerm'],
    fromQuad: (original) => original,
  };
}

/** Half of a surrogate pair: escapes can write one, and UTF-8 cannot. */
function notWellFormed(): Error {
  return new Error('expected whole characters: an escape stands for half of one');
}

/** Refuses a language that no syntax could be written with. */
function withLanguageTag(literal: RDF.Literal): RDF.Literal {
  if (literal.language === '' || isLanguageTag(literal.language)) return literal;
  throw new Error('expected a language tag such as en or de-CH');
}
