import type { Service } from '../composition/service.ts';

/** What an operator's command was called with; lists come as arrays. */
export type OperationArguments = Readonly<Record<string, string | readonly string[] | undefined>>;

/** One line of an operation's progress or result. */
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
