import { casesOf } from '@cairn/errors/conformance';
import type { GraphDataset, LabelledQuad } from '../graph/port/graph-dataset.ts';
import type { GraphReader } from '../graph/port/graph-reader.ts';
import { DEFAULT_GRAPH_ID, type TermId, TermKind, UNBOUND } from '../graph/port/term-kind.ts';
import { writeQuad, writeTerm } from '../rdf/term-writer.ts';
import { blankNode, languageLiteral, namedNode, quad, stringLiteral, typedLiteral } from '../rdf/terms.ts';
import { xsd } from '../rdf/vocabulary.ts';
import {
  adding,
  deleting,
  EVERYTHING,
  ensureEqual,
  type GraphDatasetCase,
  HIGH,
  LOW,
  matchedLines,
  NOTHING,
  row,
} from './assertions.ts';

const [A, B, P, Q, G, H] = ['a', 'b', 'p', 'q', 'g', 'h'].map((name) => namedNode(`http://e/${name}`));

/** Terms in the order of the bytes of their N-Triples form, with what each is and says. */
const TERMS = [
  [stringLiteral('a b'), TermKind.string, 'a b'],
  [stringLiteral('ä'), TermKind.string, 'ä'],
  [languageLiteral('ä', 'en'), TermKind.languageString, 'ä'],
  [typedLiteral('ä', xsd.integer), TermKind.typed, 'ä'],
  [stringLiteral('～'), TermKind.string, '～'],
  [stringLiteral('😀'), TermKind.string, '😀'],
  [B, TermKind.iri, 'http://e/b'],
  [blankNode('x'), TermKind.blankNode, 'x'],
] as const;

const QUADS: readonly LabelledQuad[] = [
  ...[A, B].flatMap((s) => [P, Q].flatMap((p) => [A, B, stringLiteral('1')].map((o) => quad(s, p, o)))),
  ...[A, B, Q].map((o) => quad(A, P, o, G)),
  quad(A, P, A, H),
].map((one, i) => ({ quad: one, label: i % 3 === 0 ? 'clearance=S' : 'clearance=O' }));

/** The quads stored in several steps: what came later lies over what came first. */
async function filled(open: () => Promise<GraphDataset>): Promise<GraphDataset> {
  const dataset = await open();
  await dataset.apply([adding(...QUADS.slice(0, 8))]);
  await dataset.apply([deleting(QUADS[1]), adding(...QUADS.slice(6))]);
  await dataset.apply([adding(QUADS[1])]);
  return dataset;
}

/** The rows of a graph in the order in which they come, read so many at a time. */
function rowsOf(reader: GraphReader, pattern: readonly TermId[], graph: TermId, portion: number): TermId[][] {
  const [s, p, o] = pattern;
  const found: TermId[][] = [];
  const cursor = reader.rows(s, p, o, graph).open();
  while (cursor.read(portion, (...ids) => void found.push(ids)));
  return found;
}

function compareIds(a: readonly TermId[], b: readonly TermId[]): number {
  const at = a.findIndex((id, i) => id !== b[i]);
  return at < 0 ? 0 : a[at] - b[at];
}

function toLine(reader: GraphReader, ids: readonly TermId[]): string {
  const [s, p, o, g] = ids.map((id) => reader.term(id));
  return writeQuad(quad(s, p, o, g));
}

/** Each pattern of the terms of a quad: with and without each of them. */
function patternsOf(terms: readonly TermId[]): TermId[][] {
  return Array.from({ length: 2 ** terms.length }, (_, mask) =>
    terms.map((id, position) => ((mask >> position) & 1 ? id : UNBOUND)),
  );
}

/** Everything that a reader shows, as lines. */
function shown(reader: GraphReader): string[] {
  const graphs = Array.from(reader.graphs(), (graph) => writeTerm(reader.term(graph))).sort();
  const terms = new Set([...reader.quadIds(UNBOUND, UNBOUND, UNBOUND, UNBOUND)].flat());
  const ordered = [...terms].sort(reader.compare).map((id) => `${reader.kind(id)} ${writeTerm(reader.term(id))}`);
  const rows = reader.possibleGraphs().flatMap((graph) => rowsOf(reader, [UNBOUND, UNBOUND, UNBOUND], graph, 2));
  return [...graphs, ...ordered, ...rows.map((ids) => toLine(reader, ids)).sort()];
}

/** Laws of reading by ids. */
export const readerCases: readonly GraphDatasetCase[] = casesOf('core', {
  'a reader finds terms by id and back, says what they are, and orders them by their bytes': async ({ open }) => {
    const dataset = await open();
    // The other way round: the order is not that in which they came.
    const additions = TERMS.map(([term]) => ({ quad: quad(A, P, term), label: '*' })).reverse();
    await dataset.apply([adding(...additions)]);
    const reader = await dataset.reader(LOW);
    const ids = TERMS.map(([term]) => reader.idOf(term));
    for (const [i, [term, kind, text]] of TERMS.entries()) {
      const id = ids[i];
      ensureEqual([reader.kind(id), reader.text(id)], [kind, text], `what ${writeTerm(term)} is`);
      ensureEqual(writeTerm(reader.term(id)), writeTerm(term), 'the term of its id');
    }
    ensureEqual([...ids].reverse().sort(reader.compare), ids, 'the order of terms');
    ensureEqual(reader.idOf(namedNode('http://e/none')), UNBOUND, 'the id of a term that was never stored');
  },

  'a reader gives the rows of each pattern once and in order, in portions of any size': async ({ open }) => {
    const dataset = await filled(open);
    for (const [name, viewer] of Object.entries({ low: LOW, high: HIGH, everything: EVERYTHING })) {
      const reader = await dataset.reader(viewer);
      for (const graph of reader.possibleGraphs()) {
        for (const pattern of patternsOf([A, P, B].map((term) => reader.idOf(term)))) {
          const expected = [...reader.quadIds(pattern[0], pattern[1], pattern[2], graph)].map((ids) => [...ids]);
          expected.sort(compareIds);
          for (const portion of [1, 2, 100]) {
            ensureEqual(rowsOf(reader, pattern, graph, portion), expected, `${name}, ${pattern} in ${graph}`);
          }
          const { size } = reader.rows(pattern[0], pattern[1], pattern[2], graph);
          ensureEqual(size >= expected.length, true, `${size} rows at most, ${expected.length} of them there`);
        }
      }
    }
  },

  'a reader gives and counts what match gives and count counts': async ({ open }) => {
    const dataset = await filled(open);
    for (const viewer of [LOW, HIGH, EVERYTHING, NOTHING]) {
      const reader = await dataset.reader(viewer);
      for (const ids of patternsOf([reader.idOf(A), reader.idOf(P), reader.idOf(B), DEFAULT_GRAPH_ID])) {
        const [subject, predicate, object, graph] = ids.map((id) => (id === UNBOUND ? undefined : reader.term(id)));
        const lines = await matchedLines(dataset, viewer, { subject, predicate, object, graph });
        const found = [...reader.quadIds(ids[0], ids[1], ids[2], ids[3])].map((row) => toLine(reader, row));
        ensureEqual(found.sort(), lines, `quads of ${ids}`);
        ensureEqual(reader.count(ids[0], ids[1], ids[2], ids[3]), lines.length, `count of ${ids}`);
      }
    }
    const graphs = Array.from((await dataset.reader(LOW)).graphs());
    ensureEqual([graphs.length, graphs[0]], [2, DEFAULT_GRAPH_ID], 'graphs');
  },

  'a reader shows nothing of what changes after it was opened': async ({ open }) => {
    const dataset = await filled(open);
    const reader = await dataset.reader(EVERYTHING);
    const before = shown(reader);
    await dataset.apply([deleting(...QUADS.slice(0, 7)), adding(row('new', 'p', 1, '*'))]);
    ensureEqual(shown(reader), before, 'after a change');
  },
});

/** Everything that a reader says of ids that nobody gave: implementations may count them from 1. */
function saidWhenCounting(reader: GraphReader): string[] {
  const said: string[] = [];
  const ask = (what: string, question: () => unknown): void => {
    try {
      const answer = question();
      if (answer !== undefined) said.push(`${what} ${answer}`);
    } catch {
      // Nothing was said.
    }
  };
  for (let id = 1; id <= 200; id++) {
    ask('kind', () => reader.kind(id));
    ask('text', () => reader.text(id));
    ask('term', () => writeTerm(reader.term(id)));
    ask('order', () => Math.sign(reader.compare(id, DEFAULT_GRAPH_ID)));
  }
  return said.sort();
}

/** The law that hidden quads change nothing that is read by ids. */
export const readerNonInterferenceCases: readonly GraphDatasetCase[] = casesOf('non-interference', {
  'a reader shows what it would show if hidden quads had never been stored': async ({ open }) => {
    const full = await filled(open);
    const visible = await open();
    await visible.apply([adding(...QUADS.filter(({ label }) => label === 'clearance=O'))]);
    ensureEqual(shown(await full.reader(LOW)), shown(await visible.reader(LOW)), 'shown');
  },

  'a reader says of ids that are counted up only what it would if hidden quads had never been stored': async ({
    open,
  }) => {
    const [full, visible] = [await open(), await open()];
    const hidden = quad(A, namedNode('http://e/code'), stringLiteral('launch code'), namedNode('http://e/vault'));
    const shownQuad = quad(A, P, stringLiteral('seen'));
    await full.apply([adding({ quad: hidden, label: 'clearance=S' }, { quad: shownQuad, label: 'clearance=O' })]);
    await visible.apply([adding({ quad: shownQuad, label: 'clearance=O' })]);
    const [reader, expected] = [await full.reader(LOW), await visible.reader(LOW)];
    for (const term of [hidden.predicate, hidden.object, hidden.graph]) {
      ensureEqual(reader.idOf(term), UNBOUND, `the id of the hidden ${writeTerm(term)}`);
    }
    ensureEqual(saidWhenCounting(reader), saidWhenCounting(expected), 'said of ids from 1 to 200');
  },
});
