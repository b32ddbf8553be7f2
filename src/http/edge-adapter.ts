import { Logger } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Application, NextFunction, Request, Response } from 'express';
import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { REQUEST_ID_HEADER, requestIdOf } from './request-id.js';
import { refuseNamelessHost } from './unparsed-requests.js';

/** Express's application, with the prototypes that its types leave out. */
type ExpressApp = Application & { request: object; response: object };
type Handler = (request: Request, response: Response, next: NextFunction) => Promise<unknown>;

/**
 * Express below Nest, with a short way to the routes of inference: a request whose method and path are exactly theirs goes from
 * node:http to Nest's handler, past Express's layers. It sees the same request and response: those of Express, made as such.
 */
export class EdgeAdapter extends ExpressAdapter {
  readonly #handlers = new Map<string, Handler>();

  /** Paths of POST routes that have no parameters, and that no route before them matches. */
  constructor(private readonly shortWays: readonly string[]) {
    super();
  }

  override initHttpServer(): void {
    const app = this.getInstance<ExpressApp>();
    this.httpServer = createServer({ ...classesOf(app), requireHostHeader: false }, (request, response) => {
      if (request.headers.host === undefined && request.httpVersion === '1.1') return refuseNamelessHost(response);
      const handler = request.method === 'POST' ? this.#handlers.get(request.url!) : undefined;
      if (handler) goShortly(request as Request, response as unknown as Response, handler);
      else app(request, response);
    });
  }

  /** Throws where a short way leads nowhere: then its path is wrong, or Nest registers routes in another way. */
  override listen(...args: never[]): never {
    const missing = this.shortWays.filter((path) => !this.#handlers.has(path));
    if (missing.length > 0) throw new Error(`there is no POST route ${missing.join(', ')}`);
    return (super.listen as (...given: unknown[]) => never)(...args);
  }

  override post(...args: unknown[]): unknown {
    const [path, handler] = args;
    if (typeof path === 'string' && args.length === 2 && this.shortWays.includes(path))
      this.#handlers.set(path, handler as Handler);
    return (super.post as (...given: unknown[]) => unknown)(...args);
  }
}

/** Makes requests and responses with Express's prototypes, so that it need not change those of each. */
function classesOf(app: ExpressApp): {
  IncomingMessage: typeof IncomingMessage;
  ServerResponse: typeof ServerResponse;
} {
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse extends ServerResponse {
    // Every head is written by this, those that nobody writes by hand too.
    override writeHead(status: number, ...rest: unknown[]): this {
      const headers = rest.at(-1);
      // One that is given whole, as the routes of inference do it, stays whole: it is not gathered header by header.
      if (typeof headers === 'object' && !Array.isArray(headers))
        rest[rest.length - 1] = { [REQUEST_ID_HEADER]: requestIdOf(this), ...headers };
      else this.setHeader(REQUEST_ID_HEADER, requestIdOf(this));
      return (super.writeHead as (status: number, ...rest: unknown[]) => this)(status, ...rest);
    }
  }
  Object.setPrototypeOf(ExpressRequest.prototype, app.request);
  Object.setPrototypeOf(ExpressResponse.prototype, app.response);
  app.request = ExpressRequest.prototype;
  app.response = ExpressResponse.prototype;
  return { IncomingMessage: ExpressRequest, ServerResponse: ExpressResponse as unknown as typeof ServerResponse };
}

/** What Express and its router note on the two. */
function goShortly(request: Request, response: Response, handler: Handler): void {
  request.res = response;
  request.baseUrl = '';
  request.originalUrl = request.url;
  request.params = {};
  response.locals = {};
  handler(request, response, refuseNext).catch((error: Error) => {
    // Nest answers what a handler throws by the filters: this is a fault of a filter.
    new Logger(EdgeAdapter.name).error(`A request was left without an answer: ${error.message}`);
    response.destroy();
  });
}

/** There is nothing behind these routes. */
function refuseNext(): never {
  throw new Error('a route of inference has no next handler');
}
