import { nextTurn } from '@cairn/events';
import type * as RDF from '@rdfjs/types';
import type { LabelledQuad } from '../graph/port/graph-dataset.ts';
import { type TermId, TermKind } from '../graph/port/term-kind.ts';
import type { TermDictionary } from '../graph/store/term-dictionary.ts';
import { namedNode, quad, stringLiteral } from '../rdf/terms.ts';
import { RDF_LANG_STRING } from '../rdf/vocabulary.ts';
import type { StoreDataset } from './store-dataset.ts';

/** Ids that are looked at between two turns: about a millisecond. */
const IDS_PER_TURN = 65_536;

/**
 * Makes strings of stored literals of type rdf:langString without a language: earlier releases took them, and no syntax
 * can say them. Cost: a look at each term where that IRI is stored at all, else none.
 */
export async function mendLanguageStrings(dataset: StoreDataset): Promise<void> {
  const { dictionary } = dataset.store;
  for (const id of await findLanguageStrings(dictionary)) {
    const literal = dictionary.term(id);
    const deletions: LabelledQuad[] = [];
    for await (const row of dataset.matchLabelled({ object: literal })) deletions.push(row);
    const additions = deletions.map(({ quad: one, label }) => ({ quad: withObject(one, literal.value), label }));
    if (deletions.length > 0) await dataset.apply([{ deletions, additions }]);
  }
}

async function findLanguageStrings(dictionary: TermDictionary): Promise<readonly TermId[]> {
  const datatype = dictionary.find(namedNode(RDF_LANG_STRING));
  if (datatype === 0) return [];
  const found: TermId[] = [];
  for (let id = 1; id < dictionary.size; id++) {
    if (dictionary.kind(id) === TermKind.typed && dictionary.companion(id) === datatype) found.push(id);
    if (id % IDS_PER_TURN === 0) await nextTurn();
  }
  return found;
}

function withObject({ subject, predicate, graph }: RDF.Quad, text: string): RDF.Quad {
  return quad(subject, predicate, stringLiteral(text), graph);
}
