import type * as RDF from '@rdfjs/types';

/** A term that remembers its id in the dictionary that met it last, to need no look-up. Ids never change meaning. */
export abstract class RememberingTerm {
  /** Stands for the dictionary, and does not keep it alive. */
  #owner: object | undefined = undefined;
  #id = 0;

  /** The id of a term in a dictionary, 0 where the term does not remember it. */
  static idOf(term: RDF.Term, owner: object): number {
    return #owner in term && term.#owner === owner ? term.#id : 0;
  }

  static remember(term: RDF.Term, owner: object, id: number): void {
    if (!(#owner in term)) return;
    term.#owner = owner;
    term.#id = id;
  }
}
