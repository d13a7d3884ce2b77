import type * as RDF from '@rdfjs/types';

/** One row of an RDF patch. Prefixes are without their colon. */
export type PatchRow =
  | { readonly type: 'header'; readonly name: string; readonly value: RDF.Term }
  | { readonly type: 'begin' }
  | { readonly type: 'commit' }
  | { readonly type: 'abort' }
  | { readonly type: 'add-prefix'; readonly prefix: string; readonly iri: string }
  | { readonly type: 'delete-prefix'; readonly prefix: string }
  | { readonly type: 'add'; readonly quad: RDF.Quad }
  | { readonly type: 'delete'; readonly quad: RDF.Quad };
