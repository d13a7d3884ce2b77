import type { FieldSelection } from '../mapping/field-selection.ts';
import type { IndexMapping } from '../mapping/index-mapping.ts';
import type { SegmentView } from '../segment/segment-view.ts';

/** An index as one viewer sees it, and a request looks into it. */
export interface VisibleIndex {
  readonly mapping: IndexMapping;
  readonly views: readonly SegmentView[];
  /** Where words look that name no field. */
  readonly selection: FieldSelection;
}
