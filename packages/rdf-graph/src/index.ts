export type {
  ChangeSet,
  Evaluation,
  GraphBudget,
  GraphDataset,
  LabelledQuad,
  QuadPattern,
  QueryResult,
  Solution,
  TopicPositions,
  UpdateEvaluation,
} from './port/graph-dataset.ts';
