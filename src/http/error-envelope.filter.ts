import { Catch, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { asGatewayError, toEnvelope } from './error-envelope.js';
import type { GatewayError } from '../kernel/errors.js';
import { refuseRest } from './refuse-rest.js';

/** Any throw from any room ends here, as the one envelope. */
@Catch()
export class ErrorEnvelopeFilter implements ExceptionFilter {
  readonly #log = new Logger('http');

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    const error = this.translate(thrown);
    if (!error || error.kind === 'internal')
      this.#log.error(
        `${request.method} ${request.path} failed: ${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}`,
      );
    if (response.headersSent || response.destroyed) {
      response.destroy();
      return;
    }
    const { status, body } = toEnvelope(error);
    for (const [name, value] of Object.entries(error?.headers ?? {})) response.setHeader(name, value);
    refuseRest(request, response);
    response.status(status).type('application/json').send(JSON.stringify(body));
  }

  /** A group whose errors carry more says so in a filter of its own, which overrides this. */
  protected translate(thrown: unknown): GatewayError | undefined {
    return asGatewayError(thrown);
  }
}
