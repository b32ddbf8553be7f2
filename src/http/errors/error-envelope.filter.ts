import { Catch, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { STATUS } from '../../kernel/errors/error-status.js';
import { stackOf } from '../../kernel/errors/errors.js';
import { asGatewayError, toEnvelope } from './error-envelope.js';
import type { GatewayError } from '../../kernel/errors/errors.js';
import { refuseRest } from '../edge/refuse-rest.js';

/** Sends every error that a request causes as the error envelope. */
@Catch()
export class ErrorEnvelopeFilter implements ExceptionFilter {
  readonly #log = new Logger('http');

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    const error = this.translate(thrown);
    const isDefect = !error || error.kind === 'internal';
    if (isDefect) this.#log.error(`${request.method} ${request.path} failed: ${stackOf(thrown)}`);
    if (response.headersSent || response.destroyed) {
      if (!isDefect && !response.destroyed)
        this.#log.warn(`${request.method} ${request.path} was cut after it had begun: ${error.message}`);
      response.destroy();
      return;
    }
    const { status, body } = this.toResponse(error);
    // Clients that retry a 401 by themselves read this header.
    if (status === STATUS.unauthenticated) response.setHeader('x-should-retry', 'false');
    for (const [name, value] of Object.entries(this.headersOf(error))) response.setHeader(name, value);
    refuseRest(request, response);
    response.status(status).type('application/json').send(JSON.stringify(body));
  }

  /** Overridden by the filter of a group whose errors have additional members. */
  protected translate(thrown: unknown): GatewayError | undefined {
    return asGatewayError(thrown);
  }

  /** Undefined = a defect of this service. */
  protected toResponse(error: GatewayError | undefined): { readonly status: number; readonly body: object } {
    return toEnvelope(error);
  }

  protected headersOf(error: GatewayError | undefined): Readonly<Record<string, string>> {
    return error?.headers ?? {};
  }
}
