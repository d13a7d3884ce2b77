import { CodedError } from '@cairn/errors';
import type * as RDF from '@rdfjs/types';
import { writeTerm } from '../../rdf/term-writer.ts';

export interface ShapeProblem {
  /** The shape, or the node of its path or list. */
  readonly shape: RDF.Term;
  /** The parameter or term of SHACL: `sh:minCount`. */
  readonly parameter: string;
  readonly message: string;
  /** True when it is well formed, but beyond SHACL Core or this implementation. */
  readonly isUnsupported: boolean;
}

export type ReportProblem = (problem: Omit<ShapeProblem, 'isUnsupported'> & { readonly isUnsupported?: true }) => void;

const SHOWN = 5;

/** `ERR_SHACL_SHAPES` (invalid) or `ERR_SHACL_UNSUPPORTED` (unsupported) that names the first five problems. */
export function shapesError(problems: readonly ShapeProblem[]): CodedError {
  const lines = problems.slice(0, SHOWN).map(describeProblem);
  const more = problems.length > SHOWN ? `; and ${problems.length - SHOWN} more` : '';
  const isUnsupported = problems.every((problem) => problem.isUnsupported);
  return new CodedError({
    code: isUnsupported ? 'ERR_SHACL_UNSUPPORTED' : 'ERR_SHACL_SHAPES',
    kind: isUnsupported ? 'unsupported' : 'invalid',
    message: `${isUnsupported ? 'unsupported' : 'ill-formed'} shapes: ${lines.join('; ')}${more}`,
  });
}

/** One problem in a line: `<http://e/S>: sh:minCount must be an xsd:integer; got "many"`. */
export function describeProblem({ shape, parameter, message }: ShapeProblem): string {
  return `${showTerm(shape)}: ${parameter} ${message}`;
}

/** A term for a message, cut to 100 characters. */
export function showTerm(term: RDF.Term): string {
  const text = writeTerm(term);
  return text.length <= 100 ? text : `${text.slice(0, 99)}…`;
}
