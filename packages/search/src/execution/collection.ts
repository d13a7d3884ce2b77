import type { SegmentView } from '../segment/segment-view.ts';
import type { DocumentTest } from './document-test.ts';
import type { TopDocuments } from './top-documents.ts';

export interface Collection {
  readonly view: SegmentView;
  readonly top: TopDocuments;
  readonly tests: readonly DocumentTest[];
}
