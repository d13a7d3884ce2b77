import type { NextTurn } from '@cairn/events';
import type { Viewer } from '@cairn/security';
import type { User } from '../auth/user.ts';
import type { Configuration } from '../config/configuration.ts';
import type { HttpRequest } from '../http/message.ts';
import type { ParameterSource } from '../parameters/read.ts';
import type { Services } from './services.ts';

/** Context of a request for its handler. */
export interface Context {
  readonly request: HttpRequest;
  readonly requestId: string;
  /** The user who asks; public endpoints have none, and reading it there is a defect. */
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
