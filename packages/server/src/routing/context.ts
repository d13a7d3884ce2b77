import { type NextTurn, nextTurn } from '@cairn/events';
import type { Viewer } from '@cairn/security';
import type { User } from '../auth/user.ts';
import type { Configuration } from '../config/configuration.ts';
import type { BodyLimits } from '../http/body.ts';
import type { HttpRequest } from '../http/message.ts';
import type { ParameterSource } from '../parameters/read.ts';
import type { Services } from './services.ts';

export class Context {
  readonly request: HttpRequest;
  readonly requestId: string;
  /** For messages about parameters. */
  readonly source: ParameterSource;
  readonly services: Services;
  readonly configuration: Configuration;
  readonly #user: User | undefined;

  constructor(
    request: HttpRequest,
    requestId: string,
    user: User | undefined,
    source: ParameterSource,
    { services, configuration }: { readonly services: Services; readonly configuration: Configuration },
  ) {
    this.request = request;
    this.requestId = requestId;
    this.source = source;
    this.services = services;
    this.configuration = configuration;
    this.#user = user;
  }

  /** The user who asks; public endpoints have none, and reading it there is a defect. */
  get user(): User {
    if (this.#user === undefined) throw new Error('a public endpoint has no user');
    return this.#user;
  }

  get viewer(): Viewer {
    return this.user.viewer;
  }

  /** Lets others run between two slices of work; the user's computations are one party, however many there are. */
  get nextTurn(): NextTurn {
    const { name } = this.user;
    return () => nextTurn(name);
  }

  /** Of a body that is read into memory, unless it is RDF. */
  get bodyLimits(): BodyLimits {
    const { maxBodyBytes, bodyTimeoutMs } = this.configuration.server.limits;
    return { maxBytes: maxBodyBytes, timeoutMs: bodyTimeoutMs };
  }

  /** Aborted when the client leaves. */
  get signal(): AbortSignal {
    return this.request.signal;
  }
}
