import type { StoredEvent } from '@cairn/events';
import type { LabelledQuad } from '@cairn/rdf-graph';
import type { SourcePlace } from '../pipeline/source-place.ts';

/** Wanted statements about a document after an event. */
export interface Wanted {
  readonly uri: string;
  readonly event: StoredEvent;
  readonly quads: readonly LabelledQuad[];
  readonly onlyIfThere: boolean;
  /** True when the document is known to be an RDF file; else the graph knows. */
  readonly isRdfFile: boolean;
  /** Returns true for present quads that go unless they are wanted. */
  readonly replaces: (quad: LabelledQuad) => boolean;
  /** That the document was removed, before it came again if it did. */
  readonly removal?: Removal | undefined;
}

/** Where a document was removed, and what of it may go. */
export interface Removal {
  readonly at: SourcePlace | undefined;
  /** The labels under which it goes; without them all. */
  readonly labels: readonly string[] | undefined;
}
