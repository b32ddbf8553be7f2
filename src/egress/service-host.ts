import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { HttpAdapterHost, type AbstractHttpAdapter } from '@nestjs/core';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { markInternRequest } from '../kernel/intern-request.js';
import { EgressRefusal } from './proxy.errors.js';
import type { Target } from './target.js';

/** The name of this service in an intern's network. It is never resolved. */
export const SERVICE_HOST = 'gatehouse.internal';

const API_PATH = /^\/api\/v1\//;
/**
 * Headers that are not passed on: headers for this proxy, and headers in which another proxy identifies the caller.
 * Here the pass identifies the caller.
 */
const NOT_PASSED_ON = /^(proxy-.*|forwarded|x-forwarded-.*|expect)$/;

/** The prototypes that Express gives to requests and responses. */
interface ExpressApp {
  readonly request: object;
  readonly response: object;
}

/**
 * This service, as interns reach it. Requests to SERVICE_HOST are marked with the intern and handled in this process;
 * their responses use the connection of the request.
 */
@Injectable()
export class ServiceHost implements OnApplicationBootstrap, OnModuleDestroy {
  /** True from when the service begins to listen until its open requests have ended. */
  #isOpen = false;

  constructor(private readonly server: HttpAdapterHost<AbstractHttpAdapter<Server>>) {}

  onApplicationBootstrap(): void {
    // An application context without HTTP has no server.
    const adapter = this.server.httpAdapter as typeof this.server.httpAdapter | undefined;
    adapter?.getHttpServer()?.once('listening', () => (this.#isOpen = true));
  }

  onModuleDestroy(): void {
    this.#isOpen = false;
  }

  /** Throws an EgressRefusal if the request is not for the API, or if the service is starting or has stopped. */
  handle(
    internId: string,
    { port, path }: Target & { readonly path: string },
    request: IncomingMessage,
    response: ServerResponse,
  ): void {
    if (port !== 80 || !API_PATH.test(path))
      throw new EgressRefusal(403, `${SERVICE_HOST} serves http://${SERVICE_HOST}/api/v1 to interns, and nothing else`);
    const { httpAdapter } = this.server;
    const server = httpAdapter.getHttpServer();
    // A shutdown waits for running turns, which send further requests after the service has stopped listening.
    if (!this.#isOpen) throw new EgressRefusal(503, 'The service is starting or shutting down');
    const app = httpAdapter.getInstance<ExpressApp>();
    // The fast path expects the objects that the service's own server creates.
    Object.setPrototypeOf(request, app.request);
    Object.setPrototypeOf(response, app.response);
    for (const name of Object.keys(request.headers)) if (NOT_PASSED_ON.test(name)) delete request.headers[name];
    request.headers.host = SERVICE_HOST;
    request.url = path;
    markInternRequest(request, internId);
    server.emit('request', request, response);
  }
}
