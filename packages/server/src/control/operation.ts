import { CodedError } from '@cairn/errors';
import type { Service } from '../composition/service.ts';

/** Arguments of an operator's command; lists come as arrays. */
export type OperationArguments = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface OperationLine {
  /** `progress` is for people while it runs, `result` for programs. */
  readonly type: 'progress' | 'result';
  readonly text: string;
}

/** A command that changes or copies the data. Runs inside the server when there is one, else on the opened data. */
export interface Operation {
  readonly name: string;
  run(service: Service, args: OperationArguments, signal: AbortSignal): AsyncIterable<OperationLine>;
}

/** Returns the error of a command that was called wrongly. */
export function usageError(message: string, cause?: unknown): CodedError {
  return new CodedError({ code: 'ERR_USAGE', kind: 'invalid', message, cause });
}
