import { Logger } from '@nestjs/common';
import { MetadataScanner, type ModulesContainer } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Application, NextFunction, Request, Response } from 'express';
import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { inRequestScope, RequestScope } from '../../kernel/request-scope.js';
import { markUndecodable } from '../../kernel/errors/undecodable-path.js';
import { percentDecoded } from '../../kernel/text/text.js';
import { CounterCells } from '../../telemetry/cells.js';
import type { Tracing } from '../../telemetry/tracing.js';
import type { AccessLog } from '../log/access-log.js';
import type { Cors } from './cors.js';
import { enterConsole } from '../console/console-edge.js';
import type { RequestForwarder } from '../workers/request-forwarder.driver.js';
import { FAST_PATH_METADATA } from './fast-path.decorator.js';
import { preparedRefusal, type OverloadRefusals, type PreparedRefusal } from './overload-refusals.js';
import { REQUEST_ID_HEADER, requestIdOf } from './request-id.js';
import { asksForWebSocket, hostFault, refuseHost, refuseWebSocket } from './unparsed-requests.js';

/** Express's application, with the prototypes that its types leave out. */
type ExpressApp = Application & { request: object; response: object };
type Handler = (request: Request, response: Response, next: NextFunction) => Promise<unknown>;
interface FastRoute {
  readonly handler: Handler;
  readonly refusal: PreparedRefusal;
}

/** `/v1/…` is an alias of `/api/v1/…`, because clients for OpenAI's API end their base URL in `/v1`. */
const SHORT_PREFIX = '/v1/';
/** Characters that have a meaning in the path patterns of Express. */
const PATTERN_CHARACTERS = /[:*{}()[\]?+!\\]/;

/**
 * Nest's Express adapter with a fast path for the routes that are marked @FastPath(). If the URL of a POST request is
 * exactly the path of such a route, the request is passed directly to Nest's handler, without Express's layers. The
 * handler receives the same request and response objects as through Express.
 */
export class EdgeAdapter extends ExpressAdapter {
  readonly #routes = new Map<string, FastRoute>();
  /** Set after the modules have started. */
  refusals: OverloadRefusals | undefined;
  readonly responses = new CounterCells(
    'gatehouse_http_responses_total',
    'HTTP responses to callers, by status.',
    'status',
  );
  readonly #methods = new Set<unknown>();

  constructor(
    private readonly accessLog: AccessLog | null = null,
    private readonly cors: Cors | null = null,
    private readonly tracing: Tracing | null = null,
    /** In a worker, forwards all requests except requests for fast-path routes. Null in other processes. */
    private readonly forwarder: RequestForwarder | null = null,
  ) {
    super();
  }

  /** The paths of the registered fast-path routes, with the global prefix. */
  get fastPaths(): string[] {
    return [...this.#routes.keys()];
  }

  override initHttpServer(): void {
    const app = this.getInstance<ExpressApp>();
    const classes = classesOf(app, this.responses);
    this.httpServer = createServer({ ...classes, requireHostHeader: false }, (request, response) => {
      const fault = hostFault(request);
      if (fault !== undefined) return refuseHost(response, fault);
      if (asksForWebSocket(request)) return refuseWebSocket(response);
      if (this.forwarder && !this.#routeOf(request)) return this.forwarder.forward(request, response);
      // Normalise the path before other code reads it, so that all forms of a path have the same routes, guards and log
      // lines.
      const isAbsolute = !request.url!.startsWith('/');
      if (isAbsolute) request.url = originForm(request.url!);
      if (request.url!.startsWith(SHORT_PREFIX)) request.url = `/api${request.url}`;
      const isConsole = enterConsole(request, response, isAbsolute);
      const route = request.method === 'POST' ? this.#routes.get(request.url!) : undefined;
      const inference = route ?? this.#routeOf(request);
      const decision = (inference && this.refusals?.decide(request)) ?? 'start';
      if (inference && decision === 'refuse') {
        // Only browsers send an Origin header, and only browsers need the CORS headers.
        if (!isConsole && request.headers.origin !== undefined) this.cors?.handle(request, response);
        this.refusals!.refuse(request, response, inference.refusal);
        return;
      }
      const handler = route?.handler;
      const scope = new RequestScope(requestIdOf(response));
      this.accessLog?.watch(request, response, scope, handler && request.url);
      this.tracing?.watch(request, response, scope, handler && request.url);
      if (!isConsole && this.cors?.handle(request, response)) return;
      const start = (): void =>
        inRequestScope(scope, () => {
          if (handler) {
            callDirectly(request as Request, response as unknown as Response, handler);
            return;
          }
          if (request.url!.includes('%')) keepDecodable(request);
          app(request, response);
        });
      if (decision === 'start') start();
      else this.refusals!.wait(request, response, scope, start);
    });
  }

  /**
   * The fast-path route of a request, even if Express handles the request because its URL has a query, a trailing slash
   * or capital letters.
   */
  #routeOf({ method, url }: IncomingMessage): FastRoute | undefined {
    if (method !== 'POST') return undefined;
    const [path] = url!.toLowerCase().split(/[?#]/, 1) as [string];
    const end = path.endsWith('/') ? -1 : undefined;
    return this.#routes.get((path.startsWith(SHORT_PREFIX) ? `/api${path}` : path).slice(0, end));
  }

  /** Handles every path, because Express would send its own page for paths outside the global prefix. */
  override setNotFoundHandler(handler: never): unknown {
    return super.setNotFoundHandler(handler, '');
  }

  /**
   * Registers a POST route. If its method is marked @FastPath(), registers it on the fast path too, and throws if its
   * path has parameters.
   */
  override post(...args: unknown[]): unknown {
    const [path, handler] = args as [string, Handler];
    const method: unknown = typeof handler === 'function' && Reflect.getMetadata(FAST_PATH_METADATA, handler);
    if (method) {
      if (PATTERN_CHARACTERS.test(path)) throw new Error(`@FastPath() cannot serve a route with parameters: ${path}`);
      this.#routes.set(path, { handler, refusal: preparedRefusal(handler) });
      this.#methods.add(method);
    }
    return (super.post as (...given: unknown[]) => unknown)(...args);
  }

  /** Throws if a controller method is marked @FastPath() and is not the handler of a registered POST route. */
  assertFastPathsRegistered(modules: ModulesContainer): void {
    const scanner = new MetadataScanner();
    for (const { controllers } of modules.values())
      for (const { metatype } of controllers.values()) {
        const { name, prototype } = metatype as { name: string; prototype: Record<string, object> };
        for (const key of scanner.getAllMethodNames(prototype)) {
          const method: unknown = Reflect.getMetadata(FAST_PATH_METADATA, prototype[key]!);
          if (method && !this.#methods.has(method)) throw new Error(`@FastPath(): ${name}.${key} has no POST route`);
        }
      }
  }
}

/**
 * The path and query of an absolute request target (RFC 9112, section 3.2.2). An absent path becomes `/`. Any other
 * target is returned unchanged.
 */
function originForm(target: string): string {
  const rest = /^[a-z]+:\/\/[^/?#]*(.*)$/i.exec(target)?.[1];
  if (rest === undefined) return target;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/**
 * If Express cannot decode a path, it sends 400 before any guard runs, even to a caller without a key. Therefore such a
 * request is marked, and the percent signs of its path are escaped. Express then routes it like any other request, and
 * AccessGuard refuses it after the check of the key.
 */
function keepDecodable(request: IncomingMessage): void {
  const [path = '', ...query] = request.url!.split('?');
  if (percentDecoded(path) !== undefined) return;
  markUndecodable(request);
  request.url = [path.replaceAll('%', '%25'), ...query].join('?');
}

/**
 * Classes with Express's prototypes, so that Express need not change the prototypes of every request and response.
 * Counts the responses by status.
 */
function classesOf(
  app: ExpressApp,
  responses: CounterCells,
): {
  IncomingMessage: typeof IncomingMessage;
  ServerResponse: typeof ServerResponse;
} {
  class ExpressRequest extends IncomingMessage {}
  class ExpressResponse extends ServerResponse {
    // Node calls this method for implicit headers too.
    override writeHead(status: number, ...rest: unknown[]): this {
      responses.count(String(status));
      const headers = rest.at(-1);
      // If a headers object is passed, add X-Request-Id to it, because setHeader() would make Node merge the headers
      // one by one.
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

/** Calls the handler after setting the properties that Express and its router set on a request and its response. */
function callDirectly(request: Request, response: Response, handler: Handler): void {
  request.res = response;
  request.baseUrl = '';
  request.originalUrl = request.url;
  request.params = {};
  response.locals = {};
  handler(request, response, refuseNext).catch((error: Error) => {
    // Nest passes errors of a handler to the exception filters, so this error comes from a filter.
    new Logger(EdgeAdapter.name).error(`A request got no response: ${error.message}`);
    response.destroy();
  });
}

/** The `next` of the fast path, where no other handler follows. */
function refuseNext(): never {
  throw new Error('a route on the fast path has no next handler');
}
