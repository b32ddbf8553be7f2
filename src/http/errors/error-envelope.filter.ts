import { Catch, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { STATUS } from '../../kernel/errors/error-status.js';
import { stackOf, type GatewayError } from '../../kernel/errors/errors.js';
import { refuseRest } from '../edge/refuse-rest.js';
import { asGatewayError, toEnvelope } from './error-envelope.js';

/** The form in which a group of routes sends its errors. If `error` is undefined, the failure is an internal fault. */
export interface ErrorForm {
  /** Converts a thrown value. Default: `asGatewayError`. */
  readonly translate?: (thrown: unknown) => GatewayError | undefined;
  readonly envelope: (error: GatewayError | undefined) => { readonly status: number; readonly body: object };
  /** Default: the headers of the error. */
  readonly headers?: (error: GatewayError | undefined) => Readonly<Record<string, string>>;
}

/** Sends every error that a request causes as an envelope. docs/errors.md describes the default form. */
@Catch()
export class ErrorEnvelopeFilter implements ExceptionFilter {
  readonly #log = new Logger('http');

  constructor(readonly form: ErrorForm = { envelope: toEnvelope }) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const { translate = asGatewayError, envelope, headers } = this.form;
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    const error = translate(thrown);
    const isDefect = !error || error.kind === 'internal';
    if (isDefect) this.#log.error(`${request.method} ${request.path} failed: ${stackOf(thrown)}`);
    if (response.headersSent || response.destroyed) {
      if (!isDefect && !response.destroyed)
        this.#log.warn(
          `${request.method} ${request.path} was cut off after its response had started: ${error.message}`,
        );
      response.destroy();
      return;
    }
    const { status, body } = envelope(error);
    // Some clients retry a 401 automatically unless the response has this header.
    if (status === STATUS.unauthenticated) response.setHeader('x-should-retry', 'false');
    for (const [name, value] of Object.entries(headers?.(error) ?? error?.headers ?? {}))
      response.setHeader(name, value);
    refuseRest(request, response);
    response.status(status).type('application/json').send(JSON.stringify(body));
  }
}
