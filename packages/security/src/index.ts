export type { LabelId, LabelSetId, LabelSetTable, LabelTable } from './viewer/label-table.ts';
export type { Attributes, Hierarchies, Viewer } from './viewer/viewer.ts';
