import type { CodedErrorOptions } from '@cairn/errors';

export type WorkerMessage<Result> =
  | { readonly type: 'ready' }
  | { readonly type: 'result'; readonly result: Result }
  | { readonly type: 'error'; readonly error: CodedErrorOptions };
