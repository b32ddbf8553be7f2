import { Catch, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { refuseRest } from '../../http/edge/refuse-rest.js';
import { requestIdOf } from '../../http/edge/request-id.js';
import { asGatewayError } from '../../http/errors/error-envelope.js';
import { stackOf } from '../../kernel/errors/errors.js';
import { signInPage } from './sign-in-page.js';

/** Sends errors as HTML pages, on routes that browsers open. */
@Catch()
export class SignInPageFilter implements ExceptionFilter {
  readonly #log = new Logger('http');

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    const error = asGatewayError(thrown);
    if (!error || error.kind === 'internal')
      // Log without the query, which contains the code.
      this.#log.error(`${request.method} ${request.path} failed: ${stackOf(thrown)}`);
    const { status, html } = signInPage(error, requestIdOf(response));
    for (const [name, value] of Object.entries(error?.headers ?? {})) response.setHeader(name, value);
    refuseRest(request, response);
    response.status(status).type('text/html; charset=utf-8').send(html);
  }
}
