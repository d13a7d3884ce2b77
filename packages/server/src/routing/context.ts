import type { NextTurn } from '@cairn/events';
import type { Viewer } from '@cairn/security';
import type { User } from '../auth/user.ts';
import type { Configuration } from '../config/configuration.ts';
import type { HttpRequest } from '../http/message.ts';
import type { ParameterSource } from '../parameters/read.ts';
import type { Services } from './services.ts';

/** What a handler knows about the request beside its parameters. */
export interface Context {
  readonly request: HttpRequest;
  readonly requestId: string;
  /** Whoever asks; on public endpoints nobody, and reading it there is a defect. */
  readonly user: User;
  readonly viewer: Viewer;
  /** Lets others run between two slices of work; the user's computations are one party, however many there are. */
  readonly nextTurn: NextTurn;
  readonly services: Services;
  readonly configuration: Configuration;
  /** Aborted when the client leaves. */
  readonly signal: AbortSignal;
  /** For messages about parameters. */
  readonly source: ParameterSource;
}
