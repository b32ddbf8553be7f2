import { AsyncLocalStorage } from 'node:async_hooks';
import type { CredentialChoice } from './call-facts.js';
import type { RequestTrace } from './request-trace.js';

/** Facts about the current request. */
export class RequestScope {
  /** The label of the caller's key, once the key is known. */
  keyLabel: string | undefined;
  /** The generation id of the request's call. */
  generationId: string | undefined;
  /** The changes to the request for the current endpoint, as `name=value`; undefined = none. */
  adjusted: readonly string[] | undefined;
  /** The credential of the last attempt, if the caller asked for it and may see it; else undefined. */
  channel: CredentialChoice | undefined;
  /** Undefined = the request is not traced. */
  trace: RequestTrace | undefined;
  /** The traceparent header of requests to vendors; undefined = no header. */
  vendorTraceparent: string | undefined;
  /** How long the request waited in the queue of a busy process, in milliseconds. */
  waitedMs = 0;
  /** When the complete body was received, on the clock of performance.now(); undefined = no body was read. */
  receivedAt: number | undefined;

  constructor(readonly requestId: string) {}
}

const storage = new AsyncLocalStorage<RequestScope | undefined>();

/** Runs the work of a request in its scope. Everything that the work starts is in the scope too. */
export const inRequestScope = <T>(scope: RequestScope | undefined, work: () => T): T => storage.run(scope, work);

/** The request that the running code works for; undefined for the service's own work. */
export const currentRequest = (): RequestScope | undefined => storage.getStore();

/** Runs work that a request starts but that does not belong to it, such as a process that all requests share. */
export const outsideRequests = <T>(work: () => T): T => storage.run(undefined, work);
