/** A place in a document's text that names something. */
export interface Mention {
  /** The text as it is there. */
  readonly text: string;
  /** IRI of the kind of thing. */
  readonly category: string;
  /** IRI of the thing, when known. */
  readonly uri?: string | undefined;
  /** The field of the search document that holds the text. */
  readonly field: string;
  /** UTF-16 code units from the start of the field. */
  readonly start: number;
  /** One past the last code unit. */
  readonly end: number;
  /** Who may see the mention: whom the document's label and the name's label both permit. Canonical. */
  readonly label: string;
}
