import { type NextTurn, nextTurn } from '@cairn/events';
import type { Viewer } from '@cairn/security';
import type { User } from '../auth/user.ts';
import type { Configuration } from '../config/configuration.ts';
import type { HttpRequest } from '../http/message.ts';
import type { ParameterSource } from '../parameters/read.ts';
import type { Context } from './context.ts';
import type { Services } from './services.ts';

export class RequestContext implements Context {
  readonly request: HttpRequest;
  readonly requestId: string;
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

  get user(): User {
    if (this.#user === undefined) throw new Error('a public endpoint has no user');
    return this.#user;
  }

  get viewer(): Viewer {
    return this.user.viewer;
  }

  get nextTurn(): NextTurn {
    const { name } = this.user;
    return () => nextTurn(name);
  }

  get signal(): AbortSignal {
    return this.request.signal;
  }
}
