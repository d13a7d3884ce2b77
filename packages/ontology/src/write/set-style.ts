import { checkList, checkObject, checkPort, checkText } from '@cairn/errors';
import { type ChangeSet, dataFactory, writeTerm } from '@cairn/rdf-graph';
import type * as RDF from '@rdfjs/types';
import { DEFAULT_STYLE_PREDICATE } from '../model/vocabulary.ts';
import type { Style } from '../style/style.ts';
import { assertStyle } from './create-style.ts';

/** Options of {@link setStyle}. */
export interface SetStyleOptions {
  /** The label under which the style is stored. */
  readonly label: string;
  /** Quads of the dataset about the class; its present styles among them are deleted. */
  readonly existing?: Iterable<RDF.Quad> | undefined;
  /** Default `http://telicent.io/ontology/style`. */
  readonly stylePredicate?: string | undefined;
  /** Makes the terms: any RDF/JS data factory. */
  readonly factory: Pick<RDF.DataFactory, 'namedNode' | 'literal' | 'quad' | 'defaultGraph'>;
}

/**
 * The change set that gives a class a style, in place of those that it has.
 * @throws `ERR_STYLE` (invalid) when the style has a finding that is an error.
 */
export function setStyle(classUri: string, style: Style, options: SetStyleOptions): ChangeSet {
  checkText(classUri, 'the class');
  assertStyle(style);
  checkObject(options, 'the options');
  const { factory, label, existing = [], stylePredicate = DEFAULT_STYLE_PREDICATE } = options;
  checkText(label, 'the label');
  checkText(stylePredicate, 'the style predicate');
  checkPort(factory, 'namedNode', 'the data factory');
  checkList(existing, 'the existing quads');
  const old = [...existing].filter(
    ({ subject, predicate }) => subject.value === classUri && predicate.value === stylePredicate,
  );
  const literal = factory.literal(JSON.stringify(style));
  const quad = factory.quad(
    factory.namedNode(classUri),
    factory.namedNode(stylePredicate),
    literal,
    factory.defaultGraph(),
  );
  return {
    deletions: old.filter((other) => !other.object.equals(literal)).map((other) => ({ quad: other, label: undefined })),
    additions: [{ quad, label }],
  };
}

/**
 * The statement that gives a class a style, as Turtle. What an IRI may not hold is escaped, so that no text makes another
 * statement of it; a reader refuses such an IRI.
 * @throws `ERR_STYLE` (invalid) when the style has a finding that is an error.
 */
export function toStyleTurtle(
  classUri: string,
  style: Style,
  stylePredicate: string = DEFAULT_STYLE_PREDICATE,
): string {
  checkText(classUri, 'the class');
  checkText(stylePredicate, 'the style predicate');
  assertStyle(style);
  const { namedNode, literal } = dataFactory;
  const terms = [namedNode(classUri), namedNode(stylePredicate), literal(JSON.stringify(style))];
  return `${terms.map(writeTerm).join(' ')} .\n`;
}
