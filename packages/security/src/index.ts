export { allOf, anyOf } from './label/combine.ts';
export { checkDefaultLabel } from './label/default-label.ts';
export { evaluateLabel } from './label/evaluate.ts';
export { formatLabel } from './label/format.ts';
export {
  isEmptyLabel,
  type Label,
  type LabelExpression,
  type LabelGroup,
  type LabelRelation,
  type LabelTest,
  MAX_LABEL_DEPTH,
  MAX_LABEL_LENGTH,
} from './label/label.ts';
export { parseLabel } from './label/parse.ts';
export { checkStatedLabel, type StatedLabelOptions } from './label/stated.ts';
export { labelFromPolicyInformation } from './policy/policy-information.ts';
export type { JsonObject, JsonValue } from './redaction/json.ts';
export { type LabelledLeaf, labelledLeaves } from './redaction/leaves.ts';
export { redactDocument } from './redaction/redact.ts';
export type { LabelScopeOptions, RedactionOptions } from './redaction/scope.ts';
export { attributesFromJson } from './viewer/attributes.ts';
export {
  createViewer,
  createViewerOfEverything,
  createViewerOfNothing,
  type ViewerOptions,
} from './viewer/create-viewer.ts';
export {
  createLabelSetTable,
  createLabelTable,
  type LabelId,
  type LabelSetId,
  type LabelSetTable,
  type LabelTable,
} from './viewer/label-table.ts';
export { type Attributes, checkViewer, type Hierarchies, type Viewer } from './viewer/viewer.ts';
